package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/serve/access"
)

// held is a site of a hundred pages that answers no more after some of them until it is let go.
type held struct {
	mu    sync.Mutex
	asked []string
	let   chan struct{}
}

func (h *held) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	h.asked = append(h.asked, r.URL.Path)
	n := len(h.asked)
	h.mu.Unlock()
	if n > 8 {
		select {
		case <-h.let:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<html lang=en><title>%s</title><p>A page of a chronicle that goes on and on, year by year.</p>", r.URL.Path)
	if r.URL.Path == "/" {
		for i := range 30 {
			fmt.Fprintf(w, `<p>of the year <a href="/year/%d">%d</a></p>`, i, i)
		}
	}
}

func (h *held) list() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

// TestSteeredFromElsewhere: another machine, which has a token and the role, gives a running crawl addresses and takes others out for good; one
// that has no token, or not the role, does not. A third follows what is fetched, loses its connection, and goes on where it was.
func TestSteeredFromElsewhere(t *testing.T) {
	site := &held{let: make(chan struct{})}
	web := httptest.NewServer(site)
	defer web.Close()
	archive := t.TempDir()
	varve := func(in string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(New(), append(args, "--archive", archive), strings.NewReader(in), &out, &errs); code != 0 {
			t.Fatalf("varve %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
		}
		return out.String()
	}
	token := map[string]string{"nobody": "", "stranger": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}
	for _, role := range []string{"viewer", "curator"} {
		varve("\n", "user", "add", role+"1", "--role", role)
		said := strings.Fields(varve("", "user", "token", role+"1"))
		token[role] = slices.MaxFunc(said, func(a, b string) int { return len(a) - len(b) })
	}
	if err := os.MkdirAll(filepath.Join(archive, "collections", "years"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := served(t, archive, "--require-login")
	crawl := exec.Command("varve", "crawl", web.URL+"/", "--archive", archive, "--collection", "years", "--contact", "x@example.org", "--delay", "20ms", "--capture", "parser", "--quiet")
	var said bytes.Buffer
	crawl.Stderr = &said
	if err := crawl.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- crawl.Wait() }()
	letGo := sync.OnceFunc(func() { close(site.let) })
	defer letGo()

	ask := func(ctx context.Context, who, method, path, body string, header ...string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, at+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if token[who] != "" {
			req.Header.Set("Authorization", "Bearer "+token[who])
		}
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	text := func(resp *http.Response) string {
		t.Helper()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	id := ""
	for range 1200 { // until it runs, and is held
		var page struct {
			Items []struct{ ID, State string }
		}
		if err := json.Unmarshal([]byte(text(ask(t.Context(), "viewer", http.MethodGet, "/api/crawls?state=running", ""))), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Items) == 1 && len(site.list()) > 8 {
			id = page.Items[0].ID
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if id == "" {
		t.Fatalf("no crawl runs; it said %s", said.String())
	}

	queued := "/year/29"
	if slices.Contains(site.list(), queued) {
		t.Fatalf("%s was asked for already", queued)
	}
	list := fmt.Sprintf(`[{"url":"%s/hidden","score":1},{"url":"%s%s","score":0,"blacklist":true,"reason":"not wanted"}]`, web.URL, web.URL, queued)
	for _, c := range []struct {
		who, body string
		status    int
	}{
		{"nobody", list, http.StatusUnauthorized},
		{"stranger", list, http.StatusForbidden},
		{"viewer", list, http.StatusForbidden},
		{"curator", `[{"url":"no address","score":1}]`, http.StatusBadRequest},
		{"curator", fmt.Sprintf(`[{"url":"%s/x","score":7}]`, web.URL), http.StatusBadRequest},
		{"curator", "[" + strings.Repeat(" ", 9<<20) + "]", http.StatusBadRequest},
		{"curator", list, http.StatusOK},
	} {
		resp := ask(t.Context(), c.who, http.MethodPost, "/api/crawls/"+id+"/urls", c.body)
		if body := text(resp); resp.StatusCode != c.status {
			t.Errorf("%s gives %.60s: %s %s", c.who, c.body, resp.Status, body)
		} else if c.status == http.StatusOK && (!strings.Contains(body, `"new":1`) || !strings.Contains(body, `"dropped":1`)) {
			t.Errorf("given: %s", body)
		}
	}

	// follow reads events until enough is there, or to the end.
	follow := func(from string, most int) (urls []string, last string, ended bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel() // this is how the connection is lost
		in := bufio.NewScanner(ask(ctx, "viewer", http.MethodGet, "/api/collections/years/crawls/"+id+"/fetched", "", "Last-Event-ID", from).Body)
		for in.Scan() {
			switch key, value, _ := strings.Cut(in.Text(), ": "); {
			case key == "id":
				last = value
			case key == "event" && value == "end":
				return urls, last, true
			case key == "data":
				var v struct{ URL string }
				if err := json.Unmarshal([]byte(value), &v); err != nil {
					t.Fatal(err)
				}
				if urls = append(urls, v.URL); len(urls) == most {
					return urls, last, false
				}
			}
		}
		return urls, last, false
	}
	if got := ask(t.Context(), "nobody", http.MethodGet, "/api/collections/years/crawls/"+id+"/fetched", ""); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", got.Status)
	}
	urls, last, ended := follow("", 4)
	if len(urls) != 4 || ended {
		t.Fatalf("first came %q", urls)
	}
	letGo()
	more, _, ended := follow(last, -1)
	urls = append(urls, more...)
	if err := <-over; err != nil || !ended {
		t.Fatalf("the crawl: %v %s; the stream ended: %v", err, said.String(), ended)
	}
	log, err := os.ReadFile(filepath.Join(archive, "collections", "years", "crawls", id, "crawl.log"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(log)) {
		want = append(want, strings.Fields(line)[3])
	}
	if !slices.Equal(urls, want) {
		t.Errorf("followed\n%q\nlogged\n%q", urls, want)
	}
	asked := site.list()
	if given := slices.Index(asked, "/hidden"); given < 0 || given > 12 || slices.Contains(asked, queued) || len(asked) != 31 {
		t.Errorf("%d pages were asked for, the given one as number %d: %q", len(asked), given, asked)
	}
	gave := 0
	for e, err := range access.OpenAudit(filepath.Join(archive, "access")).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		if e.Did == "give addresses to crawl" && e.By == "curator1" {
			gave++
		}
	}
	if gave == 0 {
		t.Error("the audit log does not tell who gave addresses")
	}
}
