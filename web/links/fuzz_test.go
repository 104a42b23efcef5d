package links

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"varve/web/canon"
)

// check extracts a document twice, with a used and a fresh extractor, and checks what must hold of any input: no panic,
// the same links both times, the body untouched, URLs absolute and canonical, texts valid and bounded.
func check(t *testing.T, doc Document) {
	t.Helper()
	before := bytes.Clone(doc.Body)
	limits := Limits{Links: 2000, Text: 16 << 10, Inflate: 1 << 20, Expand: 200}
	e := New(limits)
	one, info := collectAll(e, doc)
	two, _ := collectAll(e, doc)
	if !bytes.Equal(before, doc.Body) {
		t.Fatal("body changed")
	}
	if len(one) != len(two) {
		t.Fatalf("%d links, then %d", len(one), len(two))
	}
	total := 0
	for _, n := range info.Counts {
		total += n
	}
	if total != len(one) || len(one) > limits.Links {
		t.Fatalf("%d links counted, %d emitted", total, len(one))
	}
	for i, l := range one {
		if fmt.Sprint(l) != fmt.Sprint(two[i]) && l.Entry == nil {
			t.Fatalf("link %d: %v, then %v", i, l, two[i])
		}
		checkLink(t, l)
	}
	checkRooted(t, e, doc, one)
	for _, s := range append(info.Robots, info.Title, info.Text, info.Lang, info.Generator) {
		if !utf8.ValidString(s) {
			t.Fatalf("not UTF-8: %q", s)
		}
	}
}

func collectAll(e *Extractor, doc Document) (all []Link, info Info) {
	info, _ = e.Extract(doc, func(l Link) { all = append(all, l) })
	return all, info
}

// checkRooted compares our joining of plain references with canon's resolving.
func checkRooted(t *testing.T, e *Extractor, doc Document, all []Link) {
	u, err := canon.Parse(doc.URL)
	if err != nil {
		return
	}
	for _, l := range all {
		e.doc, e.bases = u, append(e.bases[:0], base{}, base{})
		got, ok := e.rooted(baseURL, l.Raw)
		if want, err := u.Resolve(l.Raw); ok && (err != nil || want.String() != got) {
			t.Fatalf("%q in %s: %q, want %q, error %v", l.Raw, doc.URL, got, want, err)
		}
	}
}

func checkLink(t *testing.T, l Link) {
	u, err := canon.Parse(l.URL)
	if err != nil || u.String() != l.URL || !fetched(u) {
		t.Fatalf("%v: parsed %q, error %v", l, u, err)
	}
	if l.Raw == "" || l.Kind == kindNone || l.Kind >= numKinds || l.Hop >= NumHops {
		t.Fatalf("unfinished link %#v", l)
	}
	if !utf8.ValidString(l.Anchor) || !utf8.ValidString(l.Around) || !utf8.ValidString(l.Rel) {
		t.Fatalf("not UTF-8: %#v", l)
	}
	if len(l.Anchor) > 3*defaults.URL || len(l.Around) > 2*defaults.Around+defaults.Anchor {
		t.Fatalf("too long: %#v", l)
	}
	if strings.Contains(l.Raw, hole) {
		t.Fatalf("hole in %#v", l)
	}
}

// fuzzAs seeds a fuzz target with the files of the kinds site and hostile patterns of the given types.
func fuzzAs(f *testing.F, url string, mimes ...string) {
	for _, d := range kindsDocuments(f, "testdata/kinds/site.txtar") {
		for _, m := range mimes {
			if d.MIME == m {
				f.Add(d.Body)
			}
		}
	}
	for _, h := range hostile {
		if h.mime == mimes[0] {
			f.Add([]byte(h.head + strings.Repeat(h.unit, 4)))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		check(t, Document{URL: url, MIME: mimes[0], Body: body})
	})
}

func FuzzHTML(f *testing.F)  { fuzzAs(f, "http://h.example/d/p.html", "text/html") }
func FuzzXHTML(f *testing.F) { fuzzAs(f, "http://h.example/d/p.svg", "image/svg+xml", "text/html") }
func FuzzCSS(f *testing.F)   { fuzzAs(f, "http://h.example/d/s.css", "text/css") }
func FuzzJSON(f *testing.F)  { fuzzAs(f, "http://h.example/d/d.json", "application/json") }
func FuzzXML(f *testing.F) {
	fuzzAs(f, "http://h.example/d/d.xml", "application/xml", "application/dash+xml")
}
func FuzzPDF(f *testing.F)    { fuzzAs(f, "http://h.example/d/d.pdf", "application/pdf") }
func FuzzText(f *testing.F)   { fuzzAs(f, "http://h.example/d/t.txt", "text/plain", "text/vtt") }
func FuzzPlay(f *testing.F)   { fuzzAs(f, "http://h.example/d/p.m3u8", "application/vnd.apple.mpegurl") }
func FuzzScript(f *testing.F) { fuzzAs(f, "http://h.example/d/s.js", "text/javascript") }

// FuzzManifest reads web application manifests and DASH.
func FuzzManifest(f *testing.F) {
	fuzzAs(f, "http://h.example/app.webmanifest", "application/manifest+json", "application/dash+xml")
}

// FuzzDocument lets the type, the address and a header vary too.
func FuzzDocument(f *testing.F) {
	for _, d := range kindsDocuments(f, "testdata/kinds/site.txtar") {
		f.Add(d.URL, "", "</x>; rel=next", d.Body)
		f.Add(d.URL, d.MIME+"; charset=windows-1251", "5; url=x", d.Body)
	}
	f.Fuzz(func(t *testing.T, url, mime, header string, body []byte) {
		hs := []Header{{"Link", header}, {"Refresh", header}, {"Location", header}, {"X-Robots-Tag", strings.ToValidUTF8(header, "")}}
		check(t, Document{URL: url, MIME: mime, Headers: hs, Body: body})
	})
}

// FuzzSrcset compares with a plain reading where the value has no parentheses: split at white space.
func FuzzSrcset(f *testing.F) {
	f.Add("a.png 1x, b.png 2x")
	f.Add("a,b.png 100w,c.png")
	f.Add("a (,b), c")
	f.Fuzz(func(t *testing.T, s string) {
		srcset([]byte(s), func(url []byte) {
			if len(url) == 0 || bytes.ContainsAny(url, " \t\n\f\r") || url[len(url)-1] == ',' || !strings.Contains(s, string(url)) {
				t.Fatalf("%q: candidate %q", s, url)
			}
		})
	})
}

// FuzzReference compares character references in attributes with what must hold: nothing without & changes.
func FuzzReference(f *testing.F) {
	f.Add("a&amp;b&copy=1&#x41;&notit;")
	f.Fuzz(func(t *testing.T, s string) {
		out, _ := unescape(nil, []byte(s))
		if !strings.Contains(s, "&") && string(out) != s {
			t.Fatalf("%q became %q", s, out)
		}
		if len(out) > 3*len(s)+8 {
			t.Fatalf("%q grew to %q", s, out)
		}
	})
}
