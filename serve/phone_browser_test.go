package serve_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"varve/lab/servetest"
)

// A reader on a phone goes through the archive by tapping: menu, collections, a collection, its pages, one of them with its calendar, what changed
// in it, a search by the box, and one of its documents. Nothing scrolls sideways on the way, the menu opens and closes, tables are stacked rows.
func TestBrowserPhone(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)); err != nil {
		t.Fatal(err)
	}
	stop := func(at string) {
		t.Helper()
		b.is(at + " && document.readyState === 'complete'")
		b.fits(390, false)
	}
	b.open(s.ui + "/")
	stop("document.querySelector('#menu')")
	b.is("getComputedStyle(document.querySelector('#nav')).display === 'none'")
	b.click("#menu")
	b.is("document.querySelector('#menu').ariaExpanded === 'true' && getComputedStyle(document.querySelector('#nav')).display !== 'none'")
	b.click("#nav a[href='/collections']")
	stop("location.pathname === '/collections'")
	b.is("getComputedStyle(document.querySelector('#nav')).display === 'none'")
	b.click("main a[href='/collections/aachen']")
	stop("location.pathname === '/collections/aachen'")
	b.click(".tabs a[href$='/pages']")
	stop("location.pathname.endsWith('/pages') && document.querySelector('tr[data-row]')")
	b.is("[...document.querySelectorAll('tr[data-row]')].every(r => getComputedStyle(r.cells[1]).display !== 'table-cell')")
	b.click("tr[data-row] a[href*='/page?']")
	stop("location.pathname.endsWith('/page') && document.querySelectorAll('.month').length > 0")
	b.click("main .actions a[href*='/compare?']")
	stop("location.pathname.endsWith('/compare')")
	b.click("form.find input")
	b.press("council\r")
	stop("location.pathname === '/search' && document.querySelector('.tally b')")
	b.click("article.hit a[href^='/document']")
	stop("location.pathname === '/document' && document.querySelector('h1')")
	b.shoot("phone-document")
	b.quiet()
}
