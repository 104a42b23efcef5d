package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve/coherence"
	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/text/layer"
)

type asOfOptions struct {
	captureSelection
	json  bool
	on    layerFlag
	level string
	until string
	top   int
}

func (o *asOfOptions) flags(c *cobra.Command, top int, what string) {
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object (docs/formats/coherence.md)")
	f.Var(&o.on, "layer", "layer on which contents are equal: bytes, dom, text, main or links")
	f.StringVar(&o.level, "level", string(coherence.Inferred), "weakest evidence that counts: witnessed, asserted or inferred")
	f.IntVar(&o.top, "top", top, what)
	o.captureSelection.flags(c)
	_ = f.MarkHidden("crawl") // these commands are about all crawls
}

// check reads the level and refuses a layer that has no equality.
func (o *asOfOptions) check(c *cobra.Command) (coherence.Level, error) {
	if o.on.Name == layer.Near {
		return "", UsageError(c, "--layer near: nearly the same is no equality that holds over several captures; take main")
	}
	switch l := coherence.Level(o.level); l {
	case coherence.Witnessed, coherence.Asserted, coherence.Inferred:
		return l, nil
	}
	return "", UsageError(c, fmt.Sprintf("--level %q is none of witnessed, asserted, inferred", o.level))
}

func newCoherenceAsOfCommand() *cobra.Command {
	o := asOfOptions{on: layerFlag{layer.Text}}
	c := &cobra.Command{
		Use:   "asof TIME [WARC...]",
		Short: "Which pages are known to have stood at an instant, or all the time between two",
		Long: `Tells, over all crawls of a collection or all files given, which pages have a version that stood at TIME:
captured then, or equal before and after, or captured later with a trusted date before. Levels: witnessed
(equal bytes at both ends of one crawl), asserted (the server says so), inferred (equal in two crawls, and
nothing else seen between).

With --until it tells which pages stood unchanged all the time from TIME to then.

Exit codes: 0 done, 1 done but the files are damaged, 2 could not.`,
		Example: `  varve coherence asof 2026-03-01T12:00:00Z --collection news
  varve coherence asof 20260301 --until 20260401 --collection news
  varve coherence asof 20260301 --level asserted --json *.warc.gz`,
		Args: needArgs(1, "an instant such as 2026-03-01T12:00:00Z"),
		RunE: func(c *cobra.Command, args []string) error { return runAsOf(c, &o, args[0], args[1:]) },
	}
	o.flags(c, 20, "how many pages are listed for people")
	c.Flags().StringVar(&o.until, "until", "", "pages that stood unchanged from TIME to this one")
	return c
}

func runAsOf(c *cobra.Command, o *asOfOptions, when string, args []string) error {
	x, err := parseTime(when)
	if err != nil {
		return UsageError(c, err.Error())
	}
	y := x
	if o.until != "" {
		if y, err = parseTime(o.until); err != nil {
			return UsageError(c, "--until: "+err.Error())
		}
		if y.Before(x) {
			return UsageError(c, "--until is before TIME")
		}
	}
	least, err := o.check(c)
	if err != nil {
		return err
	}
	err = o.all(c, args, func(set *evidence.Set, _ string) error {
		opts, err := judging(set, "", 0)
		if err != nil {
			return evidenceError(c, err)
		}
		p := &heldPrinter{w: bufio.NewWriter(c.OutOrStdout()), json: o.json, top: o.top}
		h, err := report.AsOf(c.Context(), set, x, y, o.on.Name, least, opts, p.page)
		if err != nil {
			return evidenceError(c, err)
		}
		return p.end(h)
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

// heldPrinter prints pages while they come, and the counts behind them.
type heldPrinter struct {
	w    *bufio.Writer
	json bool
	top  int
	n    int
}

func (p *heldPrinter) page(h report.Held) error {
	p.n++
	if p.json {
		sep := ","
		if p.n == 1 {
			sep = `{"list":[`
		}
		b, err := json.Marshal(h)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.w, "%s%s", sep, b)
		return err
	}
	if p.n > p.top {
		return nil
	}
	_, err := fmt.Fprintf(p.w, "%-9s %s to %s  %s\n", h.Level, stampOf(h.From), stampOf(h.To), oneLine(h.URL))
	return err
}

func (p *heldPrinter) end(h *report.Holding) error {
	if p.json {
		if p.n == 0 {
			p.w.WriteString(`{"list":[`)
		}
		b, err := json.Marshal(h)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.w, "],%s\n", b[1:])
		return p.w.Flush()
	}
	if p.n > p.top {
		fmt.Fprintf(p.w, "... %d more: --top N or --json lists them\n", p.n-p.top)
	}
	when := "at " + stampOf(h.Time)
	if !h.Until.IsZero() {
		when = "from " + stampOf(h.Time) + " to " + stampOf(h.Until)
	}
	fmt.Fprintf(p.w, "%d of %s stood %s on the layer %s: %d witnessed, %d asserted, %d inferred\n", h.Held, count(h.Pages, "page"),
		when, h.Layer, h.By[coherence.Witnessed], h.By[coherence.Asserted], h.By[coherence.Inferred])
	return p.w.Flush()
}

func newCoherenceBestCommand() *cobra.Command {
	o := asOfOptions{on: layerFlag{layer.Text}}
	c := &cobra.Command{
		Use:   "best [WARC...]",
		Short: "The instants at which most pages are known to have stood at once",
		Long: `Sweeps over the intervals in which pages are known to have stood, of all crawls of a collection or all
files given, and finds the stretches of time at which most of them overlap.

Exit codes: 0 done, 1 done but the files are damaged, 2 could not.`,
		Example: `  varve coherence best --collection news
  varve coherence best --level witnessed --json *.warc.gz`,
		RunE: func(c *cobra.Command, args []string) error { return runBest(c, &o, args) },
	}
	o.flags(c, 5, "how many stretches of time")
	return c
}

func runBest(c *cobra.Command, o *asOfOptions, args []string) error {
	least, err := o.check(c)
	if err != nil {
		return err
	}
	err = o.all(c, args, func(set *evidence.Set, _ string) error {
		opts, err := judging(set, "", 0)
		if err != nil {
			return evidenceError(c, err)
		}
		peaks, pages, err := report.Best(c.Context(), set, o.on.Name, least, o.top, opts)
		if err != nil {
			return evidenceError(c, err)
		}
		return printBest(c.OutOrStdout(), peaks, pages, o)
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

func printBest(w io.Writer, peaks []coherence.Peak, pages int64, o *asOfOptions) error {
	if o.json {
		if peaks == nil {
			peaks = []coherence.Peak{}
		}
		return PrintJSON(w, struct {
			Layer layer.Name       `json:"layer"`
			Level string           `json:"level"`
			Pages int64            `json:"pages"`
			Best  []coherence.Peak `json:"best"`
		}{o.on.Name, o.level, pages, peaks})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "pages\tof\tshare\t from\t to\t\n")
	for _, p := range peaks {
		fmt.Fprintf(t, "%d\t%d\t%s\t %s\t %s\t\n", p.Pages, pages, percent(int64(p.Pages), pages), stampOf(p.From), stampOf(p.To))
	}
	return t.Flush()
}
