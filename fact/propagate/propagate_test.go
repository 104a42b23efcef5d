package propagate

import (
	"math"
	"math/rand/v2"
	"testing"

	"varve/lab/chance"
)

func TestExample(t *testing.T) {
	p := Problem{Vertices: 3, Labels: 2, Edges: []Edge{{0, 1, 1}, {1, 2, 1}}, Seeds: []Seed{{0, 0, 1, 1}, {0, 1, 0, 1}}, Mu1: 1, Mu2: 0.1}
	r, err := Propagate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range []float64{0.7935, 0.6663, 0.6057} {
		if got := r.Of(v)[0]; math.Abs(got-want) > 1e-4 {
			t.Errorf("vertex %d: %.4f, want %.4f", v, got, want)
		}
	}
	if d := r.Of(2)[1]; d <= r.Of(0)[1] {
		t.Errorf("the dummy is not higher where the seed is farther: %v, %v", r.Of(2), r.Of(0))
	}
}

// The Jacobi rounds reach what Gauss elimination finds for the same equations, and no small step from there makes the objective smaller.
func TestEqualsLinearSystem(t *testing.T) {
	rng := chance.Rand(t, 1)
	for range 200 {
		p := random(rng)
		r, err := Propagate(t.Context(), p)
		if err != nil || r.Change > 1e-7 {
			t.Fatal(r.Change, err)
		}
		for l := range p.Labels {
			want := eliminate(p, l)
			for v := range p.Vertices {
				if got := r.Of(v)[l]; math.Abs(got-want[v]) > 1e-4 {
					t.Fatalf("%+v: vertex %d, label %d: %.6f, want %.6f", p, v, l, got, want[v])
				}
			}
		}
		least := objective(p, r.Z)
		for range 20 {
			z := append([]float64(nil), r.Z...)
			z[rng.IntN(len(z))] += 0.01 * (rng.Float64() - 0.5)
			if objective(p, z) < least-1e-9 {
				t.Fatalf("%+v: a step makes the objective smaller", p)
			}
		}
	}
}

// A wider label is never below the narrower one.
func TestInclude(t *testing.T) {
	rng := chance.Rand(t, 1)
	for range 50 {
		p := random(rng)
		p.Labels = 3
		p.Include = []Include{{0, 1}}
		r, err := Propagate(t.Context(), p)
		if err != nil || r.Change > 1e-7 {
			t.Fatal(r.Change, err)
		}
		for v := range p.Vertices {
			if z := r.Of(v); z[1] < z[0] {
				t.Fatalf("%v", z)
			}
		}
	}
}

func TestBadWeights(t *testing.T) {
	if _, err := Propagate(t.Context(), Problem{Vertices: 1, Labels: 1, Mu1: 1}); err == nil {
		t.Error("mu2 = 0 has no single answer")
	}
}

func random(rng *rand.Rand) Problem {
	p := Problem{Vertices: 2 + rng.IntN(8), Labels: 2, Mu1: 0.1 + rng.Float64(), Mu2: 0.02 + 0.1*rng.Float64(), Rounds: 20000, Close: 1e-9}
	for a := range p.Vertices {
		for b := range a {
			if rng.IntN(3) == 0 {
				p.Edges = append(p.Edges, Edge{int32(a), int32(b), rng.Float64()})
			}
		}
	}
	for v := range p.Vertices {
		if rng.IntN(3) == 0 {
			p.Seeds = append(p.Seeds, Seed{int32(v), int32(rng.IntN(2)), float64(rng.IntN(2)), rng.Float64()})
		}
	}
	return p
}

// matrix returns S + mu1 L + mu2 and S Y + mu2 R of a label.
func matrix(p Problem, l int) (a [][]float64, b []float64) {
	a, b = make([][]float64, p.Vertices), make([]float64, p.Vertices)
	for v := range a {
		a[v] = make([]float64, p.Vertices)
		a[v][v] = p.Mu2
		if l == p.Labels-1 {
			b[v] = p.Mu2
		}
	}
	for _, e := range p.Edges {
		a[e.A][e.A] += p.Mu1 * e.Weight
		a[e.B][e.B] += p.Mu1 * e.Weight
		a[e.A][e.B] -= p.Mu1 * e.Weight
		a[e.B][e.A] -= p.Mu1 * e.Weight
	}
	for _, s := range p.Seeds {
		if int(s.Label) == l {
			a[s.Vertex][s.Vertex] += s.S
			b[s.Vertex] += s.S * s.Y
		}
	}
	return a, b
}

func eliminate(p Problem, l int) []float64 {
	a, b := matrix(p, l)
	for i := range a {
		for j := range a {
			if j == i {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := range a {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := range a {
		b[i] /= a[i][i]
	}
	return b
}

func objective(p Problem, z []float64) (sum float64) {
	k := p.Labels
	for _, s := range p.Seeds {
		d := s.Y - z[int(s.Vertex)*k+int(s.Label)]
		sum += s.S * d * d
	}
	for _, e := range p.Edges {
		for l := range k {
			d := z[int(e.A)*k+l] - z[int(e.B)*k+l]
			sum += p.Mu1 * e.Weight * d * d
		}
	}
	for i, x := range z {
		r := 0.0
		if i%k == k-1 {
			r = 1
		}
		sum += p.Mu2 * (x - r) * (x - r)
	}
	return sum
}
