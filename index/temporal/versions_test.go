package temporal

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// captures reads a tiny language: one capture a line, "day status digest [word=value ...]". The
// address is http://example.com/p unless url= says otherwise; crawl=N is the number of the crawl.
func captures(t testing.TB, text string) iter.Seq2[cdxj.Record, error] {
	t.Helper()
	return func(yield func(cdxj.Record, error) bool) {
		for line := range strings.Lines(text) {
			w := strings.Fields(line)
			if len(w) < 3 {
				continue
			}
			var day, status int
			fmt.Sscan(w[0], &day)
			fmt.Sscan(w[1], &status)
			r := cdxj.Record{URL: "http://example.com/p", Status: status, Digest: w[2], MIME: "text/html", Filename: "x.warc.gz"}
			at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, day)
			for _, extra := range w[3:] {
				name, value, _ := strings.Cut(extra, "=")
				switch name {
				case "url":
					r.URL = value
				case "crawl":
					r.Filename = "crawl" + value
				case "modified":
					var d int
					fmt.Sscan(value, &d)
					r.Set("modified", cdxj.Timestamp(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, d)))
				default:
					r.Set(name, value)
				}
			}
			r.Key, r.Timestamp = canon.SURT(r.URL), cdxj.Timestamp(at)
			if !yield(r, nil) {
				return
			}
		}
	}
}

func crawlOf(file string) string {
	if strings.HasPrefix(file, "crawl") {
		return file
	}
	return ""
}

// days writes a span in days; a second is "+".
func days(s Span) string {
	day := func(v uint32) string {
		if v == Forever {
			return "∞"
		}
		n := int64(v) - time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		if n%86400 == 0 {
			return fmt.Sprint(n / 86400)
		}
		return fmt.Sprintf("%d+%d", n/86400, n%86400)
	}
	return "[" + day(s.From) + "," + day(s.To) + ")"
}

func fold(t testing.TB, in iter.Seq2[cdxj.Record, error]) string {
	t.Helper()
	var out []string
	j := &judge{out: func(v *Version) error {
		s := fmt.Sprintf("%s x%d nominal %s inferred %s", v.Digest, v.Captures, days(v.Nominal()), days(v.Inferred()))
		for _, w := range v.Witnessed {
			s += " witnessed " + days(w)
		}
		for _, a := range v.Asserted {
			s += " asserted " + days(a)
		}
		out = append(out, s)
		return nil
	}}
	f := &folder{crawl: crawlOf, emit: j.add}
	for r, err := range in {
		if err != nil {
			t.Fatal(err)
		}
		if err := f.add(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.flush(Forever); err != nil {
		t.Fatal(err)
	}
	if err := j.flush(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func TestVersionsOfCaptures(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"one capture", "1 200 A", "A x1 nominal [1,∞) inferred [1,1+1) witnessed [1,1+1)"},
		{
			"two versions", "1 200 A\n5 200 A\n9 200 B",
			"A x2 nominal [1,9) inferred [1,5+1) witnessed [1,1+1) witnessed [5,5+1)\nB x1 nominal [9,∞) inferred [9,9+1) witnessed [9,9+1)",
		},
		{"not found closes", "1 200 A\n4 404 X", "A x1 nominal [1,4) inferred [1,1+1) witnessed [1,1+1)"},
		{"gone closes, and it may come again", "1 200 A\n4 410 X\n6 200 A", "A x1 nominal [1,4) inferred [1,1+1) witnessed [1,1+1)\nA x1 nominal [6,∞) inferred [6,6+1) witnessed [6,6+1)"},
		{"an error of the server says nothing", "1 200 A\n2 500 E\n3 403 F\n4 200 A", "A x2 nominal [1,∞) inferred [1,4+1) witnessed [1,1+1) witnessed [4,4+1)"},
		{"content that comes back is a version again", "1 200 A\n2 200 B\n3 200 A", "A x1 nominal [1,2) inferred [1,1+1) witnessed [1,1+1)\nB x1 nominal [2,3) inferred [2,2+1) witnessed [2,2+1)\nA x1 nominal [3,∞) inferred [3,3+1) witnessed [3,3+1)"},
		{"seen twice in one crawl", "1 200 A crawl=1\n2 200 A crawl=1\n7 200 A crawl=2", "A x3 nominal [1,∞) inferred [1,7+1) witnessed [1,2+1) witnessed [7,7+1)"},
		{"304 to a strong tag", "1 200 A\n5 304 - notModified=strong", "A x2 nominal [1,∞) inferred [1,5+1) witnessed [1,1+1) witnessed [5,5+1) asserted [1,5+1)"},
		{"304 to a weak tag", "1 200 A\n5 304 - notModified=weak", "A x2 nominal [1,∞) inferred [1,5+1) witnessed [1,1+1)"},
		{"304 to nothing", "1 304 - notModified=strong", ""},
		{"a date", "5 200 A modified=2", "A x1 nominal [5,∞) inferred [5,5+1) witnessed [5,5+1) asserted [2,5+1)"},
		{"a date before another version", "3 200 B\n5 200 A modified=2", "B x1 nominal [3,5) inferred [3,3+1) witnessed [3,3+1)\nA x1 nominal [5,∞) inferred [5,5+1) witnessed [5,5+1)"},
		{"a date that moves alone", "3 200 A modified=1\n5 200 A modified=4", "A x2 nominal [3,∞) inferred [3,5+1) witnessed [3,3+1) witnessed [5,5+1)"},
		{"a date that stays", "3 200 A modified=1\n5 200 A modified=1", "A x2 nominal [3,∞) inferred [3,5+1) witnessed [3,3+1) witnessed [5,5+1) asserted [1,5+1)"},
		{"to itself", "1 301 R redirect=https://www.example.com/p\n1 200 A\n3 301 R redirect=https://example.com/p", "A x1 nominal [1,∞) inferred [1,1+1) witnessed [1,1+1)"},
		{"elsewhere", "1 200 A\n3 301 R redirect=https://example.com/q", "A x1 nominal [1,3) inferred [1,1+1) witnessed [1,1+1)\nredirect:https://example.com/q x1 nominal [3,∞) inferred [3,3+1) witnessed [3,3+1)"},
		{"two in one second", "1 200 A\n1 200 B", "A x1 nominal [1,1+1) inferred [1,1+1) witnessed [1,1+1)\nB x1 nominal [1,∞) inferred [1,1+1) witnessed [1,1+1)"},
		{"no digest", "1 200 -", ""},
		{"http and https are one page", "1 200 A url=http://example.com/p\n2 200 A url=https://www.example.com/P", "A x2 nominal [1,∞) inferred [1,2+1) witnessed [1,1+1) witnessed [2,2+1)"},
	} {
		if got := fold(t, captures(t, c.in)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A host that tells one date for most pages is not believed; one that tells its own is.
func TestDatesThatMostPagesShare(t *testing.T) {
	var in strings.Builder
	for i := range 10 {
		date := 2
		if i == 9 {
			date = 3
		}
		fmt.Fprintf(&in, "5 200 A%d modified=%d url=http://a.example/%d\n", i, date, i)
	}
	for i := range 10 {
		fmt.Fprintf(&in, "20 200 B%d modified=%d url=http://b.example/%d\n", i, i+1, i)
	}
	got := fold(t, captures(t, in.String()))
	if a := strings.Count(got, "asserted"); a != 10 || strings.Contains(got, "A9 x1 nominal [5,∞) inferred [5,5+1) witnessed [5,5+1) asserted") {
		t.Errorf("%d dates believed:\n%s", a, got)
	}
}

func buildIndex(t testing.TB, text string) *Index {
	t.Helper()
	dir := t.TempDir()
	if _, err := Build(context.Background(), dir, captures(t, text), Config{Source: 7, Crawl: crawlOf}); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func day(n int) time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

func answers(t testing.TB, ix *Index, q Query) string {
	t.Helper()
	var out []string
	for r, err := range ix.Search(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		s := r.Version.Digest
		if r.Evidence != "" {
			s += ":" + string(r.Evidence)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

const story = `1 200 A1 url=http://a.example/ crawl=1
2 200 A1 url=http://a.example/ crawl=1
9 200 A2 url=http://a.example/
3 200 X1 url=http://a.example/x
6 404 no url=http://a.example/x
5 200 B1 url=http://b.example/ modified=4
8 304 -  url=http://b.example/ notModified=strong
5 200 S1 url=http://sub.b.example/`

func TestQuestions(t *testing.T) {
	ix := buildIndex(t, story)
	if s := ix.Stats(); s.Versions != 5 || s.Pages != 4 || s.Source != 7 {
		t.Errorf("stats %+v", s)
	}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{At: day(0)}, ""},
		{Query{At: day(5)}, "A1 X1 B1 S1"},
		{Query{At: day(6)}, "A1 B1 S1"},
		{Query{At: day(100)}, "A2 B1 S1"},
		{Query{At: day(5), URL: "*.b.example"}, "B1 S1"},
		{Query{At: day(5), URL: "a.example/x"}, "X1"},
		{Query{At: day(5), URL: "a.example", Match: canon.MatchHost}, "A1 X1"},
		{Query{At: day(5), Limit: 2}, "A1 X1"},
		{Query{At: day(5), Start: 2}, "X1 B1 S1"},
		{Query{At: day(5), Validity: Inferred}, "B1 S1"},
		{Query{At: day(2), Validity: Inferred}, "A1"},
		{Query{At: day(2).Add(-time.Hour), Validity: Proven}, "A1:witnessed"},
		{Query{At: day(7), Validity: Proven}, "B1:asserted"},
		{Query{At: day(5), Validity: Proven}, "B1:asserted B1:witnessed S1:witnessed"},
		{Query{Relation: Inside, From: day(1), To: day(9)}, "A1 X1"},
		{Query{Relation: Inside, From: day(2), To: day(9)}, "X1"},
		{Query{Relation: Contains, From: day(4), To: day(8)}, "A1"},
		{Query{Relation: Contains, From: day(10), To: day(20)}, "A2 B1 S1"},
		{Query{Relation: Intersects, From: day(6), To: day(9)}, "A1 B1 S1"},
		{Query{Relation: Intersects, From: day(6), To: day(10)}, "A1 A2 B1 S1"},
		{Query{At: day(5), Keep: func(r *Result) bool { return r.Version.Captures == 1 }, Limit: 1}, "X1"},
	} {
		if got := answers(t, ix, c.q); got != c.want {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
	for _, q := range []Query{{}, {Validity: "sure", At: day(1)}, {Relation: "beside", From: day(1), To: day(2)}, {Relation: Inside, From: day(2), To: day(2)}, {At: day(1), URL: "x", Match: "odd"}} {
		if _, err := ix.Count(q); err == nil {
			t.Errorf("%+v was answered", q)
		}
	}
}
