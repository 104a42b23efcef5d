package name

import (
	"cmp"
	"iter"
	"slices"
)

// History is a name through time, with what the same thing may have been called before it.
type History struct {
	Key    string      `json:"key"`
	Name   string      `json:"name"` // as it is mostly written
	Rises  []int       `json:"rises"`
	Years  []YearCount `json:"years"`  // that have it
	Former []Candidate `json:"former"` // the likeliest first
}

// YearCount is the documents of a year with a name.
type YearCount struct {
	Year      int `json:"year"`
	Documents int `json:"documents"`
}

// Histories yields the names that came into use in some year, in the order of their keys, each with at most so many former names, and the names that are such, with their years. It
// finds what Former finds for each of them; contexts of a year are made once for all names that rise in it.
func (n *Names) Histories(most int) iter.Seq[History] {
	best := map[string][]Candidate{}
	rising := map[int][]string{}
	for _, key := range n.keys {
		for _, y := range n.series[key].rises {
			rising[y] = append(rising[y], key)
		}
	}
	type scored struct {
		old   int
		score float64
	}
	for year, keys := range rising {
		old := n.falling(year)
		before := make([]context, len(old))
		for i, o := range old {
			before[i] = n.context(n.series[o], year-n.o.Window, year)
		}
		for _, key := range keys {
			q, rise, person := n.context(n.series[key], year, year+n.o.Window), n.rise(n.series[key], year), n.person(key)
			var list []scored
			for i, o := range old {
				if o == key || n.person(o) != person {
					continue
				}
				if score := likeness(q, before[i]) * n.fall(n.series[o], year) * rise; score > 0 {
					list = append(list, scored{i, score})
				}
			}
			slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.old, b.old)) })
			for _, s := range list[:min(2*most, len(list))] { // twice as many: another year may have the same name again
				best[key] = append(best[key], n.candidate(key, old[s.old], year, q, before[s.old]))
			}
		}
	}
	wanted := map[string]bool{}
	for key, list := range best {
		slices.SortFunc(list, func(a, b Candidate) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Year, b.Year))
		})
		var out []Candidate
		for _, c := range list {
			if len(out) < most && !slices.ContainsFunc(out, func(o Candidate) bool { return o.Key == c.Key }) {
				out = append(out, c)
				wanted[c.Key] = true
			}
		}
		best[key], wanted[key] = out, true
	}
	return func(yield func(History) bool) {
		for _, key := range n.keys {
			if !wanted[key] {
				continue
			}
			x := n.series[key]
			h := History{Key: key, Name: x.form(key), Rises: x.rises, Former: best[key]}
			for i, d := range x.documents {
				if d > 0 {
					h.Years = append(h.Years, YearCount{n.from + i, d})
				}
			}
			if !yield(h) {
				return
			}
		}
	}
}
