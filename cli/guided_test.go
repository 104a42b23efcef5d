package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"varve/crawl"
	"varve/serve/access"
)

// valley is a site that tells of a flood and of sport. Once it is slow, pages behind the first twenty wait until the test is over.
type valley struct {
	slow   atomic.Bool
	served atomic.Int64
	over   chan struct{}
}

func (v *valley) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	if v.slow.Load() && v.served.Add(1) > 20 {
		select {
		case <-v.over:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	kind, n, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch kind {
	case "flood":
		fmt.Fprintf(w, `<html lang=en><title>The flood, part %s</title><main><p>The river rose above the dyke in the night of the fourteenth, and the storm surge took bridge number %s.
Helpers filled sandbags at the sluice gate until the morning came, and the storm surge fell. The flood left mud in all houses of the valley.</p></main>`, n, n)
	case "sport":
		fmt.Fprintf(w, `<html lang=en><title>Match %s</title><main><p>The guests won match %s by a late goal after a long half without chances. The trainer praised the defence and its captain, and the crowd sang.</p></main>`, n, n)
	default:
		fmt.Fprint(w, `<html lang=en><title>The valley</title><main><p>News of the valley: what the flood left, and what our teams did.</p><ul>`)
		for i := range 30 {
			fmt.Fprintf(w, `<li><a href="/flood/%d">the flood, part %d</a> and on</li><li><a href="/sport/%d">match %d</a> and on</li>`, i, i, i, i)
		}
		fmt.Fprint(w, `</ul></main>`)
	}
}

// TestGuided goes the whole way of a guided crawl in a browser: define, propose by a reference crawl, accept and strike by key, start, watch
// relevance, change weights while it runs, ask why an address comes when it does.
//
//	VARVE_SCREENS=/tmp go test ./cli -run TestGuided -count=1
func TestGuided(t *testing.T) {
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	v := &valley{over: make(chan struct{})}
	site := httptest.NewServer(v)
	defer site.Close()
	defer close(v.over)
	archive := t.TempDir()
	d := newDesktop(t, archive)

	d.open("/new")
	d.fill("name", "valley")
	d.fill("title", "The valley")
	d.click("Begin the collection")
	d.says("Plan a crawl")
	d.fill("name", "flood")
	d.fill("seeds", site.URL+"/")
	d.fill("capture", "parser")
	d.fill("delay", "0.05 s")
	d.fill("about", "purpose = \"what the flood did\"\n[[keyword]]\nword = \"flood\"\nwieght = 2\n")
	d.is("document.querySelector('#fault-about').innerText.includes('line 4: keyword.wieght: there is no such key')") // while one types
	d.fill("about", "purpose = \"what the flood did\"\n[[keyword]]\nword = \"flood\"\nweight = 2\n[[keyword]]\nword = \"match\"\nweight = -1\n")
	d.is("document.querySelector('#fault-about').innerText === ''")
	d.picture("define", 1600)
	d.narrow("define")
	d.click("Save")
	d.says("Planned here by this machine")

	d.click("Proposals")
	d.says("Nothing was proposed yet")
	d.click("Start a reference crawl")
	d.is("document.querySelectorAll('#proposals tr[data-row]').length > 3") // the page goes on by itself
	d.is("document.querySelector('#proposals').innerText.includes('storm surge')")
	d.picture("proposals", 1100)
	d.narrow("proposals")
	first := "document.querySelector('#proposals tr[data-row] input[name=key]').value"
	var keys [2]string
	for i, key := range []string{"a", "s"} {
		var err error
		if keys[i], err = chromedp.Run(d.ctx, chromedp.Evaluate[string](first)); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(d.ctx, chromedp.KeyEvent("j")); err != nil {
			t.Fatal(err)
		}
		d.is("document.activeElement.closest('tr[data-row]') && document.activeElement.closest('tr[data-row]').querySelector('input[name=key]').value === " + fmt.Sprintf("%q", keys[i]))
		if err := chromedp.Do(d.ctx, chromedp.KeyEvent(key)); err != nil {
			t.Fatal(err)
		}
		d.is(fmt.Sprintf("![...document.querySelectorAll('#proposals input[name=key]')].some(k => k.value === %q)", keys[i]))
	}
	d.is("document.querySelector('#proposals').innerText.includes('1 struck') && document.querySelector('#proposals').innerText.includes('Version 2')")

	v.slow.Store(true)
	d.open("/collections/valley/plan/flood")
	d.click("Start now")
	d.is("document.querySelector('main a[href*=\"/crawls/2\"]')")
	d.click("watch it, pause it, stop it")
	d.is("document.querySelector('#guidance') && Number(document.querySelector('#guidance tbody td.n').textContent) >= 15") // pages judged
	d.is("[...document.querySelectorAll('#live figure')].some(f => f.innerText.includes('Relevant pages (harvest)') && f.querySelector('.line'))")
	d.picture("relevance", 1500)
	d.narrow("relevance")
	d.click("What it is about, and why an address comes when it does")
	d.says("what the flood did")
	d.is("document.querySelector('#weight-anchor').value === '1' && document.querySelectorAll('.charts .line').length === 3")

	// Flood comes first; sport waits, and it is told why.
	d.fill("url", site.URL+"/sport/29")
	d.click("Explain")
	d.is("document.querySelector('#explain').innerText.includes('waits with the score') && document.querySelectorAll('#why tbody tr').length >= 6")
	d.is("[...document.querySelectorAll('#why tbody tr')].some(r => r.innerText.includes('keywords') && r.innerText.includes('unwanted match'))")
	d.picture("about", 1300)
	d.narrow("about")
	before := d.score()

	d.fill("weight-keywords", "many")
	d.click("Change the weights")
	d.is("document.querySelector('#trouble').innerText.includes('“many” is no number') && document.querySelector('#weight-keywords').value === 'many'")
	d.fill("weight-keywords", "0")
	d.fill("weight-anchor", "3")
	d.click("Change the weights")
	d.says("What waits is scored again in the background")
	d.is("document.querySelector('#weight-keywords').value === '0' && document.querySelector('#weight-anchor').value === '3'")
	for after := before; after == before; {
		d.open("/collections/valley/plan") // the crawl goes on behind it
		d.open(d.crawlPath(archive) + "/about?url=" + site.URL + "/sport/29")
		d.is("document.querySelector('#why') && ![...document.querySelectorAll('#why tbody td:first-child')].some(c => c.innerText.trim() === 'keywords')")
		after = d.score()
	}

	d.open(d.crawlPath(archive))
	d.is("(window.confirm = () => true) && window.htmx && document.readyState === 'complete'") // whoever clicks is asked first
	d.click("Stop")
	var did []string
	for e, err := range access.OpenAudit(filepath.Join(archive, "access")).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		if did = append(did, e.Did); e.Did == "change what a crawl is about" && e.Detail != "weight of anchor 3 instead of 1, weight of keywords 0 instead of 1" {
			t.Errorf("audit log: %s", e.Detail)
		}
	}
	if got := strings.Join(did, ", "); !strings.Contains(got, "start crawl, change what a crawl is about") {
		t.Errorf("audit log: %s", got)
	}
	def, err := crawl.ReadDefinition(filepath.Join(archive, filepath.FromSlash(d.crawlPath(archive))))
	if err != nil || def.Revision != 2 || def.About.Weights["anchor"] != 3 || len(def.About.Keywords) < 2 {
		t.Errorf("the crawl ran with %+v, %v", def.About, err)
	}
}

// narrow holds that a page fits a telephone: nothing of it has to be pushed sideways. It keeps how it looks where VARVE_SCREENS names a folder.
func (d *desktop) narrow(name string) {
	d.t.Helper()
	if err := chromedp.Do(d.ctx, chromedp.EmulateViewport(390, 1600)); err != nil {
		d.t.Fatal(err)
	}
	d.is("document.documentElement.scrollWidth <= 390")
	if dir := os.Getenv("VARVE_SCREENS"); dir != "" {
		raw, err := chromedp.Run(d.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+"-390.png"), raw, 0o644)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	if err := chromedp.Do(d.ctx, chromedp.EmulateViewport(1440, 1000)); err != nil {
		d.t.Fatal(err)
	}
}

// crawlPath is where the newest crawl of the flood is shown; it lies in the archive by the same path.
func (d *desktop) crawlPath(archive string) string {
	d.t.Helper()
	runs, err := filepath.Glob(filepath.Join(archive, "collections", "valley", "crawls", "2*"))
	if err != nil || len(runs) != 2 {
		d.t.Fatalf("runs %q, %v", runs, err)
	}
	return "/collections/valley/crawls/" + filepath.Base(runs[1])
}

// score is that of the address which is explained.
func (d *desktop) score() string {
	d.t.Helper()
	s, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](`(document.querySelector('#explain').innerText.match(/the score ([0-9.]+)/) || ['', ''])[1]`))
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}
