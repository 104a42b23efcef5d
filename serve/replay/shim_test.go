package replay_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

// overrides are what the shim stands in for: each expression is the body of an async function on the page
// http://a.example/d/p?q=1 captured on 2020-02-03, and gives the value that it had on the live page.
var overrides = []struct{ name, script, want string }{
	{"location", `return location.href + ' ' + window.location.search + ' ' + document.location.host + ' ' + self['location'].pathname`, "http://a.example/d/p?q=1 ?q=1 a.example /d/p"},
	{"location is one", `return location === window.location && window.location === document.location && String(location) === location.href`, "true"},
	{"location set by part", `location.hash = '#x'; return location.href`, "http://a.example/d/p?q=1#x"},
	{"names kept", `var location = {href: 'mine'}; return location.href + ({location: 1}).location + (function(top){ return top })('t')`, "mine1t"},
	{"other objects", `var o = {}; o.location = 'here'; o.top = 5; return JSON.stringify(o) + o['location']`, `{"location":"here","top":5}here`},
	{"document", `return [document.URL, document.documentURI, document.baseURI, document.domain, document.referrer].join(' ')`, "http://a.example/d/p?q=1#x http://a.example/d/p?q=1#x http://a.example/d/p?q=1#x a.example "},
	{"windows", `return [top === self, parent === self, window.frameElement, window.opener, origin].join(' ')`, "true true   http://a.example"},
	{"history", `history.pushState({n: 1}, '', '/other?x'); var a = location.href + history.state.n; history.replaceState(null, '', '/d/p?q=1'); return a + ' ' + location.href`, "http://a.example/other?x1 http://a.example/d/p?q=1"},
	{"fetch", `var r = await fetch('/data.json'); return r.url + ' ' + (await r.json()).v`, "http://a.example/data.json 7"},
	{"fetch of a Request", `var q = new Request('//a.example/data.json', {integrity: 'sha256-x'}); var r = await fetch(q); return q.url + ' ' + (await r.json()).v`, "http://a.example/data.json 7"},
	{"XMLHttpRequest", `return await new Promise(function (ok) { var x = new XMLHttpRequest(); x.open('GET', '../data.json'); x.onload = function () { ok(x.responseURL + x.responseText.trim()) }; x.send() })`, `http://a.example/data.json{"v":7}`},
	{"WebSocket", `return await new Promise(function (ok) { var s = new WebSocket('wss://a.example/s'); var seen = [s.readyState, s.url]; s.addEventListener('error', function () { seen.push('error') }); s.onclose = function (e) { ok(seen.concat(e.code, s.readyState, s instanceof WebSocket).join(' ')) } })`, "0 wss://a.example/s error 1006 3 true"},
	{"Worker", `return await new Promise(function (ok) { var w = new Worker('w.js'); w.onmessage = function (e) { ok(e.data) }; w.postMessage(1) })`, "http://a.example/d/w.js 7"},
	{"createElement", `var a = document.createElement('a'); a.href = '/x?y#z'; return [a.href, a.pathname, a.host, a.search, a.hash, String(a)].join(' ')`, "http://a.example/x?y#z /x a.example ?y #z http://a.example/x?y#z"},
	{"setAttribute", `var i = document.createElement('img'); i.setAttribute('src', '/i.svg'); document.body.append(i); await new Promise(function (ok) { i.onload = ok }); return i.src + ' ' + i.getAttribute('src') + ' ' + i.naturalWidth`, "http://a.example/i.svg /i.svg 10"},
	{"setAttributeNS", `var u = document.createElementNS('http://www.w3.org/2000/svg', 'use'); u.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '/s.svg#a'); return u.getAttributeNS('http://www.w3.org/1999/xlink', 'href')`, "/s.svg#a"},
	{"srcset", `var i = document.createElement('img'); i.srcset = '/i.svg 1x, /j.svg 2x'; return i.srcset`, "/i.svg 1x, /j.svg 2x"},
	{"innerHTML", `var d = document.createElement('div'); d.innerHTML = '<a href="//b.example/q">x</a><table><tr><td background=/b.png></table>'; return d.querySelector('a').href + d.innerHTML.includes('localhost') + d.querySelectorAll('td').length`, "http://b.example/qfalse1"},
	{"outerHTML", `var d = document.createElement('div'); document.body.append(d); d.innerHTML = '<p></p>'; d.firstChild.outerHTML = '<img src=/i.svg>'; return d.firstChild.src`, "http://a.example/i.svg"},
	{"insertAdjacentHTML", `var d = document.createElement('div'); d.insertAdjacentHTML('beforeend', '<script src="/s.js"><\/script>'); return d.firstChild.src`, "http://a.example/s.js"},
	{"DOMParser", `var doc = new DOMParser().parseFromString('<img src="/i.svg">', 'text/html'), i = doc.querySelector('img'); document.body.append(i); await new Promise(function (ok) { i.onload = ok }); return i.src`, "http://a.example/i.svg"},
	{"style", `var d = document.createElement('div'); document.body.append(d); d.style.backgroundImage = 'url(/i.svg)'; await 0; d.style.setProperty('list-style-image', 'url("http://b.example/l.png")'); await 0; return /\/n\/\d+im_\/http:\/\/a.example\/i.svg/.test(d.style.backgroundImage) + getComputedStyle(d).backgroundImage`, `trueurl("http://a.example/i.svg")`},
	{"style sheet", `var s = document.createElement('style'); s.textContent = 'p{background:url(http://b.example/x.png)}'; document.head.append(s); s.sheet.insertRule('b{background:url(http://b.example/y.png)}'); return [...s.sheet.cssRules].every(function (r) { return /im_\/http:\/\/b.example/.test(r.style.backgroundImage) }) + s.sheet.cssRules[0].cssText`, `trueb { background: url("http://b.example/y.png"); }`},
	{"script text", `var s = document.createElement('script'); s.textContent = 'window.ran = location.pathname'; document.body.append(s); return window.ran`, "/d/p"},
	{"eval", `var local = 3; return eval('local + location.pathname') + new Function('return location.host')() + (await new Promise(function (ok) { window.ok = ok; setTimeout('ok(location.protocol)', 0) }))`, "3/d/pa.examplehttp:"},
	{"import", `return (await import('/m.js')).default + (await import('./n.js')).default`, "/d/pn"},
	{"open", `return window.open('http://b.example/', '_blank')`, "null"},
	{"postMessage", `var f = document.createElement('iframe'); f.src = 'http://b.example/f.html'; document.body.append(f); return await new Promise(function (ok) { onmessage = function (e) { ok(e.origin + ' ' + e.data + ' ' + (e.source === f.contentWindow)) }; f.onload = function () { f.contentWindow.postMessage('ping', 'http://wrong.example'); f.contentWindow.postMessage('pong', 'http://b.example') } })`, "http://b.example pong from http://a.example true"},
	{"cookies", `document.cookie = 'x=1; path=/; expires=Fri, 01 Jan 2038 00:00:00 GMT'; document.cookie = 'y=2'; document.cookie = 'y=; expires=Thu, 01 Jan 1970 00:00:00 GMT'; return document.cookie`, "set=then; x=1"},
	{"storage", `localStorage.clear(); localStorage.setItem('a', 1); localStorage.b = {}; sessionStorage.a = 'other'; var k = Object.keys(localStorage).sort().join(); delete localStorage.a; return [k, localStorage.length, localStorage.a, localStorage.getItem('a'), localStorage.key(0), 'b' in localStorage, sessionStorage.a].join(' ')`, "a,b 1   b true other"},
	{"Date", `var d = new Date(); return [d.toISOString().slice(0, 10), new Date(Date.now()).getUTCFullYear(), new Date(0).getTime(), Date.UTC(2000, 0), d instanceof Date, d.constructor === Date, typeof Date()].join(' ')`, "2020-02-03 2020 0 946684800000 true true string"},
	{"Date of a subclass", `class D extends Date { year() { return this.getUTCFullYear() } } return new D().year() + ' ' + new D(0).year()`, "2020 1970"},
	{"Math.random", `return first`, "0.74250116"},
	{"Image, Audio, FontFace", `var i = new Image(3, 4); i.src = '/i.svg'; var a = new Audio('/a.mp3'); var f = new FontFace('x', 'url(/f.woff)'); return [i.src, i.width, a.src, a instanceof Audio, f.family].join(' ')`, "http://a.example/i.svg 3 http://a.example/a.mp3 true x"},
	{"service worker", `var r = await navigator.serviceWorker.register('/sw.js'); return r.scope + ' ' + navigator.serviceWorker.controller + ' ' + (await navigator.serviceWorker.getRegistrations()).length`, "http://a.example/ null 0"},
	{"beacons and sockets", `return navigator.sendBeacon('http://b.example/', 'x') + ' ' + typeof RTCPeerConnection + ' ' + typeof WebTransport`, "true undefined undefined"},
	{"forms", `var f = document.createElement('form'); f.action = '/go'; return f.action`, "http://a.example/go"},
	{"native looks", `return [/native code/.test(fetch), fetch.name, Object.keys({}).length, Object.keys(window).filter(function (k) { return /^varve/.test(k) }).join()].join(' ')`, "true fetch 0 "},
	{"empty frames", `var f = document.createElement('iframe'); document.body.append(f); f.contentDocument.body.innerHTML = '<img src="http://a.example/i.svg">'; var i = f.contentDocument.images[0]; await new Promise(function (ok) { i.onload = ok; i.onerror = ok }); return i.naturalWidth + i.src`, "10http://a.example/i.svg"},
	{"document.write", `return document.getElementById('written').src + ' ' + window.wrote`, "http://a.example/i.svg /d/p"},
	{"javascript: link", `var a = document.createElement('a'); a.href = 'javascript:void(window.linked = location.pathname + "%41")'; document.body.append(a); a.click(); await new Promise(function (ok) { setTimeout(ok, 50) }); return window.linked`, "/d/pA"},
	{"javascript: link, stopped and prevented", `window.n = 0; document.body.insertAdjacentHTML('beforeend', '<p><a id=stops href=" JavaScript:void(n += 1)">x</a></p><a id=prevents href="javascript:void(n += 10)" onclick="return false">y</a>'); stops.parentNode.onclick = function (e) { e.stopPropagation() }; stops.click(); prevents.click(); await new Promise(function (ok) { setTimeout(ok, 50) }); return n`, "1"},
	{"javascript: form", `window.n = 0; document.body.insertAdjacentHTML('beforeend', '<form id=jsf action="javascript:void(n += 1)"><button id=jsb formaction="javascript:void(n += 10)"></button></form>'); jsf.submit(); jsf.requestSubmit(); jsb.click(); await new Promise(function (ok) { setTimeout(ok, 50) }); return n`, "12"},
	{"javascript: location", `location.href = 'javascript:void(window.went = location.host)'; window.open('javascript:void(window.opened = 1)', '_self'); await new Promise(function (ok) { setTimeout(ok, 50) }); return went + opened`, "a.example1"},
	{"javascript: frames", `var d = document.createElement('div'), f = document.createElement('iframe'); d.innerHTML = '<iframe src="javascript:&quot;<b>in &quot; + 1"></iframe>'; document.body.append(d); f.src = 'javascript:false'; document.body.append(f); f.src = 'javascript:parent.framed = "set"; "<i>" + location.protocol'; await new Promise(function (ok) { setTimeout(ok, 100) }); return d.firstChild.contentDocument.body.textContent + ' ' + framed + ' ' + f.contentDocument.body.textContent`, "in 1 set about:"},
	{"inline scripts", `window.ran = []; var s = document.createElement('script'); document.head.append(s); s.append('ran.push("filled")'); s = document.createElementNS('http://www.w3.org/2000/svg', 'script'); s.textContent = 'ran.push("svg")'; document.body.append(s); document.body.append(document.createRange().createContextualFragment('<p><script>ran.push("fragment")<\/script></p>')); s = document.createElement('script'); s.nonce = 'theirs'; s.text = 'ran.push("nonce")'; document.body.insertBefore(s, null); document.body.append(s.cloneNode(true)); var f = document.createElement('iframe'); document.body.append(f); f.contentDocument.write('<script type="text/javascript">parent.ran.push("written")<\/script>'); var c = document.createElement('script'); c.text = 'ran.push("cloned")'; document.body.append(c.cloneNode(true)); f = document.createElement('iframe'); f.srcdoc = '<script>parent.ran.push("srcdoc")<\/script>'; document.body.append(f); await new Promise(function (ok) { f.onload = ok }); return ran.join()`, "filled,svg,fragment,nonce,written,cloned,srcdoc"},
	{"listeners after document.open", `var f = document.createElement('iframe'); document.body.append(f); f.contentDocument.open(); f.contentDocument.write('<a href="javascript:void(parent.late = 1)">x</a>'); f.contentDocument.close(); f.contentDocument.querySelector('a').click(); await new Promise(function (ok) { setTimeout(ok, 50) }); return window.late`, "1"},
	{"IndexedDB", `return await new Promise(function (ok) { var q = indexedDB.open('db'); q.onsuccess = function () { ok('open') }; q.onerror = function () { ok('failed') } })`, "open"},
}

func TestBrowserShim(t *testing.T) {
	p := newRecorder(t)
	ctx := browser(t, p)
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><title>shim</title></head><body><script>var first = Math.random().toFixed(8); document.write('<img id="written" src="/i.svg"><script>window.wrote = location.pathname<\/script>');</script><script>var tests = {}; window.results = {};` + "\n")
	for _, o := range overrides {
		fmt.Fprintf(&b, "tests[%q] = async function () { %s };\n", o.name, o.script)
	}
	b.WriteString(`(async function () { for (var k in tests) { try { results[k] = String(await Promise.race([tests[k](), new Promise(function (_, bad) { setTimeout(function () { bad('too slow') }, 3000) })])) } catch (e) { results[k] = 'failed: ' + e } } window.done = true })()</script>`)
	page := func(url, typ, body string) replaytest.Answer {
		return replaytest.Answer{URL: url, Time: "2020-02-03T04:05:06Z", Header: "Content-Type: " + typ + "\n", Body: body}
	}
	home := page("http://a.example/d/p?q=1", "text/html; charset=utf-8", b.String())
	home.Header += "Set-Cookie: set=then\nSet-Cookie: hidden=1; HttpOnly\n"
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`
	x := replaytest.Write(t, home,
		page("http://a.example/data.json", "application/json", `{"v":7}`), page("http://a.example/i.svg", "image/svg+xml", svg), page("http://a.example/j.svg", "image/svg+xml", svg),
		page("http://a.example/d/w.js", "text/javascript", `onmessage = function (e) { fetch('/data.json').then(function (r) { return r.json() }).then(function (j) { self.postMessage(location.href + ' ' + j.v) }) }`),
		page("http://a.example/m.js", "text/javascript", `export default location.pathname`), page("http://a.example/d/n.js", "text/javascript", `export default 'n'`),
		page("http://b.example/f.html", "text/html", `<script>onmessage = function (e) { e.source.postMessage(e.data + ' from ' + e.origin, e.origin) }</script>`),
	)
	h, host, addr := serveReplay(t, x, "")
	p.only(host, addr)
	navigate(t, ctx, "http://"+host+"/n/20200203040506/http://a.example/d/p?q=1")
	in := inside(t, ctx, "mp_/http://a.example/d/p")
	waitFor(t, in, "window.done")
	got := eval[map[string]string](t, in, "window.results")
	for _, o := range overrides {
		if got[o.name] != o.want {
			want, _ := json.Marshal(o.want)
			t.Errorf("%s:\n got %q\nwant %s", o.name, got[o.name], want)
		}
	}
	if out := p.seen(host); out != nil {
		t.Errorf("%d requests left the replay host: %q", len(out), out)
	}
	if n, list := h.Leaks(); n != 0 {
		t.Errorf("%d attempts were stopped only by the policy: %+v", n, list)
	}
}
