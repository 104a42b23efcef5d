package links

import (
	"strings"
	"testing"
)

// kindsOf extracts a body of the given type and gives "kind url" lines, the host cut off.
func kindsOf(t testing.TB, mime, body string) []string {
	t.Helper()
	got, _ := list(t, Document{URL: "http://h.example/d/p.html", MIME: mime, Body: []byte(body)})
	for i, g := range got {
		_, g, _ = strings.Cut(g, " ")
		got[i] = strings.Replace(g, "http://h.example", "", 1)
	}
	return got
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`fetch("/api/list.json")`, "js-fetch /api/list.json"},
		{`fetch('data')`, "js-fetch /d/data"},
		{`var base = "/api/"; fetch(base + "list.json")`, "js-fetch /api/list.json"},
		{`x.src = "/img/" + n + ".png"`, ""},
		{`x.src = "/img/" + 3 + ".png"`, "js-property /img/3.png"},
		{`location.href = "/page.html" + location.search`, "js-location /page.html"},
		{`location = 'next'`, "js-location /d/next"},
		{`window.location.assign("/a1")`, "js-location /a1"},
		{`window.open("/pop.html", "w", "width=3")`, "js-open /pop.html"},
		{`history.pushState({}, "", "/state/2")`, "js-history /state/2"},
		{`xhr.open("GET", "/x.php?id=1", true)`, "js-fetch /x.php?id=1"},
		{`import a from "./mod.js"; import "react"; export * from '/m2.mjs'`, "js-import /d/mod.js|js-import /m2.mjs"},
		{`const m = await import("./lazy.js")`, "js-dynamic-import /d/lazy.js"},
		{`new Worker("w.js"); importScripts("a.js", "b.js")`, "js-worker /d/w.js|js-worker /d/a.js|js-worker /d/b.js"},
		{`navigator.serviceWorker.register("/sw.js")`, "js-worker /sw.js"},
		{`el.setAttribute("href", "/set.html")`, "js-href /set.html"},
		{`a = atob("L3NlY3JldC5odG1s")`, "js-literal /secret.html"},
		{`f(["", "joined", "path.html"].join("/"))`, "js-literal /joined/path.html"},
		{`g(String.fromCharCode(47,97,98,99,46,104,116,109,108))`, "js-literal /abc.html"},
		{`g(decodeURIComponent("%2Fdecoded.html"))`, "js-literal /decoded.html"},
		{"const d = '/dir/'; fetch(`${d}t.json`)", "js-fetch /dir/t.json"},
		{"fetch(`/x/${id}.json`)", ""},
		{"var h = `<a href=\"/in/template.html\">${x ? \"/inner.html\" : 1}</a>`", "a-href /in/template.html in script|js-literal /inner.html"},
		{`document.write('<img src="/written.png">')`, "img-src /written.png in script"},
		{`document.write('<a href="' + u + '">x</a><img src="/later.png">')`, "img-src /later.png in script"},
		{`var c = {"url":"https:\/\/o.example\/p","type":"text/html"}`, "js-literal https://o.example/p"},
		{`x = {url: "ajax/load", accept: "a/b"}`, "js-literal /d/ajax/load"},
		{`if (x) /"/.test(y) ? 1 : "/after-regexp.html"`, "js-literal /after-regexp.html"},
		{`a = b / c; d = "/after-division.html" / 2`, "js-literal /after-division.html"},
		{`s = s.replace(/['"]/g, "x"); t = "/after-class.html"`, "js-literal /after-class.html"},
		{"//# sourceMappingURL=app.js.map", "js-sourcemap /d/app.js.map"},
		{`// "/comment.html"` + "\n/* '/comment2.html' */", ""},
		{`u = "/a.html"; u = "/b.html"; fetch(u)`, "js-literal /a.html|js-literal /b.html"},
		{`url += "/tail.html"`, ""},
		{`el.style.background = "url(/bg.png)"`, "css-url /bg.png in script"},
		{`JSON.parse('{"next":"/p/2","x":1}')`, "json-url /p/2 in script"},
		{`$.get("/jq.html", f); $.getJSON('/jq.json')`, "js-fetch /jq.html|js-fetch /jq.json"},
		{`new URL("./asset.wasm", import.meta.url)`, "js-property /d/asset.wasm"},
		{`say("see https://o.example/doc.html for more")`, "js-literal https://o.example/doc.html"},
		{`self.push([1,"5:[\"$\",\"a\",null,{\"href\":\"/rsc/page\",\"children\":\"xxxxxxxxxxxxxxxxxxxx\"}]"])`, "js-literal /rsc/page in script"},
		{`a = require("./mod.js")`, ""},
		{`v = "\x2fhex.html"`, "js-literal /hex.html"},
		{`v = "\u002funi.html"`, "js-literal /uni.html"},
		{`v = "\057octal.html"`, "js-literal /octal.html"},
		{`function f() { g() } /"/.test(h); v = "/after-block.html"`, "js-literal /after-block.html"},
		{"v = `${ /}`/.test(x) ? 1 : \"/in-hole.html\" }`; w = '/after-hole.html'", "js-literal /in-hole.html|js-literal /after-hole.html"},
		{"<!-- '/html-comment.html'\nv = '/after-comment.html'\n--> '/html-comment.html'", "js-literal /after-comment.html"},
		{"// a\rv = '/after-cr.html'", "js-literal /after-cr.html"},
		{"n = 1e+3; v = '/after-number.html'", "js-literal /after-number.html"},
	} {
		if got := strings.Join(kindsOf(t, "text/javascript", c.code), "|"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}
