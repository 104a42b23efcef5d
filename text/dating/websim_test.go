package dating_test

import (
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/page"
	"varve/text/charset"
	"varve/text/dating"
	"varve/text/layer"
)

// visitor visits pages of a simulated web again and again, and learns what the stamps of its hosts are worth.
type visitor struct {
	w      *websim.Web
	layers *page.Reader
	layer  layer.Name // on which content counts as changed
	hosts  map[string]dating.Host
	seen   map[websim.PageID]memory
}

type memory struct {
	at     time.Time
	sum    []byte
	date   dating.Date
	stamps map[dating.Source]string
}

// visit dates a page and learns from what it finds.
func (r *visitor) visit(id websim.PageID, at time.Time) (dating.Date, bool) {
	a := r.w.Get(r.w.URL(id, at), at)
	if a.Status != 200 || a.Get("Content-Encoding") != "" || r.w.Page(id).Type != websim.HTML {
		return dating.Date{}, false
	}
	kind := a.Get("Content-Type")
	digests := r.layers.Of(page.Input{URL: r.w.URL(id, at), MIME: kind, Body: a.Body}, layer.SetOf(r.layer))
	sum, _ := digests.Sum(r.layer)
	label := "utf-8"
	if strings.Contains(kind, "8859") {
		label = "iso-8859-1"
	}
	body, err := charset.Decode(a.Body, label)
	if err != nil {
		return dating.Date{}, false
	}
	v := dating.Visit{At: at, Date: a.Get("Date"), LastModified: a.Get("Last-Modified"), Stamps: dating.Read(body)}
	before, again := r.seen[id]
	if again {
		v.Previous = &dating.Previous{At: before.at, Same: string(before.sum) == string(sum), Date: before.date}
	}
	h := r.hosts[r.w.Page(id).Host]
	if h == nil {
		h = dating.Host{}
		r.hosts[r.w.Page(id).Host] = h
	}
	d, findings := dating.Of(v, h)
	r.seen[id] = memory{at, sum, d, h.Learn(v, findings, before.stamps)}
	return d, true
}

// The date of a page must be right, whatever lies the servers of the simulated web tell: the true change lies between
// the bounds. Servers date bytes and pages date their main text, so what a page says is tried on that layer only.
func TestDatesAgreeWithTheSimulatedWeb(t *testing.T) {
	for name, want := range map[layer.Name]struct {
		truth   truth.Layer
		pages   int
		sources []dating.Source
	}{
		layer.DOM:  {truth.DOM, 40, []dating.Source{dating.LastModified, dating.Digest}},
		layer.Main: {truth.Main, 30, []dating.Source{dating.Meta, dating.Digest}},
	} {
		total := map[dating.Source][2]int{}
		for _, preset := range []string{"blog", "ministry", "news", "university", "shop"} {
			spec, err := websim.Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
			w, err := websim.New(spec, 3)
			if err != nil {
				t.Fatal(err)
			}
			revisit(w, name, want.truth, want.pages, total)
		}
		for source, n := range total {
			t.Logf("%-5s %-14s %4d dates, %4d right", name, source, n[0], n[1])
		}
		for _, s := range want.sources {
			if n := total[s]; n[0] < 30 || n[1] < n[0]-n[0]/20 {
				t.Errorf("layer %s: %s: only %d of %d dates are right", name, s, n[1], n[0])
			}
		}
	}
}

// revisit visits the pages of a web six times, and counts dates and right dates by source from the third visit on.
func revisit(w *websim.Web, name layer.Name, l truth.Layer, pages int, total map[dating.Source][2]int) {
	r := &visitor{w, page.NewReader(), name, map[string]dating.Host{}, map[websim.PageID]memory{}}
	for visit := range 6 {
		for id := range websim.PageID(min(w.Len(), pages)) {
			at := w.Epoch().Add(24*time.Hour*time.Duration(30+visit*9) + time.Duration(id)*7*time.Second)
			d, ok := r.visit(id, at)
			mu, known := w.LastChange(id, at, l)
			if !ok || !known || visit < 2 {
				continue
			}
			n := total[d.Source]
			n[0]++
			if !mu.Before(d.Earliest.Add(-time.Second)) && !mu.After(d.Latest.Add(time.Second)) {
				n[1]++
			}
			total[d.Source] = n
		}
	}
}
