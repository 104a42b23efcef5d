package ui

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/search"
)

// heldPages are captures with their contents, as the index and the archive hand them out: what a visitor may not see is not among them.
type heldPages []struct {
	at   time.Time
	body string
}

func (h heldPages) Captures(_ context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for i, p := range h {
			c := holdings.IndexedCapture{Capture: varve.Capture{URL: q.URL, Time: p.at, Status: 200, Digest: fmt.Sprint(i)}}
			if !q.To.IsZero() && p.at.After(q.To) || !yield(c, nil) {
				return
			}
		}
	}
}

func (h heldPages) Content(_ context.Context, _ string, c holdings.IndexedCapture, _ int64) (*holdings.Content, error) {
	var i int
	if _, err := fmt.Sscan(c.Digest, &i); err != nil {
		return nil, err
	}
	return &holdings.Content{MIME: "text/html; charset=utf-8", Body: []byte(h[i].body)}, nil
}

// board is a topic with posts: a number and a text each.
func board(posts ...string) string {
	var b strings.Builder
	b.WriteString(`<body id="phpbb" class="section-viewtopic"><p class="copyright"><a href="https://www.phpbb.com/">phpBB</a></p>`)
	for _, p := range posts {
		id, text, _ := strings.Cut(p, " ")
		fmt.Fprintf(&b, `<div class="post" id="p%s"><p class="author">by <b class="username">user<script>alert(%s)</script>%s</b></p><div class="content">%s</div></div>`, id, id, id, text)
	}
	return b.String()
}

// The page of a thread shows its posts, and what was edited, deleted or added between captures.
func TestThread(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }
	held := heldPages{
		{day(1), board("1 first words", "2 second words")},
		{day(2), board("1 first words, mended", "2 second words")},
		{day(3), board("1 first words, mended", "3 third &lt;b&gt;words")},
		{day(9), board("9 not yet written")},
	}
	dir := t.TempDir()
	u, err := New(Config{
		Holdings: holdings.New(catalog.Open(dir), time.Now), Index: held, Contents: held, Archive: dir, Gate: access.NewGate(access.GateConfig{Users: access.OpenUsers(t.TempDir()), Now: time.Now}),
		Replay: "http://localhost:8081", Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/document", nil)
	doc := &search.Document{Collection: "one", URL: "http://forum.example/viewtopic.php?t=1", MIME: "text/html", Last: day(5)}
	got, err := u.thread(r, doc)
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	var said []string
	for _, list := range [][]threadPost{got.Shown(), got.Past()} {
		for _, p := range list {
			s := fmt.Sprintf("%s %s: %s", p.ID, p.Author, strings.Join(p.Lines(), "|"))
			for _, e := range p.Edits {
				s += fmt.Sprintf(" (%q until %d to %d)", e.Text, e.After.Day(), e.By.Day())
			}
			if p.Gone != nil {
				s += fmt.Sprintf(" gone %d to %d", p.Last.Day(), p.Gone.Day())
			}
			said = append(said, s)
		}
	}
	want := []string{
		`1 user1: first words, mended ("first words" until 1 to 2)`,
		`3 user3: third <b>words`,
		`2 user2: second words gone 2 to 3`,
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") || got.Looks != 3 || got.Application != "phpBB" {
		t.Errorf("%s\nwant\n%s\n%+v", strings.Join(said, "\n"), strings.Join(want, "\n"), got)
	}
	var page strings.Builder
	if err := u.pages["en"]["document"].t.ExecuteTemplate(&page, "thread", struct{ A, B any }{got, "one"}); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"What people wrote", "phpBB", "edited between", "On earlier captures, and not on this one", "third &lt;b&gt;words", "author%3A%22user1%22", "/api/collections/one/thread?at=20240103000000&amp;url="} {
		if !strings.Contains(page.String(), words) {
			t.Errorf("no %q in %s", words, page.String())
		}
	}
	if strings.Contains(page.String(), "<b>words") || strings.Contains(page.String(), "<script") {
		t.Errorf("what somebody wrote is markup of ours: %s", page.String())
	}

	// A page of no application shows nothing of the kind.
	plain := heldPages{{day(1), "<p>A page."}}
	u.cfg.Index, u.cfg.Contents = plain, plain
	if got, err := u.thread(r, doc); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
