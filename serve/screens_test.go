package serve_test

import (
	"bytes"
	"context"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/serve/access"
	"varve/serve/servetest"
)

// TestScreens takes the pictures of docs/screens, light and dark:
//
//	VARVE_SCREENS=$PWD/docs/screens go test ./serve -run TestScreens -count=1 -timeout 20m
//
// VARVE_DEMO_DIR names an archive made before by servetest; else one is made, which takes a minute.
func TestScreens(t *testing.T) {
	out := os.Getenv("VARVE_SCREENS")
	if out == "" {
		t.Skip("pictures are taken only when VARVE_SCREENS names the folder for them")
	}
	dir := os.Getenv("VARVE_DEMO_DIR")
	if dir == "" {
		dir = t.TempDir()
		if err := servetest.Demo(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		measured(t, dir, "aachen", "ministries", "broadcasters")
	}
	b := newTab(t)
	s := start(t, dir, nil)
	s.indexed()
	rules := access.OpenDecisions(filepath.Join(dir, "access"), access.OpenAudit(filepath.Join(dir, "access")))
	if have, err := rules.Rules(); err == nil && len(have) == 0 {
		for _, r := range []access.Rule{
			{Collection: "broadcasters", Embargo: 30, Reason: "agreement with the broadcasters, 2026-03-01"},
			{Collection: "ministries", Prefix: "http://ministry.sim.test/sport/", Level: access.ReadingRoom, Reason: "legal deposit"},
			{Prefix: "http://news.sim.test/culture/old-photo", Level: access.Blocked, Reason: "letter of 2026-10-02"},
		} {
			if _, err := rules.Add(r, "eva", time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	crawls, err := os.ReadDir(filepath.Join(dir, "collections", "aachen", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	crawl := "/collections/aachen/crawls/" + crawls[len(crawls)-1].Name()
	page := url.QueryEscape(home)
	s.get(s.ui + "/api" + crawl + "/coherence/graph?limit=1") // reads the WARC files once
	shots := []struct {
		name, path, ready string
		height            int64
	}{
		{"collections", "/", "window.htmx", 640},
		{"collection", "/collections/aachen", "window.htmx", 1000},
		{"crawl", crawl, "window.htmx", 1000},
		{"coherence", crawl + "/coherence", "document.getElementById('graph').dataset.ready", 1300},
		{"pages", "/collections/aachen/pages", "window.htmx", 900},
		{"page", "/collections/aachen/page?url=" + page, "window.htmx", 1100},
		{"compare-text", "/collections/aachen/compare?url=" + page, "window.htmx", 800},
		{"compare-side", "/collections/aachen/compare?view=side&url=" + page, "document.querySelectorAll('iframe').length === 2", 900},
		{"map", "/collections/aachen/map", "window.htmx", 1100},
		{"access", "/access", "window.htmx", 800},
		{"crawls", "/crawls", "window.htmx", 900},
		{"empty", "/find?q=nowhere.example", "window.htmx", 480},
		{"replay", s.replay + "/aachen/2026/" + home, "document.querySelector('iframe')", 800},
	}
	only := strings.Fields(os.Getenv("VARVE_SCREENS_ONLY"))
	for _, dark := range []bool{false, true} {
		b.dark(dark)
		for _, shot := range shots {
			if len(only) > 0 && !slices.Contains(only, shot.name) {
				continue
			}
			target := shot.path
			if strings.HasPrefix(target, "/") {
				target = s.ui + target
			}
			if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, shot.height), chromedp.Navigate(target)); err != nil {
				t.Fatal(err)
			}
			b.is(shot.ready)
			time.Sleep(1200 * time.Millisecond) // what moves comes to rest
			raw, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			name := shot.name + "-light.png"
			if dark {
				name = shot.name + "-dark.png"
			}
			keep(t, filepath.Join(out, name), raw)
		}
	}
}

// keep writes a picture as small as PNG can.
func keep(t *testing.T, path string, raw []byte) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&small, palette(img)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
