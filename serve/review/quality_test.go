package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/serve/review"
)

// logLine makes a line of crawl.log.
func logLine(status int, url, hops, via, note string) string {
	return fmt.Sprintf("2026-11-15T06:22:44.341Z %5d        155 %s %s %s text/plain; a #000 20261115062244341+0 sha1:R6XJ - %s\n", status, url, hops, via, note)
}

const page = "http://a.example/"

func judge(t *testing.T, events string, lines ...string) *review.Quality {
	t.Helper()
	q, err := review.Judge(t.Context(), strings.NewReader(strings.Join(lines, "")), strings.NewReader(events))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func groups(q *review.Quality) string {
	var out []string
	for _, g := range q.Groups {
		embed := ""
		if g.Embed {
			embed = "embed "
		}
		out = append(out, fmt.Sprintf("%s%s %s %s x%d", embed, g.Kind, g.Host, g.Why, g.Count))
	}
	return strings.Join(out, ", ")
}

func TestDefects(t *testing.T) {
	for name, c := range map[string]struct {
		line, want string
		again      bool
	}{
		"fine":             {line: logLine(200, page, "-", "-", "-")},
		"held already":     {line: logLine(200, page, "-", "-", "duplicate")},
		"second look":      {line: logLine(404, page, "-", "-", "revisit")},
		"redirect":         {line: logLine(301, page, "-", "-", "-")},
		"guess":            {line: logLine(404, page+"x", "LX", page, "-")},
		"no robots.txt":    {line: logLine(404, page+"robots.txt", "P", page, "-")},
		"no connection":    {logLine(-2, page, "-", "-", "connect"), "failed a.example connect x1", true},
		"cut":              {logLine(200, page+"a", "L", page, "too-large"), "truncated a.example too-large x1", true},
		"server error":     {logLine(503, page+"a", "L", page, "-"), "error a.example status 503 x1", true},
		"gone":             {logLine(404, page+"a", "L", page, "-"), "not found a.example status 404 x1", false},
		"picture gone":     {logLine(404, page+"a.png", "LE", page, "-"), "embed not found a.example status 404 x1", false},
		"moved picture":    {logLine(404, page+"a.png", "LERR", page, "-"), "embed not found a.example status 404 x1", false},
		"robots":           {logLine(-9998, page+"a", "L", page, `"robots.txt: Disallow: /a - b"`), "robots.txt a.example Disallow: /a - b x1", false},
		"budget":           {logLine(-5000, page+"a", "L", page, `"budget of the host: 10"`), "refused a.example budget of the host x1", false},
		"unreadable":       {line: "nonsense\n"},
		"torn":             {line: logLine(-2, page, "-", "-", "connect")[:60]},
		"another protocol": {logLine(-5, "ftp://a.example/", "L", page, "-"), "failed a.example  x1", false},
	} {
		q := judge(t, "", c.line)
		if got := groups(q); got != c.want || len(q.Recrawl()) > 0 != c.again {
			t.Errorf("%s: %s, again %v", name, got, q.Recrawl())
		}
	}
}

// An address counts by its last visit.
func TestLastVisitCounts(t *testing.T) {
	q := judge(t, "",
		logLine(-4, page+"a", "L", page, "timeout-idle"), logLine(-4, page+"b", "L", page, "timeout-idle"),
		logLine(-4, page+"a", "L", page, "timeout-idle"), logLine(200, page+"b", "L", page, "-"))
	if q.Visits != 4 || q.Defects != 1 || q.Groups[0].Examples[0].Tries != 2 {
		t.Errorf("%+v", q)
	}
	if got := q.Recrawl(); !slices.Equal(got, []string{page + "a"}) {
		t.Errorf("%v", got)
	}
}

func TestWorstFirst(t *testing.T) {
	events := `{"event":"soft-404","url":"http://a.example/soft","why":"like a probe"}
{"event":"suspicion","url":"http://a.example/cal/1","kind":"calendar","why":"x"}
{"event":"suspicion","url":"http://a.example/e1.css","kind":"deep","why":"x"}
{"event":"started","why":"\"suspicion\""}
{"event":"suspicion" torn
`
	q := judge(t, events,
		logLine(404, page+"e1.css", "E", page, "-"), logLine(404, page+"e2.css", "E", page, "-"), logLine(404, page+"e3.css", "E", page+"p", "-"),
		logLine(-1, "http://b.example/", "L", page, "dns-no-name"), logLine(404, page+"old", "L", page, "-"))
	const want = "embed not found a.example status 404 x3, failed b.example dns-no-name x1, soft 404 a.example  x1, not found a.example status 404 x1, trap a.example calendar x1"
	if got := groups(q); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(q.Pages) != 2 || q.Pages[0] != (review.Incomplete{URL: page, Parts: 2}) || q.BadLines != 1 {
		t.Errorf("%+v, %d bad lines", q.Pages, q.BadLines)
	}
}

func TestJudgeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := review.Judge(ctx, strings.NewReader(logLine(200, page, "-", "-", "-")), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	q, err := review.Judge(t.Context(), strings.NewReader(logLine(200, page, "-", "-", "-")+strings.Repeat("x", 2<<20)), nil)
	if err != nil || !q.Partial || q.Visits != 1 {
		t.Errorf("a line without an end: %+v, %v", q, err)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add(logLine(200, page, "LE", page, "-"))
	f.Add(logLine(-9998, page, "-", "-", `"robots.txt: x"`))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := review.ParseLine(text)
		if err == nil && (l.URL == "" || strings.ContainsAny(l.URL, " ") || l.Time.IsZero() && !strings.HasPrefix(strings.TrimLeft(text, " "), "0001-")) {
			t.Errorf("%q: %+v", text, l)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	var log strings.Builder
	for i := range 100_000 {
		status := 200
		if i%10 == 0 {
			status = 404
		}
		log.WriteString(logLine(status, fmt.Sprintf("http://h%d.example/page/%d.html", i%50, i), "LL", page, "-"))
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := review.Judge(b.Context(), strings.NewReader(log.String()), nil); err != nil {
			b.Fatal(err)
		}
	}
}
