package temporal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func makeTree(t testing.TB, list []interval) *tree {
	t.Helper()
	var b bytes.Buffer
	if err := writeTree(&b, sortIntervals(slices.Clone(list))); err != nil {
		t.Fatal(err)
	}
	tr, err := readTree("test", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// holds says what the relations mean, in their own words.
func holds(rel Relation, v interval, s, e uint32) bool {
	switch rel {
	case Alive:
		return v.lo <= s && s < v.hi
	case Inside:
		return s <= v.lo && v.lo < e && v.hi <= e
	case Contains:
		return v.lo <= s && e <= v.hi
	case Intersects:
		return v.lo < e && s < v.hi
	}
	return false
}

func TestTreeAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 300 {
		n := rng.IntN(1 + rng.IntN(700))
		if round < 40 {
			n = round // all small sizes, around the fan
		}
		limit := uint32(1 + rng.IntN(200))
		list := make([]interval, n)
		for i := range list {
			lo := rng.Uint32N(limit)
			hi := lo + 1 + rng.Uint32N(limit/4+1)
			if rng.IntN(5) == 0 {
				hi = forever
			}
			list[i] = interval{lo, hi, uint32(i)}
		}
		tr := makeTree(t, list)
		for range 20 {
			s := rng.Uint32N(limit + 5)
			e := s + 1 + rng.Uint32N(limit/2+1)
			for _, rel := range []Relation{Alive, Inside, Contains, Intersects} {
				var got, want []interval
				if err := tr.ask(rel, s, e, func(v interval) bool { got = append(got, v); return true }); err != nil {
					t.Fatal(err)
				}
				for _, v := range list {
					if holds(rel, v, s, e) {
						want = append(want, v)
					}
				}
				slices.SortStableFunc(want, func(a, b interval) int { return int(a.lo) - int(b.lo) })
				if !slices.Equal(got, want) {
					t.Fatalf("%d intervals, %s [%d,%d): %d, want %d", n, rel, s, e, len(got), len(want))
				}
			}
		}
	}
}

func TestTreeStopsWhenAsked(t *testing.T) {
	list := make([]interval, 1000)
	for i := range list {
		list[i] = interval{uint32(i), forever, uint32(i)}
	}
	n := 0
	if err := makeTree(t, list).ask(Alive, 900, 0, func(interval) bool { n++; return n < 7 }); err != nil || n != 7 {
		t.Error(n, err)
	}
}

// No flipped bit gives a wrong answer without an error, whichever byte it hits.
func TestTreeDamageIsToldOrHarmless(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	list := make([]interval, 9000)
	for i := range list {
		lo := rng.Uint32N(1000)
		list[i] = interval{lo, lo + 1 + rng.Uint32N(100), uint32(i)}
	}
	var b bytes.Buffer
	if err := writeTree(&b, sortIntervals(list)); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	all := func(tr *tree) (out []interval, err error) {
		err = tr.ask(Intersects, 100, 900, func(v interval) bool { out = append(out, v); return true })
		return out, err
	}
	tr, err := readTree("x", whole)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := all(tr)
	for range 400 {
		spoilt := slices.Clone(whole)
		at := rng.IntN(len(spoilt))
		spoilt[at] ^= 1 << rng.IntN(8)
		tr, err := readTree("x", spoilt)
		var got []interval
		if err == nil {
			got, err = all(tr)
		}
		if err == nil && !slices.Equal(got, want) {
			t.Fatalf("byte %d: %d answers instead of %d, and no error", at, len(got), len(want))
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Fatal(err)
		}
	}
	for cut := 0; cut < len(whole); cut += 997 {
		if _, err := readTree("x", whole[:cut]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

func FuzzTree(f *testing.F) {
	var b bytes.Buffer
	_ = writeTree(&b, []interval{{1, 5, 0}, {2, forever, 1}, {7, 9, 2}})
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := readTree("x", b)
		if err != nil {
			return
		}
		_ = tr.ask(Intersects, 0, forever, func(interval) bool { return true })
		_ = tr.file.checkAll()
	})
}

func BenchmarkStab(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 1_000_000
	list := make([]interval, n)
	for i := range list {
		lo := rng.Uint32N(100_000_000)
		list[i] = interval{lo, lo + rng.Uint32N(1_000_000), uint32(i)}
	}
	tr := makeTree(b, list)
	hits := 0
	for b.Loop() {
		at := rng.Uint32N(100_000_000)
		_ = tr.ask(Alive, at, 0, func(interval) bool { hits++; return true })
	}
	b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
}
