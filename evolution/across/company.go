package across

import (
	"cmp"
	"maps"
	"slices"

	"varve/evolution"
)

// Company is the companions of one thing in some texts: the phrases of its sentences, each once a text.
type Company struct {
	Texts map[string]int            // by source: texts that have the thing
	With  map[string]map[string]int // by companion and source
}

// Read counts the companions of things in documents. Names are looked for by their key, as terms are.
func Read(documents evolution.Documents, things []string) (map[string]*Company, error) {
	out := map[string]*Company{}
	for _, t := range things {
		out[t] = &Company{Texts: map[string]int{}, With: map[string]map[string]int{}}
	}
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		met := map[string]map[string]bool{} // thing: its companions in this text
		for _, s := range d.Sentences {
			for i, p := range s {
				if out[p.Key] == nil {
					continue
				}
				if met[p.Key] == nil {
					met[p.Key] = map[string]bool{}
				}
				for j, q := range s {
					if i != j && q.Key != p.Key {
						met[p.Key][q.Key] = true
					}
				}
			}
		}
		for t, companions := range met {
			c := out[t]
			c.Texts[d.Source]++
			for w := range companions {
				if c.With[w] == nil {
					c.With[w] = map[string]int{}
				}
				c.With[w][d.Source]++
			}
		}
	}
	return out, nil
}

// Found is a companion with its difference.
type Found struct {
	Companion string `json:"companion"`
	Difference
}

// Beside compares the most frequent companions of both sides together, those that are named most often first.
func Beside(a, b *Company, most int) []Found {
	sum := map[string]int{}
	for _, c := range []*Company{a, b} {
		for w, by := range c.With {
			for _, n := range by {
				sum[w] += n
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(sum), func(x, y string) int { return cmp.Or(cmp.Compare(sum[y], sum[x]), cmp.Compare(x, y)) })
	order = order[:min(most, len(order))]
	out := []Found{}
	for _, w := range order {
		out = append(out, Found{w, Compare(a.sources(w), b.sources(w), len(order))})
	}
	return out
}

// Rows are the companions of each source, as Diverge wants them.
func (c *Company) Rows(companions []string) (out [][]int) {
	for _, s := range slices.Sorted(maps.Keys(c.Texts)) {
		row := make([]int, len(companions))
		for k, w := range companions {
			row[k] = c.With[w][s]
		}
		out = append(out, row)
	}
	return out
}

func (c *Company) sources(companion string) (out []Source) {
	for _, s := range slices.Sorted(maps.Keys(c.Texts)) {
		out = append(out, Source{c.Texts[s], c.With[companion][s]})
	}
	return out
}
