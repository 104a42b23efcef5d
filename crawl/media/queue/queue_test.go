package queue_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/crawl/media/queue"
)

func open(t *testing.T, path string) *queue.Queue {
	t.Helper()
	q, err := queue.Open(path, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func states(q *queue.Queue) string {
	var b strings.Builder
	for _, it := range q.Items() {
		b.WriteString(it.URL[len(it.URL)-1:] + ":" + string(it.State) + " ")
	}
	return strings.TrimSpace(b.String())
}

// What is done to a queue is found again when it is opened after a kill.
func TestOutlivesKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "media", "queue.jsonl")
	q := open(t, path)
	for _, u := range []string{"http://p/a", "http://p/b", "http://p/c", "http://p/d"} {
		must(t, q.Add("http://page/", u))
		must(t, q.Add("http://page/2", u)) // known
	}
	must(t, q.Done("http://p/a", "20260301"))
	must(t, q.Fail("http://p/b", "no"))
	for range queue.MaxAttempts {
		must(t, q.Fail("http://p/c", "gone"))
	}
	must(t, q.Drop("http://p/d", "me"))
	const want = "a:done b:pending c:failed d:dropped"
	if got := states(q); got != want {
		t.Error(got)
	}
	q = open(t, path)
	if got := states(q); got != want {
		t.Error(got)
	}
	if p := q.Pending(); len(p) != 1 || p[0].Attempts != 1 || p[0].Last != "no" || p[0].Page != "http://page/" {
		t.Errorf("%+v", p)
	}
	must(t, q.Ask("", "http://p/a", "me"))
	must(t, q.Ask("", "http://p/c", "me"))
	if got := states(open(t, path)); got != "a:pending b:pending c:pending d:dropped" {
		t.Error(got)
	}
}

func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue.jsonl")
	q := open(t, path)
	must(t, q.Add("", "http://p/a"))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	must(t, err)
	_, err = f.WriteString(`{"event":"ask","url":"http://p`)
	must(t, err)
	must(t, f.Close())
	q, _ = queue.Open(path, time.Now)
	if got := states(q); got != "a:pending" {
		t.Error(got)
	}
	must(t, q.Add("", "http://p/b"))
	q, _ = queue.Open(path, time.Now)
	if got := states(q); got != "a:pending b:pending" {
		t.Error(got)
	}
}

func TestBadAddresses(t *testing.T) {
	q := open(t, filepath.Join(t.TempDir(), "q"))
	if err := q.Ask("", "file:///etc/passwd", "me"); err == nil {
		t.Error("a file was asked for")
	}
	if err := q.Done("http://nobody/", "c"); err == nil {
		t.Error("what nobody asked for is done")
	}
}
