package serve_test

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/lab/attack"
	"varve/serve/access"
	"varve/serve/replay/replaytest"
)

//go:embed testdata/realms/realms.js
var realmsJS string

// canary is the live network: it hears what reaches it by TCP (connections, with the first line) and by UDP. Firefox
// sends nothing to loopback by WebRTC; so there is an ear on another address of this machine too, if it has one.
type canary struct {
	tcp net.Listener
	udp []net.PacketConn

	mu    sync.Mutex
	heard []string
}

func newCanary(t testing.TB) *canary {
	t.Helper()
	c := &canary{}
	var err error
	if c.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	for _, addr := range append([]string{"127.0.0.1"}, outward(t)...) {
		u, err := net.ListenPacket("udp", net.JoinHostPort(addr, "0"))
		if err != nil {
			t.Fatal(err)
		}
		c.udp = append(c.udp, u)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := c.tcp.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
				line, _ := bufio.NewReader(conn).ReadString('\n')
				c.hear("connection " + strings.TrimSpace(line))
			})
		}
	})
	for _, u := range c.udp {
		all.Go(func() {
			buf := make([]byte, 2048)
			for {
				n, from, err := u.ReadFrom(buf)
				if err != nil {
					return
				}
				c.hear(fmt.Sprintf("%d bytes by UDP from %v", n, from))
			}
		})
	}
	t.Cleanup(func() {
		c.tcp.Close()
		for _, u := range c.udp {
			u.Close()
		}
		all.Wait()
	})
	return c
}

// outward returns an address of this machine that is not loopback; none if there is none.
func outward(t testing.TB) []string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return []string{n.IP.String()}
		}
	}
	return nil
}

// stun returns where the canary hears UDP.
func (c *canary) stun() (out []string) {
	for _, u := range c.udp {
		out = append(out, u.LocalAddr().String())
	}
	return out
}

func (c *canary) hear(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, what)
}

// take returns what was heard since the last time.
func (c *canary) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.heard
	c.heard = nil
	return out
}

// hostileArchive is an archive with a hostile site in the open collection and secrets: a collection for curators
// only, and a site for curators only in the open collection.
func hostileArchive(t testing.TB, pages func(live string) []replaytest.Answer) string {
	t.Helper()
	dir := t.TempDir()
	cat := catalog.Open(dir)
	write := func(name string, pages ...replaytest.Answer) {
		col, err := cat.Collection(name)
		if err != nil {
			t.Fatal(err)
		}
		replaytest.WriteInto(t, col.WarcDir(), pages...)
	}
	secret := replaytest.Answer{URL: "http://s.example/", Time: "2026-01-02T03:04:05Z", Header: "Content-Type: text/html\n", Body: "<p>TOPSECRET</p>"}
	withheld := secret
	withheld.URL = "http://withheld.example/"
	write("secret", secret)
	write("open", append(pages(""), withheld)...)
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	for _, r := range []access.Rule{{Collection: "secret", Level: access.Curators, Reason: "x"}, {Prefix: "withheld.example", Level: access.Curators, Reason: "x"}} {
		if _, err := rules.Add(r, "test", access.Admin, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hostilePages is the site of the attacker. Its pages take K from their query's place: the fragment of the address.
func hostilePages(string) []replaytest.Answer {
	p := func(path, typ, body string) replaytest.Answer {
		return replaytest.Answer{URL: "http://evil.example/" + path, Time: "2026-01-02T03:04:05Z", Header: "Content-Type: " + typ + "\n", Body: body}
	}
	const lead = `<!doctype html><title>evil</title><body><script>var K = JSON.parse(decodeURIComponent(window['loca' + 'tion'].hash.slice(1))); K.base = window['loca' + 'tion'].href.replace(/\/[^\/]*#.*$/, '');</script>`
	parts := lead + `<script>K.parts = true</script><script src="/realms.js"></script>`
	in := func(realm string) string {
		return `<script>if (self['RTCPeer' + 'Connection']) (self['to' + 'p']).postMessage({realm: '` + realm + `', did: 'WebRTC'}, '*')</script>`
	}
	headers := p("headers.html", "text/html", "x")
	headers.Header += "Link: <LIVE/header>; rel=preconnect, <LIVE/header2>; rel=preload; as=script\nReporting-Endpoints: default=\"LIVE/reports\"\nReport-To: {\"group\":\"default\",\"max_age\":9,\"endpoints\":[{\"url\":\"LIVE/to\"}]}\nNEL: {\"report_to\":\"default\",\"max_age\":9}\nRefresh: 0; url=LIVE/refresh\nContent-Security-Policy: default-src 'none'; report-uri LIVE/csp\nSpeculation-Rules: \"LIVE/rules\"\nSourceMap: LIVE/map\n"
	return []replaytest.Answer{
		p("all.html", "text/html", lead+`<script src="/realms.js"></script>`),
		p("races.html", "text/html", lead+`<script>K.races = true</script><script src="/realms.js"></script>`),
		p("realms.js", "text/javascript", realmsJS),
		p("static.html", "text/html", parts+`<iframe></iframe><script>see(window[0], 'iframe in the page')</script>`+
			`<iframe src="/plain.html"></iframe><script>see(window[1], 'iframe with an address in the page'); often('iframe with an address in the page, meanwhile')</script>`+
			`<iframe srcdoc="`+strings.ReplaceAll(in("srcdoc in the page"), `"`, "&quot;")+`"></iframe><script>tried.push('srcdoc in the page')</script>`+
			`<iframe src="javascript:'`+strings.ReplaceAll(strings.ReplaceAll(in("javascript: in the page"), `'`, `\'`), `"`, "&quot;")+`'"></iframe><script>tried.push('javascript: in the page')</script>`+
			`<iframe src="data:text/html,`+strings.ReplaceAll(in("data: in the page"), `"`, "&quot;")+`"></iframe><script>tried.push('data: in the page')</script>`+
			`<object data="/plain.html?o"></object><script>often('object in the page')</script>`+
			`<template shadowrootmode=open></template><div><template shadowrootmode=open><iframe></iframe></template></div><script>see(document.querySelector('div').shadowRoot.querySelector('iframe').contentWindow, 'iframe in a declared shadow root')</script>`+
			`<script>document.write('<iframe></iframe>'); see(last(), 'iframe by document.write')</script>`+
			`<script>document.write('<ifr'); document.write('ame></iframe>'); see(last(), 'iframe by document.write in pieces')</script>`+
			`<script>document.write('<iframe></iframe><script>see(last(), "iframe and script by document.write")<\/script>')</script>`+
			`<script>document.write('<iframe src="/plain.html?w"></iframe><script>see(last(), "iframe with an address and script by document.write")<\/script>')</script>`+
			`<script>setTimeout(function () { window.done = true }, 3000)</script>`),
		p("replaced.html", "text/html", parts+`<script>window['loca' + 'tion'] = 'javascript:' + encodeURIComponent(JSON.stringify("<script>window.done = true; window.tried = ['javascript: in place of the page']; window.got = []; if (self['RTCPeer' + 'Connection']) got.push('javascript: in place of the page: WebRTC')<\/script>"))</script><script>setTimeout(function () { tried.push('javascript: in place of the page'); window.done = true }, 1500)</script>`),
		p("written.html", "text/html", parts+`<script>onload = function () { document.open(); document.write("<script>window.done = true; window.tried = ['document.open']; window.got = []; if (self['RTCPeer' + 'Connection']) got.push('document.open: WebRTC')<\/script>"); document.close() }</script>`),
		p("frameset.html", "text/html", `<html><head><script>var K = JSON.parse(decodeURIComponent(window['loca' + 'tion'].hash.slice(1))); K.parts = true</script><script src="/realms.js"></script></head><frameset onload="see(window[0], 'frame in the page'); often('frame in the page, meanwhile'); setTimeout(function () { window.done = true }, 1000)"><frame><frame src="/plain.html?f"></frameset></html>`),
		headers,
		p("refresh.html", "text/html", `<meta http-equiv=refresh content="0; url=LIVE/refresh">x`),
		p("plain.html", "text/html", "<p>plain</p>"), p("plain.txt", "text/plain", "plain"), p("j.json", "application/json", "{}"),
		p("i.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`),
		p("raw.html", "text/html", in("iframe to the raw bytes")),
		p("s.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">`+in("iframe to SVG with script")+`</svg>`),
		p("x.xml", "text/xml", `<a/>`),
		p("x.xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><body>`+in("iframe to XHTML")+`</body></html>`),
		p("xslt.xml", "text/xml", `<?xml-stylesheet type="text/xsl" href="/x.xsl"?><a/>`),
		p("x.xsl", "text/xsl", `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html>`+in("iframe to XML with XSLT")+`</html></xsl:template></xsl:stylesheet>`),
		p("p.pdf", "application/pdf", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n"),
		p("worker.js", "text/javascript", `onmessage = function (e) { var K = e.data; if (self['RTCPeer' + 'Connection']) postMessage('WebRTC'); K.secrets.forEach(function (u) { fetch(u).then(function (r) { return r.text() }).then(function (t) { if (/TOPSECRET/.test(t)) postMessage('read ' + u) }).catch(function () {}) }); fetch(K.live + '/worker').catch(function () {}) }`),
	}
}

// pristine keeps the browser's own functions before the shim can replace them.
const pristine = `self.pristine = {fetch: self.fetch.bind(self), XMLHttpRequest: self.XMLHttpRequest, WebSocket: self.WebSocket, WebSocketStream: self.WebSocketStream, EventSource: self.EventSource, WebTransport: self.WebTransport, navigator: {sendBeacon: navigator.sendBeacon.bind(navigator)}, Image: self.Image, Worker: self.Worker, Audio: self.Audio, FontFace: self.FontFace, fetchLater: self.fetchLater && self.fetchLater.bind(self)}`

// Every realm that a browser knows: in none of them is WebRTC to be had, can content of another collection or what is
// withheld be read, although the visitor is admin, can the screens be reached, or the live network.
func TestBrowserRealms(t *testing.T) { realms(t, 1, "static.html") }

// The same with fewer realms on a page, so that more of them win their races, and with pages that replace themselves.
func TestDrillRealms(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	realms(t, 5, "static.html", "frameset.html", "replaced.html", "written.html", "races.html")
}

// realms opens the page that tries everything in some batches, and other pages that do as they are parsed.
func realms(t *testing.T, batches int, others ...string) {
	tally := attack.Count(t)
	s := start(t, hostileArchive(t, hostilePages), nil)
	s.waitForCapture("open", "http://evil.example/all.html")
	s.waitForCapture("secret", "http://s.example/")
	c := newCanary(t)
	b := newTab(t)
	_, port, _ := strings.Cut(s.replay, "//localhost:")
	var secrets []string
	for _, path := range []string{"/secret/20260102030405id_/http://s.example/", "/secret/20260102030405mp_/http://s.example/", "/open/20260102030405id_/http://withheld.example/", "/open/20260102030405mp_/http://withheld.example/", "/secret/cdx?url=s.example&output=json", "/secret/20260102030405/http://s.example/"} {
		secrets = append(secrets, path)
		for _, host := range []string{"", "content.", "open.", "secret."} {
			secrets = append(secrets, "http://"+host+"localhost:"+port+path)
		}
	}
	live := "http://" + c.tcp.Addr().String()
	fragment := func(batch, batches int) string {
		k, err := json.Marshal(map[string]any{"secrets": secrets, "ui": s.ui, "live": live, "stun": c.stun(), "batch": batch, "batches": batches})
		if err != nil {
			t.Fatal(err)
		}
		return "#" + strings.ReplaceAll(strings.ReplaceAll(string(k), "%", "%25"), `"`, "%22")
	}
	all, through := 0, 0
	var walled []string
	visit := func(path, fragment string) {
		t.Helper()
		tried, got := b.realms(s.replay + "/open/20260102030405if_/http://evil.example/" + path + fragment)
		all += len(tried)
		if len(tried) == 0 {
			t.Errorf("%s: nothing was tried", path)
		}
		for _, g := range got {
			switch {
			case strings.HasSuffix(g, "WebRTC in a race"):
				walled = append(walled, g) // the canary tells whether the wall held
			default:
				through++
				t.Errorf("%s: %s", path, g)
			}
		}
		for _, h := range c.take() {
			through++
			t.Errorf("%s: the live network heard: %s; tried were %q", path, h, tried)
		}
	}
	for i := range batches {
		visit("all.html", fragment(i, batches))
	}
	// In its frame, under the banner, it is the same.
	b.realms(s.replay + "/open/20260102030405/http://evil.example/static.html" + fragment(0, 1))
	for _, h := range c.take() {
		through++
		t.Errorf("in its frame: the live network heard: %s", h)
	}
	for _, path := range others {
		visit(path, fragment(0, 1))
	}
	for _, path := range []string{"headers.html", "refresh.html"} {
		b.realms(s.replay + "/open/20260102030405/http://evil.example/" + path)
	}
	for _, h := range c.take() {
		t.Errorf("headers: the live network heard: %s", h)
	}

	// As if the shim had missed everything: the functions of the browser themselves.
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: pristine}); err != nil {
		t.Fatal(err)
	}
	b.open("about:blank")
	b.open(s.replay + "/open/20260102030405if_/http://evil.example/plain.html")
	b.open(s.replay + "/open/20260102030405if_/http://evil.example/static.html" + fragment(0, 1))
	b.is("window.done")
	b.is("(window.began = window.began || (got = [], see(pristine, 'functions of the browser'), setTimeout(function () { window.over = true }, 2000), true)) && window.over")
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string]("window.got"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	for _, g := range slices.Compact(got) {
		t.Error(g)
	}
	for _, h := range c.take() {
		t.Errorf("functions of the browser: the live network heard: %s", h)
	}
	tally.Try((all + 1) * (len(secrets) + 1 + 16))
	tally.Through(through + len(got))
	t.Logf("%d realms and ways, each with %d addresses to read and 16 ways to the live network", all+1, len(secrets)+1)
	t.Logf("in %d of them a script got hold of RTCPeerConnection, and Connection-Allowlist stopped it: %q", len(walled), walled)
	for _, m := range b.console() {
		if strings.Contains(m, "Unrecognized Content-Security-Policy directive") {
			t.Error(m)
		}
	}
}

// realms opens a page in a tab of its own, waits until it has tried everything, and returns what it tried and what it
// got. A page in its frame cannot be asked; it gets the same time.
func (b *tab) realms(target string) (tried, got []string) {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Navigate(target)); err != nil {
		b.t.Errorf("%s: %v", target, err)
		return nil, nil
	}
	for n := 0; ctx.Err() == nil; n++ {
		said, err := chromedp.Run(ctx, chromedp.Evaluate[[][]string]("window.done ? [window.tried, window.got] : []"))
		if err == nil && len(said) == 2 {
			tried, got = said[0], said[1]
			if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "WebRTC") }) {
				time.Sleep(5 * time.Second) // for its packets
			}
			break
		}
		if framed, _ := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!document.getElementById('page')")); framed && n > 30 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if ctx.Err() != nil {
		at, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href.slice(0, 200) + ' ' + (window.tried || []).length"))
		b.t.Errorf("the page stood still: %.120s; %s", target, at)
	}
	slices.Sort(tried)
	slices.Sort(got)
	return slices.Compact(tried), slices.Compact(got)
}

// Requests that net/http answers by itself get a policy too.
func TestFence(t *testing.T) {
	s := start(t, copied(t), nil)
	host := strings.TrimPrefix(s.replay, "http://")
	for name, request := range map[string]string{
		"path": "GET /%zz HTTP/1.1\r\nHost: open." + host + "\r\n\r\n", "long": "GET /" + strings.Repeat("x", 90<<10) + " HTTP/1.1\r\nHost: open." + host + "\r\n\r\n",
		"header": "GET / HTTP/1.1\r\nHost: open." + host + "\r\nx y: z\r\n\r\n", "no host": "GET / HTTP/1.1\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(request)) // the server may have answered before all was sent
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if resp.StatusCode/100 != 4 || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %d %v", name, resp.StatusCode, resp.Header)
		}
		conn.Close()
	}
}

// waitForCapture waits until the background has indexed a capture.
func (s *site) waitForCapture(collection, target string) {
	s.t.Helper()
	for range 1000 {
		if status, b := s.get(s.replay + "/" + collection + "/cdx?url=" + target); status == 200 && strings.TrimSpace(b) != "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%s was not indexed", target)
}
