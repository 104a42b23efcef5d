package clean

import (
	"math"
	"testing"

	"varve/lab/chance"
)

// pairs returns the constraints that a group stands for, all of them.
func (g Group) pairs() (out []Constraint) {
	for i, f := range g.F {
		if g.G == nil {
			for _, h := range g.F[:i] {
				out = append(out, Constraint{max(f, h), min(f, h), g.Allow})
			}
		}
		for _, h := range g.G {
			if f != h {
				out = append(out, Constraint{f, h, g.Allow})
			}
		}
	}
	return out
}

// A group is as good as all its pairs.
func TestGroups(t *testing.T) {
	rng := chance.Rand(t, 7)
	fewer := 0
	for range 300 {
		p := random(rng, 8, 14)
		p.Constraints = p.Constraints[:rng.IntN(3)]
		for i := range p.Observations { // some far from others
			by := int32(rng.IntN(3) * 10)
			o := &p.Observations[i]
			for _, b := range []*int32{&o.Begin.Lo, &o.Begin.Hi, &o.End.Lo, &o.End.Hi} {
				if *b > Min && *b < Max {
					*b += by
				}
			}
		}
		q := p
		q.Constraints = append([]Constraint{}, p.Constraints...)
		for range 1 + rng.IntN(2) {
			g := Group{Allow: []Relations{Disjoint, Before | Meets, After | MetBy, Equals, Relations(1 + rng.IntN(1<<13-1))}[rng.IntN(5)]}
			for f := range int32(8) {
				if rng.IntN(2) == 0 {
					g.F = append(g.F, f)
				} else if rng.IntN(2) == 0 {
					g.G = append(g.G, f)
				}
			}
			p.Groups = append(p.Groups, g)
			q.Constraints = append(q.Constraints, g.pairs()...)
		}
		got, err := Solve(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Solve(t.Context(), q, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, q, got)
		if math.Abs(got.Weight()-want.Weight()) > 1e-9 || got.Crowded != 0 {
			t.Fatalf("%+v: %v, want %v", p, got.Weight(), want.Weight())
		}
		hulls, shrinks, left := survey(p)
		if len(joins(p, hulls, shrinks, left)) < len(q.Constraints)-len(p.Constraints) {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("no group had fewer constraints than pairs")
	}
}

// Facts of one name that lie one after the other cost no constraint; of those that lie at one time all but the heaviest are left out, and counted.
func TestGroupCost(t *testing.T) {
	row := func(n int, step int32) (p Problem) {
		p.Facts, p.Groups = n, []Group{{Allow: Disjoint}}
		for f := range int32(n) {
			p.Observations = append(p.Observations, begin(f, 1+float64(f), 10*step*f, 10*step*f), end(f, 1+float64(f), 10*step*f+8, 10*step*f+9))
			p.Groups[0].F = append(p.Groups[0].F, f)
		}
		return p
	}
	p := row(100_000, 1)
	hulls, shrinks, left := survey(p)
	if n := len(joins(p, hulls, shrinks, left)); n != 0 {
		t.Errorf("%d constraints of facts that lie one after the other", n)
	}
	s, err := Solve(t.Context(), row(5_000, 0), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Crowded != 5_000-maxCrowd {
		t.Errorf("%d were left out", s.Crowded)
	}
	for i, c := range s.Chosen {
		if c && p.Observations[i].Fact < 5_000-maxCrowd {
			t.Errorf("observation %d of a fact that was left out was chosen", i)
		}
	}
}
