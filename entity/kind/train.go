package kind

import (
	"strconv"

	"varve/language/lexicon"
	"varve/learn/chain"
	"varve/learn/sparse"
)

// Example is a name and what is known of its types.
type Example struct {
	Features []sparse.Feature // of a Typer
	Name     string           // the same name is never learned from and measured
	Types    []int            // that it has; what is above them need not be said
	Not      []int            // that it does not have
	Complete bool             // it has no others: what is below its types and not said is none of its own
}

// Options say how to learn.
type Options struct {
	Types, Count sparse.Options
}

// DefaultOptions are those of the models that come with the program.
func DefaultOptions() Options {
	return Options{
		Types: sparse.Options{Passes: 12, C: 4, Balance: 3, Least: 3, Keep: 1500},
		Count: sparse.Options{Passes: 20, C: 0.2, Balance: 2, Least: 3, Keep: 400},
	}
}

// Lesson returns what the classifiers of types learn of an example: yes for its types and all above them; no for their siblings, if it is known what the example is among them.
func (t *Taxonomy) Lesson(e Example) sparse.Example {
	out := sparse.Example{Features: e.Features, Yes: t.Closed(e.Types)}
	state := make([]State, len(t.Types))
	for _, i := range out.Yes {
		state[i] = Accepted
	}
	no := func(i int) {
		if state[i] == Untested {
			state[i] = Rejected
			out.No = append(out.No, i)
		}
	}
	for _, r := range t.Roots {
		no(r)
	}
	for _, i := range out.Yes {
		known := e.Complete
		for _, c := range t.children[i] {
			known = known || state[c] == Accepted
		}
		if known {
			for _, c := range t.children[i] {
				no(c)
			}
		}
	}
	for _, i := range e.Not {
		no(i)
	}
	return out
}

// Fold returns the part of a name when names are divided into n parts.
func Fold(name string, n int) int { return int(chain.Mix(7, chain.Hash(name)) % uint32(n)) }

// Train learns a taxonomy from examples. The count learns from scores of examples that the classifiers have not seen: names are divided into two parts, and each is scored by what the other taught.
func Train(t *Taxonomy, examples []Example, x *lexicon.Lexicon, o Options) (*Model, error) {
	lessons := make([]sparse.Example, len(examples))
	parts := [2][]sparse.Example{}
	for i, e := range examples {
		lessons[i] = t.Lesson(e)
		k := Fold(e.Name, 2)
		parts[k] = append(parts[k], lessons[i])
	}
	m := &Model{taxonomy: t, lexicon: x}
	var err error
	if m.types, err = sparse.Train(classes(t), lessons, o.Types); err != nil {
		return nil, err
	}
	var counts []sparse.Example
	for k := range parts {
		half, err := sparse.Train(classes(t), parts[1-k], o.Types)
		if err != nil {
			return nil, err
		}
		for i, e := range examples {
			if Fold(e.Name, 2) == k && e.Complete {
				counts = append(counts, countLesson(t, t.descend(half.Scores(e.Features, nil), Threshold), lessons[i].Yes))
			}
		}
	}
	numbers := make([]string, mostAccepted+1)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i)
	}
	m.count, err = sparse.Train(numbers, counts, o.Count)
	return m, err
}

// countLesson returns how many of the types with the farthest reach are best taken: the number with the best F1.
func countLesson(t *Taxonomy, v *Verdict, right []int) sparse.Example {
	e := sparse.Example{Features: countFeatures(t, v)}
	accepted := v.Accepted()
	t.farthest(v, accepted)
	is := map[int]bool{}
	for _, i := range right {
		is[i] = true
	}
	best, most, hits := 0, 0.0, 0
	for n, i := range accepted[:min(len(accepted), mostAccepted)] {
		if is[i] {
			hits++
		}
		if f := 2 * float64(hits) / float64(n+1+len(right)); f >= most && hits > 0 {
			best, most = n+1, f
		}
	}
	e.Yes = []int{best}
	for i := range mostAccepted + 1 {
		if i != best {
			e.No = append(e.No, i)
		}
	}
	return e
}
