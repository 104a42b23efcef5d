// Package reformulation measures whether queries are said in the words of another time (varve/evolution/reformulate): of pairs of old and new names the new one is asked, in the years after the change, for the years before it, and the
// old one must be among the first three.
//
// The pairs (pairs.tsv) were written down before the method; which of them count is decided by a rule that looks at how frequent the names are, not at what is found. The first twenty in the order of a digest are the evaluation,
// the rest was there to choose settings with, and so are those of more.tsv, which were written down later.
package reformulation

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // the pairs
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"varve/evolution"
	"varve/evolution/reformulate"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/lab/eval/debates"
)

var (
	//go:embed pairs.tsv
	pairs string
	//go:embed more.tsv
	more string
)

// Pair is an old and a new name, each in the forms that count.
type Pair struct {
	Kind string   `json:"kind"`
	Year int      `json:"year"`
	Old  []string `json:"old"`
	New  []string `json:"new"`
}

func (p Pair) digest() string {
	sum := sha256.Sum256([]byte(strings.Join(p.Old, "|") + ">" + strings.Join(p.New, "|")))
	return hex.EncodeToString(sum[:])
}

// ways to rank, the one that is used first.
var ways = []string{"score", "likeness", "transition"}

// Answer is what was found for a pair.
type Answer struct {
	Pair
	Asked string         `json:"asked"` // the form of the new name
	Rank  map[string]int `json:"rank"`  // of the best old form by each way, from 1; 0 if it is not there
	First []string       `json:"first"` // what the method tells first
}

// Set is a part of the pairs.
type Set struct {
	Name    string         `json:"name"`
	Answers []Answer       `json:"answers"`
	Right   map[string]int `json:"right"` // in the first three, by each way
}

// Result is the figures.
type Result struct {
	Speeches int     `json:"speeches"`
	Listed   int     `json:"listed"`
	Sets     []Set   `json:"sets"`
	Left     []Pair  `json:"left_out"` // by the rule
	CPU      float64 `json:"cpu_seconds"`
}

// Options say what is measured.
type Options struct {
	Keep string
	reformulate.Options
	Evaluated int  // pairs of the evaluation
	Gap       int  // years on each side of a change that are in neither era: old names are said for a while
	Choosing  bool // only the pairs to choose settings by are asked for: those of the evaluation stay unseen
}

// Default returns what the figures were measured by.
func Default() Options { return Options{Options: reformulate.Default(), Evaluated: 20, Gap: 1} }

// Measure reads speeches and asks for all pairs.
func Measure(ctx context.Context, data string, o Options) (r *Result, err error) {
	files, err := debates.Files(data)
	if err != nil {
		return nil, err
	}
	list, err := readPairs("pairs.tsv", pairs)
	if err != nil {
		return nil, err
	}
	settings, err := readPairs("more.tsv", more)
	if err != nil {
		return nil, err
	}
	c, err := debates.Read(ctx, files, o.Keep)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r = &Result{Speeches: c.Speeches, Listed: len(list) + len(settings)}
	used, err := cpu.Measure(func() error { return r.measure(ctx, c, list, settings, o) })
	r.CPU = used.CPU.Seconds()
	return r, err
}

func (r *Result) measure(ctx context.Context, c *debates.Corpus, list, settings []Pair, o Options) error {
	chosen, err := r.choose(c.All(), list)
	if err != nil {
		return err
	}
	slices.SortFunc(chosen, func(a, b Pair) int { return cmp.Compare(a.digest(), b.digest()) })
	n := min(o.Evaluated, len(chosen))
	further, err := r.choose(c.All(), settings)
	if err != nil {
		return err
	}
	for _, s := range []Set{{Name: "evaluation"}, {Name: "for settings"}, {Name: "for settings, written down later"}} {
		list := further
		switch s.Name {
		case "evaluation":
			if list = chosen[:n]; o.Choosing {
				list = nil
			}
		case "for settings":
			list = chosen[n:]
		}
		s.Right = map[string]int{}
		for _, p := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			a, err := ask(c, p, o)
			if err != nil {
				return err
			}
			for _, w := range ways {
				if a.Rank[w] >= 1 && a.Rank[w] <= 3 {
					s.Right[w]++
				}
			}
			s.Answers = append(s.Answers, a)
		}
		r.Sets = append(r.Sets, s)
	}
	return nil
}

// tally is how many speeches of the ten years before a change and from it on have the names of a pair.
type tally struct{ old, before, after, textsBefore, textsAfter int }

// counts applies the rule of pairs.tsv.
func (n tally) counts() bool {
	replaced := float64(n.after)/float64(max(1, n.textsAfter)) >= 4*float64(n.before)/float64(max(1, n.textsBefore))
	return n.old >= 10 && n.after >= 10 && replaced
}

// choose returns the pairs that the rule lets through, and keeps the others. It goes through the speeches once.
func (r *Result) choose(documents evolution.Documents, list []Pair) (out []Pair, err error) {
	tallies := make([]tally, len(list))
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for _, s := range d.Sentences {
			for _, x := range s {
				for name := range names(x.Key) {
					has[name] = true
				}
			}
		}
		in := func(name string) bool { return has[name] }
		for i, p := range list {
			n := &tallies[i]
			switch {
			case d.Year >= p.Year-10 && d.Year < p.Year:
				n.textsBefore++
				n.old, n.before = n.old+one(slices.ContainsFunc(p.Old, in)), n.before+one(slices.ContainsFunc(p.New, in))
			case d.Year >= p.Year && d.Year < p.Year+10:
				n.textsAfter++
				n.after += one(slices.ContainsFunc(p.New, in))
			}
		}
	}
	for i, p := range list {
		if tallies[i].counts() {
			out = append(out, p)
		} else {
			r.Left = append(r.Left, p)
		}
	}
	return out, nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// names yields a phrase and what stands behind each "of" in it: it is said of both.
func names(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ok := true; ok; _, key, ok = strings.Cut(key, " of ") {
			if rest, the := strings.CutPrefix(key, "the "); !yield(key) || the && !yield(rest) {
				return
			}
		}
	}
}

// ask asks for one pair.
func ask(c *debates.Corpus, p Pair, o Options) (Answer, error) {
	a := Answer{Pair: p, Rank: map[string]int{}}
	now, err := read(c, p.Year+o.Gap, o)
	if err != nil {
		return a, err
	}
	then, err := read(c, p.Year-o.Gap-o.Years, o)
	if err != nil {
		return a, err
	}
	a.Asked = slices.MaxFunc(p.New, func(x, y string) int { return cmp.Compare(now.Has(x), now.Has(y)) })
	all, _ := reformulate.Terms(a.Asked, now, then, 1<<20)
	for i, x := range all {
		if i < 5 {
			a.First = append(a.First, x.Term)
		}
		if slices.Contains(p.Old, x.Term) && a.Rank["score"] == 0 {
			a.Rank["score"] = i + 1
		}
	}
	like := slices.Clone(all)
	slices.SortStableFunc(like, func(x, y reformulate.Candidate) int { return cmp.Compare(y.Likeness, x.Likeness) })
	for i, x := range like {
		if slices.Contains(p.Old, x.Term) {
			a.Rank["likeness"] = i + 1
			break
		}
	}
	by := reformulate.Transition(a.Asked, now, then)
	for _, old := range p.Old {
		if by[old] == 0 {
			continue
		}
		rank := 1
		for u, x := range by {
			if x > by[old] && u != a.Asked {
				rank++
			}
		}
		if a.Rank["transition"] == 0 || rank < a.Rank["transition"] {
			a.Rank["transition"] = rank
		}
	}
	return a, nil
}

func read(c *debates.Corpus, from int, o Options) (*reformulate.Era, error) {
	to := from + o.Years - 1
	var list []*evolution.Document // they are gone through twice
	for d, err := range c.Between(from, to)() {
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return reformulate.Read(evolution.Of(list), from, to, o.Options)
}

func readPairs(file, text string) (out []Pair, err error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("%s, line %d: %d fields instead of 4", file, n, len(f))
		}
		p := Pair{Kind: f[0], Old: strings.Split(f[2], "|"), New: strings.Split(f[3], "|")}
		if p.Year, err = strconv.Atoi(f[1]); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		out = append(out, p)
	}
	return out, lines.Err()
}

// Summary returns the share of the pairs of the evaluation that are right.
func (r *Result) Summary() eval.Summary {
	s := r.Sets[0]
	return eval.Answered(len(s.Answers), float64(s.Right["score"])/float64(max(1, len(s.Answers))))
}

// Baseline is the formula of the paper alone.
func (r *Result) Baseline() (way string, figure float64) {
	s := r.Sets[0]
	return "P(u@R|v@T) alone", float64(s.Right["transition"]) / float64(max(1, len(s.Answers)))
}

// Print writes the figures.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d speeches, %d pairs listed, %d left out by the rule\n", r.Speeches, r.Listed, len(r.Left))
	for _, s := range r.Sets {
		fmt.Fprintf(w, "\n%s: right in the first three of %d: %d by the score; %d by likeness alone, %d by P(u@R|v@T) alone\n", s.Name, len(s.Answers), s.Right["score"], s.Right["likeness"], s.Right["transition"])
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "year\told\tasked\tplace\tlikeness\tP\ttold first")
		for _, a := range s.Answers {
			fmt.Fprintf(t, "%d\t%s\t%s\t%d\t%d\t%d\t%s\n", a.Year, a.Old[0], a.Asked, a.Rank["score"], a.Rank["likeness"], a.Rank["transition"], strings.Join(a.First[:min(3, len(a.First))], ", "))
		}
		_ = t.Flush()
	}
	_, err := fmt.Fprintf(w, "\n%.1f s of CPU\n", r.CPU)
	return err
}
