package holdings

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// crawled makes an archive of collections with so many crawls each, whose folders are old.
func crawled(t testing.TB, collections, crawls int) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	for i := range collections {
		for n := range crawls {
			at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
			id := at.Format("20060102T150405Z")
			if i == 0 {
				ids = append(ids, id)
			}
			report(t, dir, fmt.Sprintf("c%04d", i), id, int64(n+1))
		}
	}
	settle(t, dir)
	return dir, ids
}

func report(t testing.TB, dir, collection, id string, pages int64) {
	t.Helper()
	folder := filepath.Join(dir, "collections", collection, "crawls", id)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"crawl":%q,"complete":true,"pages":%d,"urls":%d,"started":"%s-%s-%sT%s:00:00Z"}`, id, pages, 2*pages, id[:4], id[4:6], id[6:8], id[9:11])
	if err := os.WriteFile(filepath.Join(folder, "report.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// settle makes all folders of crawls look as if nobody had touched them lately.
func settle(t testing.TB, dir string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "collections", "*", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range list {
		old := time.Date(2026, 1, 2, 0, 0, i, int(time.Now().UnixNano()%1e9), time.UTC)
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t testing.TB, dir string, log *slog.Logger) *Holdings {
	t.Helper()
	h := Open(catalog.Open(dir), time.Now, log)
	t.Cleanup(func() { h.Close() })
	return h
}

func all(t testing.TB, h *Holdings, q CrawlQuery) (ids []string) {
	t.Helper()
	for {
		p, err := h.Crawls(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range p.Items {
			ids = append(ids, k.ID)
		}
		if q.After = p.Next; q.After == "" {
			return ids
		}
	}
}

// Each report is read once, and folders are listed again only when something came or went: however often lists are
// asked for, and by whichever process.
func TestListsReadReportsOnce(t *testing.T) {
	dir, ids := crawled(t, 3, 100)
	h := open(t, dir, quiet())
	if list, err := h.Collections(t.Context()); err != nil || len(list) != 3 || list[1].Sum().Crawls != 100 || list[1].Sum().URLs != 100*101 {
		t.Fatalf("%v, %v", list, err)
	}
	if h.reads != 300 || h.listings != 3 {
		t.Errorf("%d crawls were read and %d folders listed for a first look at 300 and 3", h.reads, h.listings)
	}
	ask := func(h *Holdings) {
		t.Helper()
		if _, err := h.Collections(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := all(t, h, CrawlQuery{Collection: "c0001", Limit: 7}); len(got) != len(ids) || got[0] != ids[len(ids)-1] {
			t.Errorf("listed %v", got)
		}
	}
	h.reads, h.listings = 0, 0
	ask(h)
	if h.reads != 0 || h.listings != 0 {
		t.Errorf("%d crawls were read and %d folders listed again, with nothing changed", h.reads, h.listings)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = open(t, dir, quiet())
	ask(h)
	if h.reads != 0 || h.listings != 0 {
		t.Errorf("the next process read %d crawls and listed %d folders", h.reads, h.listings)
	}
	t.Run("one changes, one comes, one goes", func(t *testing.T) {
		report(t, dir, "c0001", ids[3], 7777)
		report(t, dir, "c0001", "20270101T000000Z", 5)
		if err := os.RemoveAll(filepath.Join(dir, "collections", "c0001", "crawls", ids[0])); err != nil {
			t.Fatal(err)
		}
		h.reads, h.listings = 0, 0
		c, err := h.Collection(t.Context(), "c0001")
		if err != nil {
			t.Fatal(err)
		}
		if s := c.Sum(); s.Crawls != 100 || s.URLs != 100*101-2-2*4+2*7777+10 || c.Head().Newest != "20270101T000000Z" {
			t.Errorf("%+v, newest %s", s, c.Head().Newest)
		}
		if first := c.Sum().First.Format("20060102T150405Z"); first != ids[1] {
			t.Errorf("the collection tells of crawls since %s; the oldest that is left began at %s", first, ids[1])
		}
		if h.reads != 2 || h.listings != 1 {
			t.Errorf("%d crawls were read and %d folders listed", h.reads, h.listings)
		}
		if got := all(t, h, CrawlQuery{Collection: "c0001", Limit: 30}); len(got) != 100 || got[99] != ids[1] {
			t.Errorf("%d crawls, the last is %s", len(got), got[len(got)-1])
		}
	})
	t.Run("a collection goes", func(t *testing.T) {
		if err := os.RemoveAll(filepath.Join(dir, "collections", "c0002")); err != nil {
			t.Fatal(err)
		}
		if list, err := h.Collections(t.Context()); err != nil || len(list) != 2 {
			t.Errorf("%v, %v", list, err)
		}
		if p, err := h.Crawls(t.Context(), CrawlQuery{Limit: 1000}); err != nil || len(p.Items) != 200 || p.Total != 200 {
			t.Errorf("%d of %d crawls, %v", len(p.Items), p.Total, err)
		}
	})
}

// A page goes on where the one before it ended, though crawls came in between.
func TestPagesStayInOrder(t *testing.T) {
	dir, ids := crawled(t, 2, 20)
	h := open(t, dir, quiet())
	for _, q := range []CrawlQuery{{Collection: "c0000", Limit: 8}, {Limit: 16}, {State: Complete, Limit: 16}, {Collection: "c0000", State: Complete, Limit: 8}} {
		first, err := h.Crawls(t.Context(), q)
		if err != nil || first.Next == "" || first.Items[0].ID != ids[len(ids)-1] {
			t.Fatalf("%+v: %+v, %v", q, first, err)
		}
		report(t, dir, "c0000", "20280101T000000Z", 1)
		q.After = first.Next
		second, err := h.Crawls(t.Context(), q)
		if err != nil || second.Items[0].ID != ids[len(ids)-9] {
			t.Errorf("%+v: the second page begins with %s, %v", q, second.Items[0].ID, err)
		}
		if second.Total != first.Total+1 {
			t.Errorf("%+v: %d crawls, then %d", q, first.Total, second.Total)
		}
		if err := os.RemoveAll(filepath.Join(dir, "collections", "c0000", "crawls", "20280101T000000Z")); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Crawls(t.Context(), CrawlQuery{Collection: "c0000", Limit: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"x", "~", "~!!", "~AAAA"} {
		if p, err := h.Crawls(t.Context(), CrawlQuery{After: bad, Limit: 5}); err == nil {
			t.Errorf("cursor %q: %+v", bad, p)
		}
	}
	near, err := h.Around(t.Context(), "c0000", ids[10], 2)
	if err != nil || len(near) != 5 || near[0].ID != ids[8] || near[4].ID != ids[12] {
		t.Errorf("around: %v, %v", near, err)
	}
}

// A look costs no more than it may: a large archive is listed in parts, and says what is missing.
func TestLookIsBounded(t *testing.T) {
	const crawls = 3 * lookSteps / stepRead
	dir, ids := crawled(t, 1, crawls)
	h := open(t, dir, quiet())
	for want := crawls; ; {
		before := h.reads
		c, err := h.Collection(t.Context(), "c0000")
		if err != nil {
			t.Fatal(err)
		}
		if n := h.reads - before; n > lookSteps/stepRead {
			t.Fatalf("a look read %d crawls", n)
		}
		if c.Pending >= want || c.Pending+c.Sum().Crawls != crawls || c.Head().Newest != ids[crawls-1] {
			t.Fatalf("%d of %d to come, %d are there, the newest is %s", c.Pending, want, c.Sum().Crawls, c.Head().Newest)
		}
		if want = c.Pending; want == 0 {
			break
		}
	}
	if h.listings != 1 {
		t.Errorf("the folder was listed %d times", h.listings)
	}
	// A report deep down that changes is found by one of the next looks.
	report(t, dir, "c0000", ids[5], 100_000)
	for range 2 + crawls/lookSteps {
		if _, err := h.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := h.Collection(t.Context(), "c0000"); err != nil || c.Sum().URLs < 200_000 {
		t.Errorf("%+v, %v", c.Sum(), err)
	}
}

// A catalogue that is damaged is made anew, and that is told.
func TestDamagedCatalogue(t *testing.T) {
	dir, _ := crawled(t, 2, 30)
	h := open(t, dir, quiet())
	if _, err := h.Collections(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "catalogue", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		for _, damage := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:len(b)/2] },
			func(b []byte) []byte { return bytes.Repeat([]byte{0xa5}, len(b)) },
			func(b []byte) []byte { b[len(b)/2] ^= 0x10; return b },
		} {
			whole, err := os.ReadFile(f)
			if err != nil || len(whole) == 0 {
				continue // it was made anew under other names
			}
			if err := os.WriteFile(f, damage(bytes.Clone(whole)), 0o644); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			h := open(t, dir, slog.New(slog.NewTextHandler(&log, nil)))
			list, err := h.Collections(t.Context())
			if err != nil || len(list) != 2 || list[0].Sum().Crawls != 30 || list[1].Sum().URLs != 30*31 {
				t.Errorf("%s: %v, %v", filepath.Base(f), list, err)
			}
			if h.reads > 0 && h.reads < 60 && filepath.Ext(f) != ".log" { // a torn log loses its last rows
				t.Errorf("%s: %d of 60 crawls were read again", filepath.Base(f), h.reads)
			}
			if h.reads == 60 && !strings.Contains(log.String(), "made anew") && filepath.Ext(f) != ".log" {
				t.Errorf("%s: it was made anew without a word: %s", filepath.Base(f), log.String())
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Run("another process has it", func(t *testing.T) {
		one, two := open(t, dir, quiet()), open(t, dir, quiet())
		for _, h := range []*Holdings{one, two} {
			if list, err := h.Collections(t.Context()); err != nil || len(list) != 2 || list[0].Sum().Crawls != 30 {
				t.Errorf("%v, %v", list, err)
			}
		}
		if two.cat.dir != "" {
			t.Error("two have the same catalogue")
		}
	})
}

func FuzzCrawlRow(f *testing.F) {
	k := &Crawl{ID: "20260101T000000Z", Collection: "c", Name: "daily", State: Stopped, Why: "x", Started: time.Unix(1, 2).UTC(), Pages: 3, Coherence: &Tally{Coherent: 1}}
	f.Add(encodeCrawl(k))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, v []byte) {
		k, err := decodeCrawl("c", "id", v)
		if err != nil {
			return
		}
		if again, err := decodeCrawl("c", "id", encodeCrawl(k)); err != nil || again.Started != k.Started || again.Why != k.Why || again.stamp != k.stamp {
			t.Errorf("%+v became %+v, %v", k, again, err)
		}
	})
}
