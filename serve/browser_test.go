package serve_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/serve/coherence"
)

// tab is a browser and what its console said.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu   sync.Mutex
	said []string
}

// newTab starts Chromium, or skips the test where there is none.
func newTab(t testing.TB, flags ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine (Debian: apt-get install chromium): the screens are not tested in a browser")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true), // WebGL without a graphics card
	)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), append(opts, flags...)...)
	t.Cleanup(cancel)
	ctx, cancel2 := chromedp.NewContext(alloc)
	t.Cleanup(cancel2)
	until := time.Now().Add(5 * time.Minute)
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, set := d.Deadline(); set {
			until = end.Add(-10 * time.Second) // a busy machine is slow, not wrong
		}
	}
	ctx, cancel3 := context.WithDeadline(ctx, until)
	t.Cleanup(cancel3)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == "warning" || m.IsException() {
				b.mu.Lock()
				b.said = append(b.said, m.String())
				b.mu.Unlock()
			}
		}
	}()
	return b
}

// open goes to an address.
func (b *tab) open(target string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(target)); err != nil {
		b.t.Fatalf("%s: %v", target, err)
	}
}

// is waits until an expression of the page is true.
func (b *tab) is(expr string) {
	b.t.Helper()
	for range 300 {
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expr+")")); err == nil && ok {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	at, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 300)"))
	b.t.Errorf("not so: %s at %s; the console says %q", expr, at, b.console())
}

func (b *tab) press(keys string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(keys)); err != nil {
		b.t.Fatal(err)
	}
}

// dark asks for one of the two themes.
func (b *tab) dark(on bool) {
	value := "light"
	if on {
		value = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// console gives what was said since it was last asked.
func (b *tab) console() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.said
	b.said = nil
	return slices.DeleteFunc(out, func(s string) bool {
		return strings.Contains(s, "GPU stall due to ReadPixels") || strings.Contains(s, "swiftshader") || strings.Contains(s, "SwiftShader") // WebGL in software
	})
}

// measured writes the coherence reports of the collections.
func measured(t testing.TB, dir string, collections ...string) {
	t.Helper()
	cat := catalog.Open(dir)
	for _, name := range collections {
		c, err := cat.Collection(name)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := c.Crawls()
		if err != nil {
			t.Fatal(err)
		}
		if err := coherence.New(cat, 2).Measure(context.Background(), name, ids...); err != nil {
			t.Fatal(err)
		}
	}
}

// The screens in a real browser: no errors, nothing that the policy forbids, keys, live parts.
func TestBrowser(t *testing.T) {
	b := newTab(t)
	dir := copied(t)
	measured(t, dir, "aachen")
	s := start(t, dir, nil)
	s.indexed()
	crawls, err := os.ReadDir(filepath.Join(dir, "collections", "aachen", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	crawl := "/collections/aachen/crawls/" + crawls[1].Name()
	page := url.QueryEscape(home)
	for _, path := range []string{
		"/", "/crawls", "/collections/aachen", "/collections/aachen/pages", "/collections/aachen/page?url=" + page, "/collections/aachen/map",
		"/collections/aachen/compare?url=" + page, "/collections/aachen/compare?view=links&url=" + page, crawl, "/access", "/find?q=aachen.sim.test", "/collections/none",
	} {
		b.open(s.ui + path)
		b.is("document.querySelector('main h1') && window.htmx")
		if said := slices.DeleteFunc(b.console(), func(m string) bool { return strings.Contains(m, "404") && path == "/collections/none" }); len(said) > 0 {
			t.Errorf("%s: the console says %q", path, said)
		}
	}
	t.Run("keys", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/collections/aachen/pages")
		b.is("document.querySelectorAll('[data-row]').length > 3 && window.htmx")
		b.press("jjk")
		b.is("[...document.querySelectorAll('[data-row]')].findIndex(r => r.classList.contains('at')) === 0")
		b.press("/")
		b.is("document.activeElement.id === 'q'")
		b.press("j?")
		b.is("document.getElementById('q').value.endsWith('j?') && !document.getElementById('keys').open")
		b.press("\x1b")
		b.is("document.activeElement.id !== 'q'")
		b.press("?")
		b.is("document.getElementById('keys').open")
		b.press("\x1b")
		b.is("!document.getElementById('keys').open")
		b.press("jo")
		b.is("location.pathname.endsWith('/page') && window.htmx")
		b.press("r")
		b.is("location.pathname === '/crawls'")
	})
	t.Run("filters keep the state in the address", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/collections/aachen/pages")
		b.is("window.htmx && document.querySelector('[data-row]')")
		if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[any]("(() => { const f = document.querySelector('form.filter select[name=type]'); f.value = 'all'; f.dispatchEvent(new Event('change', { bubbles: true })) })()")); err != nil {
			t.Fatal(err)
		}
		b.is("location.search.includes('type=all') && [...document.querySelectorAll('#list td:nth-child(2)')].some(td => !td.textContent.startsWith('text/html'))")
		if said := b.console(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	})
	t.Run("graph", func(t *testing.T) {
		b.t = t
		b.open(s.ui + crawl + "/coherence")
		b.is("Number(document.getElementById('graph').dataset.ready) > 10 && document.querySelectorAll('#graph canvas').length > 2")
		if said := b.console(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	})
	t.Run("side by side", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/collections/aachen/compare?view=side&url=" + page)
		b.is("document.querySelectorAll('iframe').length === 2")
		time.Sleep(time.Second)
		if said := b.console(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	})
	t.Run("replay", func(t *testing.T) {
		b.t = t
		b.open(s.ui + "/collections/aachen/page?url=" + page)
		b.is("document.querySelector('a.btn.first')")
		if err := chromedp.Do(b.ctx, chromedp.Click("a.btn.first")); err != nil {
			t.Fatal(err)
		}
		b.is(fmt.Sprintf("location.origin === %q && document.querySelector('iframe')", s.replay))
	})
}
