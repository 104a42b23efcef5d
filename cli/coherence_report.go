package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/text/layer"
)

type coherenceReportOptions struct {
	captureSelection
	json    bool
	every   bool
	noWrite bool
	near    float64
	on      layerFlag
	top     int
}

func newCoherenceReportCommand() *cobra.Command {
	o := coherenceReportOptions{on: layerFlag{layer.Text}}
	c := &cobra.Command{
		Use:   "report [WARC...]",
		Short: "How well a crawl hangs together",
		Long: `Judges every page of a crawl by its visit and its revisit: coherent (nothing changed between them, so it
stood at the reference point), changed, links (the link structure changed), missing, or unknown (not
revisited, or the content cannot be compared). Each layer has its own count; what the coarser layers
rescued is told. Coherent is witnessed (equal bytes held at both ends) or asserted (the server says so: a
304 to a strong ETag, or a date that is trusted).

A page that shows pictures, styles, scripts or frames is also judged with them: whether all of it stood
together at some instant, which instant, and which parts break it.

Of files of other crawlers the first capture of a page is its visit and the next one its revisit.
With a collection the report is also written to crawls/ID/coherence.json (docs/formats/coherence.md).
--all makes those of all its crawls, and reads the files once for it; each crawl is then judged in the light of all
others, while a report of one reads the files of other crawls only if its revisits stand for content in them.

Exit codes: 0 done, 1 done but the files are damaged, 2 could not.`,
		Example: `  varve coherence report --collection news
  varve coherence report --collection news --all
  varve coherence report --json crawl-*.warc.gz | jq '.layers.text'`,
		RunE: func(c *cobra.Command, args []string) error { return runCoherenceReport(c, &o, args) },
	}
	f := c.Flags()
	f.BoolVar(&o.every, "all", false, "all crawls of the collection, a line each")
	f.BoolVar(&o.json, "json", false, "print one JSON object (docs/formats/coherence.md)")
	f.BoolVar(&o.noWrite, "no-write", false, "do not write crawls/ID/coherence.json")
	f.Float64Var(&o.near, "near", 0.8, "resemblance from which main texts are nearly the same, 0 to 1")
	f.Var(&o.on, "layer", "layer of the tables by MIME type, depth and host")
	f.IntVar(&o.top, "top", 10, "how many rows of each table")
	o.flags(c)
	c.MarkFlagsMutuallyExclusive("all", "crawl")
	return c
}

func runCoherenceReport(c *cobra.Command, o *coherenceReportOptions, args []string) error {
	if o.every {
		return runCoherenceReports(c, o, args)
	}
	err := o.one(c, args, func(set *evidence.Set, col *catalog.Collection, _ string) error {
		opts, err := judging(set, o.crawl, o.near)
		if err != nil {
			return evidenceError(c, err)
		}
		r, err := report.Make(c.Context(), set, opts, nil)
		if err != nil {
			return evidenceError(c, err)
		}
		if col != nil {
			r.Collection = col.Name
			if err := keepReport(col, r, o.noWrite); err != nil {
				return err
			}
		}
		if o.json {
			return PrintJSON(c.OutOrStdout(), r)
		}
		return printCoherence(c.OutOrStdout(), r, o.on.Name, o.top)
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

// runCoherenceReports makes the reports of all crawls of a collection out of one reading.
func runCoherenceReports(c *cobra.Command, o *coherenceReportOptions, args []string) error {
	if len(args) > 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "--all", Msg: "files are given, and it is about the crawls of a collection", Hint: "leave out one or the other"}
	}
	col, err := o.folder(nil)
	if err != nil {
		return err
	}
	crawls, err := col.Crawls()
	if err != nil {
		return InputError(col.Dir(), err)
	}
	err = o.all(c, nil, func(set *evidence.Set, _ string) error {
		opts, err := judging(set, "", o.near)
		if err != nil {
			return evidenceError(c, err)
		}
		for _, opts.Crawl = range crawls {
			r, err := report.Make(c.Context(), set, opts, nil)
			if err != nil {
				return evidenceError(c, err)
			}
			r.Collection = col.Name
			if err := keepReport(col, r, o.noWrite); err != nil {
				return err
			}
			if o.json {
				err = PrintJSON(c.OutOrStdout(), r)
			} else {
				l := r.Layers[o.on.Name]
				_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s, %d revisited; %s: %d coherent (%s), %d changed, %d links, %d missing, %d unknown\n", opts.Crawl, count(r.Pages, "page"), r.Revisited,
					o.on.Name, l.Coherent, percent(l.Coherent, r.Pages), l.Changed, l.Links, l.Missing, l.Unknown)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

// judging learns what dates are to be trusted.
func judging(set *evidence.Set, crawl string, near float64) (report.Options, error) {
	dates, err := report.LearnDates(set, "")
	return report.Options{Crawl: crawl, Layers: layer.Config{Near: near}, Dates: dates, Workers: workers()}, err
}

// keepReport writes coherence.json into the folder of the crawl; it can be made again at any time, so an
// older one is replaced.
func keepReport(col *catalog.Collection, r *report.Report, no bool) error {
	if no || r.Crawl == "" {
		return nil
	}
	dir, err := col.CrawlDir(r.Crawl)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "coherence.json")
	if err := whole.JSON(name, 0o644, r); err != nil {
		return WriteError(name, err)
	}
	return nil
}

func printCoherence(w io.Writer, r *report.Report, on layer.Name, top int) error {
	title := "All captures"
	if r.Crawl != "" {
		title = "Crawl " + r.Crawl
	}
	fmt.Fprintf(w, "%s: %s, %d revisited", title, count(r.Pages, "page"), r.Revisited)
	if r.Absent > 0 {
		fmt.Fprintf(w, "; %d more addresses gave only errors", r.Absent)
	}
	fmt.Fprintf(w, "\nvisits %s to %s", stampOf(r.Start), stampOf(r.Visited))
	if r.Revisited > 0 {
		fmt.Fprintf(w, ", revisits to %s", stampOf(r.End))
	}
	fmt.Fprintf(w, "\nreference point %s%s\n", stampOf(r.Reference), groupsText(r))
	if r.Clock.Samples > 0 {
		fmt.Fprintf(w, "clock: the servers' is %+.1f s from the crawler's (median of %d answers)\n", r.Clock.Offset.Seconds(), r.Clock.Samples)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\nlayer\tcoherent\tshare\twitnessed\tasserted\tchanged\tlinks\tmissing\tunknown\trescued\t\n")
	for _, n := range layer.Names() {
		l := r.Layers[n]
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", n, l.Coherent, percent(l.Coherent, r.Pages), l.Witnessed, l.Asserted,
			l.Changed, l.Links, l.Missing, l.Unknown, r.Rescued[n])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	printQuality(w, r)
	printComposite(w, r.Composite, top)
	for _, p := range []struct {
		name  string
		parts []*report.Part
	}{{"MIME type", r.MIME}, {"depth", r.Depth}, {"host", r.Hosts}} {
		if err := printParts(w, p.name, p.parts, on, top); err != nil {
			return err
		}
	}
	return printWorst(w, r, top)
}

func groupsText(r *report.Report) string {
	if len(r.Groups) < 2 {
		return ""
	}
	return fmt.Sprintf(" as a whole; each of %d groups has its own", len(r.Groups))
}

func printQuality(w io.Writer, r *report.Report) {
	fmt.Fprintf(w, "\ninducible quality (0 is perfect): bytes %s, text %s, main %s of %d visited twice\n",
		shareText(r.Inducible[layer.Bytes]), shareText(r.Inducible[layer.Text]), shareText(r.Inducible[layer.Main]), r.Inducible[layer.Bytes].Known)
	fmt.Fprintf(w, "measurable quality: %s of %d with a trusted date; observable: %s\n", shareText(r.Measurable), r.Measurable.Known, r.Observable.Verdict)
	if f := r.Forecast; f.Pages > 0 {
		fmt.Fprintf(w, "by the change rates of %s: blur %.4g (%.4g a page)", count(f.Pages, "page"), f.Blur, f.Mean)
		if f.Pairs > 0 {
			fmt.Fprintf(w, ", expected coherence %.3f", f.Coherent)
		}
		fmt.Fprintln(w)
	}
	var sources []string
	for s, n := range r.Dating.Sources {
		sources = append(sources, fmt.Sprintf("%s %d", s, n))
	}
	fmt.Fprintf(w, "dates: %d of %d pages have one that is trusted (%s)\n", r.Dating.Trusted, r.Dating.Pages, strings.Join(slices.Sorted(slices.Values(sources)), ", "))
	for _, h := range r.Dating.Hosts[:min(3, len(r.Dating.Hosts))] {
		fmt.Fprintf(w, "  %s %s: %s\n", oneLine(h.Host), h.Source, strings.Join(h.Why, "; "))
	}
}

// printComposite tells of pages with their parts.
func printComposite(w io.Writer, k *report.Composites, top int) {
	if k == nil || k.Pages == 0 {
		return
	}
	fmt.Fprintf(w, "\npages with their pictures, styles, scripts and frames: %d of %d stood together at an instant (%d witnessed, %d asserted, %d inferred)\n",
		k.Coherent, k.Pages, k.Witnessed, k.Asserted, k.Inferred)
	fmt.Fprintf(w, "of the others: %d broken by a part that changed, %d with a part that was not captured, %d not known; %s in all\n",
		k.Violated, k.Unknown, k.Possible, count(k.Parts, "part"))
	for i, c := range k.Worst {
		if i == top {
			fmt.Fprintf(w, "  ... %d more: --top N or --json lists them\n", len(k.Worst)-top)
			break
		}
		fmt.Fprintf(w, "  %-8s %s at %s, %d of %s amiss\n", c.Verdict, oneLine(c.URL), stampOf(c.At), c.Amiss, count(int64(c.Parts), "part"))
		for _, b := range c.Broken {
			fmt.Fprintf(w, "           %s: %s\n", oneLine(b.URL), b.Reason)
		}
	}
}

func shareText(s report.Share) string {
	if s.Q == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.4f", *s.Q)
}

func printParts(w io.Writer, name string, parts []*report.Part, on layer.Name, top int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\npages\tcoherent\tchanged\tlinks\tmissing\tunknown\t %s (%s)\n", name, on)
	for i, p := range parts {
		if i == top {
			fmt.Fprintf(t, "\t\t\t\t\t\t ... %d more\n", len(parts)-top)
			break
		}
		l := p.Layers[on]
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t %s\n", p.Pages, l.Coherent, l.Changed, l.Links, l.Missing, l.Unknown, oneLine(p.Name))
	}
	return t.Flush()
}

func printWorst(w io.Writer, r *report.Report, top int) error {
	for _, part := range []struct {
		title string
		list  []report.Defect
	}{{"most serious", r.Worst}, {"most serious among answers to programs, which pages show", r.WorstData}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n", part.title)
		for i, d := range part.list {
			if i == top {
				fmt.Fprintf(w, "  ... %d more: --top N or --json lists them\n", len(part.list)-top)
				break
			}
			shown := ""
			if d.Page != "" {
				shown = ", shown by " + oneLine(d.Page)
			}
			fmt.Fprintf(w, "  %-7s %-5s %s%s\n", d.State, d.Layer, oneLine(d.URL), shown)
		}
	}
	return nil
}

// stampOf writes an instant for people.
func stampOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
