package serve_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/retention"
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
	if _, err := os.Stat(filepath.Join(dir, "collections", "chronicle")); err != nil {
		texts, err := servetest.NewTexts(context.Background(), dir)
		if err == nil {
			err = texts.Close()
		}
		if err == nil {
			err = servetest.Chronicle(context.Background(), dir)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	b := newTab(t)
	seed, mended := moody(t)
	town := townOf(t, dir, seed)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.Program = self })
	s.indexed()
	mended.Store(true)
	heal(t, s, town, seed+"broken-a")
	rules := access.OpenDecisions(filepath.Join(dir, "access"), access.OpenAudit(filepath.Join(dir, "access")))
	// None of them touches the town: a graph of a collection of which a part is withheld is not shown.
	if have, err := rules.Rules(); err == nil && len(have) == 0 {
		for _, r := range []access.Rule{
			{Collection: "broadcasters", Embargo: 30, Reason: "agreement with the broadcasters, 2026-03-01"},
			{Collection: "ministries", Prefix: "http://ministry.sim.test/sport/", Level: access.ReadingRoom, Reason: "legal deposit"},
			{Collection: "broadcasters", Prefix: "http://news.sim.test/culture/old-photo", Level: access.Blocked, Reason: "letter of 2026-10-02"},
		} {
			if _, err := rules.Add(r, "eva", access.Admin, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	book := retention.Open(dir, access.OpenAudit(filepath.Join(dir, "access")), rand.Reader, time.Now)
	if have, err := book.State(); err == nil && len(have.Rules) == 0 {
		_, err := book.AddRule(retention.Rule{Days: 30, Reason: "records schedule 4.2"}, "eva")
		if err == nil {
			_, err = book.AddHold(retention.Hold{Matter: "Doe v. Roe", Collection: "ministries", Prefix: "http://ministry.sim.test/sport/", Reason: "letter of counsel, 2026-10-02"}, "eva")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	crawls, err := os.ReadDir(filepath.Join(dir, "collections", "aachen", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	crawl := "/collections/aachen/crawls/" + crawls[len(crawls)-1].Name()
	page := url.QueryEscape(home)
	s.get(s.ui + "/api" + crawl + "/coherence/graph?limit=1") // reads the WARC files once
	saved(t, s)
	noted(t, s, town)
	shots := []shot{
		{"pulse", "/", "window.htmx", 1500},
		{"notes", "/collections/aachen/notes", "window.htmx", 760},
		{"review", town + "/review", "window.htmx", 1000},
		{"collections", "/collections", "window.htmx", 640},
		{"collection", "/collections/aachen", "window.htmx", 1000},
		{"crawl", crawl, "window.htmx", 1000},
		{"coherence", crawl + "/coherence", "document.getElementById('graph').dataset.ready", 1300},
		{"pages", "/collections/aachen/pages", "window.htmx", 900},
		{"page", "/collections/aachen/page?url=" + page, "window.htmx", 1100},
		{"compare-text", "/collections/aachen/compare?url=" + page, "window.htmx", 800},
		{"compare-side", "/collections/aachen/compare?view=side&url=" + page, "document.querySelectorAll('iframe').length === 2", 900},
		{"map", "/collections/aachen/map", "window.htmx", 1100},
		{"access", "/access", "window.htmx", 800},
		{"retention", "/retention", "window.htmx", 1100},
		{"keeping", "/collections/aachen/retention", "window.htmx && !document.getElementById('job')", 1000},
		{"crawls", "/crawls", "window.htmx", 900},
		{"empty", "/find?q=nowhere.example", "window.htmx", 480},
		{"replay", s.replay + "/aachen/2026/" + home, "document.querySelector('iframe')", 800},
		{"search", "/search?collection=chronicle&q=flood", slid, 1150},
		{"search-time", "/search?collection=chronicle&from=2021-07&to=2021-08&q=river+OR+election", slid, 1000},
		{"search-nothing", "/search?collection=chronicle&from=2020-01&to=2020-06&host=courier.test&q=flood+sandbags", "window.htmx", 900},
		{"trends", "/trends?collection=chronicle&terms=flood,election,lockdown,tram,heating", "document.querySelector('#chart[data-ready]')", 950},
		{"cloud", "/cloud?collection=chronicle&at=2021-07", "window.htmx && !document.getElementById('play').hidden", 1000},
		{"document", "/document?collection=aachen&url=" + page, "window.htmx", 1200},
		{"searches", "/searches", "window.htmx", 520},
		{"selections", "/selections", "window.htmx", 700},
		{"selection", "/selections/chronicle/flood-2021", "window.htmx", 900},
	}
	only := strings.Fields(os.Getenv("VARVE_SCREENS_ONLY"))
	for _, dark := range []bool{false, true} {
		b.dark(dark)
		for _, shot := range shots {
			if len(only) > 0 && !slices.Contains(only, shot.name) {
				continue
			}
			if strings.HasPrefix(shot.path, "/") {
				shot.path = s.ui + shot.path
			}
			name := shot.name + "-light.png"
			if dark {
				name = shot.name + "-dark.png"
			}
			if raw, err := b.picture(shot); err != nil {
				t.Errorf("%s: %v", name, err) // the other pictures are taken all the same
			} else {
				keep(t, filepath.Join(out, name), raw)
			}
		}
	}
}

// shot is a picture to be taken.
type shot struct {
	name, path, ready string
	height            int64
}

// slid is when the time slider can be moved.
const slid = "document.querySelector('.timeline[data-ready]')"

// picture takes a picture of a page that has come to rest: two pictures in a row are the same. On a busy machine a page may
// need a second try.
func (b *tab) picture(s shot) (raw []byte, err error) {
	for range 3 {
		if err = chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, s.height), chromedp.Navigate(s.path)); err != nil {
			continue
		}
		if err = b.ready(s.ready); err != nil {
			continue
		}
		if raw, err = b.rest(); err == nil {
			return raw, nil
		}
	}
	return nil, err
}

// ready waits until an expression of the page is true, for half a minute.
func (b *tab) ready(expr string) error {
	for range 300 {
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expr+")")); err == nil && ok {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("it never became so: %s", expr)
}

// rest takes pictures until nothing moves any more.
func (b *tab) rest() (raw []byte, err error) {
	for range 20 {
		time.Sleep(400 * time.Millisecond)
		next, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			return nil, err
		}
		if bytes.Equal(next, raw) {
			return raw, nil
		}
		raw = next
	}
	return raw, nil // something always moves: this is how it looks
}

// saved keeps two searches and a selection of which some was decided.
func saved(t *testing.T, s *site) {
	t.Helper()
	const flood = "/api/collections/chronicle/selections"
	for _, x := range [][2]string{
		{"/api/searches", `{"collection":"chronicle","name":"Flood and its victims","query":"q=flood&collection=chronicle"}`},
		{"/api/searches", `{"collection":"ministries","name":"German papers of 2026","query":"lang=de&from=2026&to=2026"}`},
		{flood, `{"name":"flood-2021","topic":"flood river sandbags evacuated victims","threshold":0.2}`},
		{flood + "/flood-2021/decisions", `[{"do":"include","url":"http://www.town.test/2021/07/flood-1"},{"do":"include","url":"http://www.town.test/2021/07/flood-2"},{"do":"exclude","url":"http://courier.test/2021/07/flood-2","note":"a reprint"}]`},
	} {
		if resp, body := s.do("POST", s.ui+x[0], x[1], "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
			t.Fatalf("%s: %d: %s", x[0], resp.StatusCode, body)
		}
	}
}

// noted adds what curators say, to be looked at.
func noted(t *testing.T, s *site, town string) {
	t.Helper()
	const notes = "/api/collections/aachen/notes"
	for _, x := range [][2]string{
		{notes, `{"kind":"rights","text":"The town allows captures of all its pages, and that they are shown everywhere.\nLetter of 2026-01-12, on file.","public":true}`},
		{notes, `{"kind":"decision","text":"Every two weeks: the minutes of the council appear on Fridays, the rest changes rarely."}`},
		{notes, `{"kind":"question","url":"http://aachen.sim.test/","text":"Since when does the home page have no notices?"}`},
		{"/api/collections/town/notes", `{"kind":"note","crawl":"` + filepath.Base(town) + `","text":"The town moved to another machine that day."}`},
	} {
		if resp, body := s.do("POST", s.ui+x[0], x[1], "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
			t.Fatalf("%s: %d: %s", x[0], resp.StatusCode, body)
		}
	}
}

// heal crawls an address again that a crawl lacks, and waits until it is there.
func heal(t *testing.T, s *site, crawl, address string) {
	t.Helper()
	if resp, body := s.do("POST", s.ui+"/api"+crawl+"/recrawl", `{"urls":["`+address+`"]}`, "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
		t.Fatalf("%d: %s", resp.StatusCode, body)
	}
	for range 600 {
		if _, body := s.get(s.ui + "/api" + crawl + "/review"); strings.Contains(body, `"healed":1`) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("it is not healed")
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
