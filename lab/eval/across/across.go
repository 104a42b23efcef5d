// Package across measures whether differences between two collections are told where there are some, and none where there are none (varve/evolution/across), on speeches of many years.
//
// The two collections are two halves of the speeches. By group: states of the Group of 77 and China beside all others, for each of some terms, those that both say most. As control: the states of one group, parted by lot into
// halves, again and again; in at most 5 of 100 families of twenty companions an interval may leave 0 out.
package across

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"varve/evolution/across"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/lab/eval/debates"
)

// west is the Western European and Others Group, the East European Group, Japan, the Republic of Korea and Israel: states that are not in the Group of 77, by the codes of the corpus. The others are.
const west = " AND ALB AUS AUT BEL BGR BLR CAN CHE CSK CYP CZE DDR DEU DNK ESP EST EU FIN FRA GBR GRC HRV HUN IRL ISL ISR ITA JPN KOR LIE LTU LUX LVA MCO MDA MKD MLT MNE NLD NOR NZL POL PRT ROU RUS SMR SRB SVK SVN SWE TUR UKR USA VAT YUG XKX "

// Options say what is measured.
type Options struct {
	Keep     string
	From, To int
	Things   int // terms that are asked about
	Most     int // companions of each
	Draws    int // of the control
	Seed     uint64
}

// Default returns what the figures were measured by.
func Default() Options {
	return Options{From: 1990, To: 2009, Things: 20, Most: 20, Draws: 20, Seed: 1}
}

// Thing is a term in both halves.
type Thing struct {
	Term       string            `json:"term"`
	Differ     int               `json:"differ"` // of its companions
	Companions []across.Found    `json:"companions"`
	Divergence across.Divergence `json:"divergence"`
}

// Result is the figures.
type Result struct {
	Speeches int     `json:"speeches"`
	A        int     `json:"states_a"`
	B        int     `json:"states_b"`
	Things   []Thing `json:"things"`
	Told     int     `json:"told"`     // things of which some companion differs
	Families int     `json:"families"` // of the control
	Alarms   int     `json:"alarms"`   // families with a difference that is none
	Plain    int     `json:"alarms_without_sources"`
	CPU      float64 `json:"cpu_seconds"`
}

// Measure reads speeches.
func Measure(ctx context.Context, data string, o Options) (r *Result, err error) {
	files, err := debates.Files(data)
	if err != nil {
		return nil, err
	}
	c, err := debates.Read(ctx, files, o.Keep)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r = &Result{}
	used, err := cpu.Measure(func() error { return r.measure(ctx, c, o) })
	r.CPU = used.CPU.Seconds()
	return r, err
}

func (r *Result) measure(ctx context.Context, c *debates.Corpus, o Options) error {
	documents := c.Between(o.From, o.To)
	states, frequent := map[string]bool{}, map[string]int{}
	for d, err := range documents() {
		if err != nil {
			return err
		}
		r.Speeches++
		states[d.Source] = true
		met := map[string]bool{}
		for _, s := range d.Sentences {
			for _, p := range s {
				if !met[p.Key] {
					met[p.Key] = true
					frequent[p.Key]++
				}
			}
		}
	}
	// what nearly all say has companions of all kinds; what half of the speeches say is a subject
	things := slices.SortedFunc(maps.Keys(frequent), func(a, b string) int { return cmp.Or(cmp.Compare(frequent[b], frequent[a]), cmp.Compare(a, b)) })
	things = slices.DeleteFunc(things, func(t string) bool { return 2*frequent[t] > r.Speeches || len(t) < 5 })
	things = things[:min(o.Things, len(things))]
	rich := func(s string) bool { return strings.Contains(west, " "+s+" ") }
	company, err := across.Read(documents, things)
	if err != nil {
		return err
	}
	draw := rand.New(rand.NewPCG(o.Seed, 21))
	var south []string
	for _, s := range slices.Sorted(maps.Keys(states)) {
		if rich(s) {
			r.B++
		} else {
			r.A++
			south = append(south, s)
		}
	}
	for _, t := range things {
		a, b := part(company[t], func(s string) bool { return !rich(s) }), part(company[t], rich)
		x := Thing{Term: t, Companions: across.Beside(a, b, o.Most)}
		for _, f := range x.Companions {
			if f.Differs() {
				x.Differ++
			}
		}
		if x.Differ > 0 {
			r.Told++
		}
		var names []string
		for _, f := range x.Companions {
			names = append(names, f.Companion)
		}
		x.Divergence = across.Diverge(a.Rows(names), b.Rows(names), draw)
		r.Things = append(r.Things, x)
	}
	for range o.Draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		draw.Shuffle(len(south), func(i, j int) { south[i], south[j] = south[j], south[i] })
		half := map[string]bool{}
		for _, s := range south[:len(south)/2] {
			half[s] = true
		}
		for _, t := range things {
			a, b := part(company[t], func(s string) bool { return half[s] }), part(company[t], func(s string) bool { return !half[s] && !rich(s) })
			r.Families++
			found := across.Beside(a, b, o.Most)
			if slices.ContainsFunc(found, func(f across.Found) bool { return f.Differs() }) {
				r.Alarms++
			}
			if slices.ContainsFunc(found, func(f across.Found) bool {
				return across.Compare([]across.Source{{Texts: f.TextsA, With: f.WithA}}, []across.Source{{Texts: f.TextsB, With: f.WithB}}, len(found)).Differs()
			}) {
				r.Plain++
			}
		}
	}
	return nil
}

// part is the company by some sources.
func part(c *across.Company, in func(source string) bool) *across.Company {
	out := &across.Company{Texts: map[string]int{}, With: map[string]map[string]int{}}
	for s, n := range c.Texts {
		if in(s) {
			out.Texts[s] = n
		}
	}
	for w, by := range c.With {
		for s, n := range by {
			if in(s) {
				if out.With[w] == nil {
					out.With[w] = map[string]int{}
				}
				out.With[w][s] = n
			}
		}
	}
	return out
}

// Summary returns the share of families of the control with an alarm.
func (r *Result) Summary() eval.Summary {
	alarms := eval.Figure(float64(r.Alarms) / float64(max(1, r.Families)))
	return eval.Summary{N: len(r.Things), Alarms: &alarms}
}

// Print writes the figures.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d speeches of %d states of the Group of 77 and %d others\n\n", r.Speeches, r.A, r.B)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "term\tdiffer\tdivergence\tby lot below\tthe surest, with its interval")
	for _, x := range r.Things {
		best := slices.MaxFunc(x.Companions, func(a, b across.Found) int { return cmp.Compare(max(a.Low, -a.High), max(b.Low, -b.High)) })
		fmt.Fprintf(t, "%s\t%d of %d\t%.4f\t%.4f\t%s %+.3f (%+.3f to %+.3f)\n", x.Term, x.Differ, len(x.Companions), x.Divergence.Bits, x.Divergence.Chance, best.Companion, best.D, best.Low, best.High)
	}
	_ = t.Flush()
	_, err := fmt.Fprintf(w, "\nterms with a difference: %d of %d\ncontrol, halves of one group by lot: %d of %d families have one (5 %% are allowed); %d if speeches counted as independent\n%.1f s of CPU\n", r.Told, len(r.Things), r.Alarms, r.Families, r.Plain, r.CPU)
	return err
}
