package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/modern"
	"varve/lab/websim/server"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// recorder is the proxy that all requests of the browser go through: what it has not seen was not sent.
type recorder struct {
	mu    sync.Mutex
	hosts map[string]string // host:port of the URL -> address to dial; others are refused
	log   []string          // "METHOD url"
	told  []string          // "status METHOD url, origin" of what was answered, for tests that fail
	open  int               // requests not answered yet
	plain bool              // the browser does not say who it is
	srv   *httptest.Server
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{hosts: map[string]string{}}
	r.srv = httptest.NewServer(r)
	t.Cleanup(r.srv.Close)
	t.Cleanup(func() { r.explain(t) })
	return r
}

// allow lets a host be reached.
func (p *recorder) allow(host, addr string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts[host] = addr
}

// only forgets all other hosts and what was asked until now; leave a live page before.
func (p *recorder) only(host, addr string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts = map[string]string{host: addr, "n." + host: addr, "aachen." + host: addr}
	p.log = nil
}

// leave closes the page that the browser shows and waits until the last request of that page is over: a browser
// asks for icons long after the page is loaded.
func (p *recorder) leave(t *testing.T, ctx context.Context) {
	t.Helper()
	navigate(t, ctx, "about:blank")
	asked := func() (int, int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.log), p.open
	}
	last, quiet := -1, 0
	for range 600 {
		n, open := asked()
		if n == last && open == 0 {
			quiet++
		} else {
			last, quiet = n, 0
		}
		if quiet == 10 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the live page never became quiet")
}

// tell notes how a request was answered.
func (p *recorder) tell(r *http.Request, resp *http.Response, err error) {
	line := fmt.Sprintf("%s %s, origin %q, asked by %s for %s", r.Method, r.URL, r.Header.Get("Origin"), r.Header.Get("Referer"), r.Header.Get("Sec-Fetch-Dest"))
	if err != nil {
		line = err.Error() + ": " + line
	} else {
		line = fmt.Sprintf("%d %s, may be read by %q", resp.StatusCode, line, resp.Header.Get("Access-Control-Allow-Origin"))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, line)
}

// explain logs how the last requests were answered if the test failed: a browser says no more than that a fetch did.
func (p *recorder) explain(t *testing.T) {
	t.Helper()
	if t.Failed() {
		p.mu.Lock()
		defer p.mu.Unlock()
		t.Logf("requests:\n%s", strings.Join(p.told[max(0, len(p.told)-60):], "\n"))
	}
}

// seen gives what was asked of hosts other than one.
func (p *recorder) seen(except string) (out []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.log {
		if !strings.Contains(line, " http://"+except+"/") && !strings.Contains(line, " http://n."+except+"/") && !strings.Contains(line, " http://aachen."+except+"/") {
			out = append(out, line)
		}
	}
	return out
}

func (p *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Hostname(), "google.com") || strings.HasSuffix(r.URL.Hostname(), "googleapis.com") || strings.HasSuffix(r.URL.Hostname(), "gvt1.com") {
		http.Error(w, "the browser's own business", http.StatusBadGateway)
		return
	}
	p.mu.Lock()
	p.log = append(p.log, r.Method+" "+r.URL.String())
	host := r.Host
	if r.Method != http.MethodConnect && r.URL.Port() == "" {
		host = r.URL.Host + ":80"
	}
	addr, ok := p.hosts[host]
	p.open++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.open--
		p.mu.Unlock()
	}()
	if !ok || r.Method == http.MethodConnect {
		http.Error(w, "refused", http.StatusBadGateway)
		return
	}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}
	tr := &http.Transport{DialContext: dial, DisableCompression: true, DisableKeepAlives: true}
	r.RequestURI = ""
	if p.plain {
		r.Header.Del("Sec-Ch-Ua")
	}
	resp, err := tr.RoundTrip(r)
	p.tell(r, resp, err)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for k, v := range resp.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(resp.StatusCode)
	io.Copy(w, resp.Body)
}

// browser starts Chromium behind the recorder.
func browser(t *testing.T, p *recorder) context.Context {
	t.Helper()
	return browserBehind(t, p.srv.Listener.Addr().String())
}

// browserBehind starts Chromium with a proxy for everything; secure are origins to be treated as if they had TLS.
func browserBehind(t *testing.T, proxy string, secure ...string) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine (Debian: apt-get install chromium): replay in a browser is not tested")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1200, 800),
		chromedp.Flag("proxy-server", proxy), chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("unsafely-treat-insecure-origin-as-secure", strings.Join(append(secure, "http://"+modern.Host), ",")), chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
	)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel2 := chromedp.NewContext(alloc)
	t.Cleanup(cancel2)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// crawlModern crawls the modern site with the real crawler and gives the folder of its records. What only a script
// asks for is among the seeds.
func crawlModern(t *testing.T) (*server.Server, string) {
	t.Helper()
	seeds := append([]string{"http://" + modern.Host + "/", "http://" + modern.CDN + "/about.html"}, modern.Extra()...)
	return crawlModernFrom(t, seeds, crawl.Options{Stages: stages.Set{}.Of})
}

// crawlModernFrom crawls the modern site from some seeds.
func crawlModernFrom(t *testing.T, seeds []string, opts crawl.Options) (*server.Server, string) {
	t.Helper()
	spec, err := websim.Load("modern", []byte(modern.Spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, modern.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	cfg := fetch.Config{UserAgent: "varve-test", TLS: fetch.TLS{Roots: s.Pool()}}
	for _, rule := range s.Resolve() {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	client, err := fetch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	col, err := catalog.Open(t.TempDir()).Collection("n")
	if err != nil {
		t.Fatal(err)
	}
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Software: "varve test"})
	run, err := e.Start(context.Background(), col, crawl.Definition{Seeds: seeds, Scope: scope.Definition{Mode: scope.Host}, IgnoreRobots: true}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	return s, col.WarcDir()
}

// serveReplay serves a replay host on loopback under the name localhost.
func serveReplay(t *testing.T, x *replaytest.Index, ui string) (h *replay.Handler, host, addr string) {
	t.Helper()
	return serveReplayAs(t, x, "localhost", func(c *replay.Config) { c.UI = ui })
}

// serveReplayAs serves replay under a name.
func serveReplayAs(t *testing.T, x *replaytest.Index, name string, change func(*replay.Config)) (h *replay.Handler, host, addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	host = name + ":" + port
	h = replaytest.Handler(t, x, func(c *replay.Config) {
		c.Base, c.Now = "http://"+host, time.Now
		change(c)
	})
	srv := &http.Server{Handler: h}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return h, host, l.Addr().String()
}

// attached are the frames that inside is connected to.
var attached sync.Map

// inside gives a context for the frame that holds the replayed page, which has an origin and a process of its own.
func inside(t *testing.T, ctx context.Context, part string) context.Context {
	t.Helper()
	for range 700 {
		targets, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range targets {
			if info.Type == "iframe" && strings.Contains(info.URL, part) {
				if inner, ok := attached.Load(info.TargetID); ok {
					return inner.(context.Context)
				}
				inner, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(info.TargetID))
				context.AfterFunc(ctx, cancel) // not earlier: it would close the frame
				if err := chromedp.Do(inner); err != nil {
					t.Fatal(err)
				}
				attached.Store(info.TargetID, inner)
				return inner
			}
		}
		time.Sleep(30 * time.Millisecond)
	}
	t.Fatalf("no frame with %s", part)
	return nil
}

// waitFor runs an expression until it is true.
func waitFor(t *testing.T, ctx context.Context, expr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expr+")"))
		if ok {
			return
		}
		if ctx.Err() != nil {
			state, _ := chromedp.Run(context.WithoutCancel(ctx), chromedp.Evaluate[string]("document.documentElement.outerHTML.slice(0,600)+JSON.stringify(window.results||{})+(document.getElementById('parts')||{click(){}}).textContent+((document.getElementById('parts')||{click(){}}).click(),(document.getElementById('list')||{}).textContent)"))
			t.Fatalf("%s never became true (%v): %s", expr, err, state)
		}
		select {
		case <-time.After(40 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func eval[T any](t *testing.T, ctx context.Context, expr string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expr))
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return v
}

func navigate(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
}

// screenshot takes a picture; with VARVE_SCREENS=dir it is kept there.
func screenshot(t *testing.T, ctx context.Context, name string) image.Image {
	t.Helper()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("VARVE_SCREENS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// still takes pictures until two in a row are the same: what was loaded last is drawn then.
func still(t *testing.T, ctx context.Context, name string) image.Image {
	t.Helper()
	last := screenshot(t, ctx, name)
	for range 20 {
		time.Sleep(150 * time.Millisecond)
		next := screenshot(t, ctx, name)
		if share, where := differing(last, next); share == 0 && where.Empty() {
			return next
		}
		last = next
	}
	return last
}

// differing gives the share of pixels that differ visibly, and where they are.
func differing(a, b image.Image) (float64, image.Rectangle) {
	if a.Bounds() != b.Bounds() {
		return 1, a.Bounds()
	}
	n, all := 0, 0
	var where image.Rectangle
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(r1, r2)-min(r1, r2)+max(g1, g2)-min(g1, g2)+max(b1, b2)-min(b1, b2) > 0x3000 {
				n++
				where = where.Union(image.Rect(x, y, x+1, y+1))
			}
			all++
		}
	}
	return float64(n) / float64(all), where
}

// same compares what a page found in the archive with what it found live.
func same(t *testing.T, got, live map[string]any) {
	t.Helper()
	var names []string
	for k := range live {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		if fmt.Sprint(got[k]) != fmt.Sprint(live[k]) {
			t.Errorf("%s: %v, live it was %v", k, got[k], live[k])
		}
	}
}
