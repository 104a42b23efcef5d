package cli

import (
	"fmt"
	"io"
	"os"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/posts"
	"varve/crawl/scope"
)

// definition makes the crawl definition of the flags and arguments.
func (o *crawlOptions) definition(args []string) (crawl.Definition, error) {
	def := crawl.Definition{
		Seeds: args, Workers: o.workers, Timeout: scope.Duration(o.timeout), MaxSitemap: o.maxSitemap,
		Retries: o.retries, RetryAfter: scope.Duration(o.retryWait),
		IgnoreRobots: o.ignoreRobots, AllowPrivate: o.allowPrivate,
		UserAgent: o.userAgent, Contact: o.contact, Operator: o.operator, Topic: o.topic,
	}
	if o.flags.Changed("delay") {
		d := scope.Duration(o.delay)
		def.Delay = &d
	}
	var err error
	if def.Coherence, err = o.coherence.definition(); err != nil {
		return def, err
	}
	if def.Capturing, err = o.capture.definition(); err != nil {
		return def, err
	}
	if def.SpamRules, err = o.spam.rules(); err != nil {
		return def, err
	}
	if err := o.limit(&def); err != nil {
		return def, err
	}
	if o.seedFile != "" {
		if err := takeSeeds(&def, o.seedFile); err != nil {
			return def, &varve.Error{Kind: varve.Invalid, Op: "seed list " + o.seedFile, Err: err}
		}
	}
	if o.posts != "" {
		if err := takePosts(&def, o.posts, o.leastPosts); err != nil {
			return def, &varve.Error{Kind: varve.Invalid, Op: "posts " + o.posts, Err: err, Hint: "JSON objects with text, a feed, or a post a line"}
		}
	}
	def.Scope, err = o.scopeDefinition()
	return def, err
}

// limit sets the limits of the flags. A crawl that is resumed has those of its new command line: it
// reached the old ones.
func (o *crawlOptions) limit(def *crawl.Definition) error {
	def.MaxPages, def.MaxURLs, def.MaxTime, def.MaxBytes = o.maxPages, o.maxURLs, scope.Duration(o.maxTime), 0
	if o.maxBytes != "" {
		n, err := scope.ParseSize(o.maxBytes)
		if err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "--max-bytes", Err: err}
		}
		def.MaxBytes = int64(n)
	}
	if o.minDisk != "" {
		n, err := scope.ParseSize(o.minDisk)
		if err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "--min-disk", Err: err}
		}
		if def.MinDisk = int64(n); n == 0 {
			def.MinDisk = -1
		}
	}
	return nil
}

// takePosts adds what posts point to to the seeds.
func takePosts(def *crawl.Definition, name string, least int) error {
	var in io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	seeds, n, err := posts.Seeds(in, least)
	if err != nil {
		return err
	}
	if len(seeds) == 0 {
		return fmt.Errorf("%d posts, and none points to a page that %d of them name", n, least)
	}
	for _, s := range seeds {
		def.Seeds = append(def.Seeds, s.URL)
	}
	return nil
}

// takeSeeds adds the seeds of a list, or of standard input.
func takeSeeds(def *crawl.Definition, name string) error {
	if name != "-" {
		return def.TakeSeedFile(name)
	}
	more, err := crawl.ReadSeeds(os.Stdin)
	def.Seeds = append(def.Seeds, more...)
	return err
}

// scopeDefinition is that of the scope file, with the mode and hops of the flags where it has none.
func (o *crawlOptions) scopeDefinition() (scope.Definition, error) {
	var def scope.Definition
	if o.scopeFile != "" {
		text, err := os.ReadFile(o.scopeFile)
		if err != nil {
			return def, &varve.Error{Kind: varve.Invalid, Op: "scope file", Err: err}
		}
		set, err := scope.Parse(string(text))
		if err != nil {
			return def, &varve.Error{Kind: varve.Invalid, Op: "scope file " + o.scopeFile, Err: err, Hint: "see docs/formats/scope.md"}
		}
		def = set.Definition()
	}
	if def.Mode == "" {
		def.Mode = scope.Mode(o.scope)
	}
	if o.maxHops >= 0 {
		def.MaxHops = &o.maxHops
	}
	if _, err := scope.NewSet(def); err != nil {
		return def, &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err, Hint: "--scope takes page, prefix, host, domain or web"}
	}
	return def, nil
}

// what tells the definition to run and, when resuming, the crawl.
func (o *crawlOptions) what(col *catalog.Collection, args []string, progress io.Writer) (crawl.Definition, string, error) {
	if o.definitionName == "" && !o.resume && len(args) == 1 && isPlanned(col, args[0]) {
		o.definitionName = args[0]
	}
	if o.definitionName != "" {
		def, err := o.planned(col)
		if err == nil {
			err = o.overPlan(&def, progress)
		}
		return def, "", err
	}
	if !o.resume {
		def, err := o.definition(args)
		return def, "", err
	}
	id, err := crawl.Unfinished(col)
	if err != nil {
		return crawl.Definition{}, "", err
	}
	dir, err := col.CrawlDir(id)
	if err != nil {
		return crawl.Definition{}, "", err
	}
	def, err := crawl.ReadDefinition(dir)
	if err != nil {
		return def, "", err
	}
	return def, id, o.limit(&def)
}
