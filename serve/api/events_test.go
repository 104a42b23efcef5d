package api_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/holdings"
)

// Events of a running crawl come through as they happen, and the stream ends with the server.
func TestEventsStream(t *testing.T) {
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
	more := make(chan string)
	crawl := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for {
			select {
			case e := <-more:
				fmt.Fprintf(w, "data: %s\n\n", e)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})}
	go crawl.Serve(l)
	t.Cleanup(func() { crawl.Close() })

	streams, end := context.WithCancel(context.Background())
	a := api.New(api.Config{
		Holdings: holdings.New(catalog.Open(dir), time.Now), Index: servetest.Index{}, Streams: streams, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.ServeHTTP(w, r.WithContext(access.With(r.Context(), access.Visitor{Role: access.Viewer})))
	}))
	t.Cleanup(srv.Close)
	resp, err := http.Get(srv.URL + "/api/collections/c/crawls/" + id + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	for _, e := range []string{`{"event":"file"}`, `{"event":"paused"}`} {
		more <- e
		for lines.Scan() && lines.Text() == "" {
		}
		if lines.Text() != "data: "+e {
			t.Errorf("got %q, want %q", lines.Text(), e)
		}
	}
	end()
	ended := make(chan struct{})
	go func() {
		for lines.Scan() {
		}
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the stream outlives the server")
	}
	resp2, err := http.Get(srv.URL + "/api/collections/c/crawls/none/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp2.Body.Close()
	if resp2.StatusCode != http.StatusNotFound || !strings.Contains(resp2.Header.Get("Content-Type"), "problem+json") {
		t.Errorf("events of no crawl: %d", resp2.StatusCode)
	}
}
