package fulltext

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

func sqrt(n int) float64 { return math.Sqrt(float64(n)) }

// draw gives some of n documents: few, many or stretches of them.
func draw(rng *rand.Rand, n int) *roaring.Bitmap {
	b := roaring.New()
	switch rng.IntN(4) {
	case 0:
		for range rng.IntN(20) {
			b.Add(uint32(rng.IntN(n)))
		}
	case 1:
		for d := range n {
			if rng.IntN(3) > 0 {
				b.Add(uint32(d))
			}
		}
	case 2:
		from := rng.IntN(n)
		b.AddRange(uint64(from), uint64(from+rng.IntN(n-from)))
		b.RunOptimize()
	}
	return b
}

// Sets do what bitmaps do, whatever kinds of containers those have.
func TestSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		n := []int{1, 63, 64, 65, 3000, 70000, 140000}[i%7]
		a, b := draw(rng, n), draw(rng, n)
		sp := &spare{sets: []set{make(set, 10000)}}
		set := func(list ...*roaring.Bitmap) set {
			out := sp.set(n)
			for _, x := range list {
				if err := out.add(x, make([]uint64, len(out))); err != nil {
					t.Fatal(err)
				}
			}
			return out
		}
		same := func(what string, got []uint32, want *roaring.Bitmap) {
			if !slices.Equal(got, want.ToArray()) {
				t.Fatalf("%s of %d and %d of %d documents: %d, want %d", what, a.GetCardinality(), b.GetCardinality(), n, len(got), want.GetCardinality())
			}
		}
		same("or", set(a, b).list(nil), roaring.Or(a, b))
		s := set(a)
		s.and(set(b))
		same("and", s.list(nil), roaring.And(a, b))
		s = set(a)
		s.andNot(set(b))
		same("and not", s.list(make([]uint32, 3)), roaring.AndNot(a, b))
		s = set(a)
		s.flip(n)
		same("not", s.list(nil), roaring.Flip(a, 0, uint64(n)))
		o := newOrdered(set(b), nil)
		for rank, d := range arrayOf(b, nil) {
			if !o.has(d) || o.rank(d) != rank {
				t.Fatalf("document %d of %d: rank %d, want %d", d, n, o.rank(d), rank)
			}
		}
	}
	if err := make(set, 1).add(roaring.BitmapOf(64), nil); err == nil {
		t.Error("a document that is not there is put in")
	}
}

// Bounds of begin and end mean what the relations say, and shards are left out or let through only if that is right for all.
func TestBox(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		q := randomQuery(rng)
		if err := q.check(made.Facets); err != nil {
			t.Fatal(err)
		}
		b := boxOf(&q)
		all, some := true, false
		shard := box{[2]int64{math.MaxInt64, math.MinInt64}, [2]int64{math.MaxInt64, math.MinInt64}}
		for _, v := range library(5, rng.Uint64()) {
			until := int64(open)
			if !v.Until.IsZero() {
				until = v.Until.UnixMicro()
			}
			fits := fitsTime(&q, &v)
			if got := b.has(v.From.UnixMicro(), until); got != fits {
				t.Fatalf("%+v: %v to %v: %t", q, v.From, v.Until, got)
			}
			all, some = all && fits, some || fits
			shard.from = [2]int64{min(shard.from[0], v.From.UnixMicro()), max(shard.from[1], v.From.UnixMicro())}
			shard.until = [2]int64{min(shard.until[0], until), max(shard.until[1], until)}
		}
		if b.covers(&shard) && !all || some && !b.meets(&shard) {
			t.Fatalf("%+v: all %t, some %t; covers %t, meets %t", q, all, some, b.covers(&shard), b.meets(&shard))
		}
	}
}
