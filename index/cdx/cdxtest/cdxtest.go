// Package cdxtest is the suite that every index of captures passes, and a comparison of two of them by random questions.
package cdxtest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/web/canon"
)

// Build makes an embedded index of lines in a folder.
func Build(t testing.TB, dir string, lines []string) {
	t.Helper()
	b, err := cdx.NewBuilder(dir, cdx.Config{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	_, err = b.AddLines(t.Context(), "made", func(yield func([]byte, error) bool) {
		for _, l := range lines {
			if !yield([]byte(l), nil) {
				return
			}
		}
	})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// library are lines of some pages.
func library() (out []string) {
	add := func(url, at string, status int, more string) {
		out = append(out, fmt.Sprintf(`%s %s {%s"url":%q,"mime":"text/html","status":"%d","digest":"sha1:%s","length":"10","offset":"%d","filename":"a.warc.gz"}`,
			canon.SURT(url), at, more, url, status, at[len(at)-4:], len(out)))
	}
	for _, u := range []string{"http://a.test/", "http://a.test/x", "http://a.test/x/y", "http://a.test/x?q=1", "http://sub.a.test/", "http://b.test/", "http://ab.test/x"} {
		for _, at := range []string{"20190101000000", "20190615120000", "20200301000000"} {
			add(u, at, 200, "")
		}
	}
	for _, within := range []string{"", "1", "25", "9"} {
		more := ""
		if within != "" {
			more = `"within":"` + within + `",`
		}
		add("http://c.test/p", "20200101000000", 200, more)
	}
	add("http://c.test/p", "20200101000010", 404, "")
	add("http://c.test/p", "20191231235950", 301, "")
	add("http://long.test/"+strings.Repeat("x", 20_000)+"1", "20200101000000", 200, "")
	add("http://long.test/"+strings.Repeat("x", 20_000)+"2", "20200101000000", 200, "")
	for i := range 700 {
		add(fmt.Sprintf("http://many.test/%04d", i), "20210101000000", 200, "")
	}
	return out
}

// Run runs the suite. Open makes an index of what an embedded one in a folder has.
func Run(t *testing.T, open func(t *testing.T, dir string) cdx.Captures) {
	dir := t.TempDir()
	list := library()
	Build(t, dir, list)
	ix := open(t, dir)
	if s, err := ix.Stats(); err != nil || s.Lines != int64(len(list)) || s.Content == 0 {
		t.Fatalf("%+v %v", s, err)
	}
	t.Run("queries", func(t *testing.T) { queries(t, ix) })
	t.Run("order", func(t *testing.T) { order(t, ix, list) })
	t.Run("nearest", func(t *testing.T) { nearest(t, ix) })
	t.Run("pages", func(t *testing.T) { pages(t, ix) })
	t.Run("refused", func(t *testing.T) { refused(t, ix) })
}

// Lines are the lines of a sequence.
func Lines(t *testing.T, seq iter.Seq2[cdxj.Record, error]) (out []string) {
	t.Helper()
	for r, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(cdxj.Format{}.Append(nil, &r)))
	}
	return out
}

func queries(t *testing.T, ix cdx.Captures) {
	for _, c := range []struct {
		q    cdx.Query
		want int
	}{
		{cdx.Query{URL: "http://a.test/"}, 3},
		{cdx.Query{URL: "https://www.A.test"}, 3},
		{cdx.Query{URL: "http://a.test/none"}, 0},
		{cdx.Query{URL: "http://a.test/x", Match: canon.MatchPrefix}, 9},
		{cdx.Query{URL: "a.test/x*"}, 9},
		{cdx.Query{URL: "a.test", Match: canon.MatchHost}, 12},
		{cdx.Query{URL: "a.test", Match: canon.MatchDomain}, 15},
		{cdx.Query{URL: "*.a.test"}, 15},
		{cdx.Query{URL: "*.a.test", From: "2019", To: "2019"}, 10},
		{cdx.Query{URL: "http://a.test/", From: "2019"}, 3},
		{cdx.Query{URL: "http://a.test/", From: "201906", To: "20190615120000"}, 1},
		{cdx.Query{URL: "http://a.test/", To: "20190615115959"}, 1},
		{cdx.Query{Key: "test,c)/p"}, 6},
		{cdx.Query{Key: "test,c)/p", From: "20200101000000", To: "20200101000000"}, 4},
		{cdx.Query{Keys: cdx.Range{From: "test,a", To: "test,b"}}, 18},
		{cdx.Query{Keys: cdx.Range{From: "test,many)/0699"}, Limit: 5}, 1},
		{cdx.Query{Key: "test,c)/p", Keep: func(r *cdxj.Record) bool { return r.Status != 200 }}, 2},
		{cdx.Query{Key: "test,c)/p", Limit: 4, Keep: func(r *cdxj.Record) bool { return r.Status == 200 }}, 4},
		{cdx.Query{URL: "http://long.test/" + strings.Repeat("x", 20_000) + "2"}, 1},
		{cdx.Query{URL: "http://long.test/" + strings.Repeat("x", 20_000) + "*"}, 2},
		{cdx.Query{URL: "http://long.test/" + strings.Repeat("x", 20_000) + "3"}, 0},
		{cdx.Query{URL: "many.test/*"}, 700},
	} {
		if got := Lines(t, ix.Query(t.Context(), c.q)); len(got) != c.want {
			t.Errorf("%.200s: %d, want %d", fmt.Sprintf("%+v", c.q), len(got), c.want)
		}
		c.q.Reverse = true
		if got := Lines(t, ix.Query(t.Context(), c.q)); len(got) != c.want && c.q.Limit == 0 {
			t.Errorf("backwards: %.200s: %d, want %d", fmt.Sprintf("%+v", c.q), len(got), c.want)
		}
	}
}

// order walks all lines both ways, and goes on where it was left.
func order(t *testing.T, ix cdx.Captures, list []string) {
	want := slices.Sorted(slices.Values(list))
	got := Lines(t, ix.Query(t.Context(), cdx.Query{}))
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if key, _, _ := strings.Cut(want[i], "{"); !strings.HasPrefix(got[i], key) {
			t.Fatalf("line %d: %.100s, want %.100s", i, got[i], want[i])
		}
	}
	back := Lines(t, ix.Query(t.Context(), cdx.Query{Reverse: true}))
	slices.Reverse(back)
	if !slices.Equal(got, back) {
		t.Error("backwards it is another order")
	}
	after := Lines(t, ix.Query(t.Context(), cdx.Query{After: "test,many)/0100 20210101000000", Before: "test,many)/0103 2021"}))
	if len(after) != 3 || !strings.HasPrefix(after[0], "test,many)/0100 ") {
		t.Errorf("behind a line: %.300q", after)
	}
}

func nearest(t *testing.T, ix cdx.Captures) {
	at := func(s string) time.Time {
		x, err := time.Parse("2006-01-02 15:04:05.999", s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	times := func(q cdx.Query, when time.Time) string {
		var out []string
		for r, err := range ix.Nearest(t.Context(), q, when) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.TrimSuffix(r.Timestamp[8:]+"."+r.Within, "."))
		}
		return strings.Join(out, " ")
	}
	p := cdx.Query{Key: "test,c)/p"}
	for _, c := range []struct {
		q    cdx.Query
		at   string
		want string
	}{
		{p, "2020-01-01 00:00:00", "000000 000000.1 000000.25 000000.9 235950 000010"},
		{p, "2020-01-01 00:00:00.2", "000000.25 000000.1 000000 000000.9 235950 000010"},
		{p, "2020-01-01 00:00:09", "000010 000000.9 000000.25 000000.1 000000 235950"},
		{cdx.Query{Key: "test,c)/p", Limit: 2}, "2020-01-01 00:00:09", "000010 000000.9"},
		{cdx.Query{Key: "test,c)/p", Keep: func(r *cdxj.Record) bool { return r.Status != 200 }}, "2020-01-01 00:00:00", "235950 000010"},
		{cdx.Query{Key: "test,c)/p", From: "20200101000001"}, "2019-01-01 00:00:00", "000010"},
		{cdx.Query{Key: "test,c)/none"}, "2019-01-01 00:00:00", ""},
	} {
		if got := times(c.q, at(c.at)); got != c.want {
			t.Errorf("nearest to %s: %s, want %s", c.at, got, c.want)
		}
	}
}

// pages of any size give all lines, each once, in order.
func pages(t *testing.T, ix cdx.Captures) {
	for _, q := range []cdx.Query{{URL: "many.test/*"}, {URL: "*.a.test"}, {URL: "*.a.test", From: "2020"}, {}, {URL: "http://a.test/none"}} {
		want := Lines(t, ix.Query(t.Context(), q))
		for _, size := range []int64{1, 3, 100} {
			p, err := ix.Pages(q, size)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for n := range p.Pages {
				page, starts, err := ix.Page(q, n, size)
				if err != nil || len(starts) == 0 {
					t.Fatal(n, starts, err)
				}
				got = append(got, Lines(t, ix.Query(t.Context(), page))...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: pages of %d blocks give %d lines, want %d", q, size, len(got), len(want))
			}
			if _, _, err := ix.Page(q, p.Pages, size); err == nil {
				t.Error("a page behind the last")
			}
		}
	}
	if p, err := ix.Pages(cdx.Query{URL: "many.test/*"}, 1); err != nil || p.Blocks < 3 {
		t.Errorf("700 lines in %+v, %v", p, err)
	}
}

func refused(t *testing.T, ix cdx.Captures) {
	for _, q := range []cdx.Query{{URL: "http://a.test/", From: "yesterday"}, {URL: "http://a.test/", Match: "nearly"}} {
		for r, err := range ix.Query(t.Context(), q) {
			if err == nil {
				t.Errorf("%+v was answered: %+v", q, r)
			}
			break
		}
	}
	for r, err := range ix.Nearest(t.Context(), cdx.Query{URL: "a.test/*"}, time.Now()) {
		if err == nil {
			t.Errorf("the nearest of many pages: %+v", r)
		}
	}
}

// Random is a question made up of some lines: keys, prefixes, hosts, domains, ranges, times, directions, limits.
func Random(rng *rand.Rand, lines []cdxj.Record) cdx.Query {
	r := lines[rng.IntN(len(lines))]
	var q cdx.Query
	switch rng.IntN(7) {
	case 0, 1:
		q.URL = r.URL
	case 2:
		q.Key = r.Key
	case 3:
		q.URL, q.Match = r.URL, canon.MatchHost
	case 4:
		q.URL, q.Match = r.URL, canon.MatchDomain
	case 5:
		q.URL, q.Match = r.URL[:len(r.URL)-rng.IntN(min(4, len(r.URL)-8))], canon.MatchPrefix
	case 6:
		o := lines[rng.IntN(len(lines))]
		q.Keys = cdx.Range{From: min(r.Key, o.Key), To: max(r.Key, o.Key)}
	}
	if rng.IntN(3) == 0 {
		q.From = lines[rng.IntN(len(lines))].Timestamp[:4+2*rng.IntN(6)]
	}
	if rng.IntN(3) == 0 {
		q.To = lines[rng.IntN(len(lines))].Timestamp[:4+2*rng.IntN(6)]
	}
	if rng.IntN(6) == 0 {
		o := lines[rng.IntN(len(lines))]
		q.After = o.Key + " " + o.Timestamp
	}
	if rng.IntN(6) == 0 {
		status := r.Status
		q.Keep = func(r *cdxj.Record) bool { return r.Status == status }
	}
	q.Reverse = rng.IntN(4) == 0
	q.Limit = []int64{0, 1, 10, 1000}[rng.IntN(4)]
	return q
}

// Compared is what Compare saw.
type Compared struct {
	Queries, Found, Equal int // questions, those that found something, those of which answers were equal
	A, B                  time.Duration
}

// Compare asks two indexes n random questions, every fourth for the captures nearest to an instant. Answers must be equal, line for line.
func Compare(t *testing.T, seed uint64, n int, a, b cdx.Captures) (out Compared) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	var lines []cdxj.Record
	for r, err := range a.Query(t.Context(), cdx.Query{}) {
		if err == nil {
			lines = append(lines, r)
		}
	}
	if len(lines) == 0 {
		t.Fatal("there is nothing to ask for")
	}
	for i := range n {
		q := Random(rng, lines)
		at, err := lines[rng.IntN(len(lines))].Time()
		if err != nil {
			at = time.Unix(1e9, 0)
		}
		at = at.Add(time.Duration(rng.IntN(3)-1) * 1500 * time.Millisecond)
		ask := func(ix cdx.Captures) ([]string, error) {
			if i%4 == 3 {
				q.Key, q.URL, q.Keys, q.Reverse = lines[i%len(lines)].Key, "", cdx.Range{}, false
				return collect(ix.Nearest(t.Context(), q, at))
			}
			return collect(ix.Query(t.Context(), q))
		}
		began := time.Now()
		want, err := ask(a)
		out.A += time.Since(began)
		began = time.Now()
		got, other := ask(b)
		out.B += time.Since(began)
		out.Queries++
		if len(want) > 0 {
			out.Found++
		}
		if !slices.Equal(want, got) || (err == nil) != (other == nil) {
			t.Errorf("seed %d, question %d %+v: %d lines, %v, and %d lines, %v", seed, i, q, len(want), err, len(got), other)
			continue
		}
		out.Equal++
	}
	return out
}

// collect gathers lines until an error.
func collect(seq iter.Seq2[cdxj.Record, error]) (out []string, err error) {
	for r, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, string(cdxj.Format{}.Append(nil, &r)))
	}
	return out, nil
}
