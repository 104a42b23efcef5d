package serve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"varve/lab/servetest"
	"varve/serve/access"
)

// Words, names and phrases through time in a real browser: from a term to its senses and the texts of a year, from a name to its former one, from a phrase to its first text, and two
// collections side by side.
func TestEvolutionBrowser(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := servetest.Gazettes(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/collections/gazette/terms")
	b.is("document.querySelector('.lead').textContent.includes('144 texts of 2001 to 2012')")
	b.do("[...document.querySelectorAll('#begin a')].find(a => a.textContent === 'pension').click()")
	b.is("new URLSearchParams(location.search).get('term') === 'pension'")
	b.is("document.querySelectorAll('#often rect.for').length === 12 && document.querySelector('#often table tbody').rows.length === 12")
	b.is("document.querySelectorAll('#senses .units li').length === 2 && document.querySelector('#senses rect.anti') && document.querySelector('#senses').textContent.includes('basic benefit') && document.querySelector('#senses').textContent.includes('dole')")
	b.is("document.querySelector('#company').textContent.includes('housing grant') && document.querySelectorAll('#lists .net a').length >= 2")
	b.is("document.querySelector('#lists .says').textContent.startsWith('In 2012')")
	b.do("document.querySelector('#lists a[rel=prev]').click()")
	b.is("new URLSearchParams(location.search).get('year') === '2011' && document.querySelector('#lists .says').textContent.startsWith('In 2011')")
	b.do("document.querySelector('#often a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
	b.is("location.pathname === '/search' && location.search.includes('from=2001')")
	b.is("document.querySelectorAll('article.hit, .hit').length > 0")

	b.open(s.ui + "/collections/gazette/names")
	b.is("document.querySelector('#pairs').textContent.includes('Ministry of Welfare and Work')")
	b.do("document.querySelector('#pairs b').parentElement.click()")
	b.is("document.querySelector('.lead').textContent.includes('Before 2007 it may have been called Ministry of Welfare')")
	b.is("document.querySelectorAll('#called tr[data-row]').length >= 2 && document.querySelectorAll('#called svg rect.for').length >= 12")

	b.open(s.ui + "/collections/gazette/phrases")
	b.is("document.querySelector('#phrases').textContent.includes('job centre')")
	b.is("[...document.querySelectorAll('#phrases tr')].find(r => r.textContent.includes('job centre')).querySelector('a.passage').href.includes('/20080105120000if_/http://office0.gazette.test/2008/0#:~:text=job%20centre')")
	b.do("[...document.querySelectorAll('#phrases b')].find(x => x.textContent === 'job centre').parentElement.click()")
	b.is("location.pathname === '/search' && location.search.includes('from=2008')")

	b.open(s.ui + "/beside?a=gazette&b=herald&of=pension&split=2007")
	b.is("document.querySelector('.lead').textContent.includes('144 versions of Gazette') && document.querySelector('.lead').textContent.includes('Ann Reed')")
	b.is("[...document.querySelectorAll('#differences tr[data-row]')].find(r => r.textContent.includes('Ann Reed')).querySelector('b').textContent === 'Gazette'")
	b.is("[...document.querySelectorAll('#differences tr[data-row]')].filter(r => r.querySelector('b')).length === 1")
	b.is("document.querySelectorAll('#through .pair').length === 4 && document.querySelectorAll('#clouds .card').length === 4")
	b.do("document.querySelector('#differences a').click()")
	b.is("location.pathname === '/search' && document.querySelectorAll('.hit').length > 0")

	b.open(s.ui + "/search?collection=gazette&q=%22housing+grant%22") // so are words that were said for the same thing, with what speaks for them
	const offer = "[...document.querySelectorAll('[data-called]')].find(p => p.querySelector('b').textContent === 'rent aid')"
	b.is(offer + ".textContent.includes('before 2007')")
	b.is("document.querySelector('#search').textContent.includes('72')")
	b.do(offer + ".querySelector('a[href*=\"/terms?term=\"]').click()")
	b.is("location.hash === '#before' && document.querySelector('#before').textContent.includes('rent aid')")
	for _, width := range []int64{390, 1400} {
		if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		b.fits(width, false)
		b.shoot(fmt.Sprintf("before-%d", width))
	}
	b.open(s.ui + "/search?collection=gazette&q=%22housing+grant%22")
	b.is("window.htmx && document.readyState === 'complete'")
	b.shoot("offered")
	b.do(offer + ".querySelector(':scope > a').click()")
	b.is("new URLSearchParams(location.search).get('q') === '(\"housing grant\" OR \"rent aid\")'")
	b.is("document.querySelector('#search').textContent.includes('144')")

	b.open(s.ui + "/search?collection=gazette&q=Ministry+of+Welfare+and+Work") // former names are offered, not looked for silently
	b.is("document.querySelector('[data-called]').textContent.includes('Ministry of Welfare') && document.querySelector('[data-called]').textContent.includes('before 2007')")
	b.is("document.querySelector('[data-called] a[href*=\"/names?name=\"]') && document.querySelectorAll('.hit').length > 0")
	b.do("document.querySelector('[data-called] > a').click()")
	b.is("new URLSearchParams(location.search).get('q') === '(\"Ministry of Welfare and Work\" OR \"Ministry of Welfare\")'")
	b.is("document.querySelector('#search').textContent.includes('144')")
	b.quiet()
}

// Where rules withhold a page from a visitor, tables that were made of it too tell nothing; what is counted anew goes on without it.
func TestEvolutionRules(t *testing.T) {
	dir := searchable(t)
	if err := servetest.Gazettes(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	paths := []string{
		"/collections/gazette/terms", "/collections/gazette/terms?term=qzsecretum", "/collections/gazette/terms?term=pension&format=csv", "/collections/gazette/names", "/collections/gazette/names?name=Ministry+of+Welfare",
		"/collections/gazette/phrases", "/collections/gazette/phrases?format=csv", "/api/collections/gazette/terms", "/api/collections/gazette/terms/qzsecretum", "/api/collections/gazette/names", "/api/collections/gazette/names/Ministry%20of%20Welfare", "/api/collections/gazette/phrases",
	}
	for _, p := range paths {
		if resp, _ := s.do("GET", s.ui+p, ""); resp.StatusCode != 200 {
			t.Errorf("%s before there is a rule: %d", p, resp.StatusCode)
		}
	}
	if resp, body := s.do("POST", s.ui+"/api/access/rules", `{"collection":"gazette","prefix":"http://office0.gazette.test/withheld","level":"`+string(access.Blocked)+`","reason":"test"}`, "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
		t.Fatal(resp.StatusCode, body)
	}
	for _, p := range paths {
		resp, body := s.do("GET", s.ui+p, "")
		if resp.StatusCode != 403 || strings.Contains(strings.ReplaceAll(body, "term=qzsecretum", ""), "qzsecretum</") || strings.Contains(body, "dole") {
			t.Errorf("%s under a rule: %d", p, resp.StatusCode)
		}
	}
	resp, body := s.do("GET", s.ui+"/api/beside?a=gazette&b=herald&of=pension&bucket=year", "")
	if resp.StatusCode != 200 || !strings.Contains(body, `"total":143,"of":143`) {
		t.Errorf("two collections under a rule: %d %.300s", resp.StatusCode, body)
	}
}
