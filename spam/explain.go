package spam

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"varve/learn"
)

// Contribution is the part of one feature in a verdict.
type Contribution struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"` // what the log-odds of spam lose without it; negative: it speaks for normal
	Spam    float64 `json:"-"`      // what a typical spam host has; NaN: not known
	Normal  float64 `json:"-"`      // what a typical normal host has
}

// Explain tells which features decided about a row: each in turn is put to what a typical host of the other kind has (the median of
// training, which the model remembers; unknown, where it does not): of a normal one where the verdict is spam, and the other way round. What the
// log-odds of spam lose by it is its weight:
//
//	w(f) = logit p(spam | row) − logit p(spam | row with f typical of the other kind)
//
// Features that say the same can stand in for each other, so that none of them alone has much weight; therefore the aggregates of one page
// feature (home., mean., std., ...) are put to typical values together, and the one named is that with the largest weight of its own. The
// result is sorted, what speaks for spam most first; most bounds how many groups are looked into for the one to name, 0 for all.
//
// Cost: one classification for each feature group, and one for each feature of the groups looked into.
func Explain(m *learn.Model, row []float64, most int) []Contribution {
	p := make([]float64, len(m.Class.Values))
	logit := func(r []float64) float64 {
		m.Classifier.Classify(r, p)
		return math.Log(max(p[0], tiny)) - math.Log(max(1-p[0], tiny))
	}
	whole := logit(row)
	other := 0 // spam
	if whole >= 0 {
		other = 1
	}
	changed := slices.Clone(row)
	without := func(features []int) float64 {
		for _, i := range features {
			changed[i] = typical(m, other, i)
		}
		v := whole - logit(changed)
		for _, i := range features {
			changed[i] = row[i]
		}
		return v
	}
	var out []Contribution
	groups := featureGroups(m.Attributes)
	for _, g := range groups {
		out = append(out, Contribution{Feature: m.Attributes[g[0]].Name, Value: row[g[0]], Weight: without(g)})
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(out[b].Weight, out[a].Weight) })
	sorted := make([]Contribution, 0, len(out))
	for n, k := range order {
		c, g := out[k], groups[k]
		if len(g) > 1 && (most == 0 || n < most) {
			best := slices.MaxFunc(g, func(a, b int) int { return cmp.Compare(without([]int{a}), without([]int{b})) })
			c.Feature, c.Value = m.Attributes[best].Name, row[best]
			g = []int{best}
		}
		c.Spam, c.Normal = typical(m, 0, g[0]), typical(m, 1, g[0])
		sorted = append(sorted, c)
	}
	return sorted
}

// typical is what a typical host of a class has.
func typical(m *learn.Model, class, feature int) float64 {
	if class < len(m.Typical) && feature < len(m.Typical[class]) && m.Typical[class][feature] != nil {
		return *m.Typical[class][feature]
	}
	return learn.Missing()
}

// Typical gives the median of each numeric feature over the hosts of each class; nil for others, and where none is known.
func Typical(s *learn.Set) [][]*float64 {
	out := make([][]*float64, s.Classes())
	for c := range out {
		out[c] = make([]*float64, len(s.Attributes))
		for a, column := range s.Columns {
			if !s.Attributes[a].Nominal() {
				out[c][a] = medianOf(column, s.Y, c)
			}
		}
	}
	return out
}

func medianOf(column []float64, y []int, class int) *float64 {
	var known []float64
	for i, v := range column {
		if y[i] == class && v == v {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return nil
	}
	slices.Sort(known)
	return &known[len(known)/2]
}

// tiny bounds probabilities: what is beyond it is no difference that people should weigh.
const tiny = 1e-3

// featureGroups puts features together that are aggregates of one: the same name behind the first dot.
func featureGroups(attributes []learn.Attribute) [][]int {
	var out [][]int
	at := map[string]int{}
	for i, a := range attributes {
		key := a.Name
		if _, bare, cut := strings.Cut(a.Name, "."); cut {
			key = bare
		}
		k, known := at[key]
		if !known {
			k = len(out)
			at[key] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}
