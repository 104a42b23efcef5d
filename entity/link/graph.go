package link

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Bounds of the search.
const (
	mostNodes      = 25  // candidates of a mention in the graph, the best by local
	mostInGraph    = 600 // candidates of all mentions; but leastNodes of each
	leastNodes     = 3
	keptPerMention = 5      // entities that are kept for each mention, of those nearest to all mentions
	exhaustive     = 10_000 // assignments up to which all are tried
)

// graph is the mentions of a text and what they may mean. A choice of one candidate for each of k mentions weighs
//
//	(1-gamma) * sum of local(m,e)  +  gamma * 2/(k-1) * sum over pairs of coherence(e,f)
//
// so that both sums are at most k; coherence is divided by the largest of the text. Where there are few choices all are tried. Else (AIDA, algorithm 1):
//
//	keep the 5k entities that are nearest to all mentions, and of each mention its best
//	while an entity can go: remove that of the lowest weighted degree which is not the last candidate of a mention
//	take the state in which the lowest degree was largest
//	from the best by local, change one mention at a time as long as the weight grows
//
// Example: "Page, who played with Plant", with Larry and Jimmy Page and Robert Plant and a plant: local prefers Larry (0.6) and the plant (0.7), but Jimmy Page and Robert Plant have
// coherence 1, the others 0; with gamma 1/2 theirs weighs 0.5*(0.4+0.3) + 0.5*2*1 = 1.35, the local best 0.65.
type graph struct {
	subjects []*subject
	s        Settings
	base     Base
	widest   float64
	pairs    map[[2]uint32]float64
	alive    [][]bool // by subject and candidate
}

func newGraph(subjects []*subject, s Settings, b Base) *graph {
	return &graph{subjects: subjects, s: s, base: b, pairs: map[[2]uint32]float64{}}
}

// solve sets the choice of each subject.
func (g *graph) solve(ctx context.Context) error {
	g.alive = make([][]bool, len(g.subjects))
	asked := 0
	for _, s := range g.subjects {
		if len(s.nodes) > 0 {
			asked++
		}
	}
	most := min(mostNodes, max(leastNodes, mostInGraph/max(1, asked)))
	for i, s := range g.subjects {
		g.alive[i] = make([]bool, len(s.nodes))
		for c := range s.nodes {
			g.alive[i][c] = !s.agreed || c == s.chosen
		}
		for n, c := range g.byLocal(i) {
			g.alive[i][c] = n < most
		}
	}
	if asked < 2 || g.s.Coherence == 0 {
		return nil
	}
	if err := g.measure(ctx); err != nil {
		return err
	}
	if g.choices() > exhaustive {
		g.prune()
		g.densest()
	}
	if g.choices() <= exhaustive {
		g.tryAll()
	} else {
		g.climb()
	}
	return nil
}

// measure computes the coherence of all pairs of candidates of different subjects.
func (g *graph) measure(ctx context.Context) error {
	var centres []float64
	for i, s := range g.subjects {
		for c, n := range s.nodes {
			if x, ok := centre(n.entity.Existence); ok && g.alive[i][c] {
				centres = append(centres, x)
			}
		}
	}
	if len(centres) > 0 {
		g.widest = slices.Max(centres) - slices.Min(centres)
	}
	largest := 0.0
	for i, s := range g.subjects {
		for j, t := range g.subjects[i+1:] {
			if err := ctx.Err(); err != nil {
				return err
			}
			for c, a := range s.nodes {
				for d, b := range t.nodes {
					if a == b || !g.alive[i][c] || !g.alive[i+1+j][d] {
						continue
					}
					key := pairOf(a, b)
					if _, ok := g.pairs[key]; ok {
						continue
					}
					v, err := g.coherence(a, b)
					if err != nil {
						return err
					}
					if v > 0 {
						g.pairs[key] = v
						largest = max(largest, v)
					}
				}
			}
		}
	}
	if largest > 0 {
		for k := range g.pairs {
			g.pairs[k] /= largest
		}
	}
	return nil
}

func pairOf(a, b *node) [2]uint32 {
	return [2]uint32{min(a.number, b.number), max(a.number, b.number)}
}

// between returns the coherence of candidates of two subjects.
func (g *graph) between(i, c, j, d int) float64 {
	return g.pairs[pairOf(g.subjects[i].nodes[c], g.subjects[j].nodes[d])]
}

// coherenceWith returns the mean coherence of a candidate with what the other subjects mean.
func (g *graph) coherenceWith(i, c int) float64 {
	sum, n := 0.0, 0
	for j, t := range g.subjects {
		if j != i && len(t.nodes) > 0 {
			sum += g.between(i, c, j, t.chosen)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// pairWeight is what the coherence of one pair weighs.
func (g *graph) pairWeight() float64 {
	k := 0
	for _, s := range g.subjects {
		if len(s.nodes) > 0 {
			k++
		}
	}
	return g.s.Coherence * 2 / float64(max(1, k-1))
}

// gain returns what a candidate of a subject adds to the weight of a choice, beside what some other subjects mean.
func (g *graph) gain(i, c int, beside []int) float64 {
	w, s := g.pairWeight(), g.subjects[i]
	sum := 0.0
	for _, j := range beside {
		if t := g.subjects[j]; j != i && len(t.nodes) > 0 {
			sum += g.between(i, c, j, t.chosen)
		}
	}
	return (1-g.s.Coherence)*s.local[c] + w*sum
}

func (g *graph) choices() int {
	n := 1
	for _, a := range g.alive {
		n = min(n*max(1, count(a)), exhaustive+1)
	}
	return n
}

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// tryAll makes the choice of the largest weight among those that are alive; the first by local of equal ones. Subjects with one candidate come first: what they
// add to each other is added up once, so that a choice costs no more than the subjects that differ, times all.
func (g *graph) tryAll() {
	var order []int
	for i, s := range g.subjects {
		if len(s.nodes) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(min(2, count(g.alive[a])), min(2, count(g.alive[b]))) })
	bestWeight := math.Inf(-1)
	chosen := make([]int, len(g.subjects))
	var try func(at int, weight float64)
	try = func(at int, weight float64) {
		if at == len(order) {
			if weight > bestWeight+1e-12 {
				bestWeight = weight
				for k, s := range g.subjects {
					chosen[k] = s.chosen
				}
			}
			return
		}
		i := order[at]
		for _, c := range g.byLocal(i) {
			g.subjects[i].chosen = c
			try(at+1, weight+g.gain(i, c, order[:at]))
		}
	}
	try(0, 0)
	for k, s := range g.subjects {
		s.chosen = chosen[k]
	}
}

// byLocal returns the candidates of a subject that are alive, the best first.
func (g *graph) byLocal(i int) []int {
	var out []int
	for c, alive := range g.alive[i] {
		if alive {
			out = append(out, c)
		}
	}
	s := g.subjects[i]
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(s.local[b], s.local[a]) })
	return out
}

// prune keeps the entities that are nearest to all mentions: for each mention the larger of its own weight and the best coherence with a candidate of it.
func (g *graph) prune() {
	type ranked struct {
		i, c  int
		close float64
	}
	var list []ranked
	for i, s := range g.subjects {
		for c := range s.nodes {
			if !g.alive[i][c] {
				continue
			}
			r := ranked{i, c, s.local[c]}
			for j, t := range g.subjects {
				if j == i {
					continue
				}
				nearest := 0.0
				for d := range t.nodes {
					if g.alive[j][d] {
						nearest = max(nearest, g.between(i, c, j, d)*t.local[d])
					}
				}
				r.close += nearest
			}
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.close, a.close) })
	for _, r := range list[min(len(list), keptPerMention*len(g.subjects)):] {
		if r.c != best(g.subjects[r.i].local) && count(g.alive[r.i]) > 1 {
			g.alive[r.i][r.c] = false
		}
	}
}

// densest removes entities one by one, and returns to the state in which the lowest weighted degree was largest.
func (g *graph) densest() {
	w := g.pairWeight()
	degree := make([][]float64, len(g.subjects))
	for i, s := range g.subjects {
		degree[i] = make([]float64, len(s.nodes))
		for c := range s.nodes {
			degree[i][c] = (1 - g.s.Coherence) * s.local[c]
			for j, t := range g.subjects {
				for d := range t.nodes {
					if j != i && g.alive[j][d] {
						degree[i][c] += w * g.between(i, c, j, d)
					}
				}
			}
		}
	}
	type removal struct{ i, c int }
	var removed []removal
	bestAt, bestLowest := 0, math.Inf(-1)
	for {
		lowest := math.Inf(1)
		least, leastDegree := removal{-1, -1}, math.Inf(1)
		for i := range g.subjects {
			left := count(g.alive[i])
			for c, alive := range g.alive[i] {
				if !alive {
					continue
				}
				lowest = min(lowest, degree[i][c])
				if left > 1 && degree[i][c] < leastDegree {
					least, leastDegree = removal{i, c}, degree[i][c]
				}
			}
		}
		if lowest > bestLowest {
			bestLowest, bestAt = lowest, len(removed)
		}
		if least.i < 0 {
			break
		}
		g.alive[least.i][least.c] = false
		removed = append(removed, least)
		for j, t := range g.subjects {
			for d := range t.nodes {
				if j != least.i {
					degree[j][d] -= w * g.between(least.i, least.c, j, d)
				}
			}
		}
	}
	for _, r := range removed[bestAt:] {
		g.alive[r.i][r.c] = true
	}
}

// climb begins with the best by local and changes one subject at a time as long as the weight grows.
func (g *graph) climb() {
	for i, s := range g.subjects {
		if list := g.byLocal(i); len(list) > 0 {
			s.chosen = list[0]
		}
	}
	all := make([]int, len(g.subjects))
	for i := range all {
		all[i] = i
	}
	for grown := true; grown; {
		grown = false
		for i, s := range g.subjects {
			if len(s.nodes) == 0 {
				continue
			}
			now := g.gain(i, s.chosen, all)
			for _, c := range g.byLocal(i) {
				if w := g.gain(i, c, all); w > now+1e-12 {
					s.chosen, now, grown = c, w, true
				}
			}
		}
	}
}
