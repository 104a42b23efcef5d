package cdx

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// randomLines makes lines of a few hosts and pages, with captures in the same second.
func randomLines(rng *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		url := fmt.Sprintf("http://%s.example/%d", []string{"a", "b", "www.c"}[rng.IntN(3)], rng.IntN(12))
		at := time.Date(2020, 1, 1, 0, 0, rng.IntN(4), 0, time.UTC).AddDate(0, rng.IntN(30), 0)
		r := cdxj.Record{
			Key: canon.SURT(url), Timestamp: cdxj.Timestamp(at), URL: url, MIME: "text/html", Status: 200,
			Digest: fmt.Sprint(rng.IntN(5)), Filename: fmt.Sprintf("f%d.warc.gz", rng.IntN(4)), Offset: int64(i), Length: 10,
		}
		out[i] = string(cdxj.Format{}.Append(nil, &r))
	}
	return out
}

func seq(lines []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, l := range lines {
			if !yield([]byte(l), nil) {
				return
			}
		}
	}
}

// builder opens a builder in memory; runs of the sort go to a temporary folder.
func builder(t testing.TB, fsys vfs.FS, cfg Config) *Builder {
	t.Helper()
	cfg.FS, cfg.SortDir = fsys, t.TempDir()
	b, err := NewBuilder("ix", cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func addLines(t testing.TB, b *Builder, name string, lines []string) {
	t.Helper()
	if _, err := b.AddLines(t.Context(), name, seq(lines)); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, fsys vfs.FS) *Index {
	t.Helper()
	ix, err := OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func gather(t testing.TB, s iter.Seq2[cdxj.Record, error]) (out []string) {
	t.Helper()
	for r, err := range s {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(cdxj.Format{}.Append(nil, &r)))
	}
	return out
}

// brute answers a query from all lines.
func brute(lines []string, q Query) (out []string) {
	from, to := "", ""
	if q.URL != "" {
		from, to, _ = canon.Range(q.Match, q.URL)
	}
	low, up := "", "9"
	if q.From != "" {
		low, _ = cdxj.EarliestTimestamp(q.From)
	}
	if q.To != "" {
		up, _ = cdxj.LatestTimestamp(q.To)
	}
	for _, l := range lines {
		r, _ := cdxj.Parse(l)
		if r.Key >= from && (to == "" || r.Key < to) && r.Timestamp >= low && r.Timestamp <= up && l >= q.After && (q.Keep == nil || q.Keep(&r)) {
			out = append(out, l)
		}
	}
	if q.Reverse {
		slices.Reverse(out)
	}
	if q.Limit > 0 && int64(len(out)) > q.Limit {
		out = out[:q.Limit]
	}
	return out
}

// severalRuns makes an index of some runs and gives all of its lines, sorted, each once.
func severalRuns(t testing.TB, rng *rand.Rand, fsys vfs.FS) []string {
	b := builder(t, fsys, Config{NoMerge: true})
	defer b.Close()
	var all []string
	for i := range 1 + rng.IntN(5) {
		lines := randomLines(rng, rng.IntN(400))
		if len(all) > 3 {
			lines = append(lines, all[1], all[2]) // the same line in two runs
		}
		addLines(t, b, fmt.Sprint("run", i), lines)
		all = append(all, lines...)
		sort.Strings(all)
		all = slices.Compact(all)
	}
	return all
}

func TestQueryAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pick := func(s ...string) string { return s[rng.IntN(len(s))] }
	for range 10 {
		fsys := vfs.NewMem()
		all := severalRuns(t, rng, fsys)
		ix := open(t, fsys)
		for range 40 {
			q := Query{
				URL:   pick("", "http://a.example/3", "https://WWW.b.example/7/", "c.example/1*", "*.example", "http://c.example/"),
				Match: canon.Match(pick("", "", "exact", "prefix", "host", "domain")),
				From:  pick("", "2020", "202103", "20200601000001"), To: pick("", "", "2021", "202010"),
				Reverse: rng.IntN(2) == 0, Limit: int64(rng.IntN(3) * rng.IntN(9)),
			}
			if q.URL == "" || q.URL[0] == '*' || q.URL[len(q.URL)-1] == '*' {
				q.Match = ""
			}
			if rng.IntN(3) == 0 {
				q.Keep = func(r *cdxj.Record) bool { return r.Digest == "1" }
			}
			if rng.IntN(4) == 0 && len(all) > 0 {
				q.After = all[rng.IntN(len(all))]
			}
			got, want := gather(t, ix.Query(t.Context(), q)), brute(all, q)
			if !slices.Equal(got, want) {
				t.Fatalf("%+v: %d lines, want %d", q, len(got), len(want))
			}
		}
	}
}

func TestNearestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 10 {
		fsys := vfs.NewMem()
		all := severalRuns(t, rng, fsys)
		ix := open(t, fsys)
		for range 20 {
			q := Query{URL: fmt.Sprintf("http://a.example/%d", rng.IntN(14))}
			at := time.Date(2019, 6, 1, 0, 0, rng.IntN(4), 0, time.UTC).AddDate(0, rng.IntN(48), rng.IntN(2))
			want := brute(all, q)
			distance := func(l string) time.Duration {
				r, _ := cdxj.Parse(l)
				when, _ := r.Time()
				return when.Sub(at).Abs()
			}
			got := gather(t, ix.Nearest(t.Context(), q, at))
			if !slices.IsSortedFunc(got, func(a, b string) int { return int(distance(a) - distance(b)) }) {
				t.Fatalf("not by distance from %s: %v", at, got)
			}
			first, ok, err := ix.Closest(t.Context(), q, at)
			if err != nil || ok != (len(want) > 0) || ok && distance(string(cdxj.Format{}.Append(nil, &first))) != distance(got[0]) {
				t.Fatal(first, ok, err)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %d captures, want %d", q.URL, len(got), len(want))
			}
		}
	}
}

// The order must not depend on how lines are spread over runs.
func TestNearestIsTheSameForOneRunAndMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	many, one := vfs.NewMem(), vfs.NewMem()
	all := severalRuns(t, rng, many)
	b := builder(t, one, Config{})
	addLines(t, b, "all", all)
	b.Close()
	x, y := open(t, many), open(t, one)
	for i := range 12 {
		q := Query{URL: fmt.Sprintf("http://b.example/%d", i)}
		at := time.Date(2021, 2, 1, 0, 0, 0, 0, time.UTC)
		if g, w := gather(t, x.Nearest(t.Context(), q, at)), gather(t, y.Nearest(t.Context(), q, at)); !slices.Equal(g, w) {
			t.Fatalf("%v\n%v", g, w)
		}
	}
}

func TestClosestReadsTwoBlocksAtMost(t *testing.T) {
	fsys := vfs.NewMem()
	b := builder(t, fsys, Config{})
	var lines []string
	for i := range 4000 {
		lines = append(lines, fmt.Sprintf("com,example)/%04d 20200101000000 {}", i/7), fmt.Sprintf("com,example)/%04d 2021010100%02d00 {\"n\": %d}", i/7, i%7, i))
	}
	addLines(t, b, "x", lines)
	b.Close()
	ix := open(t, fsys)
	reads := func() int64 { s, _ := ix.Stats(); return s.Reads }
	for i := range 4000 / 7 {
		for _, at := range []time.Time{{}, time.Date(2020, 9, 1, 0, 0, 0, 0, time.UTC), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)} {
			before := reads()
			_, ok, err := ix.Closest(context.Background(), Query{Key: fmt.Sprintf("com,example)/%04d", i)}, at)
			if !ok || err != nil || reads()-before > 2 {
				t.Fatalf("%d at %s: %v, %v, %d blocks", i, at, ok, err, reads()-before)
			}
		}
	}
	before := reads()
	if _, ok, err := ix.Closest(context.Background(), Query{Key: "com,example)/0100x"}, time.Time{}); ok || err != nil || reads()-before > 1 {
		t.Fatal(ok, err, reads()-before)
	}
}

func TestQueryRefusesNonsense(t *testing.T) {
	ix := open(t, vfs.NewMem())
	for _, q := range []Query{{URL: "http://a/", Match: "sideways"}, {URL: "a", From: "yesterday"}, {URL: "a", To: "20209999"}} {
		n := 0
		for _, err := range ix.Query(t.Context(), q) {
			if n++; err == nil {
				t.Errorf("%+v: no error", q)
			}
		}
		if n != 1 {
			t.Errorf("%+v: %d answers", q, n)
		}
	}
	if _, _, err := ix.Closest(t.Context(), Query{URL: "*.example"}, time.Time{}); err == nil {
		t.Error("the nearest of a domain was asked for")
	}
}
