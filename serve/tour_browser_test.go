package serve_test

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"varve/curate/tour"
)

const walk = `title = "Two screens."
[[stop]]
at = "/collections"
title = "All collections."
text = "Here."
in.de = { title = "Alle Sammlungen." }
[[stop]]
at = "/search?collection=press&q=council"
title = "A search."
`

// A visitor starts the tour on the first page, goes on, back, to its end, in either language and on a phone; the screens of the stops are as they are without it.
func TestBrowserTour(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := os.WriteFile(tour.File(dir), []byte(walk), 0o644); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/")
	b.click("#tour a.first")
	b.is("location.pathname === '/collections' && document.querySelector('#tour b').textContent === 'All collections.' && !document.querySelector('#tour [rel=prev]')")
	b.fits(1400, false)
	b.click("#tour [rel=next]")
	b.is("location.pathname === '/search' && document.querySelector('#tour b').textContent === 'A search.' && !document.querySelector('#tour [rel=next]') && document.querySelector('main').innerText.includes('council')")
	b.click("#tour [rel=prev]")
	b.is("location.pathname === '/collections' && !!document.querySelector('#tour')")
	b.click("footer a.language[lang=de]")
	b.is("document.documentElement.lang === 'de' && document.querySelector('#tour b').textContent === 'Alle Sammlungen.'")
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 900)); err != nil {
		t.Fatal(err)
	}
	b.fits(390, false)
	b.shoot("tour-390")
	b.click("#tour .actions a:last-child")
	b.is("location.pathname === '/collections' && location.search === '' && !document.querySelector('#tour')")
	for name, bad := range map[string]string{"elsewhere": "title = \"x\"\n[[stop]]\nat = \"https://evil.test/\"\ntitle = \"x\"\n", "not TOML": "title = "} {
		if err := os.WriteFile(tour.File(dir), []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		b.open(s.ui + "/")
		b.is("document.querySelector('#tour').innerText.includes('tour.toml') && !document.querySelector('#tour').innerText.includes('" + dir + "') /* " + name + " */")
	}
}
