package clean

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"varve/lab/chance"
)

// begin, end and during are the three kinds of observations.
func begin(f int32, w float64, lo, hi int32) Observation {
	return Observation{f, w, Range{lo, hi}, Any()}
}

func end(f int32, w float64, lo, hi int32) Observation {
	return Observation{f, w, Any(), Range{lo, hi}}
}

func during(f int32, w float64, lo, hi int32) Observation {
	return Observation{f, w, Range{Min, hi}, Range{lo + 1, Max}}
}

func TestExample(t *testing.T) {
	p := Problem{
		Facts:        2,
		Observations: []Observation{begin(0, 0.9, 1990, 1990), end(0, 0.8, 2000, 2000), during(1, 0.6, 1995, 1995), begin(1, 0.5, 2001, 2001)},
		Constraints:  []Constraint{{0, 1, Disjoint}},
	}
	s, err := Solve(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Chosen); got != "[true true false true]" {
		t.Errorf("chosen %s", got)
	}
	if math.Abs(s.Weight()-2.2) > 1e-9 || !s.Components[0].Exact || s.Begin[0] != (Range{1990, 1990}) || s.End[0] != (Range{2000, 2000}) || s.End[1].Lo != 2002 {
		t.Errorf("%+v", s)
	}
}

// The relations are those of Allen: each pair of intervals has one, and what a set of them says holds just for the pairs that have one of the set.
func TestAllen(t *testing.T) {
	var said [1 << 13][][]less
	for set := range said {
		said[set] = Relations(set).alternatives()
	}
	seen := Relations(0)
	const T = 5
	for bf := int32(0); bf < T; bf++ {
		for ef := bf + 1; ef <= T; ef++ {
			for bg := int32(0); bg < T; bg++ {
				for eg := bg + 1; eg <= T; eg++ {
					r := of(bf, ef, bg, eg)
					if r == 0 || r&(r-1) != 0 || of(bg, eg, bf, ef) != r.inverse() {
						t.Fatalf("[%d,%d) and [%d,%d) have %b, %b", bf, ef, bg, eg, r, of(bg, eg, bf, ef))
					}
					if seen&r != 0 && (bf+bg)%2 == 0 {
						continue // half of what is alike
					}
					seen |= r
					points := []int32{bf, ef, bg, eg}
					for set, alternatives := range said {
						some := false
						for _, say := range alternatives {
							some = some || holds(say, points)
						}
						if some != (Relations(set)&r != 0) {
							t.Fatalf("[%d,%d) and [%d,%d) have %b: said of %b %v", bf, ef, bg, eg, r, set, some)
						}
					}
				}
			}
		}
	}
	if seen != 1<<13-1 {
		t.Errorf("seen %b", seen)
	}
	if set, err := ParseRelations("before,meets,after,met-by"); err != nil || set != Disjoint {
		t.Error(set, err)
	}
	if _, err := ParseRelations("before,near"); err == nil || !strings.Contains(err.Error(), `"near" is no relation`) {
		t.Error(err)
	}
}

// of returns the relation of two intervals.
func of(bf, ef, bg, eg int32) Relations {
	for _, m := range meanings[2:] {
		if holds(m.say, []int32{bf, ef, bg, eg}) {
			return m.set
		}
		if holds(m.say, []int32{bg, eg, bf, ef}) {
			return m.set.inverse()
		}
	}
	return 0
}

// holds reports whether comparisons hold of points.
func holds(say []less, points []int32) bool {
	for _, l := range say {
		if points[l.a]+l.gap > points[l.b] {
			return false
		}
	}
	return true
}

// random returns a problem whose times lie between 20 and 35.
func random(rng *rand.Rand, facts, observations int) Problem {
	p := Problem{Facts: facts}
	for range observations {
		f, w := int32(rng.IntN(facts)), float64(1+rng.IntN(20))
		lo := int32(20 + rng.IntN(12))
		hi := lo + int32(rng.IntN(4))
		switch rng.IntN(4) {
		case 0:
			p.Observations = append(p.Observations, begin(f, w, lo, hi))
		case 1:
			p.Observations = append(p.Observations, end(f, w, lo, hi))
		case 2:
			p.Observations = append(p.Observations, during(f, w, lo, hi))
		case 3:
			e := hi + int32(rng.IntN(5))
			p.Observations = append(p.Observations, Observation{f, w, Range{lo, hi}, Range{e, e + int32(rng.IntN(3))}})
		}
	}
	for f := range facts {
		for g := range f {
			switch rng.IntN(6) {
			case 0, 1:
				p.Constraints = append(p.Constraints, Constraint{int32(f), int32(g), Disjoint})
			case 2:
				p.Constraints = append(p.Constraints, Constraint{int32(f), int32(g), Before | Meets})
			case 3:
				p.Constraints = append(p.Constraints, Constraint{int32(f), int32(g), Relations(1 + rng.IntN(1<<13-1))})
			}
		}
	}
	return p
}

// sound fails if what was chosen cannot hold together.
func sound(t *testing.T, p Problem, s *Solution) {
	t.Helper()
	var list []int32
	for i, c := range s.Chosen {
		if c {
			list = append(list, int32(i))
		}
	}
	if ok, known := newSystem(p.Facts, p.Constraints).feasible(p.Observations, list); !ok || !known {
		t.Fatalf("%+v: chosen %v cannot hold together", p, list)
	}
}

// On problems of few points in time, nothing is better than what is chosen: all intervals of all facts are tried.
func TestEqualsBruteForce(t *testing.T) {
	rng := chance.Rand(t, 1)
	for range 60 {
		p := Problem{Facts: 3}
		const T = 6
		for range 2 + rng.IntN(7) {
			lo := int32(1 + rng.IntN(T-2))
			kind := []func(int32, float64, int32, int32) Observation{begin, end, during}[rng.IntN(3)]
			p.Observations = append(p.Observations, kind(int32(rng.IntN(3)), float64(1+rng.IntN(9)), lo, min(T, lo+int32(rng.IntN(2)))))
		}
		for f := range int32(3) {
			for g := range f {
				if rng.IntN(2) == 0 {
					p.Constraints = append(p.Constraints, Constraint{f, g, []Relations{Disjoint, Before | Meets, Equals, Within, Relations(1 + rng.IntN(1<<13-1))}[rng.IntN(5)]})
				}
			}
		}
		s, err := Solve(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, p, s)
		// Points reach beyond the observations, so that facts find room outside of them.
		best := 0.0
		var at [3][2]int32
		var try func(f int32, sum float64)
		try = func(f int32, sum float64) {
			if f == 3 {
				best = max(best, sum)
				return
			}
			at[f] = [2]int32{} // it has no observation
			try(f+1, sum)
			for b := int32(-2); b < T+2; b++ {
			interval:
				for e := b + 1; e <= T+3; e++ {
					for _, c := range p.Constraints { // the first fact of a constraint is the later one
						if g := at[c.G]; c.F == f && g[0] < g[1] && c.Allow&of(b, e, g[0], g[1]) == 0 {
							continue interval
						}
					}
					more := 0.0
					for _, r := range p.Observations {
						if r.Fact == f && b >= r.Begin.Lo && b <= r.Begin.Hi && e >= r.End.Lo && e <= r.End.Hi {
							more += r.Weight
						}
					}
					at[f] = [2]int32{b, e}
					if more > 0 {
						try(f+1, sum+more)
					}
				}
			}
		}
		try(0, 0)
		if math.Abs(best-s.Weight()) > 1e-9 {
			t.Fatalf("%+v: %v, want %v", p, s.Weight(), best)
		}
	}
}

// Each component weighs what the solver of another hand finds for the same integer program (GLPK: apt install glpk-utils).
func TestEqualsGLPK(t *testing.T) {
	path, err := exec.LookPath("glpsol")
	if err != nil {
		t.Skip("glpsol is not there, so nothing was compared with it: apt install glpk-utils")
	}
	rng := chance.Rand(t, 2)
	contradictions := 0
	for n := range 40 {
		p := random(rng, 1+rng.IntN(5), 2+rng.IntN(9))
		s, err := Solve(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, p, s)
		for _, c := range s.Components {
			if !c.Exact {
				t.Fatalf("%+v: not exact", p)
			}
			if c.Chosen < c.Observations {
				contradictions++
			}
		}
		if want := glpk(t, path, p, n); math.Abs(want-s.Weight()) > 1e-6 {
			t.Fatalf("%+v: %v, GLPK finds %v", p, s.Weight(), want)
		}
	}
	t.Logf("%d components with contradictions", contradictions)
}

// glpk writes the program as the package comment has it, in the format of CPLEX, and returns the objective that GLPK finds.
func glpk(t *testing.T, path string, p Problem, n int) float64 {
	t.Helper()
	const T = 60
	var obj, rows, bounds, general, binary bytes.Buffer
	row := func(format string, args ...any) { fmt.Fprintf(&rows, " "+format+"\n", args...) }
	for f := range p.Facts {
		fmt.Fprintf(&bounds, " 0 <= b%d <= %d\n 0 <= e%d <= %d\n 0 <= y%d <= 1\n", f, T, f, T, f)
		fmt.Fprintf(&general, " b%d e%d\n", f, f)
		fmt.Fprintf(&binary, " y%d\n", f)
		row("e%d - b%d >= 1", f, f)
	}
	for i, r := range p.Observations {
		fmt.Fprintf(&obj, " + %v x%d", r.Weight, i)
		fmt.Fprintf(&binary, " x%d\n", i)
		row("y%d - x%d >= 0", r.Fact, i)
		for _, side := range []struct {
			name string
			Range
		}{{"b", r.Begin}, {"e", r.End}} {
			if side.Lo > Min { // t x <= b
				row("%s%d - %d x%d >= 0", side.name, r.Fact, side.Lo, i)
			}
			if side.Hi < Max { // b <= t x + (1-x) T
				row("%s%d + %d x%d <= %d", side.name, r.Fact, T-side.Hi, i, T)
			}
		}
	}
	for i, c := range p.Constraints {
		names := [...]string{fmt.Sprintf("b%d", c.F), fmt.Sprintf("e%d", c.F), fmt.Sprintf("b%d", c.G), fmt.Sprintf("e%d", c.G)}
		var some []string
		for bit := range 13 { // one by one, not by our merged alternatives
			r := Relations(1) << bit
			if c.Allow&r == 0 {
				continue
			}
			z := fmt.Sprintf("z%d_%d", i, bit)
			some = append(some, z)
			fmt.Fprintf(&binary, " %s\n", z)
			for _, l := range r.alternatives()[0] {
				row("%s - %s - %d %s >= %d", names[l.b], names[l.a], T+2, z, int(l.gap)-T-2)
			}
		}
		row("%s - y%d - y%d >= -1", strings.Join(some, " + "), c.F, c.G)
	}
	dir := t.TempDir()
	lp, out := filepath.Join(dir, fmt.Sprint(n, ".lp")), filepath.Join(dir, "out")
	text := fmt.Sprintf("Maximize\n obj:%s\nSubject To\n%sBounds\n%sGeneral\n%sBinary\n%sEnd\n", &obj, &rows, &bounds, &general, &binary)
	if err := os.WriteFile(lp, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(path, "--lp", lp, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("glpsol: %v\n%s\n%s", err, said, text)
	}
	answer, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)Status: +INTEGER OPTIMAL.*Objective: +obj = ([-0-9.e+]+)`).FindSubmatch(answer)
	if found == nil {
		t.Fatalf("glpsol says\n%s\nof\n%s", answer, text)
	}
	best, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return best
}

// What takes too many steps is cleaned greedily, soundly, and says so.
func TestGreedy(t *testing.T) {
	rng := chance.Rand(t, 3)
	greedy := 0
	for range 50 {
		p := random(rng, 6, 30)
		s, err := Solve(t.Context(), p, Options{Nodes: 3})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, p, s)
		best, err := Solve(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Weight() > best.Weight()+1e-9 {
			t.Fatalf("greedy %v is better than exact %v", s.Weight(), best.Weight())
		}
		for _, c := range s.Components {
			if !c.Exact {
				greedy++
			}
		}
	}
	if greedy == 0 {
		t.Error("nothing was cleaned greedily")
	}
}

func TestBadProblem(t *testing.T) {
	for _, p := range []Problem{
		{Facts: 1, Observations: []Observation{begin(1, 1, 0, 0)}},
		{Facts: 1, Observations: []Observation{begin(0, math.NaN(), 0, 0)}},
		{Facts: 2, Constraints: []Constraint{{1, 1, Disjoint}}},
	} {
		if _, err := Solve(t.Context(), p, Options{}); err == nil {
			t.Errorf("%+v was solved", p)
		}
	}
}
