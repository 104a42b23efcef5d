package browser_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"varve"
	"varve/crawl/browser"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/lab/websim"
	"varve/lab/websim/server"
	"varve/web/links"
	"varve/web/wire"
)

// record is one exchange that the net made.
type record struct {
	Method, URL string
	Status      int
	Block       string // digest of head and raw body, as in WARC-Block-Digest
	Body        []byte // of the request
}

// wireNet is a Net over the crawler's own client: it records, answers a second time from its records,
// and refuses what it is told to.
type wireNet struct {
	client *fetch.Client
	refuse func(url string) bool

	mu      sync.Mutex
	kept    map[string][]byte
	records []record
}

func newNet(t testing.TB, overrides []string, cfg fetch.Config) *wireNet {
	t.Helper()
	for _, o := range overrides {
		parsed, err := fetch.ParseOverride(o)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Overrides = append(cfg.Overrides, parsed)
	}
	c, err := fetch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &wireNet{client: c, kept: map[string][]byte{}}
}

func (n *wireNet) Fetch(ctx context.Context, r *collect.Request) (*collect.Response, error) {
	if n.refuse != nil && n.refuse(r.URL) {
		return nil, fmt.Errorf("%w: out of scope", collect.ErrRefused)
	}
	key := r.Method + " " + r.URL
	n.mu.Lock()
	raw, ok := n.kept[key]
	n.mu.Unlock()
	if ok && !r.Fresh && r.Method == "GET" {
		return respond(raw, true)
	}
	var header wire.Header
	for _, f := range r.Header {
		if !strings.EqualFold(f.Name, "User-Agent") {
			header = append(header, f)
		}
	}
	x, err := n.client.Fetch(ctx, &fetch.Request{Method: r.Method, URL: r.URL, Header: header, Body: r.Body})
	defer x.Release()
	if err != nil && x.Head.Status == 0 {
		if fetch.ClassOf(err) == fetch.Guarded {
			err = errors.Join(collect.ErrRefused, err)
		}
		return nil, err
	}
	raw, err = io.ReadAll(io.NewSectionReader(&x.Response, 0, x.Response.Size()))
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum(raw)
	n.mu.Lock()
	n.kept[key] = raw
	n.records = append(n.records, record{r.Method, r.URL, x.Head.Status, "sha1:" + base32.StdEncoding.EncodeToString(sum[:]), r.Body})
	n.mu.Unlock()
	return respond(raw, false)
}

func respond(raw []byte, cached bool) (*collect.Response, error) {
	h, err := wire.ParseHead(raw)
	if err != nil {
		return nil, err
	}
	return &collect.Response{Status: h.Status, Header: h.Header, Raw: io.NopCloser(bytes.NewReader(raw)), Size: int64(len(raw)), Cached: cached}, nil
}

// asked gives the URLs that reached the server, in order.
func (n *wireNet) asked() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var urls []string
	for _, r := range n.records {
		urls = append(urls, r.URL)
	}
	return urls
}

// site serves a handler on loopback and gives a net on which every name leads to it.
func site(t testing.TB, h http.Handler) *wireNet {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return newNet(t, []string{"*.test=" + l.Addr().String()}, fetch.Config{})
}

// pages serves documents by path; the part before "?" decides.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := p[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, ".js"):
		w.Header().Set("Content-Type", "text/javascript")
	case strings.HasSuffix(r.URL.Path, ".json"):
		w.Header().Set("Content-Type", "application/json")
	case strings.HasSuffix(r.URL.Path, ".svg"):
		w.Header().Set("Content-Type", "image/svg+xml")
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	io.WriteString(w, body)
}

// collector gives a collector that ends with the test. Without Chromium the test is skipped.
func collector(t testing.TB, cfg browser.Config) *browser.Collector {
	t.Helper()
	if _, err := browser.Find(cfg.Path); err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if os.Getenv("VARVE_VERBOSE") != "" {
		cfg.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	c, err := browser.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// execute runs a page and fails the test on an error.
func execute(t testing.TB, c *browser.Collector, n collect.Net, url string) *collect.Result {
	t.Helper()
	r, err := c.Collect(t.Context(), &collect.Answer{URL: url, Status: 200, MIME: "text/html"}, n)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return r
}

// urls lists the links of a result.
func urls(r *collect.Result) []string {
	var list []string
	for _, l := range r.Links {
		list = append(list, l.URL)
	}
	return list
}

// simulated serves a simulated web and gives a net that reaches it.
func simulated(t testing.TB, spec string, o ...websim.Option) (*server.Server, *wireNet) {
	t.Helper()
	s, err := websim.Load("test", []byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(s, 1, o...)
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.Listen(web, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	return srv, newNet(t, srv.Resolve(), fetch.Config{TLS: fetch.TLS{Roots: srv.Pool()}})
}

type linkOf = links.Link

func hint(err error) string { return varve.HintOf(err) }
