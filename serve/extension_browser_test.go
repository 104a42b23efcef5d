package serve_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/extension"
)

const newsPage = `<!doctype html><html lang="en"><title>News</title><body><h1>The news of the day</h1>
<p>Minister <b>Anna Berg</b> opened a hall with <a href="/x">Karl Holm</a> on Monday, and <script>var x = "Karl Holm"</script>reporters asked Anna
Berg about Berlin.</p><textarea>Karl Holm</textarea><p hidden>Karl Holm</p></body></html>`

// The extension in a real browser: it is refused until the user allows it, then marks the names of a page that one reads, each with what is known of it, and takes the marks away again. Scripts of the page stay as they are.
func TestExtensionBrowser(t *testing.T) {
	unpacked := t.TempDir()
	if err := extension.Unpack(unpacked); err != nil {
		t.Fatal(err)
	}
	origin, err := extension.Origin()
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, chromedp.Flag("disable-extensions", false), chromedp.Flag("load-extension", unpacked), chromedp.Flag("disable-features", "DisableLoadExtensionCommandLineSwitch"))
	dir := searchable(t)
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	news := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'") // a page that lets nothing in
		_, _ = io.WriteString(w, newsPage)
	}))
	t.Cleanup(news.Close)
	closed, open := start(t, dir, nil), start(t, dir, func(c *serve.Config) { c.Origins = []string{origin} })
	worker := serviceWorker(t, b, origin)
	worker.set(closed.ui)
	b.open(news.URL + "/a")
	worker.click()
	b.is("document.documentElement.dataset.varve === 'failed' && document.querySelectorAll('varve-name').length === 0")

	worker.set(open.ui)
	b.open(news.URL + "/a")
	worker.click()
	b.is("document.documentElement.dataset.varve === 'marked'")
	b.is("[...document.querySelectorAll('varve-name.known')].map(m => m.textContent).join() === 'Anna Berg,Karl Holm,Anna\\nBerg'")
	b.is("document.querySelector('varve-name').title.startsWith('Anna Berg: ') && document.querySelector('b varve-name') && document.querySelector('a varve-name')")
	b.is("[...document.querySelectorAll('varve-name')].some(m => m.textContent === 'Berlin' && m.className === 'kind' && m.title !== '')")
	b.is("document.querySelector('textarea').value === 'Karl Holm' && !document.querySelector('[hidden] varve-name') && window.x === 'Karl Holm'")
	b.do("document.querySelector('varve-name').click()")
	b.is("document.querySelector('varve-card') && document.querySelector('varve-card').shadowRoot === null")
	worker.click()
	b.is("!document.querySelector('varve-name') && !document.querySelector('varve-card') && document.querySelector('p').textContent.startsWith('Minister Anna Berg opened a hall with Karl Holm')")

	// The extension's own page keeps to this machine.
	b.open(origin + "/options.html")
	b.is("document.getElementById('command').textContent.endsWith(" + fmt.Sprintf("%q", origin) + ")")
	b.do("document.getElementById('server').value = 'http://evil.example:8080'; document.querySelector('button').click()")
	b.is("document.getElementById('said').textContent.includes('must be on this machine')")
}

// worker is the background of the extension.
type worker struct {
	t *testing.T
	b *tab
}

// serviceWorker waits for the background of an extension.
func serviceWorker(t *testing.T, b *tab, origin string) *worker {
	t.Helper()
	for range 200 {
		list, err := chromedp.Targets(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range list {
			if info.Type == "service_worker" && strings.HasPrefix(info.URL, origin) {
				ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(info.TargetID))
				t.Cleanup(cancel)
				return &worker{t, &tab{t: t, ctx: ctx}}
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the extension was not loaded")
	return nil
}

func (w *worker) run(expr string) {
	w.t.Helper()
	if _, err := chromedp.Run(w.b.ctx, chromedp.Evaluate[any](expr, chromedp.EvalAwaitPromise)); err != nil {
		w.t.Fatalf("%s: %v", expr, err)
	}
}

// set says where the server is.
func (w *worker) set(url string) { w.run(fmt.Sprintf("chrome.storage.local.set({server: %q})", url)) }

// click does what a click on the button does: marks the tab that is looked at.
func (w *worker) click() {
	w.run("chrome.tabs.query({active: true, lastFocusedWindow: true}).then(([tab]) => mark(tab)).then(() => 1)")
}
