package serve_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl/browser"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/replay/replaytest"
	"varve/serve/thumb"
)

// drawing lets a server draw with the Chromium of this machine.
func drawing(t *testing.T) func(*serve.Config) {
	t.Helper()
	path, err := browser.Find("")
	if err != nil {
		t.Skip(err)
	}
	return func(cfg *serve.Config) {
		cfg.Draw = func() (thumb.Browser, error) {
			return browser.New(browser.Config{Path: path, Dir: t.TempDir(), Tabs: 1, Screenshot: true, Still: true})
		}
	}
}

// Pictures of pages are drawn from the archive alone, show nothing that is withheld, and go when a part of them does.
func TestBrowserThumbs(t *testing.T) {
	live := newCanary(t)
	html, css, svg := "Content-Type: text/html\n", "Content-Type: text/css\n", "Content-Type: image/svg+xml\n"
	front := `<link rel=stylesheet href=/s.css><img src="http://parts.example/big.svg"><img src="` + "http://" + live.tcp.Addr().String() + "/gone.png" + `"><script>fetch("` + "http://" + live.tcp.Addr().String() + "/leak" + `")</script>`
	square := `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="400"><rect width="1280" height="400" fill="#0000ff"/></svg>`
	dir := t.TempDir()
	col, err := catalog.Open(dir).Collection("n")
	if err != nil {
		t.Fatal(err)
	}
	at := "2025-03-04T05:06:07Z"
	replaytest.WriteInto(t, col.WarcDir(),
		replaytest.Answer{URL: "http://a.example/", Time: at, Header: html, Body: front},
		replaytest.Answer{URL: "http://a.example/", Time: "2025-03-04T06:00:00Z", Header: html, Body: front, Of: at},
		replaytest.Answer{URL: "http://a.example/other", Time: at, Header: html, Body: front},
		replaytest.Answer{URL: "http://a.example/missing", Time: at, Header: html, Status: 404, Body: front},
		replaytest.Answer{URL: "http://a.example/s.css", Time: at, Header: css, Body: "html, body { margin: 0; background: #00ff00 } img { display: block }"},
		replaytest.Answer{URL: "http://parts.example/big.svg", Time: at, Header: svg, Body: square},
	)
	s := start(t, dir, drawing(t))
	s.waitForCapture("n", "http://parts.example/big.svg")
	when := at
	get := func(page string) (int, image.Image) {
		t.Helper()
		resp, body := s.do("GET", s.ui+"/collections/n/thumb?at="+when+"&url="+url.QueryEscape(page), "")
		if resp.StatusCode != 200 {
			return resp.StatusCode, nil
		}
		img, err := jpeg.Decode(bytes.NewReader([]byte(body)))
		if err != nil || img.Bounds().Dx() != thumb.Width {
			t.Fatalf("%s: %v, %v", page, err, img)
		}
		return 200, img
	}
	colour := func(img image.Image, x, y int) string {
		r, g, b, _ := img.At(x, y).RGBA()
		near := func(v uint32) int { return int(v+0x4000) / 0xffff }
		return fmt.Sprint(near(r), near(g), near(b))
	}
	status, img := get("http://a.example/")
	if status != 200 || colour(img, 160, 40) != "0 0 1" || colour(img, 160, 180) != "0 1 0" {
		t.Fatalf("%d: the picture does not show the page", status)
	}
	if status, _ := get("http://a.example/missing"); status != 404 {
		t.Errorf("an error has a picture: %d", status)
	}
	if status, _ := get("http://a.example/s.css"); status != 404 {
		t.Errorf("a style sheet has a picture: %d", status)
	}
	when = "2025-03-04T06:00:00Z"
	if status, img := get("http://a.example/"); status != 200 || colour(img, 160, 40) != "0 0 1" {
		t.Errorf("%d: a revisit is not drawn", status)
	}
	when = at
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	rule, err := rules.Add(access.Rule{Prefix: "parts.example", Level: access.Blocked, Reason: "a letter"}, "test", access.Admin, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := get("http://a.example/"); status != 404 {
		t.Errorf("a part of the picture was taken down, and it is still shown: %d", status)
	}
	if status, img := get("http://a.example/other"); status != 200 || colour(img, 160, 40) != "0 1 0" {
		t.Errorf("%d: what is withheld was drawn", status)
	}
	if err := rules.Lift(rule.ID, "test", "over", time.Now()); err != nil {
		t.Fatal(err)
	}
	if status, _ := get("http://a.example/"); status != 200 {
		t.Errorf("the rule is lifted, the picture not: %d", status)
	}
	if err := os.RemoveAll(filepath.Join(col.Dir(), "derived", "thumbs")); err != nil {
		t.Fatal(err)
	}
	if status, img := get("http://a.example/other"); status != 200 || colour(img, 160, 40) != "0 0 1" {
		t.Errorf("%d: not drawn again", status)
	}
	if got := live.take(); len(got) > 0 {
		t.Errorf("the live web was asked: %v", got)
	}

	b := newTab(t)
	b.open(s.ui + "/collections/n/page?url=" + url.QueryEscape("http://a.example/"))
	b.is("document.querySelector('.looks img').naturalWidth === 320")
	b.quiet()
}
