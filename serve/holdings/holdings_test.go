package holdings_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/lab/servetest"
	"varve/serve/holdings"
)

func TestHoldings(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	h := holdings.New(catalog.Open(dir), time.Now)
	if list, err := h.Collections(ctx); err != nil || len(list) != 0 {
		t.Fatalf("an empty archive: %v, %v", list, err)
	}
	if err := servetest.Small(ctx, dir); err != nil {
		t.Fatal(err)
	}
	c, err := h.Collection(ctx, "aachen")
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "City of Aachen" || len(c.Crawls) != 3 || c.Files == 0 || c.Bytes == 0 || len(c.Plans) != 1 || c.Plans[0].Next.IsZero() {
		t.Errorf("%+v", c)
	}
	k, err := h.Crawl(ctx, "aachen", c.Crawls[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	if k.State != holdings.Complete && k.State != holdings.Stopped || k.Pages == 0 || k.Definition == nil || k.Report == nil || k.Name != "regular" {
		t.Errorf("%+v", k)
	}
	for _, bad := range []struct{ c, id string }{{"none", "x"}, {"aachen", "none"}, {"../x", "y"}, {"aachen", "../../x"}} {
		if _, err := h.Crawl(ctx, bad.c, bad.id); err == nil {
			t.Errorf("%v was found", bad)
		}
	}
	t.Run("new crawls appear", func(t *testing.T) {
		crawls := filepath.Join(dir, "collections", "aachen", "crawls", "20270101T000000Z")
		if err := os.MkdirAll(crawls, 0o755); err != nil {
			t.Fatal(err)
		}
		k, err := h.Crawl(ctx, "aachen", "20270101T000000Z")
		if err != nil || k.State != holdings.Interrupted || k.Started.Year() != 2027 {
			t.Errorf("%+v, %v", k, err)
		}
		if err := os.WriteFile(filepath.Join(crawls, "report.json"), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
		if k, err = h.Crawl(ctx, "aachen", "20270101T000000Z"); err != nil || !strings.Contains(k.Problem, "report.json") {
			t.Errorf("a damaged report: %+v, %v", k, err)
		}
		if err := os.WriteFile(filepath.Join(crawls, "coherence.json"), []byte(`{"layers":{"text":{"coherent":7,"changed":2,"unknown":1}}}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if k, err = h.Crawl(ctx, "aachen", "20270101T000000Z"); err != nil || k.Coherence.Total() != 10 || k.Coherence.Content != 2 {
			t.Errorf("coherence: %+v, %v", k.Coherence, err)
		}
	})
	t.Run("contents", func(t *testing.T) {
		index, err := servetest.NewIndex(dir)
		if err != nil {
			t.Fatal(err)
		}
		files := holdings.NewFiles(catalog.Open(dir), index)
		revisits := 0
		for c, err := range index.Captures(ctx, holdings.Query{Collection: "aachen"}) {
			if err != nil {
				t.Fatal(err)
			}
			if c.Revisit {
				revisits++
			} else if c.Status != 200 {
				continue
			}
			got, err := files.Content(ctx, "aachen", c, 1<<20)
			if err != nil || len(got.Body) == 0 && c.Status == 200 {
				t.Fatalf("%s of %s: %v", c.URL, c.Time, err)
			}
			if holdings.IsPage(got.MIME) && !strings.Contains(string(got.Body), "</html>") {
				t.Errorf("%s is no page: %.60q", c.URL, got.Body)
			}
		}
		if revisits == 0 {
			t.Error("no revisit was read")
		}
	})
}

// A running crawl answers on its socket; one whose process is gone does not.
func TestRunningCrawl(t *testing.T) {
	dir, err := os.MkdirTemp("", "v") // the address of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	const id = "20260101T000000Z"
	crawlDir := filepath.Join(dir, "collections", "c", "crawls", id)
	if err := os.MkdirAll(crawlDir, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(crawlDir, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	asked := ""
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.Path
		_ = json.NewEncoder(w).Encode(crawl.Progress{Crawl: id, State: crawl.Paused, Why: "by request", Pages: 12, Queued: 30})
	})}
	go srv.Serve(l)
	defer srv.Close()
	h := holdings.New(catalog.Open(dir), time.Now)
	k, err := h.Crawl(context.Background(), "c", id)
	if err != nil || k.State != holdings.Live {
		t.Fatalf("%+v, %v", k, err)
	}
	k.Follow(context.Background())
	if k.Pages != 12 || k.Queued != 30 || !k.Paused || !strings.Contains(k.Why, "paused") {
		t.Errorf("%+v", k)
	}
	if p, err := k.Command(context.Background(), "pause"); err != nil || p.Pages != 12 || asked != "POST /api/crawls/"+id+"/pause" {
		t.Errorf("%+v, %v, %s", p, err, asked)
	}
	if _, err := k.Command(context.Background(), "explode"); varve.KindOf(err) != varve.Invalid {
		t.Errorf("an unknown command: %v", err)
	}
	srv.Close()
	// A kill leaves the socket behind.
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(crawlDir, "control.sock"), Net: "unix"})
	if err == nil {
		dead.SetUnlinkOnClose(false)
		dead.Close()
	}
	if k, err = h.Crawl(context.Background(), "c", id); err != nil {
		t.Fatal(err)
	}
	k.Follow(context.Background())
	if k.State != holdings.Interrupted {
		t.Errorf("after a kill: %s %s", k.State, k.Why)
	}
	if _, err := k.Progress(context.Background()); varve.KindOf(err) != varve.Conflict {
		t.Errorf("progress: %v", err)
	}
}
