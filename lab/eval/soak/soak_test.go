package soak

import (
	"context"
	"testing"
)

// A leak of one goroutine a round, or of memory, is seen; noise is not.
func TestGrowth(t *testing.T) {
	rounds := func(goroutine, file int, heap int64) (out []Round) {
		for i := range 20 {
			noise := int64(i*7919%13) << 10
			out = append(out, Round{Goroutines: 30 + goroutine*i, Files: 12 + file*i, Heap: 20<<20 + heap*int64(i) + noise, RSS: 80 << 20})
		}
		return out
	}
	for _, c := range []struct {
		name            string
		goroutine, file int
		heap            int64
		leaks           int
	}{{"nothing", 0, 0, 0, 0}, {"a goroutine", 1, 0, 0, 1}, {"a file", 0, 1, 0, 1}, {"memory", 0, 0, 1 << 20, 1}, {"all", 1, 1, 1 << 20, 3}} {
		r := Result{Growth: growth(rounds(c.goroutine, c.file, c.heap))}
		if got := r.Leaks(); len(got) != c.leaks {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if g := growth(nil); g != (Growth{}) {
		t.Error(g)
	}
}

func TestSoak(t *testing.T) {
	res, err := Run(context.Background(), Config{Dir: t.TempDir(), Preset: "tiny", Pages: 5})
	if err != nil || len(res.Rounds) != 1 || res.Rounds[0].URLs == 0 || res.Rounds[0].Captures == 0 {
		t.Fatalf("%+v, %v", res, err)
	}
}
