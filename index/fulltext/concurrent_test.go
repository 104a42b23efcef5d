package fulltext

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
)

// Searches that run side by side share buffers of those before them, and answer as each does alone.
func TestConcurrent(t *testing.T) {
	ix := build(t, library(300, 11))
	rng := rand.New(rand.NewPCG(12, 13))
	var queries []Query
	var want []*Answer
	for range 60 {
		q := randomQuery(rng)
		q.Limit = 5
		a, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		queries, want = append(queries, q), append(want, a)
	}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range queries {
				n := (i*7 + g*11) % len(queries)
				got, err := ix.Search(t.Context(), queries[n])
				if err != nil || !reflect.DeepEqual(got, want[n]) {
					t.Errorf("%+v: %+v %v, want %+v", queries[n], got, err, want[n])
				}
			}
		})
	}
	wg.Wait()
}
