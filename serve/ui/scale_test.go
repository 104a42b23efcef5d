package ui_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"varve/lab/servetest"
	"varve/serve/access"
)

// maxPage is what the HTML of a list may take, however long the list is.
const maxPage = 200 << 10

// Screens of an archive with very many collections stay small, and tell how many there are.
func TestListsAreCutIntoPages(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Many(dir, 130, 1); err != nil {
		t.Fatal(err)
	}
	s := newScreens(t, dir, servetest.Index{})
	for target, want := range map[string]string{
		"/": "1 to 25 of 130", "/collections": "1 to 25 of 130", "/collections?from=25": "26 to 50 of 130", "/collections?from=9999": "1 to 25 of 130",
		"/crawls": "1 to 50 of 130", "/crawls?state=stopped": "1 to 50 of 130", "/crawls?from=100": "101 to 130 of 130", "/tray": "1 to 50 of ",
		"/?from=125": "126 to 130 of 130",
	} {
		code, body, _ := s.get(t, access.Admin, target)
		if code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, without %q", target, code, want)
		}
		if len(body) > maxPage {
			t.Errorf("%s has %d bytes", target, len(body))
		}
		t.Logf("%s: %d bytes", target, len(body))
	}
	seen := map[string]bool{}
	for from := 0; from < 130; from += 25 {
		_, body, _ := s.get(t, access.Viewer, fmt.Sprintf("/collections?from=%d", from))
		for i := range 130 {
			if name := fmt.Sprintf("/collections/site-%05d\"", i); strings.Contains(body, name) {
				seen[name] = true
			}
		}
	}
	if len(seen) != 130 {
		t.Errorf("the pages show %d of 130 collections", len(seen))
	}
}

// The same for one collection with very many crawls.
func TestCrawlsAreCutIntoPages(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Many(dir, 1, 900); err != nil {
		t.Fatal(err)
	}
	s := newScreens(t, dir, servetest.Index{})
	for target, want := range map[string]string{
		"/": "900 crawls", "/collections": "900 crawls", "/collections/site-00000": "1 to 50 of 900", "/collections/site-00000?from=850": "851 to 900 of 900",
		"/crawls": "1 to 50 of 900", "/crawls?state=stopped": "page limit reached", "/tray": "page limit reached",
		"/collections/site-00000/crawls/20200301T030000Z": "Crawl", "/collections/site-00000/plan": "daily",
	} {
		code, body, _ := s.get(t, access.Admin, target)
		if code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, without %q", target, code, want)
		}
		if len(body) > maxPage {
			t.Errorf("%s has %d bytes", target, len(body))
		}
	}
}

// What screens of a large archive cost: bytes, processor time, memory. VARVE_SCALE=1x100000,5000x1 sets collections and
// crawls in each.
func TestDrillScaleOfScreens(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	for _, size := range servetest.Scale(t, [2]int{1, 5_000}, [2]int{1_000, 1}) {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			dir := t.TempDir()
			if err := servetest.Many(dir, size[0], size[1]); err != nil {
				t.Fatal(err)
			}
			s := newScreens(t, dir, servetest.Index{})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			if err := s.holdings.Complete(ctx); err != nil {
				t.Fatal(err)
			}
			go func() {
				defer close(ended)
				s.holdings.Run(ctx, time.Minute)
			}()
			for range 2 { // the second time is what a reader sees
				for _, target := range []string{"/", "/collections", "/collections?from=100", "/collections/site-00000", "/crawls", "/tray"} {
					began, before := time.Now(), servetest.CPU()
					code, body, _ := s.get(t, access.Admin, target)
					used := servetest.CPU() - before
					t.Logf("%-28s %7d bytes, %6.2f s, %6.2f s CPU, %s", target, len(body), time.Since(began).Seconds(), used.Seconds(), servetest.RSS())
					if code != 200 || len(body) > maxPage {
						t.Errorf("%s: %d, %d bytes", target, code, len(body))
					}
				}
			}
			cancel()
			<-ended
		})
	}
}
