package serve_test

import (
	"testing"

	"varve/lab/servetest"
)

// The page of an entity in a real browser: from the box to a minister, through her names, over to whom she is named with, to a passage, and as of a day.
func TestEntityBrowser(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/find?q=Anna+Stein") // her name of birth
	b.is("document.querySelector('a[href=\"/entity/Q1\"]').textContent.includes('Anna Berg')")
	b.click("a[href='/entity/Q1']")
	b.is("location.pathname === '/entity/Q1' && document.querySelector('h1').textContent.includes('politician')")
	b.is("document.querySelector('.lead').textContent.match(/Of [0-9]+ versions that may be seen, 24 name it\\./)")
	b.is("document.querySelectorAll('.sides rect.for').length === 24")
	b.is("[...document.querySelectorAll('.through tbody tr')].map(r => r.textContent).join().includes('2020-01 to 2020-12')")
	b.is("document.querySelectorAll('.net a').length === 3 && document.querySelector('#known').textContent.includes('human')")
	b.is("document.querySelector('#kinds').textContent.includes('person') && document.querySelector('#judged').textContent.includes('+12')")
	b.is("document.querySelector('#companions details').textContent.includes('over Cabinet of 2021')")
	b.is("document.querySelector('a.passage').href.includes('#:~:text=Anna') && document.querySelector('.snip mark').textContent.startsWith('Anna')")
	b.do("[...document.querySelectorAll('.net a')].find(a => a.textContent.includes('Karl Holm')).dispatchEvent(new MouseEvent('click', {bubbles: true}))")
	b.is("location.pathname === '/entity/Q2' && document.querySelector('.lead').textContent.match(/Of [0-9]+ versions that may be seen, 36 name it\\./)")
	b.open(s.ui + "/entity/Q1?asof=2020-03-01")
	b.is("document.querySelector('.lead').textContent.includes('2 name it and were online at 2020-03-01')")
	b.do("document.querySelector('.through tbody a').click()")
	b.is("location.pathname === '/search'")
	b.quiet()
}
