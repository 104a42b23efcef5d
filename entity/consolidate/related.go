package consolidate

import (
	"cmp"
	"math"
	"slices"
)

// Graph is who refers to whom in a base of entities; *base.Base is one.
type Graph interface {
	Inlinks(n uint32) ([]uint32, error)
}

// Path is a way from one entity to another over those that refer to them, by their numbers: both ends are there. A single number between them refers to both.
type Path []uint32

// Relation is how strongly two entities have to do with each other, and by which ways, the strongest first.
type Relation struct {
	Strength float64 `json:"strength"` // 0: nothing was found
	Paths    []Path  `json:"-"`        // at most MostPaths
	Ways     int     `json:"ways"`     // of all lengths
}

// Settings of strength.
const (
	decay     = 0.5    // of each step after the first
	most      = 20_000 // referrers of one entity that are looked at
	wide      = 200    // referrers whose own referrers are looked at
	MostPaths = 3
)

// Related returns how strongly two entities are related in the graph of references. A way goes from a up to somebody who refers to it, directly or over one between, and down to b:
//
//	strength = 1 - product over ways w of (1 - s(w))
//	s(w)     = decay^(length-1) * product over the inner nodes n of 1 / log2(2 + inlinks(n))
//
// so a short way counts more than a long one, and one over somebody whom everybody refers to hardly counts: they refer to much. Ways have at most four steps.
//
// Example: c refers to a and to b, and nobody refers to c: s = 0.5 * 1/log2(2) = 0.5. If b refers to a, s = 1.
func Related(g Graph, a, b uint32) (Relation, error) {
	up, err := climb(g, a)
	if err != nil {
		return Relation{}, err
	}
	down, err := climb(g, b)
	if err != nil {
		return Relation{}, err
	}
	type way struct {
		path Path
		s    float64
	}
	var ways []way
	weights := map[uint32]float64{}
	weight := func(n uint32) (float64, error) {
		if w, ok := weights[n]; ok {
			return w, nil
		}
		in, err := g.Inlinks(n)
		weights[n] = 1 / math.Log2(2+float64(len(in)))
		return weights[n], err
	}
	for top, left := range up {
		right, meets := down[top]
		if !meets {
			continue
		}
		for _, l := range left {
			for _, r := range right {
				p := Path{a}
				if l != nobody {
					p = append(p, l)
				}
				if top != a && top != b {
					p = append(p, top)
				}
				if r != nobody {
					p = append(p, r)
				}
				if p = append(p, b); !simple(p) {
					continue
				}
				s := math.Pow(decay, float64(len(p)-2))
				for _, n := range p[1 : len(p)-1] {
					w, err := weight(n)
					if err != nil {
						return Relation{}, err
					}
					s *= w
				}
				ways = append(ways, way{p, s})
			}
		}
	}
	slices.SortFunc(ways, func(x, y way) int { return cmp.Or(cmp.Compare(y.s, x.s), slices.Compare(x.path, y.path)) })
	none := 1.0
	for _, w := range ways { // in their order, so that the last digit is the same on every run
		none *= 1 - w.s
	}
	r := Relation{Strength: 1 - none, Ways: len(ways)}
	for _, w := range ways[:min(MostPaths, len(ways))] {
		r.Paths = append(r.Paths, w.path)
	}
	return r, nil
}

// nobody stands between an entity and one that refers to it directly, or itself.
const nobody = math.MaxUint32

// climb returns who refers to an entity: by their numbers those between, nobody if directly. The entity itself is there, too.
func climb(g Graph, n uint32) (map[uint32][]uint32, error) {
	first, err := g.Inlinks(n)
	if err != nil {
		return nil, err
	}
	out := map[uint32][]uint32{n: {nobody}}
	first = first[:min(len(first), most)]
	for _, f := range first {
		if f != n {
			out[f] = append(out[f], nobody)
		}
	}
	for _, f := range first[:min(len(first), wide)] {
		second, err := g.Inlinks(f)
		if err != nil {
			return nil, err
		}
		for _, s := range second[:min(len(second), wide)] {
			if s != n && s != f {
				out[s] = append(out[s], f)
			}
		}
	}
	return out, nil
}

// simple reports whether a way meets nobody twice.
func simple(p Path) bool {
	for i, n := range p {
		if slices.Contains(p[:i], n) {
			return false
		}
	}
	return true
}
