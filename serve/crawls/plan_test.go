package crawls

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/serve/holdings"
)

// unfinished writes a crawl that was interrupted, or ended for a reason.
func (w *world) unfinished(t *testing.T, id, why string) {
	t.Helper()
	dir, err := w.col.CrawlDir(id)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	def := `{"name":"daily","seeds":["https://news.example/"],"scope":{},"maxPages":7,"maxBytes":9000,"maxTime":"2h0m0s"}`
	if err := os.WriteFile(filepath.Join(dir, "definition.json"), []byte(def), 0o644); err != nil {
		t.Fatal(err)
	}
	if why == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(fmt.Sprintf(`{"crawl":%q,"why":%q}`, id, why)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResume(t *testing.T) {
	w := newWorld(t, "complete")
	ctx := context.Background()
	if _, err := w.Resume(ctx, "news", "eva"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("nothing to resume: %v", err)
	}
	if dir, err := w.col.CrawlDir("20251231T000000Z-1"); err != nil || os.MkdirAll(dir, 0o755) != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(ctx, "news", "eva"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("a crawl that never began: %v", err)
	}
	const id = "20260101T000000Z-1"
	w.unfinished(t, id, "")
	j, err := w.Resume(ctx, "news", "eva")
	if err != nil || j.Resumed != id || j.Definition != "daily" {
		t.Fatalf("%+v, %v", j, err)
	}
	w.ready(t)
	w.end(t, "news")
	if got := w.log(t); !strings.Contains(got, "--quiet --resume --max-pages=7 --max-bytes=9000 --max-time=2h0m0s\n") {
		t.Errorf("log: %s", got)
	}
	if got := w.audited(t); !slices.Equal(got, []string{"eva: resume crawl news " + id}) {
		t.Errorf("audit log: %q", got)
	}
	w.unfinished(t, id, "max-pages reached")
	if _, err := w.Resume(ctx, "news", "eva"); varve.KindOf(err) != varve.Conflict || !strings.Contains(varve.HintOf(err), "--max-pages") {
		t.Errorf("resumed beyond its limit: %v", err)
	}
}

func TestPlanOf(t *testing.T) {
	w := newWorld(t, "complete")
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	h := holdings.New(w.archive, func() time.Time { return now })
	get := func() Plan {
		c, err := h.Collection(context.Background(), "news")
		if err != nil {
			t.Fatal(err)
		}
		return PlanOf(c, now)
	}
	p := get()
	if len(p.Crawls) != 2 || p.Unfinished != nil {
		t.Fatalf("%+v", p)
	}
	daily, err := p.Named("daily")
	if err != nil || !daily.Due || !daily.Last.IsZero() || daily.Definition.MaxPages != 7 {
		t.Errorf("%+v, %v", daily, err)
	}
	if odd, _ := p.Named("-odd"); odd.Due {
		t.Error("a crawl without a rhythm is due")
	}
	if _, err := p.Named("weekly"); varve.KindOf(err) != varve.NotFound {
		t.Error(err)
	}
	test, err := daily.TestScope("https://news.example/search?q=x", "", "", now)
	if err != nil || test.Decision.Accepted() || test.Decision.Name != "no search" {
		t.Errorf("%v, %v", test.Decision, err)
	}
	w.unfinished(t, "20260102T000000Z-1", "")
	p = get()
	if daily, _ = p.Named("daily"); p.Unfinished == nil || daily.Due || !daily.Next.Equal(now.Add(12*time.Hour)) {
		t.Errorf("%+v", p)
	}
	w.unfinished(t, "20260102T000000Z-1", "max-pages reached")
	if p = get(); p.Unfinished != nil {
		t.Errorf("it has all that it may: %+v", p.Unfinished)
	}
}

// The flags of a resumed crawl are limits that the crawl command can read.
func TestLimits(t *testing.T) {
	got := limits(crawl.Definition{MaxURLs: 3, MaxBytes: 1 << 40, MaxTime: scope.Duration(90 * time.Second)})
	if !slices.Equal(got, []string{"--max-urls=3", "--max-bytes=1099511627776", "--max-time=1m30s"}) {
		t.Errorf("%q", got)
	}
	if size, err := scope.ParseSize("1099511627776"); err != nil || size != 1<<40 {
		t.Error(size, err)
	}
}

func TestLargeLogsMakePlace(t *testing.T) {
	w := newWorld(t, "complete")
	path := filepath.Join(w.col.Dir(), LogName)
	if err := os.WriteFile(path, make([]byte, maxLog+1), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := openLog(w.col, Job{By: "eva\nmax"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.file.Close()
	if _, err := os.Stat(path + ".1"); err != nil || !strings.HasSuffix(w.log(t), "started by eva max\n") {
		t.Errorf("%v, log %q", err, w.log(t))
	}
	fmt.Fprintf(l.file, "%s\nlast words\n", strings.Repeat("x", 2*maxWords))
	if got := l.lastWords(); got != "last words" {
		t.Errorf("%.80q", got)
	}
}
