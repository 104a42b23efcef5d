package websim

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
)

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100_000)
	made := 0
	mk := func() []byte { made++; return make([]byte, 1000) }
	for i := range 5000 {
		c.get(bodyKey{id: PageID(i)}, mk)
		if c.used > c.limit {
			t.Fatalf("%d bytes used", c.used)
		}
	}
	if n := len(c.bodies); n < 70 || n != len(c.queue)-c.head || len(c.queue) > 3000 {
		t.Errorf("%d bodies, queue of %d from %d", n, len(c.queue), c.head)
	}
	c.get(bodyKey{id: 4999}, mk)
	c.get(bodyKey{id: 1}, func() []byte { return make([]byte, 90_000) })
	if made != 5000 || c.bodies[bodyKey{id: 1}] != nil {
		t.Errorf("%d made; a body of most of the room must not push out the others", made)
	}
}

// Many at once get what one alone gets.
func TestConcurrentUse(t *testing.T) {
	spec, err := Preset("blog")
	if err != nil {
		t.Fatal(err)
	}
	alone, err := New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := New(spec, 1, WithCache(200_000))
	if err != nil {
		t.Fatal(err)
	}
	at := alone.Epoch().Add(80 * day)
	var want [][]byte
	for i := range alone.Len() {
		want = append(want, alone.Get(alone.URL(PageID(i), at), at).Wire("GET", 1<<20))
	}
	var wg sync.WaitGroup
	for k := range uint64(8) {
		wg.Go(func() {
			for _, i := range rand.New(rand.NewPCG(k, 1)).Perm(len(want)) {
				if got := shared.Get(shared.URL(PageID(i), at), at).Wire("GET", 1<<20); !bytes.Equal(got, want[i]) {
					t.Errorf("page %d differs", i)
					return
				}
			}
		})
	}
	wg.Wait()
}
