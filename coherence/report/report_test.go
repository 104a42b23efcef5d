package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/coherence"
	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/coherence/report"
	"varve/text/layer"
)

// crawler writes the records of a planned crawl.
type crawler struct {
	f     *fixture.File
	group string
}

func (c crawler) visit(pass, path string, at float64, a fixture.Answer) {
	a.URL, a.At = "http://a.test"+path, fixture.At(at)
	id := c.f.Response(a)
	c.f.Metadata(id, a.URL, a.At, "hopsFromSeed: L", "via: http://a.test/", "pass: "+pass, "group: "+c.group)
}

func (c crawler) notModified(path string, at float64, header ...string) {
	a := fixture.Answer{URL: "http://a.test" + path, At: fixture.At(at), Status: 304, Header: header}
	id := c.f.Revisit(a, fixture.Refers{})
	c.f.Metadata(id, a.URL, a.At, "hopsFromSeed: L", "via: http://a.test/", "pass: revisit", "group: "+c.group)
}

func text(n int) string {
	return fmt.Sprintf("<title>Page %d</title><p>The words of this page are its own, and number %d is among them.</p>", n, n)
}

func makeReport(t *testing.T, set *evidence.Set, crawl string) (*report.Report, map[string]map[layer.Name]string) {
	t.Helper()
	dates, err := report.LearnDates(set, "")
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]map[layer.Name]string{}
	r, err := report.Make(t.Context(), set, report.Options{Crawl: crawl, Dates: dates, Workers: 2}, func(p *report.Judged, f *report.Frame) error {
		states[p.URL] = map[layer.Name]string{}
		for _, n := range layer.Names() {
			state, level := p.State(n, f.Reference())
			states[p.URL][n] = strings.TrimSpace(string(state) + " " + string(level))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, l := range r.Layers {
		if sum := l.Coherent + l.Changed + l.Links + l.Missing + l.Unknown; sum != r.Pages || l.Witnessed+l.Asserted != l.Coherent {
			t.Errorf("layer %s: %+v does not add up to %d pages", n, l, r.Pages)
		}
	}
	return r, states
}

// Every way in which a page of a planned crawl can end, layer by layer.
func TestStates(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	f.Info("20260301T120000Z")
	c := crawler{f, "host:a.test"}
	etag := func(v string) []string { return []string{"ETag: " + v} }
	c.visit("visit", "/same", 0, fixture.Answer{Body: text(0)})
	c.visit("visit", "/comment", 1, fixture.Answer{Body: text(1)})
	c.visit("visit", "/changed", 2, fixture.Answer{Body: text(2)})
	c.visit("visit", "/links", 3, fixture.Answer{Body: text(3)})
	c.visit("visit", "/gone", 4, fixture.Answer{Body: text(4)})
	c.visit("visit", "/strong", 5, fixture.Answer{Body: text(5), Header: etag(`"a"`)})
	c.visit("visit", "/weak", 6, fixture.Answer{Body: text(6), Header: etag(`W/"a"`)})
	c.visit("visit", "/bare", 7, fixture.Answer{Body: text(7)})
	c.visit("visit", "/once", 8, fixture.Answer{Body: text(8)})
	c.visit("visit", "/never", 9, fixture.Answer{Body: "no", Status: 404})
	c.visit("visit", "/came", 10, fixture.Answer{Body: "no", Status: 404})
	c.visit("visit", "/picture", 11, fixture.Answer{Body: "\x89PNG 1", MIME: "image/png"})
	c.visit("visit", "/last", 12, fixture.Answer{Body: text(12)}) // the reference point

	c.visit("revisit", "/picture", 21, fixture.Answer{Body: "\x89PNG 2", MIME: "image/png"})
	c.visit("revisit", "/came", 22, fixture.Answer{Body: text(10)})
	c.visit("revisit", "/never", 23, fixture.Answer{Body: "no", Status: 404})
	c.notModified("/bare", 24)
	c.notModified("/weak", 25, etag(`W/"a"`)...)
	c.notModified("/strong", 26, etag(`"a"`)...)
	c.visit("revisit", "/gone", 27, fixture.Answer{Body: "gone", Status: 410})
	c.visit("revisit", "/links", 28, fixture.Answer{Body: text(3) + `<a href="/x"></a>`})
	c.visit("revisit", "/changed", 29, fixture.Answer{Body: text(99)})
	c.visit("revisit", "/comment", 30, fixture.Answer{Body: text(1) + "<!-- 5 ms -->"})
	c.visit("revisit", "/same", 31, fixture.Answer{Body: text(0)})

	set := evidenceOf(t, []string{f.Write(t.TempDir())})
	r, states := makeReport(t, set, "20260301T120000Z")
	const w, a = "coherent witnessed", "coherent asserted"
	for path, want := range map[string][6]string{ // bytes, dom, text, main, near, links
		"/same":    {w, w, w, w, w, w},
		"/comment": {"changed witnessed", w, w, w, w, w},
		"/changed": {"changed witnessed", "changed witnessed", "changed witnessed", "changed witnessed", "changed witnessed", w},
		"/links":   {"links witnessed", "links witnessed", w, w, w, "links witnessed"},
		"/gone":    {"missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed"},
		"/strong":  {a, a, a, a, a, a},
		"/weak":    {"unknown", "unknown", a, a, a, a},
		"/bare":    {"unknown", "unknown", "unknown", "unknown", "unknown", "unknown"},
		"/once":    {"unknown", "unknown", "unknown", "unknown", "unknown", "unknown"},
		"/came":    {"missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed", "missing witnessed"},
		"/picture": {"changed witnessed", "changed witnessed", "changed witnessed", "changed witnessed", "changed witnessed", "changed witnessed"},
		"/last":    {w, w, w, w, w, w},
	} {
		for i, n := range layer.Names() {
			if got := states["http://a.test"+path][n]; got != want[i] {
				t.Errorf("%s on %s is %q, want %q", path, n, got, want[i])
			}
		}
	}
	if _, there := states["http://a.test/never"]; there || r.Absent != 1 || r.Pages != 12 {
		t.Errorf("%d pages, %d absent", r.Pages, r.Absent)
	}
	if !r.Reference.Equal(fixture.At(12)) || !r.Start.Equal(fixture.At(0)) || !r.End.Equal(fixture.At(31)) {
		t.Errorf("frame %v %v %v", r.Start, r.Reference, r.End)
	}
	if r.Rescued[layer.DOM] != 1 || r.Rescued[layer.Text] != 1 {
		t.Errorf("rescued: %v", r.Rescued)
	}
	// On bytes seven pairs can be judged (304 to a weak ETag or to none says nothing), and /last, which
	// was visited at the reference point; five of them differ.
	if q := r.Inducible[layer.Bytes]; q.Known != 8 || q.Conflicts != 5 {
		t.Errorf("inducible: %+v", q)
	}
	if len(r.Worst) == 0 || r.Worst[0].State != report.Lost {
		t.Errorf("worst: %+v", r.Worst)
	}
	var parts int64
	for _, p := range r.MIME {
		parts += p.Pages
	}
	if parts != r.Pages || len(r.Depth) != 1 || r.Depth[0].Name != "1" || len(r.Hosts) != 1 || len(r.Groups) != 1 {
		t.Errorf("breakdowns: %d pages, %+v", parts, r.Depth)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// Groups have reference points of their own: a revisit that comes before the last visit of another group
// still proves its page.
func TestGroups(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	one, two := crawler{f, "one"}, crawler{f, "two"}
	one.visit("visit", "/1", 0, fixture.Answer{Body: text(1)})
	one.visit("revisit", "/1", 2, fixture.Answer{Body: text(1)})
	two.visit("visit", "/2", 5, fixture.Answer{Body: text(2)})
	two.visit("revisit", "/2", 9, fixture.Answer{Body: text(2)})
	r, states := makeReport(t, evidenceOf(t, []string{f.Write(t.TempDir())}), "")
	for _, p := range []string{"/1", "/2"} {
		if got := states["http://a.test"+p][layer.Bytes]; got != "coherent witnessed" {
			t.Errorf("%s is %s", p, got)
		}
	}
	if len(r.Groups) != 2 || !r.Groups[0].Reference.Equal(fixture.At(0)) || !r.Groups[1].Reference.Equal(fixture.At(5)) {
		t.Errorf("groups: %+v", r.Groups)
	}
}

// A page that was visited, asked for twice at once, and revisited was compared once: that foretells nothing but itself.
func TestTwinsAreNoHistory(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	f.Info("one")
	c := crawler{f, "host:a.test"}
	for i := range 5 {
		path := fmt.Sprintf("/%d", i)
		c.visit("visit", path, float64(i), fixture.Answer{Body: text(i)})
		twin := fixture.Answer{URL: "http://a.test" + path, At: fixture.At(float64(i) + 0.2), Body: text(i)}
		f.Metadata(f.Response(twin), twin.URL, twin.At, "hopsFromSeed: LP", "via: "+twin.URL)
		c.visit("revisit", path, float64(60+i), fixture.Answer{Body: text(i)})
	}
	r, _ := makeReport(t, evidenceOf(t, []string{f.Write(t.TempDir())}), "one")
	if r.Pages != 5 || r.Layers[layer.Text].Coherent != 5 || r.Forecast.Pages != 0 {
		t.Errorf("%d pages, %d coherent, rates of %d: %+v", r.Pages, r.Layers[layer.Text].Coherent, r.Forecast.Pages, r.Forecast)
	}
}

// Files of others: the first capture is the visit, the next the revisit; a failed attempt is neither.
func TestForeignCaptures(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	url := "http://a.test/"
	f.Response(fixture.Answer{URL: url, At: fixture.At(0), Status: 503, Body: "busy"})
	f.Response(fixture.Answer{URL: url, At: fixture.At(1), Body: text(1)})
	f.Response(fixture.Answer{URL: url, At: fixture.At(2), Body: text(1)})
	f.Response(fixture.Answer{URL: url, At: fixture.At(3), Body: text(2)})
	r, states := makeReport(t, evidenceOf(t, []string{f.Write(t.TempDir())}), "")
	if got := states[url][layer.Bytes]; got != "coherent witnessed" || r.Revisited != 1 || !r.Reference.Equal(fixture.At(1)) {
		t.Errorf("%s, %+v", got, r)
	}
}

// A single visit is proven by dates that hold what they say, and by none else.
func TestDatesProve(t *testing.T) {
	day := func(n int) string {
		return fixture.Epoch.AddDate(0, 0, -n).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	}
	for _, c := range []struct {
		name    string
		stamp   func(i int) string // of page i
		trusted bool
	}{
		{"honest", day2(day, 1), true},
		{"the time of the answer", func(i int) string { return fixture.At(float64(i)).Format("Mon, 02 Jan 2006 15:04:05 GMT") }, false},
		{"the same for all", func(int) string { return day(30) }, false},
	} {
		f := fixture.New(t, "a.warc.gz")
		for i := range 12 {
			at := fixture.At(float64(i))
			f.Response(fixture.Answer{URL: fmt.Sprintf("http://a.test/%d", i), At: at, Body: text(i), Header: []string{
				"Last-Modified: " + c.stamp(i), "Date: " + at.Format("Mon, 02 Jan 2006 15:04:05 GMT"),
			}})
		}
		r, states := makeReport(t, evidenceOf(t, []string{f.Write(t.TempDir())}), "")
		want := "unknown"
		if c.trusted {
			want = "coherent asserted"
		}
		if got := states["http://a.test/7"][layer.Bytes]; got != want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got, want, r.Dating)
		}
		if c.trusted && (r.Observable.Verdict != coherence.Coherent || r.Measurable.Known != 12 || r.Measurable.Conflicts != 0) {
			t.Errorf("%s: %+v %+v", c.name, r.Observable, r.Measurable)
		}
	}
}

func day2(day func(int) string, from int) func(int) string {
	return func(i int) string { return day(from + i) }
}

// What a collection holds as of an instant, over two crawls.
func TestAsOfAndBest(t *testing.T) {
	one, two := fixture.New(t, "1.warc.gz"), fixture.New(t, "2.warc.gz")
	one.Info("1")
	two.Info("2")
	put := func(f *fixture.File, path string, at float64, body string) {
		f.Response(fixture.Answer{URL: "http://a.test" + path, At: fixture.At(at), Body: body})
	}
	put(one, "/a", 0, text(1))
	put(one, "/a", 10, text(1)) // witnessed [0, 10]
	put(one, "/b", 5, text(2))
	put(two, "/b", 50, text(2)) // inferred [5, 50]
	put(one, "/c", 6, text(3))
	put(two, "/c", 60, text(4))                  // changed: two instants
	put(two, "/b", 58, text(2)+"<!-- noise -->") // witnessed [50, 58] on the text
	dir := t.TempDir()
	set := evidenceOf(t, []string{one.Write(dir), two.Write(dir)})
	o := report.Options{Workers: 2}
	asof := func(at, until float64, on layer.Name, least coherence.Level) string {
		t.Helper()
		var got []string
		h, err := report.AsOf(t.Context(), set, fixture.At(at), fixture.At(until), on, least, o, func(h report.Held) error {
			if h.Record == "" || h.Capture.IsZero() {
				t.Errorf("%s has no record", h.URL)
			}
			got = append(got, strings.TrimPrefix(h.URL, "http://a.test/")+" "+string(h.Level))
			return nil
		})
		if err != nil || h.Pages != 3 || int(h.Held) != len(got) {
			t.Fatalf("%+v %v", h, err)
		}
		return strings.Join(got, ", ")
	}
	for _, c := range []struct {
		at    float64
		on    layer.Name
		least coherence.Level
		want  string
	}{
		{6, layer.Text, coherence.Inferred, "a witnessed, b inferred, c witnessed"},
		{6, layer.Text, coherence.Witnessed, "a witnessed, c witnessed"},
		{30, layer.Text, coherence.Inferred, "b inferred"},
		{55, layer.Text, coherence.Witnessed, "b witnessed"},
		{55, layer.Bytes, coherence.Witnessed, ""},
		{55, layer.Main, coherence.Witnessed, "b witnessed"},
		{100, layer.Text, coherence.Inferred, ""},
	} {
		if got := asof(c.at, c.at, c.on, c.least); got != c.want {
			t.Errorf("as of %v on %s, %s: %q, want %q", c.at, c.on, c.least, got, c.want)
		}
	}
	for _, c := range []struct {
		from, to float64
		least    coherence.Level
		want     string
	}{
		{2, 9, coherence.Witnessed, "a witnessed"},
		{5, 9, coherence.Inferred, "a witnessed, b inferred"},
		{6, 58, coherence.Inferred, "b inferred"}, // two intervals that meet
		{6, 60, coherence.Inferred, ""},           // /c is known at both ends, and changed between them
	} {
		if got := asof(c.from, c.to, layer.Text, c.least); got != c.want {
			t.Errorf("from %v to %v, %s: %q, want %q", c.from, c.to, c.least, got, c.want)
		}
	}
	peaks, pages, err := report.Best(t.Context(), set, layer.Text, coherence.Inferred, 2, o)
	if err != nil || pages != 3 || len(peaks) == 0 || peaks[0].Pages != 3 || !peaks[0].From.Equal(fixture.At(6)) || !peaks[0].To.Equal(fixture.At(6)) {
		t.Errorf("best: %+v of %d, %v", peaks, pages, err)
	}
	if _, err := report.AsOf(t.Context(), set, time.Time{}, time.Time{}, layer.Near, coherence.Inferred, o, nil); err == nil {
		t.Error("near is no equality")
	}
}
