package links

import (
	"strings"
	"testing"
)

// negatives are strings of scripts and data that look a little like URLs and are none.
var negatives = []string{
	"text/javascript", "application/json", "application/ld+json", "application/vnd.ms-excel", "image/png", "text/html;charset=utf-8", "text/html; charset=utf-8",
	"multipart/form-data", "audio/mpeg", "font/woff2", "a/b", "1.0/2", "1/2", "16/9", "and/or", "I/O", "n/a", "w/o", "TCP/IP", "Europe/Berlin",
	"MM/DD/YYYY", "yyyy/MM/dd", "DD/MM", "/MM/DD/YYYY", "hh:mm:ss", "2006-01-02", "12/31/2026", "1.2.3", "v1.2.3", "10.0.0.1", "{{url}}/x.html", "${base}/x.html",
	"/items/{id}", "/users/:id", "/users/:id/edit.html", "/[slug]/page.html", "/*.js", "**/*.html", "*.css", "<%= path %>/x.html", "%s/page.html", "/%d.html",
	"#top", "#/route", ".class-name", "#id.class", "div.item > a", "a.html b.html", "/", "//", "///", "./", "../", "..", ".", "?", "?x", "?x=", "&a=b",
	"/>", "</div>", "/g", "/i", "/a", "/.*/", "/^a$/", "(\\d+)/(\\d+)", "\\/path\\/", "http://", "https://", "https://www.", "http://x", "//x",
	"https://example.com", "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "https://schema.org", "http://schema.org/Person", "http://ogp.me/ns#",
	"Node.js", "Vue.js", "node.js", "name@host.example", "me@host.example/x", "mailto:x@y.example", "tel:+123", "javascript:void(0)", "data:,x", "about:blank", "blob:x",
	"C:\\dir\\file.html", "c:/dir/file.html", "/usr/lib/x.js", "/dev/null", "/tmp/x.html", "node_modules/x/index.js", "webpack:///./src/x.js",
	"/search?q=", "/api/items/", "page.html?", "key:value", "a,b,c", "use strict", "undefined", "[object Object]", "function", "0.5", "-1", "1e3/2", "en-US", "utf-8",
	"rgba(0,0,0,.5)", "100%", "100%/50%", "translate(-50%,-50%)", "M0 0L10 10", "sha256-AbC/dEf+1=", "AbCd/EfGh==", "px/em", "km/h", "$/€", "a//b", "a/../b", "/a/./b",
	"hello/world", "foo.bar", "foo.bar.baz", "window.location", "e.target.value", "jquery.min", "Yes/No", "he/she", "on/off", "left/right", "/deprecated since 1.2/",
	"..png", ".png", "/.", "x=1;path=/", "expires=0; path=/", "max-age=3600", "no-cache, no-store", "GET/POST", "HTTP/1.1", "/undefined", "/null", "/lib/GET", "/api/undefined/", "/x/NaN?y=1", "%2F", "%zz/x.html",
}

// TestNegatives puts each of them where guesses are made: a script's string, a JSON value, a data attribute, a meta
// element, an option.
func TestNegatives(t *testing.T) {
	for _, n := range negatives {
		if n == "/api/items/" {
			continue // alone it may be a folder; see TestPartial
		}
		if n == "/search?q=" || !strings.ContainsAny(n, `"\`) {
			for _, c := range []struct{ mime, body string }{
				{"text/javascript", `x = "` + n + `"; f("` + n + `")`},
				{"application/json", `{"k":"` + n + `","list":["` + n + `"]}`},
				{"text/html", `<div data-x="` + n + `" whatever="` + n + `"></div><meta name="x" content="` + n + `"><select><option value="` + n + `"></select>`},
			} {
				if got := kindsOf(t, c.mime, c.body); len(got) > 0 {
					t.Errorf("%s %q: found %q", c.mime, n, got)
				}
			}
		}
		if plausible([]byte(n)) {
			t.Errorf("%q is plausible", n)
		}
	}
}

// TestPartial: a string that is only a part of an address gives nothing.
func TestPartial(t *testing.T) {
	for _, code := range []string{
		`fetch("/api/items/" + id)`, `a.href = "/u/" + name + "/edit"`, `x = base() + "/tail.html"`, `location = "/p?id=" + n`, "fetch(`/api/${v}/x.json`)",
		`var p = "/api/"; go(p + id)`, `go("/a/" + (i + 1) + ".html")`, `go("/a/" + [x] + ".html")`, `"/x/" + -1`, `axios("GET")`, `new Request("undefined")`, `location = "/undefined"`,
	} {
		if got := kindsOf(t, "text/javascript", code); len(got) > 0 {
			t.Errorf("%s: found %q", code, got)
		}
	}
}

// TestPlausible are strings that should be tried.
func TestPlausible(t *testing.T) {
	for _, s := range []string{
		"/about", "/about/", "/a/b", "/login.php", "img/logo.png", "../style.css", "./app.mjs", "page.html", "data.json?x=1", "index.php?id=3", "?page=2", "list?page=2",
		"https://host.example/x", "//cdn.host.example/lib.js", "http://localhost:8080/x", "http://10.0.0.1/", "/~user/", "/wiki/Ünïcode", "/a%20b.html", "text/chapter1.html",
		"/2026/01/02/story", "https://host.example", "/static/js/main.3f2a1c.js", "/x.html#frag", "/@user/post", "/_next/data/x.json",
	} {
		if !plausible([]byte(s)) {
			t.Errorf("%q is not plausible", s)
		}
	}
}
