package browser_test

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"varve/crawl/browser"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/lab/websim/difficult"
	"varve/lab/websim/server"
	"varve/web/links"
)

// What executing brings on the difficult sites: every key element that the page's own scripts and a
// visitor's hands lead to. One test per site, so that each tells what it misses.
func TestDrillDifficult(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	c := collector(t, browser.Config{})
	names := difficult.Names()
	if s := os.Getenv("VARVE_SITES"); s != "" {
		names = strings.Split(s, ",")
	}
	var all, got int
	var cost time.Duration
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			a, g, cpu := explore(t, c, name)
			all, got, cost = all+a, got+g, cost+cpu
		})
	}
	t.Logf("%d of %d key elements, %.1f s of processor time", got, all, cost.Seconds())
}

// explore executes the entries of a site and whatever they lead to that has scripts, and fetches the rest.
func explore(t *testing.T, c *browser.Collector, name string) (all, got int, cpu time.Duration) {
	sites, err := difficult.Load(1, 0, name)
	if err != nil {
		t.Fatal(err)
	}
	s := sites[0]
	web, err := difficult.Web(1, s)
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.Listen(web, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	n := newNet(t, srv.Resolve(), fetch.Config{TLS: fetch.TLS{Roots: srv.Pool()}})
	queue := append([]string(nil), s.Entries...)
	base, err := url.Parse(s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range queue {
		u, err := base.Parse(e)
		if err != nil {
			t.Fatal(err)
		}
		queue[i] = u.String()
	}
	seen := map[string]bool{}
	began := time.Now()
	executed := 0
	for len(queue) > 0 && len(seen) < 400 {
		u, _, _ := strings.Cut(queue[0], "#")
		queue = queue[1:]
		if seen[u] || !ours(s, u) {
			continue
		}
		seen[u] = true
		resp, err := n.Fetch(t.Context(), &collect.Request{Method: "GET", URL: u})
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(resp.Raw)
		if err != nil {
			t.Fatal(err)
		}
		if loc := resp.Header.Get("Location"); loc != "" {
			if l, err := base.Parse(loc); err == nil {
				queue = append(queue, l.String())
			}
		}
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || resp.Status != 200 {
			continue
		}
		if !bytes.Contains(raw, []byte("<script")) {
			links.Extract(links.Document{URL: u, MIME: "text/html", Body: raw}, func(l links.Link) { queue = append(queue, l.URL) })
			continue
		}
		executed++
		r, err := c.Collect(t.Context(), &collect.Answer{URL: u, Status: 200, MIME: "text/html"}, n)
		if err != nil {
			t.Errorf("%s: %v", u, err)
		}
		if r == nil {
			continue
		}
		cpu += r.Cost.CPU
		for _, l := range r.Links {
			if l.Hop != links.HopSpeculative {
				queue = append(queue, l.URL)
			}
		}
	}
	var missing []string
	for _, e := range s.Elements {
		found := false
		for _, rec := range n.records {
			found = found || rec.Status == 200 && e.Matches(rec.Method, rec.URL, string(rec.Body))
		}
		if found {
			got++
		} else {
			missing = append(missing, fmt.Sprintf("%s %s %s", e.Method, e.URL, e.Body))
		}
	}
	bad := 0
	for _, rec := range n.records {
		if rec.Status == 404 {
			bad++
		}
	}
	t.Logf("%d of %d, %d pages executed, %d requests, %d not found, %.2f s CPU, %.1f s", got, len(s.Elements), executed, len(n.records), bad, cpu.Seconds(), time.Since(began).Seconds())
	if len(missing) > 0 {
		t.Errorf("missing:\n%s", strings.Join(missing[:min(len(missing), 12)], "\n"))
	}
	return len(s.Elements), got, cpu
}

func ours(s *difficult.Site, u string) bool {
	p, err := url.Parse(u)
	if err != nil {
		return false
	}
	for _, h := range append([]string{s.Host}, s.Others...) {
		if p.Hostname() == h {
			return true
		}
	}
	return false
}
