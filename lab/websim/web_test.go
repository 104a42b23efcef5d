package websim_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/truth"
)

// load makes the web of a description or preset, or ends the test.
func load(t testing.TB, seed uint64, text string) *websim.Web {
	t.Helper()
	spec, err := websim.Preset(text)
	if err != nil {
		spec, err = websim.Load("test", []byte(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := websim.New(spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func id(i int) websim.PageID { return websim.PageID(i) }

// digest hashes the whole wire bytes of every page at some instants, in the given order.
func digest(w *websim.Web, order []int) string {
	sums := make([][32]byte, len(order))
	for _, i := range order {
		h := sha256.New()
		for _, d := range []time.Duration{0, 40 * 24 * time.Hour, 300 * 24 * time.Hour} {
			at := w.Epoch().Add(d)
			h.Write(w.Get(w.URL(id(i), at), at).Wire("GET", 1<<20))
		}
		copy(sums[i][:], h.Sum(nil))
	}
	all := sha256.New()
	for i := range sums {
		all.Write(sums[i][:])
	}
	return fmt.Sprintf("%x", all.Sum(nil)[:8])
}

// The digests are the promise "same seed and description, same bytes": across runs, machines and
// orders of requests. They change when the generator changes, and then all measured figures do.
func TestGoldenBytes(t *testing.T) {
	for _, c := range []struct {
		preset string
		seed   uint64
		want   string
	}{
		{"tiny", 1, "7105b68738dba6b8"},
		{"tiny", 2, "8aa9c081d7b163f9"},
		{"blog", 1, "df5d8934281726e5"},
	} {
		var up, down []int
		w := load(t, c.seed, c.preset)
		for i := range w.Len() {
			up, down = append(up, i), append(down, w.Len()-1-i)
		}
		got := digest(w, up)
		if again := digest(load(t, c.seed, c.preset), down); got != again {
			t.Errorf("%s: %s in one order, %s in the other", c.preset, got, again)
		}
		if got != c.want {
			t.Errorf("%s seed %d: %s, want %s", c.preset, c.seed, got, c.want)
		}
	}
}

// TestYear is the measure of issue 2: 50,000 pages, one year, all histories.
func TestYear(t *testing.T) {
	w := load(t, 1, yearSpec)
	total := 0
	for i := range w.Len() {
		total += w.Changes(id(i), w.Epoch(), w.End(), truth.Bytes)
	}
	if w.Len() != 50_000 || total < 500_000 {
		t.Errorf("%d pages, %d changes", w.Len(), total)
	}
}

const yearSpec = `
[[site]]
host = "big.sim.test"
pages = 45000
assets = 5000
fanout = 40
[[site.change]]
type = ["html"]
depth = [0, 1]
every = "1h"
[[site.change]]
every = "20d"
spread = "lognormal"
kinds = { content = 2, minor = 1, links = 1, token = 3, ad = 3 }
[[site.life]]
appear = 0.2
vanish = "2y"
return = "60d"
move = "3y"
`
