package api_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"varve/serve/access"
	"varve/serve/api"
)

// Events of a running crawl come through as they happen, and the stream ends with the server.
func TestEventsStream(t *testing.T) {
	streams, end := context.WithCancel(context.Background())
	defer end()
	srv, dir := follow(t, access.Viewer, func(c *api.Config) { c.Streams = streams })
	more := make(chan string)
	control(t, dir, func(w http.ResponseWriter, r *http.Request) {
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
	})
	resp, err := http.Get(srv.URL + "/api/collections/c/crawls/" + followed + "/events")
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
