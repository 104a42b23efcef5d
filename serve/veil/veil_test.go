package veil

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"varve"
	"varve/archive/scan"
	"varve/serve/access"
)

var now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// over gives the veil of a viewer under rules.
func over(t *testing.T, rules ...access.Rule) *Veil {
	t.Helper()
	d := access.OpenDecisions(t.TempDir(), nil)
	for _, r := range rules {
		r.Reason = "test"
		if _, err := d.Add(r, "test", access.Admin, now); err != nil {
			t.Fatal(err)
		}
	}
	v, err := Of(access.With(context.Background(), access.Visitor{Role: access.Viewer}), nil, d, nil, "c", now)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type page struct {
	URL, Title string
	At         time.Time
}

type inner struct{ Via string }

type report struct {
	Started, Ended time.Time
	Why            string
	Seeds          map[string]int
	Pages          []page
	Hosts          []struct{ Host string }
	Last           *page
	TOML           string
	Any            any
	*inner
	hidden string
}

func TestVeil(t *testing.T) {
	v := over(t, access.Rule{Prefix: "http://a.example/secret/", Level: access.Curators}, access.Rule{Prefix: "b.example", Level: access.Curators})
	const open, bad = "http://a.example/open", "http://a.example/secret/x"
	in := &report{
		Why: "it stopped at " + bad, Seeds: map[string]int{open: 1, bad: 2, "https://www.A.example/secret/": 3},
		Pages: []page{{open, "open", now}, {bad, "hush", now}, {"example,a)/secret/y", "hush", now}, {"/page?url=http%3A%2F%2Fa.example%2Fsecret%2Fz", "hush", now}},
		Hosts: []struct{ Host string }{{"a.example"}, {"b.example:8080"}, {"www.b.example"}, {"host:b.example"}}, Last: &page{URL: bad, Title: "hush"},
		TOML: "seeds = [\n  \"" + open + "\",\n  \"" + bad + "\",\n]", Any: []any{open, bad, map[string]any{"url": bad, "title": "hush"}}, inner: &inner{Via: bad}, hidden: "x",
	}
	got := v.Answer(in).(*report)
	want := &report{
		Seeds: map[string]int{open: 1}, Pages: []page{{open, "open", now}}, Hosts: []struct{ Host string }{{"a.example"}}, TOML: "seeds = [\n  \"" + open + "\",\n]", Any: []any{open}, inner: &inner{}, hidden: "x",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if len(in.Pages) != 4 || in.Seeds[bad] != 2 || in.Last == nil {
		t.Error("what the door holds was changed")
	}
	if got := v.Answer(struct{ URL string }{bad}, bad).(struct{ URL string }); got.URL != bad {
		t.Error("what the visitor said does not come back")
	}
	if got := v.Answer([]page{{URL: bad}}, bad).([]page); len(got) != 0 {
		t.Error("what the visitor said opens what is told of it")
	}
	if s := v.Text("read "+bad+": no such record", bad); s != "read "+bad+": no such record" {
		t.Errorf("an error about what was asked for: %q", s)
	}
	if s := v.Text("read " + bad + ": no such record"); s != "" {
		t.Errorf("an error about something else: %q", s)
	}
	same := report{Seeds: map[string]int{open: 1}}
	if got := v.Answer(&same); got != &same {
		t.Error("an answer without anything withheld was copied")
	}
	var none *Veil
	if got := none.Answer(in); got != in || none.Text(bad) != bad {
		t.Error("a veil over nothing hides something")
	}
	if _, ok := v.Event([]byte(`{"time":"2026-11-15T11:00:00Z","event":"failed","url":"` + bad + `"}`)); ok {
		t.Error("an event was told")
	}
	if out, ok := v.Event([]byte(`{"event":"scope","now":{"rules":["` + bad + `","x"]}}`)); !ok || string(out) != `{"event":"scope","now":{"rules":["x"]}}` {
		t.Errorf("%s %v", out, ok)
	}
	if _, ok := v.Event([]byte(`{"event":"parked","host":"b.example"}`)); ok {
		t.Error("an event about a host was told")
	}
}

// Which captures an address stands for is told by the times beside it.
func TestVeilInTime(t *testing.T) {
	day := 24 * time.Hour
	span := access.Rule{From: now.Add(-20 * day), To: now.Add(-10 * day), Level: access.Curators}
	const u = "http://a.example/"
	pages := func(v *Veil, at ...time.Time) (n int) {
		var list []page
		for _, t := range at {
			list = append(list, page{URL: u, At: t})
		}
		return len(v.Answer(list).([]page))
	}
	v := over(t, span)
	if n := pages(v, now.Add(-30*day), now.Add(-15*day), now.Add(-5*day), time.Time{}); n != 3 {
		t.Errorf("%d of 3 pages outside of the time, or of any", n)
	}
	crawl := func(from, to time.Time) int {
		return len(v.Answer(report{Started: from, Ended: to, Seeds: map[string]int{u: 1}}).(report).Seeds)
	}
	if crawl(now.Add(-30*day), now.Add(-25*day)) != 1 || crawl(now.Add(-30*day), now.Add(-5*day)) != 0 || crawl(now.Add(-12*day), time.Time{}) != 0 {
		t.Error("a crawl tells of a time that is withheld, or not of one that is open")
	}
	if e := over(t, access.Rule{Embargo: 10}); pages(e, now.Add(-5*day), now.Add(-15*day)) != 1 {
		t.Error("an embargo")
	}
}

// What a veil costs on a long answer, with rules and without, beside writing the answer as JSON.
func BenchmarkVeil(b *testing.B) {
	d := access.OpenDecisions(b.TempDir(), nil)
	if _, err := d.Add(access.Rule{Prefix: "b.example", Level: access.Blocked, Reason: "x"}, "x", access.Admin, now); err != nil {
		b.Fatal(err)
	}
	paths := PathsOf("/srv/some/archive")
	rules, err := Of(access.With(context.Background(), access.Visitor{Role: access.Viewer}), paths, d, nil, "c", now)
	if err != nil {
		b.Fatal(err)
	}
	list := make([]page, 1000)
	for i := range list {
		list[i] = page{URL: "http://a.example/some/longer/path/of/a/page", Title: "title", At: now}
	}
	captures := make([]varve.Capture, 1000)
	for i := range captures {
		captures[i] = varve.Capture{URL: "http://a.example/some/longer/path/of/a/page", Time: now, Status: 200, MIME: "text/html", Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Location: varve.Location{File: "news-20260101000000-00000.warc.gz", Offset: 12345678, Length: 4321}}
	}
	cpu := func(b *testing.B, f func()) { // a busy machine tells nothing by its clock
		b.ReportAllocs()
		took := scan.CPUTime(func() {
			for b.Loop() {
				f()
			}
		})
		b.ReportMetric(float64(took.Microseconds())/float64(b.N), "cpu-µs/op")
	}
	for name, x := range map[string]any{"pages": list, "captures": captures} {
		b.Run(name+"/without rules", func(b *testing.B) {
			cpu(b, func() { (&Veil{paths: paths}).Answer(x) })
		})
		b.Run(name+"/with rules", func(b *testing.B) {
			cpu(b, func() { rules.Answer(x) })
		})
		b.Run(name+"/JSON of it", func(b *testing.B) {
			cpu(b, func() {
				if _, err := json.Marshal(x); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
