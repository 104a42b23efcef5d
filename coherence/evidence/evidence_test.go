package evidence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/page"
	"varve/text/layer"
)

func read(t *testing.T, memory int, paths ...string) *evidence.Set {
	t.Helper()
	var sources []evidence.Source
	for _, p := range paths {
		s, err := evidence.Sources(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, s...)
	}
	set, err := evidence.Read(t.Context(), sources, evidence.Options{Dir: t.TempDir(), Workers: 3, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

func pages(t *testing.T, set *evidence.Set) map[string][]evidence.Observation {
	t.Helper()
	out := map[string][]evidence.Observation{}
	for p, err := range set.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if out[p.URL] != nil {
			t.Errorf("%s comes twice", p.URL)
		}
		out[p.URL] = p.Captures
	}
	return out
}

const (
	home   = "http://a.test/"
	about  = "http://a.test/about"
	copied = "http://b.test/mirror"
)

// The dates that a page states are read in its encoding, and of pages that were there only.
func TestStamps(t *testing.T) {
	const body = `<html><meta property="article:modified_time" content="2026-02-20T08:00:00Z"><p>text</p></html>`
	wide := "\xff\xfe"
	for _, c := range body {
		wide += string([]byte{byte(c), 0})
	}
	f := fixture.New(t, "a.warc.gz")
	f.Response(fixture.Answer{URL: home, At: fixture.At(0), Body: body})
	f.Response(fixture.Answer{URL: about, At: fixture.At(1), Body: wide})
	f.Response(fixture.Answer{URL: copied, At: fixture.At(2), Body: body, Status: 404})
	got := pages(t, read(t, 0, f.Write(t.TempDir())))
	for url, want := range map[string]int{home: 1, about: 1, copied: 0} {
		if c := got[url][0]; len(c.Stamps) != want {
			t.Errorf("%s states %v, want %d", url, c.Stamps, want)
		}
	}
}

// Every way in which crawlers name, or do not name, the original of a revisit.
func TestOriginals(t *testing.T) {
	page := "<html><title>Home</title><p>one two three</p></html>"
	f := fixture.New(t, "a.warc.gz")
	first := f.Response(fixture.Answer{URL: home, At: fixture.At(0), Body: page, Header: []string{`ETag: "v1"`}})
	other := f.Response(fixture.Answer{URL: about, At: fixture.At(1), Body: "<p>about</p>"})
	g := fixture.New(t, "b.warc.gz")
	again := func(n int) fixture.Answer { return fixture.Answer{URL: home, At: fixture.At(float64(100 + n))} }
	not := func(n int) fixture.Answer { a := again(n); a.Status = 304; return a }
	g.Revisit(again(0), fixture.Refers{ID: first})
	g.Revisit(again(1), fixture.Refers{URI: home, Date: fixture.At(0)})
	g.Revisit(again(2), fixture.Refers{Date: fixture.At(0)})
	g.Revisit(again(3), fixture.Refers{Digest: fixture.Digest(page)})
	g.Revisit(not(4), fixture.Refers{})
	g.Revisit(again(5), fixture.Refers{Digest: fixture.Digest("never seen")})
	g.Revisit(fixture.Answer{URL: copied, At: fixture.At(110)}, fixture.Refers{Digest: fixture.Digest(page)})
	g.Revisit(fixture.Answer{URL: copied, At: fixture.At(111)}, fixture.Refers{ID: other})
	g.Revisit(fixture.Answer{URL: copied, At: fixture.At(112)}, fixture.Refers{URI: home, Date: fixture.At(0), Digest: fixture.Digest("")})
	dir := t.TempDir()
	set := read(t, 0, f.Write(dir), g.Write(dir))
	got := pages(t, set)

	want := []warc.Step{"", warc.StepRecordID, warc.StepURIDate, warc.StepURIDate, warc.StepKeyDigest, evidence.StepNearest, evidence.StepLost}
	for i, c := range got[home] {
		if c.Step != want[i] {
			t.Errorf("revisit %d was found by %q, want %q", i, c.Step, want[i])
		}
		if c.Step == evidence.StepLost {
			if c.Layers != nil {
				t.Errorf("revisit %d has a content from nowhere", i)
			}
			continue
		}
		if c.Layers == nil || c.Layers.Sums[0] != got[home][0].Layers.Sums[0] {
			t.Errorf("revisit %d has another content", i)
		}
		if c.Status != 200 || c.MIME != "text/html" || c.ETag != `"v1"` {
			t.Errorf("revisit %d: %d %s %s", i, c.Status, c.MIME, c.ETag)
		}
	}
	for i, w := range []warc.Step{warc.StepDigest, warc.StepRecordID, warc.StepURIDate} {
		if c := got[copied][i]; c.Step != w || c.Original == nil {
			t.Errorf("copy %d was found by %q, want %q", i, c.Step, w)
		}
	}
	if c := got[copied][1]; c.Original.Record != other {
		t.Errorf("original is %s, want %s", c.Original.Record, other)
	}
	if tot := set.Totals; tot.Captures != 11 || tot.Revisits != 9 || tot.Lost != 1 {
		t.Errorf("totals: %+v", tot)
	}
}

// What requests and metadata say is joined to the capture, whichever names the other.
func TestJoin(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	f.Info("20260301T120000Z")
	seed := f.Response(fixture.Answer{URL: home, At: fixture.At(0), Body: "<p>home</p>", Header: []string{
		"Date: Sun, 01 Mar 2026 12:00:03 GMT", "Last-Modified: Sun, 01 Feb 2026 00:00:00 GMT",
	}})
	f.Metadata(seed, home, fixture.At(0), "fetchTimeMs: 3", "pass: visit", "group: host a.test")
	page := f.Response(fixture.Answer{URL: about, At: fixture.At(1), Body: "<p>about</p>", Header: []string{"Date: Sun, 01 Mar 2026 12:00:04 GMT"}})
	f.Request(page, about, fixture.At(1), "GET /about HTTP/1.1\r\nReferer: http://ignored.test/\r\n\r\n")
	f.Metadata(page, about, fixture.At(1), "via: "+home, "hopsFromSeed: L")
	form := f.Response(fixture.Answer{URL: about, At: fixture.At(2), Body: "<p>thanks</p>"})
	f.Request(form, about, fixture.At(2), "POST /about HTTP/1.1\r\n\r\n")
	foreign := f.Response(fixture.Answer{URL: copied, At: fixture.At(3), Body: "<p>x</p>"})
	f.Request(foreign, copied, fixture.At(3), "GET /mirror HTTP/1.1\r\nReferer: "+about+"\r\n\r\n")
	f.Lookup("a.test", fixture.At(0))
	set := read(t, 0, f.Write(t.TempDir()))
	got := pages(t, set)

	c := got[home][0]
	if c.Pass != evidence.Visit || c.Group != "host a.test" || !c.Known || c.Crawl != "20260301T120000Z" {
		t.Errorf("seed: %+v", c)
	}
	if want := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC); !c.LastModified.Equal(want) {
		t.Errorf("last modified %v", c.LastModified)
	}
	if c := got[about]; len(c) != 2 || !c[0].Plain() || c[1].Plain() {
		t.Fatalf("captures by GET and by POST: %+v", c)
	}
	if c := got[about][0]; c.Via != home || c.Hops != "L" || !c.Known {
		t.Errorf("page: %+v", c)
	}
	if c := got[copied][0]; c.Via != about || c.Known {
		t.Errorf("foreign: %+v", c)
	}
	if set.Totals.Lookups != 1 || set.Totals.Captures != 4 {
		t.Errorf("totals: %+v", set.Totals)
	}
	if s := set.Totals.Skew; s.Samples != 2 || s.Offset != 3500*time.Millisecond {
		t.Errorf("skew: %+v", s)
	}
	n := 0
	for p, err := range set.Lookups() {
		if n++; err != nil || p.URL != "dns:a.test" {
			t.Errorf("look-up %v %v", p, err)
		}
	}
	if n != 1 {
		t.Errorf("%d look-ups", n)
	}
}

// Random files in which every revisit names its original in a random way: the content is always that
// of the truth, with little memory and with much.
func TestRandomFiles(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		dir := t.TempDir()
		truth := map[string][]string{}
		type kept struct {
			url, id, body string
			at            time.Time
		}
		var originals []kept
		last := map[string]kept{}
		files := []*fixture.File{fixture.New(t, "0.warc.gz"), fixture.New(t, "1.warc.gz"), fixture.New(t, "2.warc.gz")}
		for n := range 300 {
			f := files[r.IntN(len(files))]
			url := fmt.Sprintf("http://%c.test/p%d", 'a'+r.IntN(3), r.IntN(40))
			at := fixture.At(float64(n))
			if len(originals) == 0 || r.IntN(2) == 0 {
				k := kept{url: url, at: at, body: fmt.Sprintf("<p>content %d</p>", r.IntN(60))}
				k.id = f.Response(fixture.Answer{URL: url, At: at, Body: k.body})
				originals, last[url] = append(originals, k), k
				truth[url] = append(truth[url], k.body)
				continue
			}
			of, refers, status := originals[r.IntN(len(originals))], fixture.Refers{}, 200
			switch r.IntN(4) {
			case 0:
				refers.ID = of.id
			case 1:
				refers.URI, refers.Date = of.url, of.at
			case 2:
				refers.Digest = fixture.Digest(of.body)
			case 3:
				var ok bool
				if of, ok = last[url]; !ok {
					continue
				}
				status = 304
			}
			f.Revisit(fixture.Answer{URL: url, At: at, Status: status}, refers)
			truth[url] = append(truth[url], of.body)
		}
		var paths []string
		for _, f := range files {
			paths = append(paths, f.Write(dir))
		}
		for _, memory := range []int{0, 1} { // 1: the least there is, so that runs go to disk
			checkTruth(t, pages(t, read(t, memory, paths...)), truth)
		}
	}
}

func checkTruth(t *testing.T, got map[string][]evidence.Observation, truth map[string][]string) {
	t.Helper()
	if len(got) != len(truth) {
		t.Errorf("%d pages, want %d", len(got), len(truth))
	}
	for url, bodies := range truth {
		if len(got[url]) != len(bodies) {
			t.Errorf("%s: %d captures, want %d", url, len(got[url]), len(bodies))
			continue
		}
		for i, body := range bodies {
			want := page.Of(page.Input{URL: url, MIME: "text/html", Body: []byte(body)}, layer.SetOf(layer.Bytes))
			if c := got[url][i]; c.Layers == nil || c.Layers.Sums[0] != want.Sums[0] {
				t.Errorf("%s capture %d (%s) has not the content %q", url, i, c.Step, body)
			}
		}
	}
}

// A directory is searched; a file that is still written is left alone; no file is an error.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.warc.gz", "a.WARC", "sub/c.arc.gz", "d.warc.gz.open", "notes.txt"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := evidence.Sources(dir, 1)
	var names []string
	for _, s := range got {
		names = append(names, strings.TrimPrefix(s.Path, dir+"/"))
	}
	if want := []string{"a.WARC", "b.warc.gz", "sub/c.arc.gz"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("got %v %v, want %v", names, err, want)
	}
	if _, err := evidence.Sources(t.TempDir(), 0); err == nil {
		t.Error("an empty directory has no evidence")
	}
	if _, err := evidence.Read(t.Context(), []evidence.Source{{Path: filepath.Join(dir, "notes.txt")}}, evidence.Options{Dir: t.TempDir()}); err == nil {
		t.Error("a text has no records")
	}
}

// A body that is damaged or too long still has its bytes compared, and says so.
func TestOddBodies(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	long := strings.Repeat("0123456789", 100)
	f.Response(fixture.Answer{URL: home, At: fixture.At(0), Body: long})
	f.Response(fixture.Answer{URL: home, At: fixture.At(1), Body: long + "!"})
	f.Response(fixture.Answer{URL: about, At: fixture.At(0), Body: "<p>not packed</p>", Header: []string{"Content-Encoding: gzip"}})
	f.Response(fixture.Answer{URL: about, At: fixture.At(1), Body: "<p>not packed</p>"})
	path := f.Write(t.TempDir())
	set, err := evidence.Read(context.Background(), []evidence.Source{{Path: path}}, evidence.Options{Dir: t.TempDir(), MaxBody: 500})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	got := pages(t, set)
	if c, known, err := set.Compare(&got[home][0], &got[home][1], layer.Config{}); err != nil || !known || c.Equal != 0 {
		t.Errorf("long bodies: %+v %v %v", c, known, err)
	}
	if c, known, err := set.Compare(&got[about][0], &got[about][1], layer.Config{}); err != nil || !known || c.Equal != layer.All {
		t.Errorf("body under a wrong head: %+v %v %v", c, known, err)
	}
}
