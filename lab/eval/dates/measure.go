package dates

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"varve/lab/eval"
	"varve/page"
	"varve/text/dating"
)

// Counts are the answers of one way: the right day, another day, and none (a month or a year is none).
type Counts struct {
	Pages int `json:"pages"`
	Right int `json:"right"`
	Wrong int `json:"wrong"`
	None  int `json:"none"`
}

func (c *Counts) add(got, want string) {
	c.Pages++
	switch {
	case got == want:
		c.Right++
	case len(got) < len(want):
		c.None++
	default:
		c.Wrong++
	}
}

func (c Counts) share() float64 { return float64(c.Right) / float64(max(1, c.Pages)) }

// Half is the figures of half of the pages, or of all.
type Half struct {
	Name   string  `json:"name"`
	Ours   Counts  `json:"ours"`
	Stamps Counts  `json:"stamps"`         // the baseline: the first date of publication in the metadata, in UTC
	Peer   *Counts `json:"peer,omitempty"` // htmldate
}

// Report is what was measured.
type Report struct {
	Halves  []Half                    `json:"halves"` // developed on, kept, all
	Sources map[dating.Source]*Counts `json:"sources"`
	Kept    map[dating.Source]*Counts `json:"sources_kept"`
	Peer    string                    `json:"peer"` // its version, or why it is not there
	Wrong   []string                  `json:"wrong,omitempty"`
}

// Options say how to measure.
type Options struct {
	Now    time.Time // when the pages were fetched, at the latest
	Python string    // that may have htmldate
	Wrong  bool      // list the pages that are not right, of the half that rules are made on
}

// Measure dates the pages.
func Measure(ctx context.Context, pages []Page, o Options) (Report, error) {
	r := Report{
		Halves:  []Half{{Name: "developed on"}, {Name: "kept"}, {Name: "all"}},
		Sources: map[dating.Source]*Counts{}, Kept: map[dating.Source]*Counts{},
	}
	days, version, err := peer(ctx, o.Python, pages)
	if r.Peer = "htmldate " + version; err != nil {
		r.Peer = err.Error()
	}
	reader := page.NewReader()
	for i, p := range pages {
		body, err := os.ReadFile(p.File)
		if err != nil {
			return r, err
		}
		read, _ := reader.Read(page.Input{URL: p.URL, MIME: "text/html", Body: body}, page.Want{Dates: true}) // what came before an error counts
		got := read.Dates.Published(p.URL, o.Now)
		half := 0
		if p.kept() {
			half = 1
			count(r.Kept, got, p.Day)
		}
		count(r.Sources, got, p.Day)
		for _, h := range []*Half{&r.Halves[half], &r.Halves[2]} {
			h.Ours.add(got.Day, p.Day)
			h.Stamps.add(stamp(read.Dates), p.Day)
			if days != nil {
				if h.Peer == nil {
					h.Peer = &Counts{}
				}
				h.Peer.add(days[i], p.Day)
			}
		}
		if o.Wrong && half == 0 && got.Day != p.Day {
			line := fmt.Sprintf("%s, not %s (%s) %s %s", p.Day, cmp.Or(got.Day, "nothing"), got.Source, p.URL, p.File)
			if days != nil {
				line += " htmldate " + cmp.Or(days[i], "nothing")
			}
			r.Wrong = append(r.Wrong, line)
		}
	}
	return r, nil
}

func count(sources map[dating.Source]*Counts, got dating.Publication, want string) {
	s := cmp.Or(got.Source, "none")
	if sources[s] == nil {
		sources[s] = &Counts{}
	}
	sources[s].add(got.Day, want)
}

// stamp is the baseline.
func stamp(s dating.Stamps) string {
	for _, f := range s.List {
		if f.Source == dating.Published {
			return f.Time.Format(time.DateOnly)
		}
	}
	return ""
}

// Summary implements eval.Report: the share of right days, of all pages.
func (r Report) Summary() eval.Summary {
	all := r.Halves[2].Ours
	return eval.Answered(all.Pages, all.share())
}

// Baseline implements eval.Compared.
func (r Report) Baseline() (way string, figure float64) {
	return "the first date of publication in the metadata, in UTC", r.Halves[2].Stamps.share()
}

// Print writes the figures.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %6s  %-28s %-28s %s\n", "", "pages", "ours: right wrong none", "metadata in UTC", r.Peer)
	counts := func(c Counts) string { return fmt.Sprintf("%.3f %5d %5d %5d", c.share(), c.Right, c.Wrong, c.None) }
	for _, h := range r.Halves {
		fmt.Fprintf(&b, "%-14s %6d  %-28s %-28s", h.Name, h.Ours.Pages, counts(h.Ours), counts(h.Stamps))
		if h.Peer != nil {
			fmt.Fprintf(&b, " %s", counts(*h.Peer))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%-14s %6s  %-28s %s\n", "by source", "all", "right wrong none", "kept half")
	for _, s := range slices.Sorted(maps.Keys(r.Sources)) {
		fmt.Fprintf(&b, "%-14s %6d  %-28s", s, r.Sources[s].Pages, counts(*r.Sources[s]))
		if k := r.Kept[s]; k != nil {
			fmt.Fprintf(&b, " %6d %s", k.Pages, counts(*k))
		}
		b.WriteByte('\n')
	}
	for _, line := range r.Wrong {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
