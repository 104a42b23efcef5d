package page_test

import (
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/page"
	"varve/text/layer"
)

const oneDay = 24 * time.Hour

// capture is a page as a client would have it: content encoding is off in these webs.
func capture(t *testing.T, w *websim.Web, id websim.PageID, at time.Time) (page.Input, *websim.Answer) {
	t.Helper()
	a := w.Get(w.URL(id, at), at)
	if e := a.Get("Content-Encoding"); e != "" {
		t.Fatalf("page %d is encoded as %s", id, e)
	}
	return page.Input{URL: w.URL(id, at), MIME: a.Get("Content-Type"), Body: a.Body}, a
}

// tally counts, for one layer, truth against verdict.
type tally struct{ same, changed, falseSame, falseChanged int }

// The simulated web knows what each change touched. The layers must find the same from the bytes alone.
func TestLayersAgreeWithTheSimulatedWeb(t *testing.T) {
	got := map[truth.Layer]*tally{}
	r := page.NewReader()
	for _, preset := range []string{"layers", "tiny", "blog"} {
		spec, err := websim.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		w, err := websim.New(spec, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < w.Len(); i += 1 + w.Len()/150 {
			id := websim.PageID(i)
			from := w.Epoch().Add(oneDay * time.Duration(20+i%7))
			to := from.Add(2 * oneDay)
			a, ansA := capture(t, w, id, from)
			b, ansB := capture(t, w, id, to)
			if ansA.Status != 200 || ansB.Status != 200 || ansA.Version.Moves != ansB.Version.Moves {
				continue
			}
			c, _, _ := r.Pair(a, b, layer.All, layer.Config{})
			for _, l := range truth.Layers() {
				if w.Page(id).Type != websim.HTML && l != truth.Bytes {
					continue // one layer only
				}
				count(got, l, w.Changed(id, from, to, l), c.Equal.Has(layer.Name(l.String())))
			}
		}
	}
	for _, l := range truth.Layers() {
		n := got[l]
		t.Logf("%-5v unchanged %d (called changed %d), changed %d (called same %d)", l, n.same, n.falseChanged, n.changed, n.falseSame)
		// Several small edits add up on the layer near, where the web counts none of them: those may be called changed.
		if n.falseSame > 0 || n.falseChanged > 0 && l != truth.Near || n.falseChanged > n.same/20 {
			t.Errorf("layer %v disagrees with the web", l)
		}
		if n.same < 5 || n.changed < 5 {
			t.Errorf("layer %v: %d unchanged and %d changed, so the test shows little", l, n.same, n.changed)
		}
	}
}

func count(got map[truth.Layer]*tally, l truth.Layer, changed, same bool) {
	n := got[l]
	if n == nil {
		n = new(tally)
		got[l] = n
	}
	switch {
	case changed:
		n.changed++
		if same {
			n.falseSame++
		}
	default:
		n.same++
		if !same {
			n.falseChanged++
		}
	}
}
