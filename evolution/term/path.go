package term

import (
	"cmp"
	"maps"
	"slices"

	"varve/evolution/clique"
)

// Unit is a sense that holds for some years: clusters of consecutive slices that are all alike.
type Unit struct {
	From     int             `json:"from"`  // first year
	To       int             `json:"to"`    // last year
	Terms    []string        `json:"terms"` // that represent it, the best first
	Clusters []*Cluster      `json:"-"`     // one of each year
	members  map[string]bool // of any cluster
}

// Has reports whether a term is in one of the unit's clusters.
func (u *Unit) Has(term string) bool { return u.members[term] }

// Units finds units in slices, which are in the order of their years. Each cluster is in one unit: the one of which the cluster of the year before is most like it,
// if it is like all of them. Slices of two years that do not follow one another are not consecutive.
func Units(years []*Slice, o Options) []*Unit {
	var all, open []*Unit
	for i, s := range years {
		if i > 0 && s.Year != years[i-1].Year+1 {
			open = nil
		}
		type match struct {
			unit    *Unit
			cluster int
			sim     float64
		}
		var matches []match
		sets := make([]map[string]bool, len(s.Clusters))
		for c := range s.Clusters {
			sets[c] = s.Clusters[c].set()
		}
		for _, u := range open {
			for c := range s.Clusters {
				if sim := u.like(sets[c]); sim > o.MinClusterSim {
					matches = append(matches, match{u, c, sim})
				}
			}
		}
		slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.sim, a.sim) })
		taken := make([]*Unit, len(s.Clusters))
		for _, m := range matches {
			if taken[m.cluster] == nil && m.unit.To < s.Year {
				m.unit.To = s.Year
				m.unit.Clusters = append(m.unit.Clusters, &s.Clusters[m.cluster])
				taken[m.cluster] = m.unit
			}
		}
		for c := range s.Clusters {
			if taken[c] == nil {
				taken[c] = &Unit{From: s.Year, To: s.Year, Clusters: []*Cluster{&s.Clusters[c]}}
				all = append(all, taken[c])
			}
		}
		open = taken
	}
	for _, u := range all {
		u.represent(o.MinLocalCurv)
	}
	return all
}

func (c Cluster) set() map[string]bool {
	out := make(map[string]bool, len(c))
	for _, m := range c {
		out[m.Term] = true
	}
	return out
}

// like returns the least Jaccard similarity of the clusters of a unit to another.
func (u *Unit) like(set map[string]bool) float64 {
	least := 1.0
	for _, c := range u.Clusters {
		least = min(least, jaccard(c.set(), set))
	}
	return least
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// represent chooses the terms that represent the unit: those of high local curvature in one of its clusters, and those in more than half of its clusters. Those in
// most clusters come first, then those of the highest curvature.
func (u *Unit) represent(minLocalCurv float64) {
	in, curvature := map[string]int{}, map[string]float64{}
	for _, c := range u.Clusters {
		for _, m := range *c {
			in[m.Term]++
			curvature[m.Term] = max(curvature[m.Term], m.Curvature)
		}
	}
	u.members = map[string]bool{}
	for t, n := range in {
		u.members[t] = true
		if curvature[t] > minLocalCurv || 2*n > len(u.Clusters) {
			u.Terms = append(u.Terms, t)
		}
	}
	slices.SortFunc(u.Terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(curvature[b], curvature[a]), cmp.Compare(a, b))
	})
}

// Path is how a sense of a term went on: units, one after another, that are all alike.
type Path struct {
	Units   []*Unit  `json:"units"`
	Evolved []Period `json:"evolved"` // between units that are alike but not the same
}

// Period is from the end of one unit to the beginning of the next.
type Period struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Paths returns the paths of a term: the largest sets of units with the term of which none overlap in time and all are alike. A unit may be in several. Units of a common word can be put together in
// very many ways, so no more than Options.MaxPaths are looked for; cut reports that there are more, and these need not be the shorter ones.
func Paths(units []*Unit, term string, o Options) (out []Path, cut bool) {
	var mine []*Unit
	for _, u := range units {
		if u.Has(term) {
			mine = append(mine, u)
		}
	}
	slices.SortStableFunc(mine, func(a, b *Unit) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	sim := make([][]float64, len(mine))
	next := make([][]int32, len(mine))
	for i, u := range mine {
		sim[i] = make([]float64, len(mine))
		for j, v := range mine {
			if i != j && (u.To < v.From || v.To < u.From) {
				if sim[i][j] = u.similar(v); sim[i][j] >= o.MinUnitSim {
					next[i] = append(next[i], int32(j))
				}
			}
		}
	}
	for set := range clique.Maximal(clique.NewGraph(next)) {
		if cut = len(out) == o.MaxPaths; cut {
			break
		}
		slices.Sort(set)
		var p Path
		for k, n := range set {
			p.Units = append(p.Units, mine[n])
			if k > 0 && sim[set[k-1]][n] < o.SameUnitSim {
				p.Evolved = append(p.Evolved, Period{mine[set[k-1]].To, mine[n].From})
			}
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Path) int {
		return cmp.Or(cmp.Compare(b.years(), a.years()), cmp.Compare(a.Units[0].From, b.Units[0].From))
	})
	return out, cut
}

// similar returns the Jaccard similarity of what represents two units.
func (u *Unit) similar(v *Unit) float64 {
	a, b := map[string]bool{}, map[string]bool{}
	for _, t := range u.Terms {
		a[t] = true
	}
	for _, t := range v.Terms {
		b[t] = true
	}
	return jaccard(a, b)
}

// years counts those that have a unit of the path.
func (p Path) years() (n int) {
	for _, u := range p.Units {
		n += u.To - u.From + 1
	}
	return n
}

// Known returns the terms that have units, in order.
func Known(units []*Unit) []string {
	all := map[string]bool{}
	for _, u := range units {
		for t := range u.members {
			all[t] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
