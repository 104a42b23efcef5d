package serve_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// historyScreens are screens with strips: what has a history stands on a labelled axis there.
func historyScreens(replay string) []string {
	page := url.QueryEscape(home)
	return []string{
		"/", "/collections", "/collections/aachen", "/collections/aachen/page?url=" + page, "/document?collection=aachen&url=" + page,
		"/search?collection=press&q=council", "/cloud?collection=press", "/opinions?collection=press&about=the+vote", replay,
	}
}

// labelled tells what is wrong with the axes of a page: one is there, its labels do not meet, and none leaves its place.
const labelled = `(() => {
	const shown = [...document.querySelectorAll('.axis svg')].filter(s => s.getClientRects().length);
	if (!shown.length) return 'there is no labelled axis';
	for (const s of shown) {
		const box = s.getBoundingClientRect(), labels = [...s.querySelectorAll('text')].map(t => t.getBoundingClientRect());
		if (!labels.length) return 'an axis has no label';
		for (const [i, l] of labels.entries()) {
			if (l.right > box.right + 24) return 'a label leaves its axis: ' + s.textContent;
			if (i && labels[i - 1].right > l.left) return 'labels meet: ' + s.textContent + ' at ' + Math.round(box.width) + ' px';
		}
	}
	for (const s of document.querySelectorAll('svg.strip')) {
		if (!s.closest('table')  && s.nextElementSibling?.className !== 'axis') return 'a strip has no axis: ' + s.getAttribute('aria-label');
	}
	return '';
})()`

// On every screen with a history there is one kind of strip with a labelled axis, wide and on a phone, in both themes, in
// both languages.
func TestBrowserOneAxis(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	measured(t, dir, "aachen")
	s := start(t, dir, nil)
	s.indexed()
	replay := s.replay + "/aachen/2026/" + home
	for _, language := range []string{"de", "en"} {
		b.open(s.ui + "/language?to=" + language + "&back=/")
		b.is("document.documentElement.lang === '" + language + "'")
		for i, path := range historyScreens(replay) {
			t.Run(language+path, func(t *testing.T) {
				b.t = t
				target := path
				if strings.HasPrefix(path, "/") {
					target = s.ui + path
				}
				b.open(target)
				b.is("document.readyState === 'complete'")
				for _, width := range []int64{1400, 390} {
					dark := (width == 390) == (language == "de")
					b.dark(dark)
					if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
						t.Fatal(err)
					}
					b.fits(width, dark)
					got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](labelled))
					if err != nil || got != "" {
						t.Errorf("at %d px: %s %v", width, got, err)
					}
					b.shoot(fmt.Sprintf("axis-%s-%d-%d", language, i, width))
				}
				b.dark(false)
			})
		}
	}
}

// shoot keeps a picture where VARVE_SCREENS names a folder.
func (b *tab) shoot(name string) {
	b.t.Helper()
	to := os.Getenv("VARVE_SCREENS")
	if to == "" {
		return
	}
	raw, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(to, name+".png"), raw, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// German as the browser asks for it, and the choice that stays.
func TestGerman(t *testing.T) {
	s := start(t, searchable(t), nil)
	s.indexed()
	for path, want := range map[string][]string{
		"/":            {`<html lang="de">`, "Puls des Archivs", "Aufnahmen", "Sammlungen"},
		"/collections": {"Was dieses Archiv enthält", "Ein Band je Crawl"},
		"/collections/aachen/page?url=" + url.QueryEscape(home):    {"Fassungen im Lauf der Zeit", "Kalender", "<th>Mo</th>"},
		"/search?collection=press&q=council":                       {"Was sagten Seiten, und wann?", "Fassungen von Seiten passen", "Diese Fassung:", "Fassungen aller Zeiten."},
		"/trends?collection=press&terms=council":                   {"am häufigsten", "Anteil an allen Fassungen", "Quartal"},
		"/opinions?collection=press&about=the+vote":                {"Wie wurde the vote beurteilt", "dafür", "weder noch"},
		"/cloud?collection=press":                                  {"Welche Wörter nahmen"},
		"/collections/aachen/compare?url=" + url.QueryEscape(home): {"Was hat sich zwischen diesen beiden Aufnahmen geändert?", "Nebeneinander"},
		"/document?collection=aachen&url=" + url.QueryEscape(home): {"Was bekannt ist", "Fassung 1 von", "% sicher"},
		"/no/such/screen": {"Nicht in diesem Archiv"},
	} {
		resp, body := s.do("GET", s.ui+path, "", "Accept-Language", "de-DE,de;q=0.9")
		for _, w := range append(want, `hreflang="en"`) {
			if !strings.Contains(body, w) {
				t.Errorf("%s (%d) does not say %q", path, resp.StatusCode, w)
			}
		}
		if resp.Header.Get("Content-Language") != "de" || !strings.Contains(resp.Header.Get("Vary"), "Accept-Language") {
			t.Errorf("%s: %v", path, resp.Header)
		}
	}
	if _, body := s.do("GET", s.replay+"/aachen/2026/"+home, "", "Accept-Language", "de", "Sec-Fetch-Dest", "document"); !strings.Contains(body, "noch nicht beurteilt") {
		t.Error("the banner is not German")
	}
	resp, _ := s.do("GET", s.ui+"/language?to=en&back="+url.QueryEscape("/collections"), "", "Accept-Language", "de")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/collections" || len(resp.Cookies()) != 1 {
		t.Fatal(resp.StatusCode, resp.Header)
	}
	c := resp.Cookies()[0]
	if _, body := s.do("GET", s.ui+"/collections", "", "Accept-Language", "de", "Cookie", c.Name+"="+c.Value); !strings.Contains(body, "What this archive holds") {
		t.Error("the choice does not stay")
	}
	resp, _ = s.do("GET", s.ui+"/language?to=tlh&back="+url.QueryEscape("https://elsewhere.example/"), "")
	if resp.Header.Get("Location") != "/" || len(resp.Cookies()) != 0 {
		t.Errorf("an unknown language, an address elsewhere: %v", resp.Header)
	}
}
