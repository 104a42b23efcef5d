package plan

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/history"
	"varve/page"
	"varve/text/layer"
)

func sampleFirst(html bool) *firstLook {
	at := time.Date(2026, 11, 15, 6, 0, 0, 123456789, time.UTC)
	f := &firstLook{
		group: 7, round: 2, placed: true, seq: 41, rate: 1.25e-4, at: at, status: 200, mime: "text/html", size: 5120,
		sha1: "sha1:F6YSAAAA", etag: `"x"`, modified: "Sun, 15 Nov 2026 06:00:00 GMT", location: "http://h/b",
		record:   history.Reference{URI: "http://h/a", Date: at, ID: "<urn:uuid:1>", Location: varve.Location{File: "f.warc.gz", Offset: 10, Length: 20}},
		original: history.Reference{URI: "http://h/0", Date: at.Add(-time.Hour), ID: "<urn:uuid:0>", Location: varve.Location{File: "e.warc.gz", Offset: 1 << 40, Length: 1}},
	}
	mime := "text/html"
	if !html {
		mime = "image/png"
	}
	f.layers = page.Of(page.Input{URL: "http://h/a", MIME: mime, Body: []byte("<title>A</title><p>" + strings.Repeat("some words of a page ", 40) + `<a href="/b">b</a>`)}, layer.All)
	return f
}

// What a visit found comes back as it was, so that its revisit compares with the truth.
func TestFirstLook(t *testing.T) {
	for _, html := range []bool{true, false} {
		f := sampleFirst(html)
		got, err := parseFirst(f.append(nil))
		if err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("html %v: got %+v (%v)\nwant %+v", html, got, err, f)
		}
		same := layer.Compare(&f.layers, &got.layers, layer.Config{})
		if same.Equal != layer.All {
			t.Errorf("html %v: equal are %v", html, same.Equal)
		}
		if n := len(f.append(nil)); n > 1100 {
			t.Errorf("a page takes %d bytes", n)
		}
	}
	if _, err := parseFirst([]byte("probe")); err == nil {
		t.Error("another kind was read")
	}
}

func TestFound(t *testing.T) {
	f := found{group: 300, freq: "daily", modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), listed: true}
	if got, ok := parseFound(f.append(nil)); !ok || got != f {
		t.Errorf("got %+v %v, want %+v", got, ok, f)
	}
	for _, meta := range [][]byte{nil, []byte("probe"), []byte("g"), []byte("g\xff")} {
		if _, ok := parseFound(meta); ok {
			t.Errorf("%q was read", meta)
		}
	}
}

// Bytes that are no first look are refused, and never more than that.
func FuzzFirstLook(f *testing.F) {
	f.Add(sampleFirst(true).append(nil))
	f.Add(sampleFirst(false).append(nil))
	f.Add([]byte("r"))
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := parseFirst(b)
		if err != nil {
			return
		}
		again, err := parseFirst(first.append(nil))
		if err != nil || again.seq != first.seq || again.sha1 != first.sha1 || again.layers.Have != first.layers.Have {
			t.Errorf("%+v came back as %+v (%v)", first, again, err)
		}
		_, _ = parseFound(b)
	})
}

// The estimate of a site's size finds what a saturating curve of discovery leads to.
func TestSizeEstimate(t *testing.T) {
	const all = 1000
	var s sizeEstimate
	known := 1.0
	for k := 1; k <= 300; k++ {
		known += 8 * (1 - known/all) // eight links a page, of which ever fewer are new
		s.visit(int(known))
		switch n := s.estimate(int(known)); {
		case k < 8 && n != int(known):
			t.Errorf("after %d visits %d are expected: too early to say", k, n)
		case k >= 100 && (n < 850 || n > 1200):
			t.Errorf("after %d visits, with %d known, %d are expected", k, int(known), n)
		}
	}
	if len(s.curve) > curvePoints {
		t.Errorf("the curve has %d points", len(s.curve))
	}
	s.listed = 1500
	if n := s.estimate(900); n != 1500 {
		t.Errorf("a sitemap lists 1500, expected are %d", n)
	}
}
