package api_test

import (
	"bufio"
	"fmt"
	"io"
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

const followed = "20260101T000000Z"

// follow serves the API of an archive with one crawl, and returns the folder of the crawl.
func follow(t *testing.T, role access.Role, set ...func(*api.Config)) (srv *httptest.Server, dir string) {
	t.Helper()
	root, err := os.MkdirTemp("", "v") // the address of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	dir = filepath.Join(root, "collections", "c", "crawls", followed)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cfg := api.Config{
		Holdings: holdings.New(catalog.Open(root), time.Now), Index: servetest.Index{}, Now: time.Now, Log: slog.New(slog.DiscardHandler), Audit: access.OpenAudit(root),
	}
	for _, f := range set {
		f(&cfg)
	}
	a := api.New(cfg)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.ServeHTTP(w, r.WithContext(access.With(r.Context(), access.Visitor{Role: role, Name: "eva"})))
	}))
	t.Cleanup(srv.Close)
	return srv, dir
}

// control answers at the socket of a crawl, so that it runs.
func control(t *testing.T, dir string, h http.HandlerFunc) (end func()) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(dir, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	crawl := &http.Server{Handler: h}
	go crawl.Serve(l)
	end = func() { crawl.Close() }
	t.Cleanup(end)
	return end
}

func visit(n int) string {
	return fmt.Sprintf("2026-01-01T00:00:%02d.000Z   200        512 http://a.test/%d L http://a.test/ text/html #000 20260101000000000+3 sha1:AAAA - -\n", n, n)
}

// next returns the id and the data of the next event.
func next(t *testing.T, in *bufio.Scanner) (id, event, data string) {
	t.Helper()
	for in.Scan() {
		switch key, value, _ := strings.Cut(in.Text(), ": "); {
		case in.Text() == "" && data != "":
			return id, event, data
		case key == "id":
			id = value
		case key == "event":
			event = value
		case key == "data":
			data = value
		}
	}
	return id, event, data
}

// TestFetchedStream: visits come through as they are logged, a program goes on where it lost the connection, and the stream ends with the crawl.
func TestFetchedStream(t *testing.T) {
	srv, dir := follow(t, access.Viewer)
	log, err := os.Create(filepath.Join(dir, "crawl.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write := func(s string) {
		if _, err := log.WriteString(s); err != nil {
			t.Fatal(err)
		}
	}
	write(visit(1) + "no visit\n" + visit(2))
	stop := control(t, dir, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	ask := func(from string) *bufio.Scanner {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/api/collections/c/crawls/"+followed+"/fetched", nil)
		if err != nil {
			t.Fatal(err)
		}
		if from != "" {
			req.Header.Set("Last-Event-ID", from)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		if resp.StatusCode != http.StatusOK {
			b, _ := io.ReadAll(resp.Body)
			t.Fatalf("from %q: %s %s", from, resp.Status, b)
		}
		return bufio.NewScanner(resp.Body)
	}
	in := ask("")
	first, _, data := next(t, in)
	if want := `{"time":"2026-01-01T00:00:01Z","status":200,"size":512,"url":"http://a.test/1","hops":"L","via":"http://a.test/","mime":"text/html","digest":"sha1:AAAA"}`; data != want {
		t.Errorf("first visit %s\nwant %s", data, want)
	}
	if _, event, _ := next(t, in); event != "unread" {
		t.Errorf("a damaged line is told as %q", event)
	}
	second, _, data := next(t, in)
	if !strings.Contains(data, "a.test/2") {
		t.Errorf("second visit %s", data)
	}
	whole := visit(3)
	write(whole[:40]) // a line that is being written
	write(whole[40:])
	third, _, data := next(t, in)
	if !strings.Contains(data, "a.test/3") {
		t.Errorf("third visit %s", data)
	}
	again := ask(first)
	if _, event, _ := next(t, again); event != "unread" {
		t.Errorf("behind the first event comes %q", event)
	}
	if id, _, _ := next(t, again); id != second {
		t.Errorf("then %s, want %s", id, second)
	}
	stop()
	if err := os.Remove(filepath.Join(dir, "control.sock")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	write(visit(4))
	if _, _, data := next(t, in); !strings.Contains(data, "a.test/4") {
		t.Errorf("after the end: %s", data)
	}
	if _, event, _ := next(t, in); event != "end" {
		t.Errorf("the last event is %q", event)
	}
	if rest := ask(third); true {
		if _, _, data := next(t, rest); !strings.Contains(data, "a.test/4") {
			t.Errorf("behind the third: %s", data)
		}
	}
	for _, from := range []string{"x", "-1", "7", "999999"} {
		resp, err := http.Get(srv.URL + "/api/collections/c/crawls/" + followed + "/fetched?from=" + from)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("from %s: %s", from, resp.Status)
		}
	}
}

// TestGiveURLs: addresses reach the running crawl that is named, with who gave them; a crawl that does not run takes none.
func TestGiveURLs(t *testing.T) {
	srv, dir := follow(t, access.Curator)
	post := func(id, body string) (int, string) {
		resp, err := http.Post(srv.URL+"/api/crawls/"+id+"/urls", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	const list = `[{"url":"http://a.test/x","score":0.9},{"url":"http://a.test/y","score":0,"blacklist":true}]`
	if status, body := post(followed, list); status != http.StatusNotFound || !strings.Contains(body, "is running") {
		t.Errorf("a crawl that ended: %d %s", status, body)
	}
	var got, by, path string
	control(t, dir, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b, _ := io.ReadAll(r.Body)
			got, by, path = string(b), r.Header.Get("Varve-By"), r.URL.Path
		}
		_, _ = io.WriteString(w, `{"new":1,"dropped":1}`)
	})
	status, body := post(followed, list)
	if status != http.StatusOK || got != list || by != "eva" || path != "/api/crawls/"+followed+"/urls" {
		t.Errorf("%d %s\nthe crawl got %s of %q at %s", status, body, got, by, path)
	}
	for _, bad := range []string{`{}`, `[{"adress":"http://a.test/"}]`, `[] []`, strings.Repeat(" ", 9<<20)} {
		if status, body := post(followed, bad); status != http.StatusBadRequest || !strings.Contains(body, "hint") {
			t.Errorf("%.40q: %d %s", bad, status, body)
		}
	}
	if status, _ := post("none", list); status != http.StatusNotFound {
		t.Errorf("no such crawl: %d", status)
	}
}

// TestAboutAndWhy: what a running crawl is about can be read and changed, and a score explained; of an address, or of one that was found on a page,
// which whoever asks may not see, nothing is told.
func TestAboutAndWhy(t *testing.T) {
	var rules *access.Decisions
	srv, dir := follow(t, access.Curator, func(c *api.Config) {
		rules = access.OpenDecisions(t.TempDir(), c.Audit)
		c.Rules = rules
	})
	if _, err := rules.Add(access.Rule{Prefix: "http://a.test/secret/", Level: access.Blocked, Reason: "asked for"}, "ada", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	ask := func(method, what, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, srv.URL+"/api/collections/c/crawls/"+followed+"/"+what, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	if status, body := ask(http.MethodGet, "about", ""); status == http.StatusOK {
		t.Errorf("a crawl that ended is about something: %s", body)
	}
	about, by, asked := `{"keywords":[{"word":"flood"}]}`, "", 0
	control(t, dir, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/about"):
			if r.Method == http.MethodPut {
				b, _ := io.ReadAll(r.Body)
				about, by = string(b), r.Header.Get("Varve-By")
			}
			_, _ = io.WriteString(w, about)
		case strings.HasSuffix(r.URL.Path, "/why"):
			asked++
			found := "http://a.test/"
			if strings.Contains(r.URL.Query().Get("url"), "behind") {
				found = "http://a.test/secret/list"
			}
			fmt.Fprintf(w, `{"url":%q,"state":"queued","score":0.4,"found":%q,"opinion":true,"modules":[{"module":"anchor","weight":1,"has":true,"value":0.4,"why":"the hushed words"}]}`, r.URL.Query().Get("url"), found)
		default:
			_, _ = io.WriteString(w, "{}")
		}
	})
	if status, body := ask(http.MethodGet, "about", ""); status != http.StatusOK || !strings.Contains(body, "flood") {
		t.Errorf("about: %d %s", status, body)
	}
	if status, body := ask(http.MethodPut, "about", `{"keywords":[{"word":"dyke","weight":2}],"weights":{"anchor":0}}`); status != http.StatusOK || !strings.Contains(about, "dyke") || by != "eva" {
		t.Errorf("change: %d %s; the crawl got %s of %q", status, body, about, by)
	}
	was := about
	for _, bad := range []string{`{"keywords":[{"wrod":"a"}]}`, `[]`, `{"weights":{"anker":1}}`, `{"keywords":[{"word":"a"},{"word":"A","weight":-1}]}`, strings.Repeat(" ", 9<<20)} {
		if status, body := ask(http.MethodPut, "about", bad); status != http.StatusBadRequest || about != was {
			t.Errorf("%.40q: %d %s", bad, status, body)
		}
	}
	if status, body := ask(http.MethodGet, "why?url=http://a.test/x", ""); status != http.StatusOK || !strings.Contains(body, `"module":"anchor"`) {
		t.Errorf("why: %d %s", status, body)
	}
	for _, url := range []string{"http://a.test/secret/x", "http://a.test/behind"} {
		if status, body := ask(http.MethodGet, "why?url="+url, ""); status != http.StatusNotFound || strings.Contains(body, "hushed") || strings.Contains(body, "list") {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}
	if asked != 2 {
		t.Errorf("the crawl was asked %d times: not of what is withheld itself", asked)
	}
	if status, _ := ask(http.MethodGet, "why?url=", ""); status != http.StatusBadRequest {
		t.Errorf("no address: %d", status)
	}
}
