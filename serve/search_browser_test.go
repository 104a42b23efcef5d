package serve_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"varve/lab/servetest"
)

// searchable is a copy of the archive with texts: the crawled town, and a press whose counts are known.
func searchable(t testing.TB) string {
	t.Helper()
	dir := copied(t)
	texts, err := servetest.NewTexts(context.Background(), dir)
	if err == nil {
		err = texts.Close()
	}
	if err == nil {
		err = servetest.Press(context.Background(), dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// do runs a script in the page.
func (b *tab) do(js string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[any]("(() => {"+js+"})()")); err != nil {
		b.t.Fatal(err)
	}
}

// middle gives the place of an element, or of a point that a script computes.
func (b *tab) place(js string) (x, y float64) {
	b.t.Helper()
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](js))
	if err != nil || len(at) != 2 {
		b.t.Fatalf("%s: %v, %v", js, at, err)
	}
	return at[0], at[1]
}

// drag presses the mouse at one place and lets it go at another.
func (b *tab) drag(x0, y0, x1, y1 float64) {
	b.t.Helper()
	left := chromedp.ButtonLeft
	err := chromedp.Do(b.ctx,
		chromedp.MouseEvent(chromedp.MouseMoved, x0, y0), chromedp.MouseEvent(chromedp.MousePressed, x0, y0, left, chromedp.ClickCount(1)),
		chromedp.MouseEvent(chromedp.MouseMoved, (x0+x1)/2, y0, left), chromedp.MouseEvent(chromedp.MouseMoved, x1, y1, left),
		chromedp.MouseEvent(chromedp.MouseReleased, x1, y1, left, chromedp.ClickCount(1)))
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Click(selector)); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
}

// find types words into the box of the search and sends them. The browser is driven so that a key types its
// character though the page took it for itself, so the box is emptied by typing over it.
func (b *tab) find(words string) {
	b.t.Helper()
	b.press("/")
	b.is("document.activeElement.id === 'words'")
	b.do("document.activeElement.select()")
	b.press(words + "\r")
}

// quiet checks that the browser had nothing to complain of.
func (b *tab) quiet() {
	b.t.Helper()
	if said := b.console(); len(said) > 0 {
		b.t.Errorf("the console says %q", said)
	}
}

// tally waits for the number of versions that a search says it found.
func (b *tab) tally(n int) {
	b.t.Helper()
	b.is(fmt.Sprintf("document.querySelector('.tally b') && document.querySelector('.tally b').textContent === '%d'", n))
}

// bucketAt is the place of a bucket of the timeline, counted from 0.
const bucketAt = `(() => { const r = document.querySelector('.timeline .bars').getBoundingClientRect(); return [r.left + r.width * (%d + 0.5) / 36, r.top + r.height / 2] })()`

// edgeAt is the place of a handle of the slider at an edge of the timeline.
const edgeAt = `(() => { const r = document.querySelector('.timeline .bars').getBoundingClientRect(); const h = document.querySelector('.handles').getBoundingClientRect(); return [r.left + r.width * %d / 36, h.top + h.height / 2] })()`

// key presses a key on the right handle of the slider when it has the focus, and waits until the handle stands at an edge.
func (b *tab) key(key, edge string) {
	b.t.Helper()
	b.is("document.activeElement.id === 'slide-hi'")
	b.press(key)
	b.is(fmt.Sprintf("document.getElementById('slide-hi').value === '%s'", edge))
}

// The search in a real browser: type, filter, slide, click, go back.
func TestSearchBrowser(t *testing.T) {
	b := newTab(t)
	s := start(t, searchable(t), nil)
	s.indexed()
	t.Run("type and filter by facet", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search")
		b.is("window.htmx && document.querySelector('.timeline[data-ready]')")
		b.find("election")
		b.tally(78)
		b.is("location.search === '?q=election' && document.title.startsWith('Search: election')")
		b.click(`.facet a.pick[title="only b.press.test"]`)
		b.tally(39)
		b.is("location.search === '?host=b.press.test&q=election' && document.querySelector('.conditions a').textContent.includes('host: b.press.test')")
		b.is("document.querySelector('.facet .pick[aria-current]').textContent === 'b.press.test'")
		b.click(".conditions a")
		b.tally(78)
		b.quiet()
	})
	t.Run("the time slider", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?collection=press&q=election")
		b.is("window.htmx && document.querySelector('.timeline[data-ready]')")
		x0, y := b.place(fmt.Sprintf(edgeAt, 0))
		x1, _ := b.place(fmt.Sprintf(edgeAt, 16))
		b.drag(x0, y, x1, y)
		b.is("new URLSearchParams(location.search).get('from') === '2021-05-01' && new URLSearchParams(location.search).get('to') === '2022-12-31'")
		b.is("document.getElementById('from').value === '2021-05-01' && document.getElementById('slide-lo').value === '16'")
		b.is("document.readyState === 'complete' && document.querySelector('.timeline[data-ready]') && !document.querySelector('.htmx-request')")
		b.do("document.getElementById('slide-hi').focus()")
		b.key(kb.Home, "17") // as far as the other handle
		b.is("new URLSearchParams(location.search).get('to') === '2021-05-31'")
		b.key(kb.ArrowRight, "18")
		b.key(kb.ArrowRight, "19")
		b.is("new URLSearchParams(location.search).get('to') === '2021-07-31' && document.activeElement.id === 'slide-hi'")
		b.is("document.getElementById('slide-hi').getAttribute('aria-valuetext') === 'until 2021-07-31'")
		b.is("document.readyState === 'complete' && document.querySelector('.timeline[data-ready]') && !document.querySelector('.htmx-request')")
		// A move while an answer is on its way is not lost with the timeline that the answer takes away.
		b.do("document.getElementById('ask').requestSubmit(); const hi = document.getElementById('slide-hi'); hi.value = 20; hi.dispatchEvent(new Event('input')); hi.dispatchEvent(new Event('change'))")
		b.is("new URLSearchParams(location.search).get('to') === '2021-08-31' && document.getElementById('slide-hi').value === '20'")
		b.quiet()
	})
	t.Run("the trend, and back", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?collection=press&q=ballotbox")
		b.is("window.htmx && document.querySelector('.timeline[data-ready]')")
		b.tally(8)
		x, y := b.place(fmt.Sprintf(bucketAt, 16))
		b.drag(x, y, x, y)
		b.is("new URLSearchParams(location.search).get('from') === '2021-05-01' && new URLSearchParams(location.search).get('to') === '2021-05-31'")
		b.tally(8)
		x0, _ := b.place(fmt.Sprintf(bucketAt, 2))
		x1, _ := b.place(fmt.Sprintf(bucketAt, 14))
		b.drag(x1, y, x0, y)
		b.is("new URLSearchParams(location.search).get('from') === '2020-03-01' && new URLSearchParams(location.search).get('to') === '2021-03-31'")
		b.tally(0)
		b.is("document.querySelector('.hints a').textContent === 'the same at any time'")
		b.do("setTimeout(() => history.back())") // the answer comes before the page is left
		b.is("new URLSearchParams(location.search).get('to') === '2021-05-31' && document.getElementById('to').value === '2021-05-31' && document.querySelector('.timeline[data-ready]')")
		b.tally(8)
		b.do("setTimeout(() => history.back())") // the answer comes before the page is left
		b.is("location.search === '?collection=press&q=ballotbox' && document.getElementById('from').value === ''")
		b.tally(8)
		b.do("history.forward()")
		b.is("new URLSearchParams(location.search).get('from') === '2021-05-01' && document.querySelector('.timeline[data-ready]')")
		b.quiet()
	})
	t.Run("errors in place", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?collection=press&q=election")
		b.is("window.htmx && document.querySelector('.timeline[data-ready]')")
		b.do("document.getElementById('words').value = '(election'; document.getElementById('ask').requestSubmit()")
		b.is("document.querySelector('#trouble') && document.getElementById('words').value === '(election'")
		b.do("document.getElementById('words').value = 'election'; document.getElementById('ask').requestSubmit()")
		b.tally(78)
		b.console() // the browser notes the status 400
	})
	t.Run("hostile titles are text", func(t *testing.T) {
		b.t = t
		for _, path := range []string{"/search?q=hostileword", "/document?url=" + url.QueryEscape("http://b.press.test/hostile"), "/search?q=" + url.QueryEscape(servetest.Hostile), "/trends?terms=" + url.QueryEscape("hostileword,"+servetest.Hostile), "/cloud?at=2020-01"} {
			b.open(s.ui + path)
			b.is("window.htmx && document.querySelector('main h1')")
			b.is("window.hacked === undefined && !document.querySelector('main img, main script')")
		}
		b.open(s.ui + "/document?url=" + url.QueryEscape("http://b.press.test/hostile"))
		b.is("document.querySelector('h1').textContent.includes('<script>') && document.title.includes('<script>')")
		b.console()
	})
	t.Run("keys alone", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/collections")
		b.is("window.htmx")
		b.press("s")
		b.is("location.pathname === '/search' && window.htmx && document.querySelector('.timeline[data-ready]')")
		b.find("council month")
		b.is("new URLSearchParams(location.search).get('q') === 'council month' && document.querySelector('article.hit')")
		b.press("\x1b")
		b.is("document.activeElement.id !== 'words'")
		b.press("jo")
		b.is("location.pathname === '/document' && window.htmx")
		b.press("[")
		b.is("document.querySelector('p.lead').textContent.includes('Version') && !document.querySelector('p.lead').textContent.includes('Version 36')")
		b.quiet()
	})
	t.Run("a result in replay", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?collection=aachen&q=people")
		b.is("document.querySelector('article.hit')")
		b.do(`[...document.querySelectorAll('.ways a')].find(a => a.textContent === 'replay').click()`)
		b.is(fmt.Sprintf("location.origin === %q && document.querySelector('iframe')", s.replay))
		b.do("setTimeout(() => history.back())") // the answer comes before the page is left
		b.is("location.pathname === '/search' && new URLSearchParams(location.search).get('q') === 'people' && document.querySelector('article.hit')")
		b.do(`[...document.querySelectorAll('.ways a')].find(a => a.textContent === 'what changed').click()`)
		b.is("location.pathname.endsWith('/compare') && document.querySelector('main h1')")
		b.console() // what the archived page did is its own business
	})
	t.Run("saved searches", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?q=election&lang=de")
		b.is("window.htmx && document.querySelector('form[action=\"/searches\"]')")
		b.do("const f = document.querySelector('form[action=\"/searches\"]'); f.elements.name.value = 'German elections'; f.requestSubmit()")
		b.is("location.pathname === '/searches' && document.querySelector('tr.here').textContent.includes('German elections')")
		b.click("tr.here a")
		b.is("location.search === '?lang=de&q=election'")
		b.tally(39)
		b.quiet()
	})
}

// Trends and rising words in a real browser.
func TestTrendsBrowser(t *testing.T) {
	b := newTab(t)
	s := start(t, searchable(t), nil)
	s.indexed()
	t.Run("chart", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/trends?collection=press&terms=election,ballotbox,council")
		b.is("document.querySelector('#chart[data-ready] canvas') && document.querySelectorAll('#chart .u-series').length === 4")
		b.is("document.querySelectorAll('#trend-table tbody tr').length === 36")
		// The peak of the first term: 80 % in May 2021, the seventeenth of 36 points; the axis goes to 108 %.
		x, y := b.place(`(() => { const r = document.querySelector('#chart .u-over').getBoundingClientRect(); return [r.left + r.width * 16 / 35, r.top + r.height * (1 - 80 / 108)] })()`)
		b.drag(x, y, x, y)
		b.is("location.pathname === '/search' && new URLSearchParams(location.search).get('from') === '2021-05'")
		b.is("['election', 'ballotbox'].includes(new URLSearchParams(location.search).get('q'))")
		b.do("setTimeout(() => history.back())") // the answer comes before the page is left
		b.is("location.pathname === '/trends' && document.querySelector('#chart[data-ready] canvas')")
		b.do("[...document.querySelectorAll('.views a')].find(a => a.textContent.startsWith('number')).click()")
		b.is("new URLSearchParams(location.search).get('measure') === 'count' && document.querySelector('#chart[data-ready][data-measure=count]')")
		b.quiet()
	})
	t.Run("play", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/cloud?collection=press&at=2021-03")
		b.is("window.htmx && !document.getElementById('play').hidden")
		b.press(kb.ArrowRight)
		b.is("new URLSearchParams(location.search).get('at') === '2021-04' && window.htmx && !document.getElementById('play').hidden")
		b.do("document.getElementById('play').focus()")
		b.press(" ")
		b.is("document.getElementById('play').getAttribute('aria-pressed') === 'true'")
		b.is("new URLSearchParams(location.search).get('at') === '2021-05' && document.querySelector('.w9').textContent === 'ballotbox'")
		b.is("document.querySelector('main h1').textContent === 'Which words rose in May 2021?' && document.activeElement.id === 'play'")
		b.press(" ")
		b.is("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
		b.click(".w9")
		b.is("location.pathname === '/search' && new URLSearchParams(location.search).get('q') === 'ballotbox'")
		b.tally(8)
		b.quiet()
	})
	t.Run("without motion", func(t *testing.T) {
		b.t = t
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		if err != nil {
			t.Fatal(err)
		}
		b.open(s.ui + "/cloud?collection=press&at=2021-05")
		b.is("getComputedStyle(document.querySelector('.words-cloud')).animationName === 'none'")
	})
	t.Run("selection by keys", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/selections")
		b.is("window.htmx && document.querySelector('form.stack')")
		b.do("const f = document.querySelector('form.stack').elements; f.collection.value = 'press'; f.name.value = 'vote'; f.topic.value = 'election ballotbox school'; document.querySelector('form.stack').requestSubmit()")
		b.is("location.pathname === '/selections/press/vote' && window.htmx && document.querySelectorAll('#choices tr[data-row]').length > 5")
		b.press("jie")
		b.is("document.querySelectorAll('#choices tr.included').length === 1 && document.querySelectorAll('#choices tr.excluded').length === 1")
		b.is("[...document.querySelectorAll('#choices tr[data-row]')].findIndex(r => r.classList.contains('at')) === 2")
		b.is("document.getElementById('counts').textContent.includes('included 1')")
		b.press("ku")
		b.is("document.querySelectorAll('#choices tr.excluded').length === 0")
		b.do("const t = document.getElementById('threshold'); t.value = '0.3'; t.dispatchEvent(new Event('input'))")
		b.is("document.getElementById('threshold-says').textContent.startsWith('0.30: about')")
		b.do("document.querySelector('form.threshold').requestSubmit()")
		b.is("document.getElementById('threshold') && document.getElementById('threshold').value === '0.3' && document.getElementById('counts').textContent.includes('included 1')")
		b.quiet()
	})
	t.Run("narrow", func(t *testing.T) {
		b.t = t
		if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(800, 900)); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/search?q=election", "/trends?terms=election,ballotbox", "/cloud?at=2021-05", "/document?url=" + url.QueryEscape("http://a.press.test/"), "/searches"} {
			b.open(s.ui + path)
			b.is("window.htmx && document.documentElement.scrollWidth <= window.innerWidth")
		}
	})
}

// What does not need scripts works without: forms and links alone.
func TestSearchWithoutScripts(t *testing.T) {
	s := start(t, searchable(t), nil)
	s.indexed()
	for path, want := range map[string]string{
		"/search?q=election&collection=&sort=&from=2021-05&to=2021-05&relation=within&asof=": "Nothing fits",
		"/search?q=election&from=2021-05&to=2021-05":                                         "<b>40</b>",
		"/search?q=people": "City of Aachen",
		"/trends?terms=election&format=csv&collection=press": "2021-05,10,8,0.800000",
		"/cloud?at=2021-05": "ballotbox",
	} {
		if status, body := s.get(s.ui + path); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, says %q: %v", path, status, want, strings.Contains(body, want))
		}
	}
}
