package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/derive/lines"
	"varve/entity/base"
	"varve/fact"
	"varve/index/cdx"
	"varve/language"
	"varve/spam/survey"
	"varve/text/document"
)

type deriveOptions struct {
	archive    string
	collection string
	workers    int
	limit      time.Duration
	wat, wet   bool
	mappers    []string
	units      []string
	check      bool
	retry      bool
	json       bool
	engine     func(context.Context, Derivation) (job.Engine, error) // nil: this process does the work
}

func newDeriveCommand() *cobra.Command {
	c, _ := deriveCommand()
	return c
}

func deriveCommand() (*cobra.Command, *deriveOptions) {
	var o deriveOptions
	c := &cobra.Command{
		Use:   "derive",
		Short: "Make Parquet tables of pages, links, hosts and crawls",
		Long: `Reads the WARC files of a collection once and writes tables that DuckDB, pandas, Spark and R read
without Varve, into collections/NAME/derived: pages (address, time, types, language, title, main text,
dates, digests), links (source, target, kind, anchor), hosts and crawls. 'varve search' and the screens
use them too.

Only files that are new or changed are read. It can be stopped and killed at any time: finished files
stay, and the result is the same, to the byte. A page that cannot be read, or takes longer than
--limit, is noted in derived/failures.jsonl and left out the next time (--retry tries it again), as is one that is
only in part in the tables because it goes beyond a limit; the in-tray tells of both, and everything else goes on.

A table that is found damaged is made anew; --check reads every byte of all of them to be sure.

Every WARC file is read once, whatever is made of it; the index of captures takes files that it has not yet from the same reading, so
that 'varve index' need not read them ('varve crawl --no-index' and 'varve import --no-index' leave it to this). More can be made in the same reading, by --mappers or, for good, by a
line in collection.toml ([derive] mappers = ["evidence", "spam"]):
  evidence   what each record proves: 'varve coherence' then reads that and no WARC files
  spam       what 'varve spam features' measures on pages
  wat, wet   JSON lines with the names of the WAT and WET files of the field (Envelope, WARC-Header-Metadata,
             HTML-Metadata, ...; text), into derived/wat and derived/wet, one file for each WARC file; also --wat, --wet

What texts say is found where a collection asks for it, by a section [analyse] in collection.toml (units = ["mentions", "times"]; without units
the default ones) or by --units. What --units named once is made from then on, unless a section [analyse] says otherwise:
  sentences  how many sentences and words each text has, into derived/texts, and which units do not know its language
  tags       parts of speech; no table of its own, mentions are made from it
  mentions   names of persons, places, organisations, groups, events, works and products with place and confidence, into
             derived/mentions; persons, places and organisations are facets of 'varve search'
  times      expressions of time ("3 May 1997", "last year", "the 1990s") as spans of time, into derived/times; the years are a facet
  terms      words and phrases that a text is about, into derived/terms; the best are a facet
  opinions   how sentences judge, and which names, into derived/opinions; a number to search by: opinion:<-0.3 about:"Angela Merkel"
  quality    the share of words that a dictionary has, into derived/quality; a number to search by: quality:<0.8 finds bad scans
  events     who did what to whom, when and where, into derived/events; to search by: event:meet, event:"meet: Angela Merkel"
  entities   which person, place or thing of a base each name means, as of the date of the text, into derived/entities; to search by:
             entity:"Angela Merkel"*. The base is collections/NAME/entities if there is one, else entities in the archive
             ('varve entity import'); not among the default ones
  types      what kinds of things the names are (politician, city, film; about 500 of them), into derived/types; to search by: type:politician;
             English; not among the default ones
  facts      who worked for, led, was married to or a member of what, from when to when, into derived/facts ('varve facts --collection NAME'
             lists them, the screen Facts shows them); English; the relations are those of the program, or of collections/NAME/relations.txt;
             not among the default ones
  pictures   not of texts: what pictures are recognised by when they are scaled or cropped, their colours, camera, date and place,
             into derived/pictures, and what pages say of them, into derived/captions; not among the default ones
  relevance  how near pages are to what the planned crawls of the collection are about ('varve define'), into derived/relevance; to search by:
             relevance:>0.3, relevance:>0.3 about:flood, and --sort most:relevance:flood; not among the default ones
  objects    posts, comments and articles of forums, blogs and wikis that are known ('varve webapp'), each with who wrote it when, into
             derived/objects; to search by: application:WordPress, author:Anna; not among the default ones
Each is made with those that it needs. 'varve text analyse' shows what they find in one text.

The summary says how much time of the processor each of them took, and how many texts are of a language that a unit does not know.

A page that is stuck or takes too much memory is stopped: documents, long pages and what is not known are read in processes of
their own, which are ended when they are over --limit.

Exit codes: 0 the tables are up to date, 1 some pages could not be read, or stopped early, 2 could not.`,
		Example: `  varve derive --archive archive --collection news
  varve derive --collection news --wat --wet
  varve derive --collection news --mappers evidence,spam
  varve derive --collection news --units mentions
  duckdb -c "select host, count(*) from 'archive/collections/news/derived/pages/*.parquet' group by 1"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDerive(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all of them)")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "cores to use")
	f.DurationVar(&o.limit, "limit", deriveLimit, "time for one page")
	f.BoolVar(&o.wat, "wat", false, "also write derived/wat/FILE.wat.jsonl.gz")
	f.BoolVar(&o.wet, "wet", false, "also write derived/wet/FILE.wet.jsonl.gz")
	f.StringSliceVar(&o.mappers, "mappers", nil, "what else to make in the same reading: evidence, spam, wat, wet (default: what collection.toml says)")
	f.StringSliceVar(&o.units, "units", nil, "what to find in texts: "+annotate.UnitNames()+"; facts, pictures, objects, relevance; default for what is made where nothing is named, none for nothing this time (default: what collection.toml says, or what was made before)")
	f.BoolVar(&o.check, "check", false, "read every byte of the tables, and make anew what is damaged")
	f.BoolVar(&o.retry, "retry", false, "try again what could not be read before")
	f.BoolVar(&o.json, "json", false, "print one JSON object a collection")
	return c, &o
}

// deriveLimit is the time that one page may take unless somebody says otherwise.
const deriveLimit = time.Minute

// deriveReport is what was done to one collection.
type deriveReport struct {
	Collection string  `json:"collection"`
	Dir        string  `json:"dir"`
	Seconds    float64 `json:"seconds"`
	job.Summary
	Index    *cdx.Report            `json:"index,omitempty"`    // of the captures, taken from the same reading
	Exported *lines.Report          `json:"exported,omitempty"` // as JSON lines
	Texts    *annotate.Coverage     `json:"texts,omitempty"`    // that were analysed
	Pictures *annotate.PicturesSeen `json:"pictures,omitempty"`
	Objects  *annotate.ObjectsSeen  `json:"objects,omitempty"`
	Withheld *standingTakedowns     `json:"withheld,omitempty"` // by takedowns of persons that stand
	Failures []job.Failure          `json:"failures,omitempty"` // captures that the tables lack something for
}

func runDerive(c *cobra.Command, o *deriveOptions) error {
	return eachCollection(c, o.archive, o.collection, func(col *catalog.Collection) (failed bool, err error) {
		rep, err := deriveLocked(c.Context(), col, o, c.ErrOrStderr())
		if err != nil {
			return false, err
		}
		for _, j := range rep.Jobs {
			failed = failed || j.Failed > 0
		}
		return failed, o.print(c.OutOrStdout(), rep)
	})
}

func derivedDir(col *catalog.Collection) string { return filepath.Join(col.Dir(), "derived") }

func deriveLocked(ctx context.Context, col *catalog.Collection, o *deriveOptions, progress io.Writer) (_ *deriveReport, err error) {
	lock, err := col.Lock("varve derive")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	if err := col.UnreadReferences(); err != nil {
		fmt.Fprintln(progress, oneLine(err.Error())+": the files of these lines are missing in the collection")
	}
	asked, err := o.ask(col)
	if err != nil {
		return nil, err
	}
	opts, lines, done, err := asked.options(ctx, col, files)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	start := time.Now()
	rep := &deriveReport{Collection: col.Name, Dir: derivedDir(col)}
	watched := IsTerminal(progress)
	cfg := job.Config{
		Dir: rep.Dir, Cores: o.workers, Limit: o.limit, Check: o.check, Retry: o.retry, Worker: newScanWorker(),
		Progress: func(p job.Progress) {
			if watched {
				fmt.Fprintf(progress, "\r\x1b[K%s: %d of %d files, %d captures", p.Job, p.Done, p.Parts, p.Items)
			}
		},
	}
	var captures *sharedIndex // of scans in this process
	if o.engine != nil {
		cfg.Engine, err = o.engine(ctx, Derivation{Archive: o.archive, Collection: col.Name, Limit: o.limit, Asked: asked})
	} else if captures, err = shareIndex(col); err == nil {
		cfg.Also = captures
	}
	if err != nil {
		return nil, err
	}
	rep.Summary, err = derive.Run(ctx, cfg, files, opts)
	if watched {
		fmt.Fprint(progress, "\r\x1b[K")
	}
	if captures != nil {
		var indexed error
		rep.Index, indexed = captures.finish(ctx, col)
		err = errors.Join(err, indexed)
	}
	var parts []job.Part
	if err == nil {
		parts, err = derive.Parts(files)
	}
	if err == nil && (lines.WAT || lines.WET) {
		rep.Exported, err = lines.Report(rep.Dir, parts)
	}
	if err == nil {
		rep.Texts, err = annotate.Covered(rep.Dir, parts, opts.More)
	}
	if err == nil {
		rep.Pictures, err = annotate.Seen(rep.Dir, parts, opts.More)
	}
	if err == nil {
		rep.Objects, err = annotate.CountObjects(rep.Dir, parts, opts.More)
	}
	if err == nil {
		rep.Withheld, err = withholdStanding(ctx, col)
	}
	if err == nil {
		rep.Failures, err = job.Standing(rep.Dir)
	}
	rep.Seconds = time.Since(start).Seconds()
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "derive collection " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "run it again: finished files stay")}
	}
	return rep, nil
}

// sharedIndex is the index of captures in the scan of derive: files that it has not yet are read once for both.
type sharedIndex struct {
	*cdx.Shared
	builder *cdx.Builder
}

// shareIndex begins to bring the index of captures up to the files of a collection. finish must be called.
func shareIndex(col *catalog.Collection) (*sharedIndex, error) {
	files, err := indexFiles(col)
	if err != nil {
		return nil, err
	}
	var problems []string // mended, and told by 'varve index'
	b, err := openBuilder(col, 1, newIndexLine(io.Discard), &problems)
	if err != nil {
		return nil, err
	}
	shared, err := b.Share(files)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &sharedIndex{shared, b}, nil
}

// Open makes what takes the captures of a file.
func (s *sharedIndex) Open(part string) (job.CompanionSink, error) { return s.Sink(part) }

// finish writes the index, and that of versions if the captures are others now.
func (s *sharedIndex) finish(ctx context.Context, col *catalog.Collection) (*cdx.Report, error) {
	rep, err := s.Finish(ctx)
	if err = errors.Join(err, s.builder.Close()); err == nil && rep.Added+rep.Dropped > 0 {
		_, err = refreshVersions(ctx, col, false, newIndexLine(io.Discard))
	}
	return &rep, err
}

// Asked is what is made of a collection beside the tables that all have.
type Asked struct {
	Units    []string `json:"units,omitempty"`
	Mappers  []string `json:"mappers,omitempty"`
	WAT, WET bool
	Must     []string `json:"must,omitempty"` // of the units: named by somebody now, so that it is an error if they cannot be made
}

// ask finds out what is to be made: by flags, or else by collection.toml and by what was made before.
func (o *deriveOptions) ask(col *catalog.Collection) (Asked, error) {
	names, texts, planned := o.mappers, o.units, false
	if names == nil || texts == nil {
		plan, err := crawl.ReadPlanFile(col)
		if err != nil && varve.KindOf(err) != varve.NotFound {
			return Asked{}, err
		}
		if err == nil && names == nil {
			names = plan.Derive.Mappers
		}
		if err == nil && texts == nil && plan.Analyse != nil {
			texts, planned = orDefault(plan.Analyse.Units), true
		}
	}
	if !planned && !slices.Contains(texts, "none") {
		texts = append(madeUnits(col), texts...) // else searches would miss, without a word, what was found once
	}
	return Asked{Units: texts, Mappers: names, WAT: o.wat, WET: o.wet, Must: o.units}, nil
}

// options are the jobs that make it. done must be called when it was made.
func (o *Asked) options(ctx context.Context, col *catalog.Collection, files []catalog.File) (opts derive.Options, out *lines.Export, done func() error, err error) {
	opts, out, done = derive.Options{Document: document.Text}, &lines.Export{WAT: o.WAT, WET: o.WET}, func() error { return nil }
	names, texts := o.Mappers, o.Units
	withPictures, withEntities, withObjects := slices.Contains(texts, annotate.Pictures), slices.Contains(texts, annotate.Entities), slices.Contains(texts, annotate.Objects)
	withFacts, withTypes, withRelevance := slices.Contains(texts, annotate.Facts), slices.Contains(texts, annotate.Types), slices.Contains(texts, annotate.Relevance)
	beside := []string{annotate.Pictures, annotate.Entities, annotate.Objects, annotate.Facts, annotate.Types, annotate.Relevance}
	units, err := unitsOf(slices.DeleteFunc(slices.Clone(texts), func(n string) bool { return slices.Contains(beside, n) }))
	if withEntities || withTypes {
		units = append(units, language.Mentions)
	}
	if withFacts {
		units = append(units, fact.Units()...)
	}
	if err != nil {
		return opts, nil, nil, err
	}
	opts.More, opts.Facets = annotate.Jobs(units)
	if withPictures {
		opts.More = append(opts.More, annotate.PictureJobs()...)
		shows, err := annotate.ReadShows(col.Dir())
		if err != nil {
			return opts, nil, nil, &varve.Error{Kind: varve.Unavailable, Op: "labels of pictures of " + col.Name, Err: err}
		}
		if shows != nil {
			parts, err := derive.Parts(files)
			if err != nil {
				return opts, nil, nil, err
			}
			j, err := shows.Job(ctx, derivedDir(col), parts)
			if err != nil {
				return opts, nil, nil, unreadPictures(col, err)
			}
			opts.More = append(opts.More, j)
		}
	}
	if withObjects {
		j, facets, err := annotate.ObjectsJob(col.Dir())
		if err != nil {
			return opts, nil, nil, &varve.Error{Kind: varve.Invalid, Op: "web objects of " + col.Name, Err: err, Hint: "mend the file in the folder webapp of the collection, or take it away"}
		}
		opts.More, opts.Facets = append(opts.More, j), append(opts.Facets, facets)
	}
	if withTypes {
		j, facets := annotate.TypesJob()
		opts.More, opts.Facets = append(opts.More, j), append(opts.Facets, facets)
	}
	if withFacts {
		j, facets, err := annotate.FactsJob(col.Dir())
		if err != nil {
			return opts, nil, nil, &varve.Error{Kind: varve.Invalid, Op: "facts of " + col.Name, Err: err, Hint: "docs/formats/relations.md says what the file has; without it the relations of the program are taken"}
		}
		opts.More, opts.Facets = append(opts.More, j), append(opts.Facets, facets)
	}
	if withRelevance {
		switch j, facets, err := relevanceJob(col); {
		case err == nil:
			opts.More, opts.Facets = append(opts.More, j), append(opts.Facets, facets)
		case varve.KindOf(err) == varve.NotFound && !slices.Contains(o.Must, annotate.Relevance): // it was made once, and nothing says any more what crawls are about
		default:
			return opts, nil, nil, err
		}
	}
	for _, n := range names {
		switch n {
		case "evidence":
			opts.Evidence = true
		case "spam":
			opts.More = append(opts.More, survey.PagesJob())
		case "wat":
			out.WAT = true
		case "wet":
			out.WET = true
		default:
			return opts, nil, nil, &varve.Error{Kind: varve.Invalid, Op: "derive collection " + col.Name, Msg: fmt.Sprintf("there is no mapper %q", n), Hint: "evidence, spam, wat or wet; by --mappers, or [derive] mappers in collection.toml"}
		}
	}
	opts.More = append(opts.More, out.Jobs()...)
	if withEntities {
		linker, err := annotate.OpenLinker(base.OfCollection(col.Dir()))
		if err != nil {
			return opts, nil, nil, err
		}
		j, facets := linker.Job()
		opts.More, opts.Facets, done = append(opts.More, j), append(opts.Facets, facets), linker.Close
	}
	return opts, out, done, nil
}

// relevanceJob judges pages by what the planned crawls of a collection are about.
func relevanceJob(col *catalog.Collection) (job.Job, derive.FacetTable, error) {
	wanted := map[string]annotate.Wanted{}
	plan, err := crawl.ReadPlan(col)
	switch {
	case err == nil:
		for name, c := range plan.Crawls {
			if c.Guided() {
				wanted[name] = annotate.Wanted{About: c.About, Topic: c.Topic}
			}
		}
	case varve.KindOf(err) != varve.NotFound:
		return job.Job{}, derive.FacetTable{}, err
	}
	if len(wanted) == 0 {
		return job.Job{}, derive.FacetTable{}, &varve.Error{Kind: varve.NotFound, Op: "relevance of " + col.Name, Msg: "no planned crawl of the collection says what it is about", Hint: "'varve define set' does, or [crawl.NAME.about] in collection.toml"}
	}
	j, facets, err := annotate.RelevanceJob(wanted)
	if err != nil {
		err = &varve.Error{Kind: varve.Invalid, Op: "relevance of " + col.Name, Err: err}
	}
	return j, facets, err
}

// madeUnits are the units that were made of a collection before.
func madeUnits(col *catalog.Collection) (out []string) {
	for _, u := range language.Units() {
		if job.HasMade(derivedDir(col), string(u)) {
			out = append(out, string(u))
		}
	}
	for _, u := range []string{annotate.Entities, annotate.Types, annotate.Pictures, annotate.Objects, annotate.Facts, annotate.Relevance} {
		if job.HasMade(derivedDir(col), u) {
			out = append(out, u)
		}
	}
	return out
}

// defaultUnits stands for the units that are made where none is named.
const defaultUnits = "default"

func orDefault(units []string) []string {
	if len(units) == 0 {
		return []string{defaultUnits}
	}
	return units
}

// unitsOf returns units by their names, or by default and none.
func unitsOf(names []string) (units []language.Unit, err error) {
	var named []string
	for _, n := range names {
		switch n {
		case "none":
		case defaultUnits:
			for _, u := range language.Default() {
				named = append(named, string(u))
			}
		default:
			named = append(named, n)
		}
	}
	return language.ParseUnits(named)
}

func (o *deriveOptions) print(w io.Writer, r *deriveReport) error {
	if o.json {
		return PrintJSON(w, r)
	}
	for _, name := range r.Mended {
		fmt.Fprintf(w, "  mended: %s was damaged: made anew\n", oneLine(name))
	}
	for _, j := range r.Jobs {
		if j.Job != "pages" {
			continue
		}
		fmt.Fprintf(w, "%s: %d captures of %d files (%d files new or changed) in %.1f s: %s\n", r.Collection, j.Items, j.Parts, j.Done, r.Seconds, r.Dir)
	}
	if x := r.Index; x != nil && x.Added+x.Dropped > 0 {
		fmt.Fprintf(w, "  %d captures of %d files indexed in the same reading\n", x.Lines, x.Added)
	}
	if x := r.Exported; x != nil {
		fmt.Fprintf(w, "  %d of %d files of JSON lines written, %d lines\n", x.Written, x.Files, x.Lines)
	}
	if r.Scan.Files > 0 {
		fmt.Fprintf(w, "  processor: reading the files %.2f s", r.Scan.CPU)
		for _, j := range r.Jobs {
			if j.Done > 0 || j.Reduced {
				fmt.Fprintf(w, ", %s %.2f s", j.Job, j.CPU)
			}
		}
		fmt.Fprintln(w)
	}
	if x := r.Texts; x != nil {
		fmt.Fprintf(w, "  texts: %d analysed\n", x.Texts)
		for _, u := range x.Unknown {
			fmt.Fprintf(w, "    %s: no model for the language of %d of them (%s)\n", u.Unit, u.Texts, counts(u.Languages))
		}
	}
	if x := r.Withheld; x != nil {
		fmt.Fprintf(w, "  takedowns of persons that stand: %d; %d pages withheld now\n", x.Orders, x.Added)
		if x.Absent > 0 {
			fmt.Fprintf(w, "    %d files have no table of names: whom they name is not known ('varve derive --units entities')\n", x.Absent)
		}
		if x.More {
			fmt.Fprintf(w, "    more than %d pages name one person: withhold hosts or the collection instead ('varve access add')\n", mostPersonRules)
		}
	}
	if x := r.Pictures; x != nil {
		fmt.Fprintf(w, "  pictures: %d, %d of them without contrast; %d places on pages\n", x.Pictures, x.Flat, x.Captions)
		if len(x.Undecoded) > 0 {
			fmt.Fprintf(w, "    not decoded: %s\n", counts(x.Undecoded))
		}
		if x.Left > 0 {
			fmt.Fprintf(w, "    pages with too many pictures: %d left out\n", x.Left)
		}
	}
	if x := r.Objects; x != nil {
		fmt.Fprintf(w, "  web objects: %d (%s)\n", x.Objects, orElse(counts(x.Applications), "no application that is known"))
	}
	failed, partial := job.Split(r.Failures)
	for _, of := range []struct {
		list []job.Failure
		say  string
	}{{failed, "could not be read"}, {partial, "are only in part in the tables"}} {
		if len(of.list) > 0 {
			fmt.Fprintf(w, "  %d captures %s: %s says why\n", len(of.list), of.say, filepath.Join(r.Dir, "failures.jsonl"))
			printCauses(w, of.list)
		}
	}
	return nil
}

// counts lists names, such as languages, the most frequent first.
func counts(languages map[string]int64) string {
	const most = 8
	names := slices.SortedFunc(maps.Keys(languages), func(a, b string) int {
		return cmp.Or(cmp.Compare(languages[b], languages[a]), strings.Compare(a, b))
	})
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%s %d", orElse(n, "unknown"), languages[n]))
	}
	if n := len(names) - most; n > 0 {
		out = append(out, fmt.Sprintf("%d others", n))
	}
	return strings.Join(out, ", ")
}

// printCauses writes the most frequent causes of failures, each with an example.
func printCauses(w io.Writer, list []job.Failure) {
	const most = 5
	causes := map[string][]job.Failure{}
	for _, f := range list {
		cause, _, _ := strings.Cut(f.Cause, "\n")
		causes[cause] = append(causes[cause], f)
	}
	names := slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(causes[b]), len(causes[a])), strings.Compare(a, b))
	})
	for _, c := range names[:min(len(names), most)] {
		of := causes[c][0]
		fmt.Fprintln(w, oneLine(fmt.Sprintf("    %d x %s, such as %s, %s", len(causes[c]), c, of.Part, of.Item)))
	}
	if n := len(names) - most; n > 0 {
		fmt.Fprintf(w, "    and %d other causes\n", n)
	}
}
