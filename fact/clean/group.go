package clean

import (
	"cmp"
	"slices"
)

// Group is one constraint of many facts: those that share a name.
type Group struct {
	F, G  []int32 // each of F stands in an allowed relation to each of G, but for itself; G nil: those of F, each pair once, the later one first
	Allow Relations
}

// maxCrowd bounds a group: a hundred facts at one time. Where more pairs meet than half of that for each fact, the facts that weigh most are looked at, so many of them.
const maxCrowd = 100

// joins returns the constraints that groups stand for, without those that drop would drop: of facts with n hulls that lie one after the other, n log n comparisons find that there are none. Where too many are
// left (maxCrowd), the facts of the group with the least weight are left out: they are marked in left.
//
// With a hull for each fact (drop), f before g binds only if the hull of f ends after that of g begins; disjoint only if the hulls have time in common. The first is the second with a hull of f that has no begin, and one
// of g that has no end. Hulls in the order of their begins meet those that have not ended yet.
func joins(p Problem, hulls []Range, shrinks, left []bool) (out []Constraint) {
	weight := make([]float64, p.Facts)
	for _, r := range p.Observations {
		weight[r.Fact] = max(weight[r.Fact], r.Weight)
	}
	heaviest := func(list []int32) []int32 {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
		for _, f := range list[min(len(list), maxCrowd):] {
			left[f] = true
		}
		return list[:min(len(list), maxCrowd)]
	}
	for _, g := range p.Groups {
		found, all := meetings(g, hulls, shrinks)
		if !all {
			g.F, g.G = heaviest(g.F), heaviest(g.G)
			found, _ = meetings(g, hulls, shrinks)
		}
		out = append(out, found...)
	}
	return out
}

// meetings returns the constraints of a group that can bind; all is false where they are more than maxCrowd/2 for each fact.
func meetings(g Group, hulls []Range, shrinks []bool) (out []Constraint, all bool) {
	type side struct {
		fact int32
		hull Range
		ofG  bool
	}
	var sides []side
	add := func(list []int32, ofG bool, forward, backward Relations) {
		for _, f := range list {
			h := hulls[f]
			if h.Empty() {
				continue // nothing speaks of it
			}
			if !g.Allow.apart() || !shrinks[f] {
				h = Any()
			}
			if g.Allow&backward != backward {
				h.Lo = Min
			}
			if g.Allow&forward != forward {
				h.Hi = Max
			}
			sides = append(sides, side{f, h, ofG})
		}
	}
	add(g.F, false, Before|Meets, After|MetBy)
	add(g.G, true, After|MetBy, Before|Meets)
	slices.SortStableFunc(sides, func(a, b side) int { return cmp.Or(cmp.Compare(a.hull.Lo, b.hull.Lo), cmp.Compare(a.fact, b.fact)) })
	var open []side
	for _, s := range sides {
		open = slices.DeleteFunc(open, func(o side) bool { return o.hull.Hi <= s.hull.Lo })
		for _, o := range open {
			c := Constraint{F: s.fact, G: o.fact, Allow: g.Allow}
			switch {
			case c.F == c.G:
				continue
			case g.G == nil:
				c.F, c.G = max(c.F, c.G), min(c.F, c.G)
			case s.ofG == o.ofG:
				continue
			case s.ofG:
				c.F, c.G = c.G, c.F
			}
			if out = append(out, c); 2*len(out) > maxCrowd*len(sides) {
				return nil, false
			}
		}
		open = append(open, s)
	}
	return out, true
}
