package capture

import (
	"fmt"
	"io"
	"text/tabwriter"

	"varve/lab/websim/difficult"
)

// Line is one site in one mode, or the sum of all sites.
type Line struct {
	Site      string              `json:"site"`
	Mode      Mode                `json:"mode"`
	Elements  int                 `json:"elements"` // key elements
	Captured  int                 `json:"captured"` // of these
	Missed    []difficult.Element `json:"missed,omitempty"`
	NotFound  int                 `json:"not_found"` // answers 404 of the server
	Requests  int                 `json:"requests"`
	Documents int                 `json:"documents"` // HTML pages captured
	CPU       float64             `json:"cpu_seconds"`
	Wall      float64             `json:"wall_seconds"`
	Inexact   []string            `json:"inexact,omitempty"` // answers that differ between server and records
	Views     int                 `json:"views,omitempty"`   // looked at in replay
	Shown     int                 `json:"shown,omitempty"`   // of these
	Unshown   []Unshown           `json:"unshown,omitempty"`
}

// Unshown is a view whose words replay did not show.
type Unshown struct {
	URL string `json:"url"`
	Do  string `json:"do,omitempty"`
	Why string `json:"why"`
}

// Share is the share of key elements captured.
func (l *Line) Share() float64 { return float64(l.Captured) / float64(max(1, l.Elements)) }

// Target is a bar and whether it was met.
type Target struct {
	Name string  `json:"name"`
	Got  float64 `json:"got"`
	Bar  float64 `json:"bar"`
	Met  bool    `json:"met"`
}

// Result is the outcome of the experiment.
type Result struct {
	Plain   int      `json:"plain"`
	Seed    uint64   `json:"seed"`
	Lines   []Line   `json:"lines"`
	Totals  []Line   `json:"totals"`
	Targets []Target `json:"targets,omitempty"` // known when all modes were measured
}

// sum adds the sites up by mode and holds the bars against them.
func (r *Result) sum() {
	for _, m := range Modes() {
		t := Line{Site: "all", Mode: m}
		for _, l := range r.Lines {
			if l.Mode == m {
				t.add(&l)
			}
		}
		if t.Elements > 0 {
			r.Totals = append(r.Totals, t)
		}
	}
	r.judge()
}

func (l *Line) add(o *Line) {
	l.Elements += o.Elements
	l.Captured += o.Captured
	l.NotFound += o.NotFound
	l.Requests += o.Requests
	l.Documents += o.Documents
	l.CPU += o.CPU
	l.Wall += o.Wall
	l.Inexact = append(l.Inexact, o.Inexact...)
	l.Views += o.Views
	l.Shown += o.Shown
}

// judge sets the targets. The bars are those of issue 7 and of the seed's evaluation.
func (r *Result) judge() {
	inexact := 0
	for _, t := range r.Totals {
		inexact += len(t.Inexact)
	}
	r.Targets = append(r.Targets, Target{"answers that differ between server and records", float64(inexact), 0, inexact == 0})
	routed, browser, parser := r.total(Routed), r.total(Browser), r.total(Parser)
	if routed != nil {
		r.Targets = append(r.Targets, Target{"share of key elements, routed, at least", routed.Share(), 0.95, routed.Share() >= 0.95})
	}
	if routed != nil && browser != nil && browser.CPU > 0 {
		share := routed.CPU / browser.CPU
		r.Targets = append(r.Targets, Target{"CPU of routed by that of browser, under", share, 0.25, share < 0.25})
	}
	if routed != nil && parser != nil {
		r.Targets = append(r.Targets, Target{"404s of routed, fewer than those of the guessing parser", float64(routed.NotFound), float64(parser.NotFound), routed.NotFound < parser.NotFound})
	}
}

func (r *Result) total(m Mode) *Line {
	for i := range r.Totals {
		if r.Totals[i].Mode == m {
			return &r.Totals[i]
		}
	}
	return nil
}

// Met tells whether all targets were met.
func (r *Result) Met() bool {
	for _, t := range r.Targets {
		if !t.Met {
			return false
		}
	}
	return true
}

// Print writes a table for people; with missed, also what is missing.
func (r *Result) Print(out io.Writer, missed bool) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "site\tmode\telements\tcaptured\tshare\t404s\trequests\tdocuments\tCPU s\twall s\tshown\t")
	for _, lines := range [][]Line{r.Lines, r.Totals} {
		for _, l := range lines {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.0f %%\t%d\t%d\t%d\t%.1f\t%.1f\t%s\t\n",
				l.Site, l.Mode, l.Elements, l.Captured, 100*l.Share(), l.NotFound, l.Requests, l.Documents, l.CPU, l.Wall, l.shown())
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if missed {
		r.printMissed(out)
	}
	for _, t := range r.Targets {
		word := "met"
		if !t.Met {
			word = "MISSED"
		}
		if _, err := fmt.Fprintf(out, "%s: %.4g (bar %.4g): %s\n", t.Name, t.Got, t.Bar, word); err != nil {
			return err
		}
	}
	return nil
}

func (l *Line) shown() string {
	if l.Views == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", l.Shown, l.Views)
}

func (r *Result) printMissed(out io.Writer) {
	for _, l := range r.Lines {
		for _, e := range l.Missed {
			fmt.Fprintf(out, "missed  %s %s: %s %s %s\n", l.Mode, e.Kind, e.Method, e.URL, e.Body)
		}
		for _, u := range l.Unshown {
			fmt.Fprintf(out, "unshown %s: %s (%s)\n", l.Mode, u.URL, u.Why)
		}
		for _, s := range l.Inexact {
			fmt.Fprintf(out, "differs %s: %s\n", l.Mode, s)
		}
	}
}
