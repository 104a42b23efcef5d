package films

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"varve/entity"
	"varve/entity/link"
	"varve/lab/eval"
)

// Config says what is measured.
type Config struct {
	Films int    // how many, by chance; 0 is all
	Half  string // "dev": films of even number, by which settings are chosen; "test": the others
	Seed  uint64
}

// ways are the ways to decide, by the terms that they use.
func ways() (names []string, settings []link.Settings) {
	whole := link.Default()
	whole.Nil = 0 // the mentions are given, and gold is in the base
	add := func(name string, change func(*link.Settings)) {
		s := whole
		change(&s)
		names, settings = append(names, name), append(settings, s)
	}
	add("prior", func(s *link.Settings) { s.Similarity, s.Coherence, s.Time = 0, 0, false })
	add("+ similarity", func(s *link.Settings) { s.Coherence, s.Time = 0, false })
	add("+ coherence", func(s *link.Settings) { s.Time = false })
	add("+ time: the whole", func(*link.Settings) {})
	add("without prior", func(s *link.Settings) { s.Prior = 0 })
	add("without similarity", func(s *link.Settings) { s.Similarity = 0 })
	add("without coherence", func(s *link.Settings) { s.Coherence = 0 })
	add("without time", func(s *link.Settings) { s.Time = false })
	add("coherence always", func(s *link.Settings) { s.Disagree = 0 })
	add("prior always", func(s *link.Settings) { s.SurePrior = 0 })
	return names, settings
}

// whole is the place of the whole among the ways.
const whole = 3

// Class is the mentions with so many candidates, or of certain persons.
type Class struct {
	Name  string `json:"name"`
	N     int    `json:"n"`
	Right []int  `json:"right"` // by way
}

// Way is the figures of a way to decide.
type Way struct {
	Name     string     `json:"name"`
	Accuracy float64    `json:"accuracy"`
	Interval [2]float64 `json:"interval"` // 95 %, by drawing films again
	// Share is how much better the whole is, with its interval: for ways that leave a term out, the share of that term.
	Share         float64    `json:"share"`
	ShareInterval [2]float64 `json:"share_interval"`
}

// Result is what was measured.
type Result struct {
	Films      int     `json:"films"`       // looked at
	Cut        int     `json:"cut"`         // names that were cut
	OutOfBase  int     `json:"out_of_base"` // of persons in no other film
	Alone      int     `json:"alone"`       // with one candidate
	N          int     `json:"n"`           // with two or more: these are measured
	Candidates float64 `json:"candidates"`  // of these, in the mean
	Ways       []Way   `json:"ways"`
	Classes    []Class `json:"classes"`
}

// bounds are the largest numbers of candidates of the classes.
var bounds = []int{2, 5, 10, 20, 50, 1 << 30}

// Run measures.
func Run(ctx context.Context, films []Film, c Config) (Result, error) {
	world := NewWorld(films)
	names, settings := ways()
	chosen := make([]int, 0, len(films))
	for i := range films {
		if c.Half == "" || (c.Half == "dev") == (i%2 == 0) {
			chosen = append(chosen, i)
		}
	}
	rnd := rand.New(rand.NewPCG(c.Seed, 1))
	rnd.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if c.Films > 0 {
		chosen = chosen[:min(c.Films, len(chosen))]
	}
	r := Result{Films: len(chosen)}
	for i, most := range bounds {
		name := fmt.Sprintf("%d candidates", most)
		if i > 0 {
			name = fmt.Sprintf("%d to %d candidates", bounds[i-1]+1, most)
		}
		if most == 1<<30 {
			name = fmt.Sprintf("more than %d candidates", bounds[i-1])
		}
		r.Classes = append(r.Classes, Class{Name: name, Right: make([]int, len(names))})
	}
	r.Classes = append(r.Classes, Class{Name: "seen in one other film", Right: make([]int, len(names))}, Class{Name: "in two or more others", Right: make([]int, len(names))})
	var perFilm []outcome
	for _, i := range chosen {
		o, err := one(ctx, world, i, settings, &r)
		if err != nil {
			return r, err
		}
		if o.n > 0 {
			perFilm = append(perFilm, o)
			r.N += o.n
		}
	}
	if r.N == 0 {
		return r, fmt.Errorf("no mention has two candidates or more")
	}
	r.Candidates /= float64(r.N)
	r.Ways = figures(perFilm, names, rnd)
	return r, nil
}

// outcome is how many mentions of a film there are, and how many each way has right.
type outcome struct {
	n     int
	right []int
}

func one(ctx context.Context, world *World, film int, settings []link.Settings, r *Result) (outcome, error) {
	f, view := &world.films[film], world.Without(film)
	o := outcome{right: make([]int, len(settings))}
	text, gold := f.Cut()
	r.Cut += len(gold)
	var mentions []link.Mention
	type known struct{ class, seen int }
	var of []*known
	for _, g := range gold {
		mentions = append(mentions, g.Mention)
		candidates, err := view.Candidates(text[g.Start:g.End])
		if err != nil {
			return o, err
		}
		seen := len(view.filmsOf(world.numbers[g.Person]))
		switch {
		case seen == 0:
			r.OutOfBase++
			of = append(of, nil)
			continue
		case len(candidates) < 2:
			r.Alone++
			of = append(of, nil)
			continue
		}
		o.n++
		r.Candidates += float64(len(candidates))
		class, _ := slices.BinarySearch(bounds, len(candidates))
		k := &known{class, len(bounds)}
		if seen > 1 {
			k.seen++
		}
		r.Classes[k.class].N++
		r.Classes[k.seen].N++
		of = append(of, k)
	}
	if o.n == 0 {
		return o, nil
	}
	day, _, err := entity.ParseDays(fmt.Sprintf("%d-07-01", f.Year))
	if err != nil {
		return o, err
	}
	evidence, err := link.Gather(ctx, view, text, mentions, day)
	if err != nil {
		return o, err
	}
	for w, s := range settings {
		decisions, err := evidence.Decide(ctx, s)
		if err != nil {
			return o, err
		}
		for i, k := range of {
			if k != nil && decisions[i].Entity == gold[i].Person {
				o.right[w]++
				r.Classes[k.class].Right[w]++
				r.Classes[k.seen].Right[w]++
			}
		}
	}
	return o, nil
}

// figures returns accuracies and how much the whole is better, with intervals from 1,000 drawings of films: mentions of one film are decided together.
func figures(perFilm []outcome, names []string, rnd *rand.Rand) []Way {
	const rounds = 1000
	sample := func(pick func(i int) int) []float64 {
		n, right := 0, make([]int, len(names))
		for i := range perFilm {
			o := perFilm[pick(i)]
			n += o.n
			for w, k := range o.right {
				right[w] += k
			}
		}
		out := make([]float64, len(names))
		for w := range out {
			out[w] = float64(right[w]) / float64(n)
		}
		return out
	}
	accuracy := sample(func(i int) int { return i })
	drawn := make([][]float64, len(names))
	shares := make([][]float64, len(names))
	for range rounds {
		for w, a := range sample(func(int) int { return rnd.IntN(len(perFilm)) }) {
			drawn[w] = append(drawn[w], a)
		}
		for w := range names {
			shares[w] = append(shares[w], drawn[whole][len(drawn[whole])-1]-drawn[w][len(drawn[w])-1])
		}
	}
	interval := func(v []float64) [2]float64 {
		slices.Sort(v)
		return [2]float64{v[rounds*25/1000], v[rounds*975/1000-1]}
	}
	var out []Way
	for w, name := range names {
		out = append(out, Way{name, accuracy[w], interval(slices.Clone(drawn[w])), accuracy[whole] - accuracy[w], interval(shares[w])})
	}
	return out
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d films, %d names of cast members cut to the last; %d of persons in no other film, %d with one candidate;\n%d with two or more candidates, %.1f in the mean, are measured.\n\n", r.Films, r.Cut, r.OutOfBase, r.Alone, r.N, r.Candidates)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "way\taccuracy\t95 %\tthe whole is better by\t95 %")
	for _, v := range r.Ways {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f-%.3f\t%+.3f\t%+.3f to %+.3f\n", v.Name, v.Accuracy, v.Interval[0], v.Interval[1], v.Share, v.ShareInterval[0], v.ShareInterval[1])
	}
	fmt.Fprint(t, "\t\t\t\t\nmentions\tn")
	for _, v := range r.Ways[:whole+1] {
		fmt.Fprintf(t, "\t%s", v.Name)
	}
	fmt.Fprintln(t)
	for _, c := range r.Classes {
		if c.N == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%d", c.Name, c.N)
		for _, k := range c.Right[:whole+1] {
			fmt.Fprintf(t, "\t%.3f", float64(k)/float64(c.N))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary { return eval.Answered(r.N, r.Ways[whole].Accuracy) }

// Baseline implements eval.Compared.
func (r Result) Baseline() (string, float64) { return r.Ways[0].Name, r.Ways[0].Accuracy }
