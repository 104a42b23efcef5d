package graph

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// watchTasks notes how long the longest task of the page took.
const watchTasks = `window.longest = 0; window.views = 0;
new PerformanceObserver(list => { for (const e of list.getEntries()) longest = Math.max(longest, e.duration) }).observe({type: 'longtask', buffered: true});
const ask = window.fetch; window.fetch = (...a) => ask(...a).finally(() => views++)`

// The tree of 65,000 pages in a browser, by the script of the screens: every view is small, over four steps of zooming. The longest task of the
// page is printed: on a quiet machine it is under half a second.
func TestDrillBrowser65k(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	g := random(65_000, 1)
	var largest, most int
	mux := http.NewServeMux()
	mux.HandleFunc("/graph", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		at := func(name string) float32 { x, _ := strconv.ParseFloat(q.Get(name), 32); return float32(x) }
		limit, _ := strconv.Atoi(q.Get("limit"))
		v := g.View(Viewport{at("x0"), at("y0"), at("x1"), at("y1")}, limit)
		b, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		largest, most = max(largest, len(b)), max(most, len(v.Nodes))
		_, _ = w.Write(b)
	})
	mux.HandleFunc("/graph.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "../../serve/ui/assets/built/graph.js")
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><script>` + watchTasks + `</script><style>:root{--coherent:#2a8c82;--content:#d9a21b;--links:#c8502b;--missing:#22252a;--unknown:#c9c5bb;--line:#e4dfd5;--ink:#1f2328;--panel:#fff;--mute:#5f636a}#graph{width:1100px;height:640px}</style>
<div id="graph" data-graph="/graph" data-page="/page"><p class="said"></p></div><button data-zoom="out" hidden></button><script src="/graph.js" defer></script>`))
	})
	host := httptest.NewServer(mux)
	defer host.Close()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1200, 800))
	alloc, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	defer cancel()
	ctx, cancel := chromedp.NewContext(alloc)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(host.URL+"/")); err != nil {
		t.Fatal(err)
	}
	number := func(expr string) float64 {
		x, err := chromedp.Run(ctx, chromedp.Evaluate[float64](expr))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	until := func(expr string) {
		for range 200 {
			if number("+!!("+expr+")") == 1 {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("never: %s", expr)
	}
	until("views >= 1 && document.querySelector('#graph canvas')")
	for step := range 4 {
		before := number("views")
		number(`(() => { const c = [...document.querySelectorAll('#graph canvas')].pop(), r = c.getBoundingClientRect();
			for (let i = 0; i < 3; i++) c.dispatchEvent(new WheelEvent('wheel', {bubbles: true, cancelable: true, deltaY: -240, clientX: r.x + 0.6 * r.width, clientY: r.y + 0.45 * r.height}));
			return 1 })()`)
		for range 30 {
			if number("views") > before {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("step %d: %.0f views asked for, longest task %.0f ms", step+1, number("views"), number("longest"))
	}
	t.Logf("largest view: %d nodes, %d bytes of JSON", most, largest)
	if most > 5000 || largest > 2<<20 {
		t.Errorf("a view of %d nodes and %d bytes", most, largest)
	}
	if number("views") < 2 {
		t.Error("zooming asked for nothing")
	}
}
