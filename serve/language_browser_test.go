package serve_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What texts speak of, in a real browser: the panel of the search, opinions, clouds before and after a day, marks that lead to replay; wide, on a phone, in the dark, by keys.
func TestLanguageBrowser(t *testing.T) {
	b := newTab(t)
	s := start(t, searchable(t), nil)
	s.indexed()
	t.Run("who and what", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/search?collection=press&q=council")
		b.is("window.htmx && document.querySelector('.who-what .pick')")
		b.click(`.who-what a.pick[title="only Bob Ballot"]`)
		b.tally(78)
		b.is(`document.querySelector('.ask code').textContent === 'council person:"Bob Ballot"'`)
		b.is("document.querySelector('.who-what .pick[aria-current]').textContent === 'Bob Ballot'")
		b.find(`council person:"bob ballot"`)
		b.is("new URLSearchParams(location.search).get('q') === 'council person:\"bob ballot\"'")
		b.tally(78)
		b.open(s.ui + "/search?collection=press&q=council&from=2021-05&to=2021-05&relation=begins")
		b.is("window.htmx && document.querySelector('.who-what .views')")
		b.do("[...document.querySelectorAll('.who-what .views a')].find(a => a.textContent === 'rising').focus()")
		b.press(kb.Enter)
		b.is("new URLSearchParams(location.search).get('names') === 'rising' && document.querySelector('.who-what .pick').textContent === 'Bob Ballot'")
		b.is("document.querySelector('.who-what li small').textContent.includes('4.0×')")
		b.click(".who-what .facet h2 a")
		b.is("location.pathname === '/trends' && document.querySelector('#chart[data-ready] canvas')")
		b.quiet()
	})
	t.Run("opinions", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/opinions?collection=press&split=2021-05-01")
		b.is("window.htmx && document.querySelector('.judged a')")
		b.click(".judged a")
		b.is("new URLSearchParams(location.search).get('about') === 'the vote' && document.querySelectorAll('.sides rect.for').length === 36 && document.querySelector('tr.here')")
		b.do("document.querySelector('.sides details').open = true; document.querySelectorAll('.sides tbody tr')[16].querySelectorAll('a')[1].click()")
		b.is(`location.pathname === '/search' && new URLSearchParams(location.search).get('q') === 'opinion:<=-0.1 about:"the vote"'`)
		b.tally(4)
		b.quiet()
	})
	t.Run("clouds before and after", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/cloud?collection=press&split=2021-05-01")
		b.is("window.htmx && document.querySelectorAll('section.cloud').length === 2 && document.querySelector('.words-cloud')")
		b.do("[...document.querySelectorAll('.words-cloud a')].find(a => a.textContent === 'ballotbox').click()")
		b.is("location.pathname === '/search' && new URLSearchParams(location.search).get('relation') === 'begins'")
		b.tally(8)
		b.quiet()
	})
	t.Run("marks lead to the passage", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/document?collection=aachen&url=" + url.QueryEscape(home))
		b.is("window.htmx && document.querySelector('.doctext')")
		has, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("(a => a ? a.textContent + '|' + a.href : '')(document.querySelector('.doctext a.mk'))"))
		if err != nil || has == "" {
			t.Fatalf("nothing is marked: %q, %v", has, err)
		}
		b.click(".doctext a.mk")
		b.is("location.pathname.startsWith('/aachen/') && location.pathname.includes('if_/http') && document.readyState === 'complete'")
		b.console() // what the archived page did is its own business
	})
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{390, 1280} {
			t.Run(fmt.Sprintf("%d wide, dark %v", width, dark), func(t *testing.T) {
				b.t = t
				b.dark(dark)
				if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
					t.Fatal(err)
				}
				for _, path := range []string{
					"/search?q=election", "/search?q=council&from=2021-05&to=2021-05&names=rising", "/opinions?about=the+vote&split=2021-05-01", "/opinions", "/cloud?split=2021-05-01", "/cloud?split=2021-05-01&of=person",
					"/trends?terms=person:%22Bob+Ballot%22&q=council", "/document?url=" + url.QueryEscape("http://a.press.test/"), "/search?collection=aachen&q=people", "/opinions?collection=aachen",
				} {
					b.open(s.ui + path)
					b.is("window.htmx && document.documentElement.scrollWidth <= window.innerWidth")
				}
				b.is("document.querySelector('[role=alert]').textContent.includes('[analyse]')") // the last one was not analysed
			})
		}
	}
}
