package cdx

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The pages of a query give each of its lines once, in order.
func TestPagesAgainstTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	fsys := vfs.NewMem()
	b := builder(t, fsys, Config{NoMerge: true})
	addLines(t, b, "a", randomLines(rng, 5000))
	addLines(t, b, "b", randomLines(rng, 700))
	b.Close()
	ix := open(t, fsys)
	for _, q := range []Query{{}, {URL: "*.example"}, {URL: "a.example/*"}, {URL: "http://b.example/3"}, {URL: "http://nowhere.example/"}, {URL: "*.example", From: "2021"}} {
		whole := gather(t, ix.Query(t.Context(), q))
		for _, size := range []int64{1, 3, 1000} {
			p, err := ix.Pages(q, size)
			if err != nil || p.Pages != (p.Blocks+size-1)/size {
				t.Fatal(p, err)
			}
			var got []string
			for n := range p.Pages {
				pq, starts, err := ix.Page(q, n, size)
				if err != nil || int64(len(starts)) > size {
					t.Fatal(n, starts, err)
				}
				got = append(got, gather(t, ix.Query(t.Context(), pq))...)
			}
			if !slices.Equal(got, whole) {
				t.Fatalf("%+v in pages of %d: %d lines, want %d", q, size, len(got), len(whole))
			}
			if _, _, err := ix.Page(q, p.Pages, size); err == nil {
				t.Error(fmt.Sprint("page ", p.Pages, " of ", p.Pages))
			}
		}
	}
}
