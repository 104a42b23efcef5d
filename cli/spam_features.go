package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive/job"
	"varve/spam/label"
	"varve/spam/survey"
)

type spamFeaturesOptions struct {
	archive, collection string
	out                 string
	snapshots, set      string
	weights             string
	labels              []string
	trusted, queries    string
	terms, fingerprints int
	workers             int
	limit               time.Duration
	list, json          bool
}

func newSpamFeaturesCommand() *cobra.Command {
	var o spamFeaturesOptions
	c := &cobra.Command{
		Use:   "features --collection NAME -o TABLE",
		Short: "Measure the hosts of a collection",
		Long: `Writes a table with one row per host and a column per feature: of the text and markup of its pages (home page, page of highest
PageRank, mean and deviation over all), of its links in the host graph and the page graph, of how well it packs
behind spam and normal text, and, with --snapshots, of how it changed. docs/algorithms/spam_features.md lists them with
their formulas; --list prints that list. The table goes to 'varve spam eval', 'train' and 'classify' as it is.

The format is told by the name: .arff, .csv or .parquet, also with .gz. The class comes from labels/spam.jsonl of the
collection and from --labels; hosts nobody judged have none. A label never reaches the features of its own host: what is
learnt from labels is learnt in folds.

The first run reads the WARC files once and leaves derivatives and working tables in derived/; later ones read only new and
changed files. It can be stopped and killed at any time. Pages that cannot be read are noted in derived/failures.jsonl.

Exit codes: 0 written, 1 stopped early, 2 could not.`,
		Example: `  varve spam features --collection news --snapshots -o hosts.arff
  varve spam features --collection news --set crawl --labels judged.csv -o crawl.csv.gz
  varve spam train hosts.arff --group domain -o spam.model`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSpamFeatures(c, &o) },
	}
	o.flags(c)
	return c
}

func (o *spamFeaturesOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection")
	f.StringVarP(&o.out, "output", "o", "", "table to write: .arff, .csv or .parquet; nothing is overwritten")
	f.StringVar(&o.snapshots, "snapshots", "", "compare snapshots over time: of each crawl, day, month or year")
	f.Lookup("snapshots").NoOptDefVal = string(survey.ByCrawl)
	f.StringVar(&o.set, "set", "all", "features: all, or those that a crawl can compute while it runs (crawl)")
	f.StringSliceVar(&o.labels, "labels", nil, "further labels: label files, or HOST,LABEL lines; may be repeated")
	f.StringVar(&o.trusted, "trusted", "", "file with hosts that TrustRank starts from, one a line (default: hosts labelled normal)")
	f.StringVar(&o.queries, "queries", "", "file with popular query words, commonest first, one a line (default: words of titles)")
	f.IntVar(&o.terms, "terms", 200, "words of each language whose weights are features; at most 50000")
	f.StringVar(&o.weights, "weights", "bm25", "weights of words: bm25 or tfidf")
	f.IntVar(&o.fingerprints, "fingerprints", 64, "fingerprints of similarities: more are more exact and dearer")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "cores to use")
	f.DurationVar(&o.limit, "limit", time.Minute, "time for one page")
	f.BoolVar(&o.list, "list", false, "print the features with their groups, costs and formulas, and do nothing else")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

func runSpamFeatures(c *cobra.Command, o *spamFeaturesOptions) error {
	by, err := survey.ParseBy(o.snapshots)
	if err != nil {
		return UsageError(c, err.Error())
	}
	switch {
	case o.list:
		return listFeatures(c.OutOrStdout(), o.json)
	case o.collection == "" || o.out == "":
		return UsageError(c, "needs --collection NAME and -o TABLE")
	case o.set != "all" && o.set != "crawl":
		return UsageError(c, fmt.Sprintf("--set %q: all or crawl", o.set))
	case o.weights != "bm25" && o.weights != "tfidf":
		return UsageError(c, fmt.Sprintf("--weights %q: bm25 or tfidf", o.weights))
	case o.terms < 0 || o.terms > 50_000:
		return UsageError(c, fmt.Sprintf("--terms %d: from 0 to 50000", o.terms))
	}
	if _, err := survey.NewFile(io.Discard, o.out); err != nil {
		return UsageError(c, "-o "+err.Error())
	}
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return err
	}
	cfg := survey.Config{
		Dir: derivedDir(cols[0]), Snapshots: by, Terms: o.terms, TFIDF: o.weights == "tfidf", Crawl: o.set == "crawl", Fingerprints: o.fingerprints, Seed: 1,
		Progress: stepProgress(c.ErrOrStderr()),
	}
	if err := o.inputs(cols[0], &cfg); err != nil {
		return err
	}
	rep, err := o.measure(c, cols[0], cfg)
	if IsTerminal(c.ErrOrStderr()) {
		fmt.Fprint(c.ErrOrStderr(), "\r\x1b[K")
	}
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	return o.print(c.OutOrStdout(), rep)
}

// inputs reads labels, trusted hosts and query words.
func (o *spamFeaturesOptions) inputs(col *catalog.Collection, cfg *survey.Config) (err error) {
	cfg.Labels = map[string]string{}
	latest, err := label.Open(col.Dir()).Latest()
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read the labels of collection " + col.Name, Err: err, Hint: "docs/formats/labels.md tells the format"}
	}
	survey.Judge(latest, cfg.Labels)
	for _, name := range o.labels {
		err := readLines(name, "labels are a label file, or HOST,LABEL lines", func(r io.Reader) error { return survey.ReadLabels(r, cfg.Labels) })
		if err != nil {
			return err
		}
	}
	if cfg.Trusted, err = words(o.trusted); err != nil {
		return err
	}
	cfg.Queries, err = words(o.queries)
	return err
}

func readLines(name, hint string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return &varve.Error{Kind: varve.NotFound, Op: "read " + name, Err: err, Hint: "name a file that is there"}
	}
	defer f.Close()
	if err := read(f); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read " + name, Err: err, Hint: hint}
	}
	return nil
}

// words reads a file with one word a line, in lower case; none if there is no name.
func words(name string) (out []string, err error) {
	if name == "" {
		return nil, nil
	}
	err = readLines(name, "one word a line", func(r io.Reader) error {
		in := bufio.NewScanner(r)
		for in.Scan() {
			if w := strings.ToLower(strings.TrimSpace(in.Text())); w != "" && w[0] != '#' {
				out = append(out, w)
			}
		}
		return in.Err()
	})
	return out, err
}

// spamFeaturesReport is what was done.
type spamFeaturesReport struct {
	Collection string  `json:"collection"`
	Output     string  `json:"output"`
	Seconds    float64 `json:"seconds"`
	survey.Summary
	Jobs []job.Result `json:"jobs"`
}

// measure brings the working tables up to date under the collection's lock and writes the table.
func (o *spamFeaturesOptions) measure(c *cobra.Command, col *catalog.Collection, cfg survey.Config) (*spamFeaturesReport, error) {
	start := time.Now()
	rep := &spamFeaturesReport{Collection: col.Name, Output: o.out}
	again := func(err error) error {
		var known *varve.Error
		if err == nil || errors.As(err, &known) {
			return err
		}
		return &varve.Error{Kind: varve.Unavailable, Op: "measure collection " + col.Name, Err: err, Hint: "run it again: finished files stay"}
	}
	lock, err := col.Lock("varve spam features")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	jobs, err := o.prepare(c.Context(), col, cfg, c.ErrOrStderr())
	if err != nil {
		return nil, again(err)
	}
	rep.Jobs = jobs.Jobs
	err = NewFile(o.out, func(w io.Writer) error {
		f, err := survey.NewFile(w, o.out)
		if err != nil {
			return err
		}
		if rep.Summary, err = survey.Compute(c.Context(), cfg, f); err != nil {
			return err
		}
		return f.Close()
	})
	rep.Seconds = time.Since(start).Seconds()
	return rep, again(err)
}

func (o *spamFeaturesOptions) prepare(ctx context.Context, col *catalog.Collection, cfg survey.Config, progress io.Writer) (_ job.Summary, err error) {
	files, err := col.Files()
	if err != nil {
		return job.Summary{}, err
	}
	asked, err := (&deriveOptions{}).ask(col)
	if err != nil {
		return job.Summary{}, err
	}
	opts, _, done, err := asked.options(ctx, col, files)
	if err != nil {
		return job.Summary{}, err
	}
	defer func() { err = errors.Join(err, done()) }()
	watched := IsTerminal(progress)
	return survey.Prepare(ctx, job.Config{
		Dir: cfg.Dir, Cores: o.workers, Limit: o.limit, Worker: newScanWorker(),
		Progress: func(p job.Progress) {
			if watched {
				fmt.Fprintf(progress, "\r\x1b[K%s: %d of %d files, %d captures", p.Job, p.Done, p.Parts, p.Items)
			}
		},
	}, files, opts, cfg.Queries)
}

// stepProgress tells on a terminal what is done now.
func stepProgress(w io.Writer) func(string) {
	if !IsTerminal(w) {
		return nil
	}
	return func(step string) { fmt.Fprintf(w, "\r\x1b[K%s", step) }
}

func (o *spamFeaturesOptions) print(w io.Writer, r *spamFeaturesReport) error {
	if o.json {
		return PrintJSON(w, r)
	}
	fmt.Fprintf(w, "%s: %s with %d features, from %s in %.1f s\n", r.Output, count(int64(r.Hosts), "host"), r.Features, count(int64(r.Pages), "page"), r.Seconds)
	if r.HostEdges > 0 {
		fmt.Fprintf(w, "  %d hosts with %d links, %d links between pages\n", r.Linked, r.HostEdges, r.PageEdges)
	}
	if len(r.Snapshots) > 0 {
		fmt.Fprintf(w, "  %s: %s\n", count(int64(len(r.Snapshots)), "snapshot"), strings.Join(r.Snapshots, ", "))
	}
	_, err := fmt.Fprintf(w, "  labels: %d spam, %d normal\n", r.Spam, r.Normal)
	return err
}

// listFeatures prints the table of features.
func listFeatures(w io.Writer, asJSON bool) error {
	for _, d := range survey.Definitions(survey.ByCrawl, false) {
		if asJSON {
			if err := PrintJSON(w, d); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Name, d.Group, d.Cost, d.Formula); err != nil {
			return err
		}
	}
	return nil
}
