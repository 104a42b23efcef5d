package serve_test

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	entitybase "varve/entity/base"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/language"
)

// The screens of facts in a real browser: from the names of which most is told to who held an office on a day, to the sentences that say so, to what contradicts it; and the facts of a text that is pasted.
func TestFactsBrowser(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := servetest.Careers(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/facts?collection=careers")
	b.is("[...document.querySelectorAll('#begin a')].some(a => a.textContent === 'Germany')")
	b.do("[...document.querySelectorAll('#begin a')].find(a => a.textContent === 'Germany').click()")
	b.is("new URLSearchParams(location.search).get('of') === 'Germany' && document.querySelectorAll('figure.told .fact-row').length === 2")
	b.is("[...document.querySelectorAll('figure.told svg.fact')].every(s => s.querySelector('rect.may') && s.querySelector('rect.said'))")

	// Who held the office on a day: by the form, the answer in its address.
	b.do("document.querySelector('#ask input[name=when]').value = '2010'; document.querySelector('#ask').requestSubmit()")
	b.is("new URLSearchParams(location.search).get('when') === '2010' && document.querySelectorAll('figure.told .fact-row').length === 1")
	b.is("document.querySelector('figure.told .fact-row').textContent.includes('Anna Keller') && document.querySelector('figure.told tbody td:last-child').textContent === 'yes'")

	// One fact, with the sentences that state it, each with its place in the document and in replay.
	b.click("figure.told .fact-row a.rel")
	b.is("location.pathname === '/fact' && document.querySelector('h1').textContent.includes('Anna Keller') && document.querySelector('h1').textContent.includes('president')")
	b.is("[...document.querySelectorAll('.stated blockquote')].some(q => q.textContent.includes('became president of Germany in 2005'))")
	b.is("[...document.querySelectorAll('.stated .ways a')].some(a => a.getAttribute('href').startsWith('/document?'))")

	// Of two marriages at once one is believed, and the other stands as an alternative.
	b.open(s.ui + "/facts?collection=careers&relation=spouse&of=" + url.QueryEscape("Diego Lopez"))
	b.is("document.querySelector('figure.told').textContent.includes('Victoria Adams') && document.querySelector('#alternatives').textContent.includes('Paula Stone')")
	b.do("document.querySelector('#alternatives a.rel').click()")
	b.is("location.pathname === '/fact' && document.querySelector('.lead').textContent.startsWith('Not believed') && document.querySelector('.tag.bad').textContent === 'contradicted'")

	// Facts of a text that somebody pastes.
	b.open(s.ui + "/facts/page")
	b.do("document.querySelector('#pasted').value = 'Anna Keller became president of Germany in 2005. Anna Keller served as president of Germany until 2013.'; document.querySelector('form[method=post]').requestSubmit()")
	b.is("document.querySelectorAll('.told .fact-row').length === 1 && document.querySelector('.quotes').textContent.includes('became president of Germany in 2005')")
	b.quiet()
}

// The kinds of names of any text in a real browser: the example, a name, the tree with what was accepted, rejected and not tested, and the other tree.
func TestTypesBrowser(t *testing.T) {
	b := newTab(t)
	s := start(t, searchable(t), nil)
	b.open(s.ui + "/types")
	b.do("document.querySelector('form.ask .line a').click()")
	b.is("[...document.querySelectorAll('#names tbody tr')].length >= 5 && document.querySelector('#names tr.here').textContent.includes('Marie Curie')")
	b.is("[...document.querySelectorAll('#tree details[open] > summary')].some(s => s.textContent.startsWith('person') && s.textContent.includes('accepted'))")
	b.is("[...document.querySelectorAll('#tree .tag.bad')].length > 0 && [...document.querySelectorAll('#tree .tag.plain')].length > 100 && document.querySelector('#tree h2 small').textContent.match(/[0-9]+ accepted, [0-9]+ rejected, [0-9]+ untested/)")
	b.do("[...document.querySelectorAll('#names a')].find(a => a.textContent === 'Stockholm').click()")
	b.is("location.hash === '#tree' && document.querySelector('#tree h2').textContent.startsWith('Stockholm')")
	b.do("document.querySelector('select[name=taxonomy]').value = 'figer'; document.querySelector('form.ask').requestSubmit()")
	b.is("new URLSearchParams(location.search).get('taxonomy') === 'figer' && document.querySelector('#tree') && document.querySelector('form.ask textarea').value.startsWith('Marie Curie')")
	b.quiet()
}

// Names that no base knows in a real browser: a curator gives one a name, merges another into it, promotes it and dismisses a third; derived again it is linked backwards in all texts, and has a page.
func TestEmergingBrowser(t *testing.T) {
	b := newTab(t)
	dir := copied(t)
	col, err := catalog.Open(dir).Collection("valley")
	if err == nil {
		err = col.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	writeValley(t, col)
	valley(t, col, false)
	s := start(t, dir, nil)
	s.indexed()
	here := s.ui + "/collections/valley/emerging"
	row := func(name string) string {
		return fmt.Sprintf("[...document.querySelectorAll('#emerging tbody tr')].find(r => r.querySelector('b').textContent === '%s')", name)
	}
	decide := func(name, do, with string) {
		b.is(row(name))
		b.do(fmt.Sprintf("const r = %s; r.querySelector('input[name=with]').value = '%s'; r.querySelector('button[value=%s]').click()", row(name), with, do))
	}
	b.open(here)
	b.is(row("Helen Foster") + ".querySelector('[data-label=Texts]').textContent === '3'")
	decide("Helen Foster", "name", "Helen L. Foster")
	b.is("!" + row("Helen Foster"))
	decide("Helen Carter", "merge", "Helen L. Foster")
	b.is("!" + row("Helen Carter"))
	b.is(row("Helen L. Foster") + ".querySelector('[data-label=Texts]').textContent === '5'")
	decide("Peter Reed", "dismiss", "")
	b.is("!" + row("Peter Reed"))
	id, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](row("Helen L. Foster")+".querySelector('input[name=id]').value"))
	if err != nil {
		t.Fatal(err)
	}
	decide("Helen L. Foster", "promote", "")
	b.is("!" + row("Helen L. Foster"))
	b.open(here + "?show=all") // what the base knows now is unknown no more
	b.is(row("Peter Reed") + ".textContent.includes('dismissed') && !" + row("Helen L. Foster"))

	valley(t, col, true)
	b.open(s.ui + "/entity/" + id)
	b.is("document.querySelector('h1').textContent.includes('Helen L. Foster') && document.querySelector('.lead').textContent.match(/Of [0-9]+ versions that may be seen, 5 name it\\./)")
	b.is("[...document.querySelectorAll('.through tbody tr')].map(r => r.textContent).join().includes('Helen Carter')")
	b.quiet()
}

// writeValley writes five texts about two names of one person into a file of a collection.
func writeValley(t *testing.T, col *catalog.Collection) {
	t.Helper()
	id := func() string {
		s, err := warc.NewID(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	w, err := warc.NewWriter(warc.WriterConfig{Dir: col.WarcDir(), Name: func(int) string { return "valley-00000-0" }})
	if err != nil {
		t.Fatal(err)
	}
	const around = " of the valley said that the old bridge over the river would be built again, and that the farmers of the hills should get water from the new lake in the summer. They are glad, the newspaper told its readers."
	for i, text := range []string{
		"The minister Helen Foster met Peter Reed in Berlin on Monday. Helen Foster" + around,
		"In the spring the minister Helen Foster visited the school. Mrs. Helen Foster" + around,
		"On Friday Helen Foster spoke to the farmers. Helen Foster" + around,
		"The minister Helen Carter opened the new bridge on Sunday. Helen Carter" + around,
		"Last week Helen Carter gave a speech to the farmers. Mrs. Helen Carter" + around,
	} {
		body := fmt.Sprintf("<!doctype html><html lang=en><head><title>News %d</title></head><body><article><h1>News %d</h1><p>%s</p></article></body></html>", i, i, text)
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
		e := warc.New(warc.TypeResponse, id(), time.Date(2020+i, 5, 1, 12, 0, 0, 0, time.UTC), warc.Bytes(head+body)).
			With(warc.FieldTargetURI, fmt.Sprintf("http://valley.test/%d", i)).With(warc.FieldContentType, warc.ContentTypeResponse)
		if _, err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// valley derives the texts of a collection with their names, linked to its base if there is one, and indexes them.
func valley(t *testing.T, col *catalog.Collection, linked bool) {
	t.Helper()
	files, err := col.Files()
	if err != nil {
		t.Fatal(err)
	}
	derived := filepath.Join(col.Dir(), "derived")
	var opts derive.Options
	opts.More, opts.Facets = annotate.Jobs([]language.Unit{language.Mentions})
	if linked {
		l, err := annotate.OpenLinker(entitybase.OfCollection(col.Dir()))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		linking, facets := l.Job()
		opts.More, opts.Facets = append(opts.More, linking), append(opts.Facets, facets)
	}
	if _, err := derive.Run(t.Context(), job.Config{Dir: derived}, files, opts); err != nil {
		t.Fatal(err)
	}
	if _, err := fulltext.Build(t.Context(), col.IndexDir("fulltext"), filepath.Join(derived, "versions.parquet"), nil); err != nil {
		t.Fatal(err)
	}
	if linked {
		return // the captures are indexed
	}
	if _, err := indexer(t.Context(), col); err != nil {
		t.Fatal(err)
	}
}
