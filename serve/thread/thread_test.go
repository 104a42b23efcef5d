package thread_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/serve/holdings"
	"varve/serve/thread"
)

// held are captures of a page with their contents, as the index and the archive hand them out: what a visitor may not see is not among them.
type held []capture

type capture struct {
	day    int
	status int
	body   string // "" cannot be read
}

func day(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }

func (h held) Captures(_ context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for i, c := range h {
			if !q.To.IsZero() && day(c.day).After(q.To) || !yield(holdings.IndexedCapture{Capture: varve.Capture{URL: q.URL, Time: day(c.day), Status: c.status, Digest: fmt.Sprint(i)}}, nil) {
				return
			}
		}
	}
}

func (h held) Content(_ context.Context, _ string, c holdings.IndexedCapture, _ int64) (*holdings.Content, error) {
	var i int
	if _, err := fmt.Sscan(c.Digest, &i); err != nil {
		return nil, err
	}
	if h[i].body == "" {
		return nil, errors.New("damaged")
	}
	return &holdings.Content{MIME: "text/html; charset=utf-8", Body: []byte(h[i].body)}, nil
}

// board is a topic: an ID and a text of each post.
func board(posts ...string) string {
	var b strings.Builder
	b.WriteString(`<body id="phpbb" class="section-viewtopic"><p class="copyright"><a href="https://www.phpbb.com/">phpBB</a></p>`)
	for _, p := range posts {
		id, text, _ := strings.Cut(p, " ")
		fmt.Fprintf(&b, `<div class="post" id="p%s"><p class="author">by <b class="username">user%s</b></p><div class="content">%s</div></div>`, id, id, text)
	}
	return b.String()
}

func archiveWith(t *testing.T, knowledge string) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "collections", "one", "webapp")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if knowledge != "" {
		if err := os.WriteFile(filepath.Join(folder, "own.toml"), []byte(knowledge), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const address = "http://forum.example/viewtopic.php?t=1"

func same(s string) string { return s }

func TestRead(t *testing.T) {
	ok := func(n int, posts ...string) capture { return capture{n, 200, board(posts...)} }
	first, second, third := ok(1, "1 first words", "2 second words"), ok(2, "1 first words, mended", "2 second words"), ok(3, "1 first words, mended", "3 third words")
	for _, c := range []struct {
		name  string
		held  held
		until time.Time
		hide  func(string) string
		want  string // posts, those that are gone behind a bar; looks and captures that were left
	}{
		{"all", held{first, second, third}, time.Time{}, same, `1 user1 "first words, mended" was "first words" 1-2, 3 user3 "third words" since 2 | 2 user2 "second words" gone 3; 3 0`},
		{"as of an instant", held{first, second, third}, day(2), same, `1 user1 "first words, mended" was "first words" 1-2, 2 user2 "second words" | ; 2 0`},
		{"the second capture is withheld", held{first, third}, time.Time{}, same, `1 user1 "first words, mended" was "first words" 1-3, 3 user3 "third words" since 1 | 2 user2 "second words" gone 3; 2 0`},
		{"the second capture is damaged", held{first, {2, 200, ""}, third}, time.Time{}, same, `1 user1 "first words, mended" was "first words" 1-3, 3 user3 "third words" since 1 | 2 user2 "second words" gone 3; 2 1`},
		{"errors are no captures of posts", held{first, {2, 404, "gone"}}, time.Time{}, same, `1 user1 "first words", 2 user2 "second words" | ; 1 0`},
		{"hidden words", held{first, second}, time.Time{}, func(s string) string { return strings.ReplaceAll(s, "first", "…") }, `1 user1 "… words, mended" was "… words" 1-2, 2 user2 "second words" | ; 2 0`},
		{"the shown capture is damaged", held{first, {2, 200, ""}}, time.Time{}, same, "none"},
		{"another page", held{{1, 200, "<p>A page."}}, time.Time{}, same, "none"},
		{"nothing", nil, time.Time{}, same, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := thread.Library{Index: c.held, Contents: c.held, Archive: archiveWith(t, "")}
			got, err := l.Read(t.Context(), "one", address, c.until, c.hide)
			if err != nil {
				t.Fatal(err)
			}
			if s := tell(got); s != c.want {
				t.Errorf("%s\nwant %s", s, c.want)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
		})
	}
}

func tell(t *thread.Thread) string {
	if t == nil {
		return "none"
	}
	posts := func(list []thread.Post) string {
		var out []string
		for _, p := range list {
			s := fmt.Sprintf("%s %s %q", p.ID, p.Author, p.Text)
			for _, e := range p.Edits {
				s += fmt.Sprintf(" was %q %d-%d", e.Text, e.After.Day(), e.By.Day())
			}
			if p.Since != nil {
				s += fmt.Sprintf(" since %d", p.Since.Day())
			}
			if p.Gone != nil {
				s += fmt.Sprintf(" gone %d", p.Gone.Day())
			}
			out = append(out, s)
		}
		return strings.Join(out, ", ")
	}
	return fmt.Sprintf("%s | %s; %d %d", posts(t.Posts), posts(t.Gone), t.Looks, t.Left)
}

// Long pages are told in part, and what is hidden is taken out before texts are cut: half of a word that is withheld would be told.
func TestBounds(t *testing.T) {
	var posts []string
	for i := range 300 {
		posts = append(posts, fmt.Sprintf("%d %s", i, strings.Repeat("x", 3998)+"secret"+strings.Repeat("y", 100)))
	}
	h := held{{1, 200, board(posts...)}}
	l := thread.Library{Index: h, Contents: h, Archive: archiveWith(t, "")}
	got, err := l.Read(t.Context(), "one", address, time.Time{}, func(s string) string { return strings.ReplaceAll(s, "secret", "") })
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Posts) != 200 || got.More != 100 || !got.Posts[0].Cut || len(got.Posts[0].Text) != 4000 || strings.Contains(got.Posts[0].Text, "s") {
		t.Errorf("%d posts, %d more, %d bytes: %s", len(got.Posts), got.More, len(got.Posts[0].Text), got.Posts[0].Text[3990:])
	}
}

func TestBadKnowledge(t *testing.T) {
	h := held{{1, 200, board("1 words")}}
	l := thread.Library{Index: h, Contents: h, Archive: archiveWith(t, "version = 1\nname = \n")}
	_, err := l.Read(t.Context(), "one", address, time.Time{}, same)
	if bad, ok := errors.AsType[*thread.BadKnowledge](err); !ok || !strings.Contains(bad.Error(), "own.toml, line 2") {
		t.Errorf("%v", err)
	}
}
