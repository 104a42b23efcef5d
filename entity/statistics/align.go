package statistics

import (
	"cmp"
	"slices"
	"strings"
)

// Aligned is a theme that a class stands for.
type Aligned struct {
	Theme      string  `json:"theme"`
	Similarity float64 `json:"similarity"`
	Root       string  `json:"root"` // the class above it, or itself, that is called nearly so
}

// Threshold is the similarity of names from which on a class is the root of what a theme stands for.
const Threshold = 0.3

// Alignment says which themes classes stand for, by their folded names.
type Alignment map[string][]Aligned

// Align maps whole subtrees of classes to themes (formula 5.1): for a class c1, a class r above it or itself, and a theme c2,
//
//	sim(c1, c2) = Jaccard(r, c2) / distance(r, c1)
//	Jaccard     common words of both names / all words of both; of several names the best pair
//	distance    edges from r down to c1, plus one, so that r itself has the similarity of its name
//
// if Jaccard(r, c2) is at least theta. Of several roots the one with the greatest similarity counts.
//
// Example: the theme Energy, the classes energy source > renewable energy > wind farm. Jaccard(energy source, Energy) = 1/2, so energy source 0.5, wind farm by it 0.5/3; renewable energy 1/2, so wind farm by that one 0.25, which counts.
func Align(classes, themes []Category, theta float64) Alignment {
	children := map[string][]string{}
	for _, c := range classes {
		for _, p := range c.Parents {
			children[fold(p)] = append(children[fold(p)], fold(c.Name))
		}
	}
	words := func(c Category) (out [][]string) {
		for _, n := range append([]string{c.Name}, c.Names...) {
			if w := set(stems(n)); len(w) > 0 {
				out = append(out, w)
			}
		}
		return out
	}
	themeWords := make([][][]string, len(themes))
	byWord := map[string][]int{} // only themes with a common word can be alike
	for i, t := range themes {
		themeWords[i] = words(t)
		for _, w := range set(slices.Concat(themeWords[i]...)) {
			byWord[w] = append(byWord[w], i)
		}
	}
	out := Alignment{}
	for _, r := range classes {
		own := words(r)
		var near []int
		for _, w := range set(slices.Concat(own...)) {
			near = append(near, byWord[w]...)
		}
		slices.Sort(near)
		for _, t := range slices.Compact(near) {
			j := 0.0
			for _, a := range own {
				for _, b := range themeWords[t] {
					j = max(j, jaccard(a, b))
				}
			}
			if j >= theta && j > 0 {
				out.below(fold(r.Name), r.Name, themes[t].Name, j, children)
			}
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b Aligned) int {
			return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.Theme, b.Theme))
		})
	}
	return out
}

// below maps a class and all below it to a theme.
func (a Alignment) below(class, root, theme string, j float64, children map[string][]string) {
	distance := map[string]int{class: 1}
	for queue := []string{class}; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		a.put(c, Aligned{theme, j / float64(distance[c]), root})
		for _, child := range children[c] {
			if distance[child] == 0 {
				distance[child] = distance[c] + 1
				queue = append(queue, child)
			}
		}
	}
}

func (a Alignment) put(class string, one Aligned) {
	i := slices.IndexFunc(a[class], func(x Aligned) bool { return x.Theme == one.Theme })
	switch {
	case i < 0:
		a[class] = append(a[class], one)
	case one.Similarity > a[class][i].Similarity || one.Similarity == a[class][i].Similarity && one.Root < a[class][i].Root:
		a[class][i] = one
	}
}

// Of returns the themes that a class stands for, the most similar first.
func (a Alignment) Of(class string) []Aligned { return a[fold(class)] }

// jaccard compares two ordered sets.
func jaccard(a, b []string) float64 {
	both := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
