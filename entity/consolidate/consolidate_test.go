package consolidate

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// calls makes calls of lines "page name -> target", with a day each.
func calls(lines string) iter.Seq2[Call, error] {
	var list []Call
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		left, target, _ := strings.Cut(line, " -> ")
		page, name, _ := strings.Cut(left, " ")
		at := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)
		list = append(list, Call{Key: target, Target: "http://x.test" + target, Page: "http://" + page, Name: name, First: at, Last: at})
	}
	slices.SortStableFunc(list, func(a, b Call) int { return strings.Compare(a.Key, b.Key) })
	return func(yield func(Call, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func told(f Found) (out []string) {
	for _, t := range f.Things {
		line := t.Target + ":"
		for _, n := range t.Names {
			line += fmt.Sprintf(" %s %d/%d %.2f %.2f %s;", n.Name, n.Pages, n.Hosts, n.Share, n.Confidence, n.First.Format("01-02"))
		}
		out = append(out, line)
	}
	return out
}

// Names that lead to one place are one thing; words that lead everywhere, front pages and sentences are none.
func TestSame(t *testing.T) {
	got, err := Same(calls(`
a.test/1 Ireland -> /ireland
a.test/2 Ireland -> /ireland
b.test/1 ireland -> /ireland
b.test/1 Irland -> /ireland
b.test/2 Irland -> /ireland
a.test/3 Republic of Ireland -> /ireland
c.test/3 Republic Of Ireland -> /ireland
c.test/4 Eire -> /ireland
a.test/1 More -> /ireland
a.test/2 More -> /ireland
a.test/1 More -> /dublin
a.test/2 More -> /dublin
a.test/3 Dublin -> /dublin
a.test/4 Dublin -> /dublin
a.test/1 Home -> /
a.test/2 Home -> /
a.test/1 Start -> /
a.test/2 Start -> /
a.test/1 What else is there? -> /else
a.test/2 What else is there? -> /else
a.test/1 Else -> /else
a.test/2 Else -> /else`), Default())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"http://x.test/ireland: Ireland 2/1 1.00 0.67 01-01; Irland 2/1 1.00 0.67 01-04; Republic Of Ireland 2/2 1.00 0.67 01-06;"}; !slices.Equal(told(got), want) {
		t.Errorf("%q, want %q", told(got), want)
	}
	// A bound on names is told, and an error of the reading is that of the whole.
	s := Default()
	s.Names = 1
	if got, err := Same(calls("a.test/1 A1 -> /a\na.test/2 B1 -> /a"), s); err != nil || got.Beyond != 1 || len(got.Things) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := Same(func(yield func(Call, error) bool) { yield(Call{}, broken) }, Default()); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// refers is a graph by who refers to whom.
type refers map[uint32][]uint32

func (r refers) Inlinks(n uint32) ([]uint32, error) { return r[n], nil }

// The worked examples, and what they say: short ways before long ones, rare referrers before those that much refers to.
func TestRelated(t *testing.T) {
	const a, b, c, d, e = 0, 1, 2, 3, 4
	for _, x := range []struct {
		name string
		g    refers
		want float64
		path Path
		ways int
	}{
		{"nothing", refers{}, 0, nil, 0},
		{"directly", refers{a: {b}}, 1, Path{a, b}, 1},
		{"the other way", refers{b: {a}}, 1, Path{a, b}, 1},
		{"one refers to both", refers{a: {c}, b: {c}}, 0.5, Path{a, c, b}, 1},
		{"whom two refer to", refers{a: {c}, b: {c}, c: {d, e}}, 0.25, Path{a, c, b}, 1},
		{"two refer to both", refers{a: {c, d}, b: {c, d}}, 0.75, Path{a, c, b}, 2},
		{"over one between", refers{a: {c}, c: {b}}, 0.5 / math.Log2(3), Path{a, c, b}, 1},
		{"both over one between", refers{a: {c}, b: {d}, c: {e}, d: {e}}, 0.125 / math.Log2(3) / math.Log2(3), Path{a, c, e, d, b}, 1},
	} {
		got, err := Related(x.g, a, b)
		if err != nil || math.Abs(got.Strength-x.want) > 1e-12 || got.Ways != x.ways || len(got.Paths) > 0 && !slices.Equal(got.Paths[0], x.path) {
			t.Errorf("%s: %+v, %v; want %g by %v", x.name, got, err, x.want, x.path)
		}
		back, err := Related(x.g, b, a)
		if err != nil || math.Abs(back.Strength-got.Strength) > 1e-12 || back.Ways != got.Ways {
			t.Errorf("%s, from the other end: %+v, %v", x.name, back, err)
		}
	}
}

// On small random graphs the strength is that of all ways, each tried.
func TestRelatedBruteForce(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		const n = 8
		g := refers{}
		for to := range uint32(n) {
			for from := range uint32(n) {
				if to != from && rnd.IntN(5) == 0 {
					g[to] = append(g[to], from)
				}
			}
		}
		refersTo := func(from, to uint32) bool { return slices.Contains(g[to], from) }
		// A way goes up i steps, then down j.
		none := 1.0
		var walk func(p Path, up, down int)
		walk = func(p Path, up, down int) {
			if last := p[len(p)-1]; last == 1 {
				s := math.Pow(decay, float64(len(p)-2))
				for _, inner := range p[1 : len(p)-1] {
					s /= math.Log2(2 + float64(len(g[inner])))
				}
				none *= 1 - s
				return
			}
			for next := range uint32(n) {
				if slices.Contains(p, next) {
					continue
				}
				last := p[len(p)-1]
				if down == 0 && up < 2 && refersTo(next, last) {
					walk(append(slices.Clone(p), next), up+1, 0)
				}
				if down < 2 && refersTo(last, next) {
					walk(append(slices.Clone(p), next), up, down+1)
				}
			}
		}
		walk(Path{0}, 0, 0)
		got, err := Related(g, 0, 1)
		if err != nil || math.Abs(got.Strength-(1-none)) > 1e-9 {
			t.Errorf("seed %d: %g, want %g (%v, %v)", seed, got.Strength, 1-none, g, err)
		}
	}
}
