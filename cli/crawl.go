package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/nodes"
	"varve/crawl/polite"
	"varve/crawl/polite/shared"
)

// crawlOptions are the flags of crawl.
type crawlOptions struct {
	clock               clock.Clock // of the machine; a virtual one is moved on whenever the crawl only waits
	watch               Watcher     // told of each run that starts; may be nil
	archive, collection string
	seedFile            string
	posts               string
	leastPosts          int
	scope, scopeFile    string
	delay               time.Duration
	flags               *pflag.FlagSet
	workers             int
	maxPages, maxURLs   int64
	maxSitemap          int64
	maxBytes, minDisk   string
	maxHops             int
	maxTime, timeout    time.Duration
	retries             int
	retryWait           time.Duration
	ignoreRobots        bool
	allowPrivate        bool
	resume, due         bool
	definitionName      string
	noHistory           bool
	noIndex             bool
	contact, operator   string
	userAgent           string
	resolve, proxy      []string
	cookies, ca         string
	insecure            bool
	politeDir           string
	topic               []string
	coherence           planOptions
	spam                spamOptions
	capture             captureOptions
	node                *nodeOptions // of a crawl on several nodes; nil: this process alone
	json, quiet         bool
}

// NewCrawlCommand makes the command on a clock: that of the machine, or that of a simulated web.
func NewCrawlCommand(t clock.Clock) *cobra.Command { return NewWatchedCrawl(t, nil) }

// Watcher is told of a run that starts, and of its collection.
type Watcher func(collection string, run *crawl.Run)

// NewWatchedCrawl is NewCrawlCommand for somebody who wants to know of each run.
func NewWatchedCrawl(t clock.Clock, watch Watcher) *cobra.Command {
	return newCrawlCommandOf(&crawlOptions{clock: t, watch: watch})
}

func newCrawlCommandOf(o *crawlOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "crawl URL...",
		Short: "Capture web sites into a collection",
		Long: `Captures the pages around the given seeds, with all that they need to be shown, into WARC
files of a collection: exact bytes of requests and responses, robots.txt and redirects included.

  varve crawl https://example.org/ --contact https://my.library/crawler
  varve crawl --seeds list.txt --collection news --scope domain --max-pages 5000
  varve crawl --posts toots.json --scope page --topic flood    what people pointed to
  varve crawl --resume --collection news          go on after a stop or a crash
  varve crawl weekly --collection news            the crawl of that name in the plan of the collection
  varve crawl --due                               all planned crawls whose time has come (for cron)
  varve crawl https://example.org/ --revisit plan a capture that hangs together in time, with proof
  varve crawl --seeds list.txt --scope web --max-hops 5 --spam-filter --model spam.model

With --revisit every page is fetched twice: once all pages of a group are visited, they are visited again and
compared, so that the capture can say of which pages it holds what stood there at one instant, the end of the visits
('varve coherence report' tells). --revisit plan orders visits and revisits by how often pages change. Limits on pages
end the visits, not the revisits.

Pages that show more when their scripts run are executed in Chromium, if it is installed and where measuring says
that it pays; what they ask for is recorded like anything else. Streams (HLS, DASH) are captured in one rendition,
known interfaces are paged through. --capture, --routes and 'varve crawl route-test' say more.

With --spam-filter every host that is not a seed's is judged by its first four text pages, by ten where these leave doubt; of those that the
model takes for spam nothing more is fetched ('varve spam --help' tells how to make a model, and when the filter is worth it). Labels of the collection
and lists go before the model; a host labelled normal while the crawl runs is given back. Verdicts are remembered for the crawls after.

What was recorded is never lost: after a kill or a power cut, --resume goes on where it was.
Without --delay the pace follows how fast each host answers. The crawl obeys robots.txt.
While it runs, its control interface is on <archive>/collections/NAME/crawls/ID/control.sock.

Exit codes: 0 the crawl is complete; 1 something is missing: it stopped early (limit, interrupt: --resume goes on), or
it finished and could not have everything (hosts that do not answer, robots.txt that cannot be had, budgets of hosts used
up, links beyond a limit, collectors that failed), which the last lines and report.json list by cause; 2 could not.`,
		RunE: func(c *cobra.Command, args []string) error {
			o.flags = c.Flags()
			if o.due {
				return runDue(c.Context(), o, c.Flags().Changed("collection"), c.OutOrStdout(), c.ErrOrStderr())
			}
			if o.resume {
				o.sayKept(c.ErrOrStderr(), "a crawl that is resumed goes on as it was defined")
			}
			return runCrawl(c.Context(), o, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "default", "the collection to write to")
	f.StringVar(&o.seedFile, "seeds", "", "file with one seed a line (- for standard input)")
	f.StringVar(&o.posts, "posts", "", "file of short messages (JSON, RSS, Atom, text): the pages that they point to are seeds, most named first (- for standard input)")
	f.IntVar(&o.leastPosts, "least-posts", 1, "with --posts: in how many posts a page must be named")
	f.StringVar(&o.scope, "scope", "host", "what belongs to the crawl: page, prefix, host, domain, web (all that links lead to)")
	f.StringVar(&o.scopeFile, "scope-file", "", "scope rules and settings per domain (TOML, docs/formats/scope.md)")
	f.DurationVar(&o.delay, "delay", 0, "fixed rest of a host between requests (of an address: the same, at most 250ms); 0 means none at all (default: adaptive)")
	f.IntVar(&o.workers, "workers", 0, "fetches at a time over all hosts (default 8 per core)")
	f.Int64Var(&o.maxPages, "max-pages", 0, "stop after so many HTML pages")
	f.Int64Var(&o.maxURLs, "max-urls", 0, "stop after so many answers of any kind")
	f.Int64Var(&o.maxSitemap, "max-sitemap", 0, "addresses that may wait at one host when sitemaps add to them; what is more is counted and left out (default 1,000,000; negative: no limit)")
	f.StringVar(&o.maxBytes, "max-bytes", "", "stop after so many bytes, such as 10GB")
	f.StringVar(&o.minDisk, "min-disk", "", "pause while less of the disk is free, such as 10GB; 0 for never (default 1GiB)")
	f.IntVar(&o.maxHops, "max-hops", -1, "links from a seed to a page at most")
	f.DurationVar(&o.maxTime, "max-time", 0, "stop after this time")
	f.DurationVar(&o.timeout, "timeout", 0, "longest time for one answer (default 20m)")
	f.IntVar(&o.retries, "retries", 0, "further attempts at a URL that failed (default 3; -1 for none)")
	f.DurationVar(&o.retryWait, "retry-wait", 0, "rest before the second attempt, doubled each time (default 30s)")
	f.BoolVar(&o.ignoreRobots, "ignore-robots", false, "fetch what robots.txt forbids; only with the right to do so")
	f.BoolVar(&o.allowPrivate, "allow-private", false, "let public pages lead to private and loopback addresses")
	f.BoolVar(&o.resume, "resume", false, "go on with the newest crawl of the collection that is not complete, up to the limits given now")
	f.BoolVar(&o.due, "due", false, "run the crawls of collection.toml files whose time has come; without --collection of all collections")
	f.StringVar(&o.definitionName, "definition", "", "run this crawl of the collection's plan ('varve crawl plan list'); 'varve crawl NAME' does the same")
	f.BoolVar(&o.noHistory, "no-history", false, "store every answer in full, also what the collection has already")
	f.BoolVar(&o.noIndex, "no-index", false, "do not index finished WARC files while the crawl runs; 'varve index' does it later")
	f.StringVar(&o.contact, "contact", "", "URL or mail address at which site owners reach you; needed outside loopback")
	f.StringVar(&o.operator, "operator", "", "who runs the crawl, for the WARC files")
	f.StringVar(&o.userAgent, "user-agent", "varve/"+Version, "product part of the User-Agent")
	f.StringArrayVar(&o.resolve, "resolve", nil, "PATTERN[:PORT]=ADDR[:PORT] instead of DNS; repeatable")
	f.StringArrayVar(&o.proxy, "proxy", nil, "[PATTERN=]URL of an http or socks5 proxy; repeatable")
	f.StringVar(&o.cookies, "cookies", "", "cookies.txt to begin with")
	f.StringVar(&o.ca, "ca", "", "PEM file of further certificate authorities to trust")
	f.BoolVar(&o.insecure, "accept-bad-certificates", false, "fetch in spite of bad certificates; the fault is recorded")
	f.StringVar(&o.politeDir, "polite-dir", "", "directory in which the crawls of this machine agree on who contacts a host when; none: each by itself (default $VARVE_POLITE_DIR, else one of the user's among the temporary files)")
	f.StringArrayVar(&o.topic, "topic", nil, "words of the topic: links near them come first; repeatable")
	o.coherence.addFlags(f)
	o.spam.addFlags(f)
	o.capture.addFlags(f)
	f.BoolVar(&o.json, "json", false, "print one JSON object as the last line")
	f.BoolVar(&o.quiet, "quiet", false, "no progress")
	c.AddCommand(newScopeTestCommand(), newRouteTestCommand(), newCrawlPlanCommand())
	return c
}

// client makes the fetcher of a definition. Proxies are given beside it, with their passwords.
func (o *crawlOptions) client(def crawl.Definition, proxies []string) (*fetch.Client, error) {
	cfg := fetch.Config{UserAgent: def.Agent(), From: def.From(), AllowPrivate: def.AllowPrivate, Clock: o.clock}
	cfg.TLS.AcceptBad = def.Network.AcceptBad
	for _, s := range def.Network.Resolve {
		r, err := fetch.ParseOverride(s)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "--resolve " + s, Err: err}
		}
		cfg.Overrides = append(cfg.Overrides, r)
	}
	for _, s := range proxies {
		r, err := fetch.ParseProxyRule(s)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "--proxy " + s, Err: err}
		}
		cfg.Proxies = append(cfg.Proxies, r)
	}
	if ca := def.Network.CA; ca != "" {
		roots, err := readRoots(ca)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "--ca " + ca, Err: err, Hint: "--ca names another place, also when a crawl is resumed"}
		}
		cfg.TLS.Roots = roots
	}
	return fetch.New(cfg)
}

// reach puts the flags that say how the web is reached into the definition, which goes on saying so when the crawl is
// resumed. It returns the proxies as they are to be used: the definition has no passwords.
func (o *crawlOptions) reach(def *crawl.Definition) (proxies []string, err error) {
	n := &def.Network
	if len(o.resolve) > 0 {
		n.Resolve = o.resolve
	}
	if len(o.proxy) > 0 {
		n.Proxy = o.proxy
	}
	if o.ca != "" {
		if n.CA, err = filepath.Abs(o.ca); err != nil {
			return nil, err
		}
	}
	n.AcceptBad = n.AcceptBad || o.insecure
	def.NoHistory = def.NoHistory || o.noHistory
	if err := n.Usable(); err != nil {
		return nil, err
	}
	proxies, n.Proxy = n.Proxy, nil
	for _, p := range proxies {
		n.Proxy = append(n.Proxy, crawl.WithoutPassword(p))
	}
	return proxies, nil
}

// runCrawl runs one crawl to its end.
func runCrawl(ctx context.Context, o *crawlOptions, args []string, out, progress io.Writer) error {
	col, err := openArchive(o.archive).Collection(o.collection)
	if err != nil {
		return err
	}
	def, id, err := o.what(col, args, progress)
	if err != nil {
		return err
	}
	return o.run(ctx, col, def, id, out, progress)
}

// run runs a crawl, new or resumed, to its end and prints its report.
func (o *crawlOptions) run(ctx context.Context, col *catalog.Collection, def crawl.Definition, id string, out, progress io.Writer) error {
	lock, err := col.Lock(filepath.Join(col.Dir(), "crawls"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if id == "" {
		if err := finishLeftOpen(col, progress); err != nil {
			return err
		}
	}
	defer tuneMemory(ctx)()
	proxies, err := o.reach(&def)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(progress, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if o.node != nil {
		if def, id, err = o.node.join(ctx, o, col, def, log); err != nil {
			return err
		}
		defer o.node.close()
	}
	client, err := o.client(def, proxies)
	if err != nil {
		return err
	}
	defer client.Close()
	engine, leave := o.engine(client, def, log)
	defer leave()
	send, err := startSender(ctx, o.archive, col, log)
	if err != nil {
		return err
	}
	defer send.finish(ctx, progress)
	opts, set, closeOptions, err := o.runOptions(ctx, col, def, log, progress)
	if err != nil {
		return err
	}
	collect, err := o.capture.collectors(col, def, o.clock, log, progress)
	if err != nil {
		return errors.Join(err, closeOptions())
	}
	defer collect.Close()
	set.Collect = collect.Options
	opts.Stages = set.Of
	if o.node != nil {
		opts.Stages = func(def crawl.Definition) []crawl.Stage { return append(set.Of(def), o.node.node) }
	}
	run, err := startOrResume(ctx, engine, col, id, def, opts)
	if err != nil {
		return errors.Join(err, closeOptions())
	}
	stopControl, err := serveControl(run, col)
	if err != nil {
		run.Stop("no control interface")
	}
	if !o.quiet {
		defer watchRun(run, progress)()
	}
	if o.watch != nil {
		o.watch(col.Name, run)
	}
	if !o.noIndex {
		live := startLiveIndex(ctx, col, log)
		defer live.finish(ctx)
	}
	wait := run.Wait
	if v, ok := o.clock.(*clock.Virtual); ok {
		wait = func() (*crawl.Report, error) { return run.Drive(v) }
	}
	rep, runErr := wait()
	err = errors.Join(err, runErr, stopControl(), closeOptions())
	if err != nil {
		return err
	}
	if err := errors.Join(noteCapture(context.WithoutCancel(ctx), col, rep), collect.settle(rep.Crawl, progress)); err != nil {
		return err
	}
	if o.node != nil {
		if err := o.node.tell(context.WithoutCancel(ctx), rep, progress); err != nil {
			return err
		}
	}
	return o.printReport(out, col, rep)
}

// engine makes the engine of one crawl, as polite as its definition says, together with the other crawls of the
// machine; leave ends that.
func (o *crawlOptions) engine(client *fetch.Client, def crawl.Definition, log *slog.Logger) (e *crawl.Engine, leave func()) {
	manners := polite.Default()
	if def.Delay != nil {
		manners = polite.Fixed(time.Duration(*def.Delay))
	}
	others, leave := o.sharedPoliteness(log)
	var fetcher crawl.Fetcher = client
	if o.node != nil {
		fetcher, others = o.node.node.Fetcher(client), nodes.Both(others, o.node.node.Addresses())
	}
	return crawl.NewEngine(crawl.EngineConfig{
		Fetcher: fetcher, Polite: manners, Shared: others, Clock: o.clock, Log: log, Software: "varve/" + Version + " (" + runtime.Version() + ")",
	}), leave
}

// sharedPoliteness joins the other crawls of the machine. Time that is simulated is nobody else's. Without a place to
// meet, the crawl says so and goes on by itself.
func (o *crawlOptions) sharedPoliteness(log *slog.Logger) (polite.Shared, func()) {
	dir, named := cmp.Or(o.politeDir, os.Getenv("VARVE_POLITE_DIR")), true
	if dir == "none" || o.clock != clock.Real() {
		return nil, func() {}
	}
	if dir == "" {
		dir, named = shared.DefaultDir(), false
	}
	s, err := shared.Open(dir, named, log)
	if err != nil {
		log.Warn("each crawl is polite by itself", "err", err, "hint", varve.HintOf(err))
		return nil, func() {}
	}
	return s, func() { _ = s.Close() } // nothing is kept in it that a death would not leave
}

// noteCapture enters a crawl into the events of its collection.
func noteCapture(ctx context.Context, col *catalog.Collection, rep *crawl.Report) error {
	word := "success"
	switch {
	case !rep.Finished:
		word = "stopped early"
	case !rep.Complete:
		word = "finished, not complete"
	}
	detail := fmt.Sprintf("crawl %s: %d pages, %d answers, %d bytes", rep.Crawl, rep.Pages, rep.URLs, rep.Bytes)
	if n := elsewhere(rep); n > 0 {
		detail += fmt.Sprintf("; %d parts of pages on other hosts were not to be had", n)
	}
	return keepRecord(ctx, col, catalog.Event{
		Type: "capture", Outcome: word, Detail: detail, Objects: rep.Files,
	})
}

// finishLeftOpen gives the WARC files that a killed crawl left open their final names, so that
// they are readable also if that crawl is never resumed. The lock says that nobody writes to them.
func finishLeftOpen(col *catalog.Collection, progress io.Writer) error {
	cuts, err := warc.Recover(warc.Disk{}, col.WarcDir(), crawl.WholeVisit, nil)
	for _, c := range cuts {
		fmt.Fprintf(progress, "%s: left open by a killed crawl; %d records kept, %d bytes of a torn tail cut\n", c.File, c.Records, c.Lost)
	}
	return err
}

func startOrResume(ctx context.Context, e *crawl.Engine, col *catalog.Collection, id string, def crawl.Definition, opts crawl.Options) (*crawl.Run, error) {
	if id == "" {
		return e.Start(ctx, col, def, opts)
	}
	dir, err := col.CrawlDir(id)
	if err != nil {
		return nil, err
	}
	return e.StartIn(ctx, id, crawl.Place{Dir: dir, WarcDir: col.WarcDir()}, def, opts)
}
