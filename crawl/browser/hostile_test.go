package browser_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl/browser"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/lab/attack"
)

// Pages that do not want to end do, within their budget, and what is in their document is taken where
// that can be. Afterwards the same collector executes a good page.
func TestHostilePages(t *testing.T) {
	tally := attack.Count(t)
	endless := pages{
		"/good":    `<a href=/x>x</a>`,
		"/loop":    `<a href=/loop/x>x</a><script>addEventListener('load', () => setTimeout(() => { for (;;); }, 10))</script>`,
		"/early":   `<a href=/early/x>x</a><script>for (;;);</script>`,
		"/alerts":  `<a href=/alerts/x>x</a><script>setTimeout(() => { for (;;) alert(1) }, 5)</script>`,
		"/many":    `<a href=/many/x>x</a><script>for (let i = 0; i < 10000; i++) fetch('/n?' + i).catch(() => {})</script>`,
		"/huge":    `<a href=/huge/x>x</a><script>let s = ''; for (let i = 0; i < 10000; i++) s += '<p>' + i + '<b>x</b></p>'; document.body.innerHTML += s</script>`,
		"/grow":    `<a href=/grow/x>x</a><script>setInterval(() => { for (let i = 0; i < 50; i++) document.body.append(document.createElement('p')) }, 1)</script>`,
		"/reload":  `<a href=/reload/x>x</a><script>setInterval(() => location.reload(), 20)</script>`,
		"/away":    `<a href=/away/x>x</a><script>let n = 0; setInterval(() => location.href = '/away/' + n++, 1)</script>`,
		"/history": `<a href=/history/x>x</a><script>let n = 0; setInterval(() => history.pushState(null, '', '/h/' + n++), 1)</script>`,
		"/windows": `<a href=/windows/x>x</a><script>setInterval(() => window.open('/w' + Math.random()), 1)</script>`,
		"/unload":  `<a href=/unload/x>x</a><script>onbeforeunload = e => { for (;;); }</script>`,
		"/memory":  `<a href=/memory/x>x</a><script>const a = []; setInterval(() => { for (let i = 0; i < 20; i++) a.push(new Array(1e6).fill(Math.random())) }, 1)</script>`,
		"/frames":  `<a href=/frames/x>x</a><script>if (location.hash.length < 50) for (let i = 0; i < 3; i++) { const f = document.createElement('iframe'); f.src = location.href + '#' + 'x'.repeat(location.hash.length); document.body.append(f) }</script>`,
	}
	n := site(t, endless)
	budget := browser.Budget{Wall: 25 * time.Second, Load: 6 * time.Second, Requests: 300, Hang: 2 * time.Second}
	if os.Getenv("VARVE_DRILL") != "" {
		budget.Hang = 5 * time.Second
	}
	roomy := collector(t, browser.Config{Tabs: 2, Budget: budget})
	narrow := collector(t, browser.Config{Tabs: 2, Memory: 700 << 20, Budget: budget})
	for _, tc := range []struct {
		path string
		fail bool // an error is right
		bare bool // the document cannot be had
	}{
		{path: "/loop"},
		{path: "/early"},
		{path: "/alerts"},
		{path: "/many"},
		{path: "/huge"},
		{path: "/grow"},
		{path: "/reload"},
		{path: "/away"},
		{path: "/history"},
		{path: "/windows"},
		{path: "/unload"},
		{path: "/memory", fail: true, bare: true},
		{path: "/frames"},
	} {
		tally.Try(1)
		t.Run(tc.path[1:], func(t *testing.T) {
			if slices.Contains([]string{"/early", "/memory", "/huge", "/alerts", "/unload", "/grow", "/many", "/history"}, tc.path) && os.Getenv("VARVE_DRILL") == "" {
				t.Skip("a drill: VARVE_DRILL=1")
			}
			c := roomy
			if tc.path == "/memory" {
				c = narrow
			}
			began := time.Now()
			r, err := c.Collect(t.Context(), &collect.Answer{URL: "http://www.test" + tc.path}, n)
			took := time.Since(began)
			if took > 40*time.Second {
				t.Errorf("took %s", took)
			}
			if err != nil && !tc.fail && !errors.Is(err, browser.ErrBudget) {
				t.Errorf("error: %v", err)
			}
			if r == nil {
				t.Fatalf("nothing: %v", err)
			}
			if !tc.bare && !errors.Is(err, browser.ErrBudget) && !ends(urls(r), tc.path+"/x") {
				t.Errorf("the link is not found: %v (%v)", urls(r), err)
			}
			t.Logf("%.1f s, cost %+v, %v, error %v", took.Seconds(), r.Cost, r.Fields, err)
			good := execute(t, c, n, "http://www.test/good")
			if !ends(urls(good), "/x") {
				t.Errorf("a good page after it: %v", urls(good))
			}
		})
	}
}

// A page reaches nothing but the Net: no loopback service, no file, nothing of the browser itself.
func TestNoWayOut(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(18)
	reached := make(chan string, 100)
	local, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case reached <- r.URL.String():
		default:
		}
	})}
	go srv.Serve(local)
	t.Cleanup(func() { srv.Close() })
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	port := local.Addr().(*net.TCPAddr).Port
	udpPort := udp.LocalAddr().(*net.UDPAddr).Port
	page := fmt.Sprintf(`<!doctype html><title>t</title><link rel=preconnect href="http://127.0.0.1:%[1]d"><link rel=dns-prefetch href="//localhost:%[1]d"><link rel=prefetch href="http://127.0.0.1:%[1]d/prefetch">
<img src="http://127.0.0.1:%[1]d/img"><img src="http://localhost:%[1]d/name"><img src="http://[::ffff:127.0.0.1]:%[1]d/six"><iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe><iframe src="view-source:http://127.0.0.1:%[1]d/vs"></iframe>
<script type=speculationrules>{"prerender": [{"source": "list", "urls": ["http://127.0.0.1:%[1]d/prerender"]}]}</script>
<script>
new WebSocket('ws://127.0.0.1:%[1]d/socket');
fetch('http://127.0.0.1:%[1]d/fetch', {mode: 'no-cors'}).catch(() => {});
navigator.sendBeacon('http://127.0.0.1:%[1]d/beacon', 'x');
try { const w = new WebTransport('https://127.0.0.1:%[2]d/'); w.ready.catch(() => {}); w.closed.catch(() => {}) } catch {}
try { const pc = new RTCPeerConnection({iceServers: [{urls: ['stun:127.0.0.1:%[2]d', 'turn:127.0.0.1:%[1]d?transport=tcp'], username: 'a', credential: 'b'}]}); pc.createDataChannel('x'); pc.createOffer().then(o => pc.setLocalDescription(o)) } catch {}
new EventSource('http://127.0.0.1:%[1]d/events');
try { new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:%[1]d/worker', {mode: 'no-cors'})"]))) } catch {}
fetch('file:///etc/passwd').then(r => r.text()).then(t => fetch('/leak?' + encodeURIComponent(t))).catch(() => {});
setTimeout(() => location.href = 'http://127.0.0.1:%[1]d/top', 100);
</script>`, port, udpPort)
	n := site(t, pages{"/page": page})
	r := execute(t, shared(t), n, "http://www.test/page")
	udp.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	if k, from, err := udp.ReadFrom(make([]byte, 1500)); err == nil {
		t.Errorf("a packet of %d bytes from %s", k, from)
	}
	select {
	case u := <-reached:
		t.Errorf("reached a service on loopback: %s", u)
	default:
	}
	for _, u := range n.asked() {
		if strings.Contains(u, "127.0.0.1") || strings.Contains(u, "localhost") || strings.Contains(u, "leak") {
			t.Errorf("recorded %s", u)
		}
	}
	if !slices.ContainsFunc(r.Links, func(l linkOf) bool { return strings.HasSuffix(l.URL, "/top") }) {
		t.Error("where the page wanted to go is not told")
	}
	for _, target := range []string{"file:///etc/passwd", "chrome://version", "about:blank", "javascript:1", "data:text/html,x"} {
		tally.Try(1)
		if r, err := shared(t).Collect(t.Context(), &collect.Answer{URL: target}, n); err == nil {
			t.Errorf("%s was executed: %+v", target, r)
		}
	}
}

// Without Chromium the message says what to do.
func TestMissing(t *testing.T) {
	c, err := browser.New(browser.Config{Path: "/nowhere/chromium"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Collect(t.Context(), &collect.Answer{URL: "http://www.test/"}, newNet(t, nil, fetch.Config{}))
	if r != nil || !errors.Is(err, browser.ErrMissing) || !strings.Contains(hint(err), "apt-get install chromium") {
		t.Errorf("%v, %v, hint %q", r, err, hint(err))
	}
}
