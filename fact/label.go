package fact

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"varve/fact/propagate"
)

// Settings of Label.
type Settings struct {
	Mu1 float64 // how much neighbours are made alike: the higher, the more candidates are taken, and the less sure they are
	Mu2 float64 // how much what no seed reaches is drawn to "none"
	// Least is the confidence that an observation has at least.
	Least float64
}

// Default returns the settings of the seed's standard setting.
func Default() Settings { return Settings{Mu1: 0.3679, Mu2: 0.01, Least: 0.5} } // e^-1

// Bounds of the graph: patterns alike to one, and how many patterns may share words before these say nothing.
const (
	maxAlike  = 5
	maxShared = 400
	leastLike = 0.5
)

// Seeding says what is known of a candidate before any is labelled: the relation (by its number) and the aspect that it tells, or that it is none; known is false if nothing is.
type Seeding func(c *Candidate) (relation int, aspect Aspect, none, known bool)

// tfact is what candidates of several sentences have in common: a vertex of the graph.
type tfact struct {
	subject, object, role string
	time                  Time
}

// Label returns the observations among candidates. seeds may be nil; patterns and facts of the relations are seeds in any case.
//
// The graph has a vertex for each subject, object and time, and one for each pattern. Those that occur together have an edge of as much weight as they do so often; patterns with words in
// common have one of their likeness (alike). A label is a relation with an aspect.
func Label(ctx context.Context, relations []Relation, candidates []Candidate, seeds Seeding, s Settings) ([]Observation, error) {
	g, z, err := propagated(ctx, relations, candidates, seeds, s)
	if err != nil {
		return nil, err
	}
	var out []Observation
	for n, f := range g.order {
		labels := z.Of(int(g.vertex[n]))
		for i := range relations { // they do not exclude each other; the aspects of one do, and the dummy
			aspect, confidence := best(labels, i)
			own := g.known[n]
			if confidence >= s.Least && confidence > 0 && relations[i].fits(own.SubjectKind, own.ObjectKind) {
				o := Observation{Relation: relations[i].Name, Subject: f.subject, Object: f.object, Aspect: aspect, Time: f.time, Confidence: confidence, Evidence: g.evidence[n]}
				if relations[i].hasRole(f.role) {
					o.Role = f.role
				}
				if relations[i].Symmetric && o.Object < o.Subject {
					o.Subject, o.Object = o.Object, o.Subject
				}
				out = append(out, o)
			}
		}
	}
	return out, nil
}

// best returns the aspect of a relation that a vertex has most of, and its share among those of the relation and the dummy.
func best(labels []float64, relation int) (Aspect, float64) {
	most, aspect, sum := 0.0, During, labels[len(labels)-1]
	for a := range Aspect(3) {
		x := labels[3*relation+int(a)]
		sum += x
		if x > most {
			most, aspect = x, a
		}
	}
	if most == 0 {
		return aspect, 0
	}
	return aspect, most / sum
}

// propagated builds the graph of candidates and spreads the labels of what is known over it.
func propagated(ctx context.Context, relations []Relation, candidates []Candidate, seeds Seeding, s Settings) (*graph, *propagate.Result, error) {
	g := &graph{relations: relations, facts: map[tfact]int{}, patterns: map[string]int32{}, edges: map[[2]int32]float64{}}
	for i := range candidates {
		g.add(&candidates[i], seeds)
	}
	said := slices.Sorted(maps.Keys(g.patterns)) // of candidates
	for i, r := range relations {
		known := map[string]bool{}
		for _, p := range r.Patterns {
			if p.words == nil {
				known[p.Text] = true
				g.seed(g.pattern(p.Text), i, p.Aspect, p.Not)
			}
		}
		for _, p := range r.Patterns { // patterns of many forms are seeds where a candidate has one of these; what is written out comes before them
			if p.words == nil {
				continue
			}
			for _, text := range said {
				if !known[text] && p.Matches(text) {
					known[text] = true
					g.seed(g.patterns[text], i, p.Aspect, p.Not)
				}
			}
		}
	}
	z, err := propagate.Propagate(ctx, g.problem(s))
	return g, z, err
}

// graph is built from candidates.
type graph struct {
	relations []Relation
	facts     map[tfact]int // their numbers
	order     []tfact       // by number
	vertex    []int32       // of each
	known     []*Candidate  // the first of each
	evidence  [][]Evidence
	patterns  map[string]int32
	vertices  int32
	edges     map[[2]int32]float64
	seeds     []propagate.Seed
}

// maxEvidence is how many sentences are kept for an observation.
const maxEvidence = 5

func (g *graph) add(c *Candidate, seeds Seeding) {
	f := tfact{c.Subject, c.Object, c.Role, c.Time}
	n, known := g.facts[f]
	if !known {
		n = len(g.order)
		g.facts[f] = n
		g.order, g.vertex, g.known, g.evidence = append(g.order, f), append(g.vertex, g.vertices), append(g.known, c), append(g.evidence, nil)
		g.vertices++
		g.seedOf(g.vertex[n], c, seeds)
	}
	if len(g.evidence[n]) < maxEvidence {
		g.evidence[n] = append(g.evidence[n], c.Evidence)
	}
	g.edges[[2]int32{g.vertex[n], g.pattern(c.Pattern)}]++
}

// seedOf makes a vertex a seed if its facts are known.
func (g *graph) seedOf(v int32, c *Candidate, seeds Seeding) {
	if seeds != nil {
		if relation, aspect, none, known := seeds(c); known {
			g.seed(v, relation, aspect, none)
			return
		}
	}
	for i, r := range g.relations {
		for _, k := range r.Seeds {
			if same := k.Subject == c.Subject && k.Object == c.Object || r.Symmetric && k.Subject == c.Object && k.Object == c.Subject; same {
				aspect, ok := k.Aspect(c.Time, r.Point)
				g.seed(v, i, aspect, k.Not || !ok)
				return
			}
		}
	}
}

// Aspect returns what a time tells of a fact that is known; false if the fact does not hold then.
func (k Known) Aspect(t Time, point bool) (Aspect, bool) {
	switch {
	case !t.Known() || !k.Begin.Known() && !k.End.Known():
		return During, !k.Not
	case point:
		return During, t.Meets(k.Begin)
	case k.Begin.Known() && t.Meets(k.Begin):
		return Begin, true
	case k.End.Known() && t.Meets(k.End):
		return End, true
	}
	return During, (!k.Begin.Known() || t.First > k.Begin.Last) && (!k.End.Known() || t.Last < k.End.First)
}

func (g *graph) pattern(text string) int32 {
	v, known := g.patterns[text]
	if !known {
		v = g.vertices
		g.vertices++
		g.patterns[text] = v
	}
	return v
}

// seed says what a vertex is: a label of a relation, or none of them.
func (g *graph) seed(v int32, relation int, aspect Aspect, none bool) {
	dummy := int32(3 * len(g.relations))
	value := 1.0
	if none {
		value = 0
	}
	for a := range int32(3) {
		y := 0.0
		if a == int32(aspect) {
			y = value
		}
		g.seeds = append(g.seeds, propagate.Seed{Vertex: v, Label: 3*int32(relation) + a, Y: y, S: 1})
	}
	g.seeds = append(g.seeds, propagate.Seed{Vertex: v, Label: dummy, Y: 1 - value, S: 1})
}

// problem returns the graph with its seeds. Edges come in the order of their vertices, so that sums are the same on every run.
func (g *graph) problem(s Settings) propagate.Problem {
	p := propagate.Problem{Vertices: int(g.vertices), Labels: 3*len(g.relations) + 1, Seeds: g.seeds, Mu1: s.Mu1, Mu2: s.Mu2, Close: 1e-5}
	for _, e := range slices.SortedFunc(maps.Keys(g.edges), func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		p.Edges = append(p.Edges, propagate.Edge{A: e[0], B: e[1], Weight: g.edges[e]})
	}
	p.Edges = append(p.Edges, alike(g.patterns)...)
	at := map[string]int32{}
	for i, r := range g.relations {
		at[r.Name] = int32(i)
	}
	for i, r := range g.relations {
		if wide, known := at[r.Within]; known {
			for a := range int32(3) {
				p.Include = append(p.Include, propagate.Include{Narrow: 3*int32(i) + a, Wide: 3*wide + a})
			}
		}
	}
	return p
}

// alike joins patterns to those that have most in common with them: the share of their grams (words, pairs of words) that both have, of those that either has.
func alike(patterns map[string]int32) []propagate.Edge {
	texts := slices.Sorted(maps.Keys(patterns))
	having := map[string][]int32{}
	all := make([][]string, len(texts))
	for i, text := range texts {
		all[i] = grams(text)
		for _, g := range all[i] {
			having[g] = append(having[g], int32(i))
		}
	}
	var out []propagate.Edge
	shared := map[int32]int{}
	type like struct {
		i     int32
		value float64
	}
	for i := range texts {
		clear(shared)
		for _, g := range all[i] {
			if len(having[g]) > maxShared {
				continue
			}
			for _, j := range having[g] {
				if j != int32(i) {
					shared[j]++
				}
			}
		}
		var near []like
		for j := range shared {
			both := 0
			for _, g := range all[i] {
				if slices.Contains(all[j], g) {
					both++
				}
			}
			if value := float64(both) / float64(len(all[i])+len(all[j])-both); value >= leastLike {
				near = append(near, like{j, value})
			}
		}
		slices.SortFunc(near, func(a, b like) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.i, b.i)) })
		for _, n := range near[:min(len(near), maxAlike)] {
			out = append(out, propagate.Edge{A: patterns[texts[i]], B: patterns[texts[n.i]], Weight: n.value})
		}
	}
	return out
}

// grams returns the words and pairs of words of a pattern, each once.
func grams(text string) []string {
	words := strings.Fields(text)
	var out []string
	for i, w := range words {
		if w != "S" && w != "O" && w != "~" {
			out = append(out, w)
		}
		if i > 0 {
			out = append(out, words[i-1]+" "+w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
