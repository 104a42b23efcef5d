package rewrite_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"varve/lab/attack"
	"varve/serve/replay/address"
	"varve/web/links"
	"varve/web/markup"
)

var at = strings.NewReplacer("/n/20260102030405", "@", "varve$location", "L", "varve$top", "T")

var pages = []struct{ in, want string }{
	{`plain & <broken`, `plain & <broken`},
	{`<a href="/x?a=1&amp;b=2#f">`, `<a href="@mp_/http://a.example/x?a=1&amp;b=2#f">`},
	{`<a href=y.html class=k>`, `<a href="@mp_/http://a.example/d/y.html" class=k>`},
	{`<A HREF='//b.example/?x&copy=1'>`, `<A href="@mp_/http://b.example/?x&amp;copy=1">`},
	{`<a href="#top">`, `<a href="#top">`},
	{`<a href="mailto:x@y">`, `<a href="mailto:x@y">`},
	{`<a href="javascript:location='/x'" target=_top>`, `<a href="javascript:L='/x'" target="_self">`},
	{`<iframe src="javascript:parent.location='%2Fx'"></iframe>`, `<iframe data-varve-script="parent.L='/x'"></iframe>`},
	{"<frame src=' java\nscript:1'>", `<frame data-varve-script="1">`},
	{`<object data=javascript:1 type=x>`, `<object data-varve-script="1" type=x>`},
	{`<img src=a.png srcset="b.png 1x, /c,d.png 2x" alt="x>y">`, `<img src="@im_/http://a.example/d/a.png" srcset="@im_/http://a.example/d/b.png 1x, @im_/http://a.example/c%2Cd.png 2x" alt="x>y">`},
	{`<script src=/s.js integrity=sha256-x crossorigin nonce="n"></script>`, `<script src="@js_/http://a.example/s.js"   ></script>`},
	{`<script>location.href="</a>"</script><b>`, `<script nonce="varve">L.href="</a>"</script><b>`},
	{`<script type="application/ld+json">{"location":1}</script>`, `<script type="application/ld+json">{"location":1}</script>`},
	{`<SCRIPT>top.x</SCRIPT >`, `<SCRIPT nonce="varve">T.x</SCRIPT >`},
	{`<style>a{b:url(/i.png)}</style>`, `<style>a{b:url(@im_/http://a.example/i.png)}</style>`},
	{`<p style="background:url('i.png')" onclick="location='x'">`, `<p style="background:url('@im_/http://a.example/d/i.png')" onclick="L='x'">`},
	{`<link rel=stylesheet href=s.css><link rel=preload as=font href=/f>`, `<link rel=stylesheet href="@cs_/http://a.example/d/s.css"><link rel=preload as=font href="@oe_/http://a.example/f">`},
	{`<link rel="dns-prefetch" href="//cdn.example">`, `<link data-varve-rel="dns-prefetch" href="@mp_/http://cdn.example/">`},
	{`<meta http-equiv=refresh content="5; URL='/n'">`, `<meta http-equiv=refresh content="5;url=@mp_/http://a.example/n">`},
	{`<meta http-equiv="Content-Security-Policy" content="default-src https:">`, `<meta data-varve-http-equiv="Content-Security-Policy" content="default-src https:">`},
	{`<base href="/e/"><a href=x>`, `<base href="@mp_/http://a.example/e/"><a href="@mp_/http://a.example/e/x">`},
	{`<iframe src=/f srcdoc="<a href='/x'>"></iframe>`, `<iframe src="@if_/http://a.example/f" srcdoc="&lt;a href=&quot;@mp_/http://a.example/x&quot;&gt;"></iframe>`},
	{`<svg><use xlink:href="/s.svg#i"/><image href=i.png /><script>location</script></svg>`, `<svg><use xlink:href="@im_/http://a.example/s.svg#i"/><image href="@im_/http://a.example/d/i.png" /><script nonce="varve">L</script></svg>`},
	{`<form action="/s" method=post><button formaction=t>`, `<form action="@mp_/http://a.example/s" method=post><button formaction="@mp_/http://a.example/d/t">`},
	{`<object data=o.swf><param name=movie value=o.swf><param name=x value=1></object>`, `<object data="@oe_/http://a.example/d/o.swf"><param name=movie value="@oe_/http://a.example/d/o.swf"><param name=x value=1></object>`},
	{`<video poster=p.jpg><source src=v.mp4><track src=t.vtt></video>`, `<video poster="@im_/http://a.example/d/p.jpg"><source src="@oe_/http://a.example/d/v.mp4"><track src="@oe_/http://a.example/d/t.vtt"></video>`},
	{`<!-- <img src=x> --><!--><img src=x><!--[if IE]><img src=x><![endif]-->`, `<!-- <img src=x> --><!--><img src="@im_/http://a.example/d/x"><!--[if IE]><img src=x><![endif]-->`},
	{`<textarea><img src=x></textarea><title><img src=x></title>`, `<textarea><img src=x></textarea><title><img src=x></title>`},
	{`<script type=importmap>{"imports":{"a":"/a.js","/b.js":"./c.js"}}</script>`, `<script nonce="varve" type=importmap>{"imports":{"@js_/http://a.example/b.js":"@js_/http://a.example/d/c.js","a":"@js_/http://a.example/a.js"}}</script>`},
	{`<a href="http://[bad"><img src="data:image/png,x">`, `<a href="http://[bad"><img src="data:image/png,x">`},
	{`<a ping="/p" href=x>`, `<a  href="@mp_/http://a.example/d/x">`},
	{`<img src="a`, `<img src="a`},
	{`<script>location`, `<script nonce="varve">location`},
	{`<plaintext><a href=x>`, `<plaintext><a href=x>`},

	// As the standard has it.
	{`<!-- a --!><img src=x>`, `<!-- a --!><img src="@im_/http://a.example/d/x">`},
	{"<script><!--\nw('<script></script><img src=y>');top\n--></script><img src=x>", "<script nonce=\"varve\"><!--\nw('<script></script><img src=y>');T\n--></script><img src=\"@im_/http://a.example/d/x\">"},
	{`<script>a="</script-x";top</script>`, `<script nonce="varve">a="</script-x";T</script>`},
	{`<a x="'" ='>' href=y>`, `<a x="'" ='>' href=y>`},
	{`<svg></svgx><![CDATA[<img src=x>]]></svg>`, `<svg></svgx><![CDATA[<img src=x>]]></svg>`},
	{`<a` + strings.Repeat(` b`, 3000) + ` href=y>`, `<a` + strings.Repeat(` b`, 3000) + ` href="@mp_/http://a.example/d/y">`},
}

func TestHTML(t *testing.T) {
	for _, c := range pages {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(c.in), "by bytes": iotest.OneByteReader(strings.NewReader(c.in))} {
			var b bytes.Buffer
			if err := document(t).HTML(&b, in); err != nil {
				t.Fatal(err)
			}
			if got := at.Replace(b.String()); got != c.want {
				t.Errorf("%s, %s\n got %s\nwant %s", c.in, name, got, c.want)
			}
		}
	}
}

// What the page wrote stays beside what is put in its place, for scripts and selectors.
func TestKept(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`<a href=/x class=k>`, `<a href="@mp_/http://a.example/x" varve-href="/x" class=k>`},
		{`<a href=" ../x ">`, `<a href="@mp_/http://a.example/x" varve-href=" ../x ">`},
		{`<a href="#f"><a href=mailto:x@y>`, `<a href="#f"><a href=mailto:x@y>`},
		{`<script src=/s.js integrity=sha256-x nonce=n></script>`, `<script src="@js_/http://a.example/s.js" varve-src="/s.js" varve-integrity="sha256-x" ></script>`},
		{`<p onclick="location='x'" style="background:url(i.png)">`, `<p onclick="L='x'" varve-onclick="location='x'" style="background:url(@im_/http://a.example/d/i.png#varve=i.png)">`},
		{`<use xlink:href="/s.svg">`, `<use xlink:href="@im_/http://a.example/s.svg" varve-xlink-href="/s.svg">`},
		{`<style>a[href^="http"]{b:url('/i (1).png')}</style>`, `<style>:is([varve-href^="http"],[href^="http"]:where(:not([varve-href]))){b:url('@im_/http://a.example/i%20(1).png#varve=%2Fi%20%281%29.png')}</style>`},
	} {
		d := document(t)
		d.Keep = true
		var b bytes.Buffer
		if err := d.HTML(&b, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if got := at.Replace(b.String()); got != strings.Replace(c.want, "<style>:is", "<style>a:is", 1) {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// Where no script runs, links do without the shim: a new window cannot be opened, and frames keep to themselves.
func TestStill(t *testing.T) {
	for _, c := range []struct {
		mod      address.Mod
		in, want string
	}{
		{address.Page, `<a href=/x target=_blank>`, `<a href="@mp_/http://a.example/x" target="_self">`},
		{address.Page, `<a href=/x target=main>`, `<a href="@mp_/http://a.example/x" target=main>`},
		{address.Frame, `<a href=/x>`, `<a href="@fr_/http://a.example/x">`},
		{address.Frame, `<a href=/x target=_top>`, `<a href="@mp_/http://a.example/x" target="varve-page">`},
		{address.Inner, `<a target=_blank href=/x>`, `<a target="varve-page" href="@mp_/http://a.example/x">`},
		{address.Inner, `<form action=/x><input></form>`, `<form action="@if_/http://a.example/x"><input></form>`},
	} {
		d := document(t)
		d.Mod, d.Still = c.mod, true
		var b bytes.Buffer
		if err := d.HTML(&b, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if got := at.Replace(b.String()); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestHeadGoesFirst(t *testing.T) {
	long := strings.Repeat("y", markup.MaxToken)
	for in, want := range map[string]string{
		"<!doctype html><html lang=en><head><script>1</script>": "<!doctype html><html lang=en><head>|<script nonce=\"varve\">1</script>",
		"<!doctype html>\n<!-- c --><title>x</title>":           "<!doctype html>\n<!-- c -->|<title>x</title>",
		"text":                          "|text",
		"< 1":                           "|< 1",
		"":                              "|",
		"<html><body onload=x()>":       "<html>|<body onload=x()>",
		"\xef\xbb\xbf<html></html>":     "\xef\xbb\xbf<html>|</html>",
		"<html x='" + long + "'><head>": "|<html x='" + long + "'><head>", // browsers add the attributes to the html element that is there
	} {
		d := document(t)
		d.Head = "|"
		var b bytes.Buffer
		if err := d.HTML(&b, strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%.200q gives %.200q, want %.200q", in, b.String(), want)
		}
	}
}

// In XML the internal subset of a DOCTYPE is no text, so the shim does not go into it.
func TestHeadInXML(t *testing.T) {
	d := document(t)
	d.Head, d.XML = "|", true
	const in, want = "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>\n]><html><head></head></html>", "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>\n]><html><head>|</head></html>"
	var b bytes.Buffer
	if err := d.HTML(&b, strings.NewReader(in)); err != nil || b.String() != want {
		t.Errorf("%q, %v, want %q", b.String(), err, want)
	}
}

func TestCharset(t *testing.T) {
	d := document(t)
	d.SetCharset("windows-1252")
	var b bytes.Buffer
	if err := d.HTML(&b, strings.NewReader("<a href='/\xe4?q=\xe4'>\xe4</a>")); err != nil {
		t.Fatal(err)
	}
	if got, want := at.Replace(b.String()), "<a href=\"@mp_/http://a.example/%C3%A4?q=%E4\">\xe4</a>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSS(t *testing.T) {
	for in, want := range map[string]string{
		`a{b:url( "x.png" )}`:                          `a{b:url( "@im_/http://a.example/d/x.png" )}`,
		`a{b:url(x\).png)}`:                            `a{b:url(@im_/http://a.example/d/x\).png)}`,
		`@import "s.css" screen;`:                      `@import "@cs_/http://a.example/d/s.css" screen;`,
		`@IMPORT url(s.css);b{c:url(d)}`:               `@IMPORT url(@cs_/http://a.example/d/s.css);b{c:url(@im_/http://a.example/d/d)}`,
		`a::before{content:"url(x)"}/* url(y) */`:      `a::before{content:"url(x)"}/* url(y) */`,
		`a{b:image-set("x.png" 1x, url(y.png) 2x)}`:    `a{b:image-set("@im_/http://a.example/d/x.png" 1x, url(@im_/http://a.example/d/y.png) 2x)}`,
		`a{b:url(data:image/png;base64,AA)}`:           `a{b:url(data:image/png;base64,AA)}`,
		`a{b:url(#f);c:curl(x)}`:                       `a{b:url(#f);c:curl(x)}`,
		`a[ SRC = x i ],b[href],c[title^="/"]{}`:       `a:is([varve-SRC= x i ],[SRC= x i ]:where(:not([varve-SRC]))),b[href],c[title^="/"]{}`,
		`a{grid-template:[href] "x" [src]}`:            `a{grid-template:[href] "x" [src]}`,
		`@font-face{src:url('//f.example/a.woff?#x')}`: `@font-face{src:url('@im_/http://f.example/a.woff?#x')}`,

		// Cut off in the middle.
		`a{b:url("x`: `a{b:url("@im_/http://a.example/d/x`,
		`a{b:url(x`:  `a{b:url(@im_/http://a.example/d/x`,
	} {
		if got := at.Replace(string(document(t).CSS(nil, []byte(in)))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

// A sheet that shows addresses shows those that the page wrote.
func TestCSSShowsAddresses(t *testing.T) {
	d := document(t)
	for in, want := range map[string]string{
		`a::after { content : " (" attr( href ) ")"; color:red}`: `a::after { content : " (" attr( href ) ")";content:" (" attr(varve-href, attr(href)) ")"; color:red}`,
		`a::after{b:c;content:attr(href)}`:                       `a::after{b:c;content:attr(href);content:attr(varve-href, attr(href))}`,
		`a::after{content:attr(title)}`:                          `a::after{content:attr(title)}`,
		`a::after{content:url(data:,x) attr(href)}`:              `a::after{content:url(data:,x) attr(href)}`,
		`a::after{content:attr(href`:                             `a::after{content:attr(href`,
	} {
		if got := at.Replace(string(d.CSS(nil, []byte(in)))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestPlaylists(t *testing.T) {
	d := document(t)
	hls := "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"/k\"\nseg1.ts\r\nhttp://b.example/2.ts\n"
	if got, want := at.Replace(string(d.HLS(nil, []byte(hls)))), "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"@oe_/http://a.example/k\"\n@oe_/http://a.example/d/seg1.ts\r\n@oe_/http://b.example/2.ts\n"; got != want {
		t.Errorf("HLS\n got %q\nwant %q", got, want)
	}
	dash := `<MPD xmlns="http://www.w3.org/x"><BaseURL>http://b.example/v/</BaseURL><S media="a.m4s"/></MPD>`
	if got, want := at.Replace(string(d.DASH(nil, []byte(dash)))), `<MPD xmlns="http://www.w3.org/x"><BaseURL>@oe_/http://b.example/v/</BaseURL><S media="a.m4s"/></MPD>`; got != want {
		t.Errorf("DASH\n got %q\nwant %q", got, want)
	}
}

// escapes gives the links of rewritten markup that a browser would follow or load by itself, and that do not lead
// into the archive, as the link extractor of the crawler sees them.
func escapes(t testing.TB, markup []byte) (out []string) {
	t.Helper()
	_, _ = links.Extract(links.Document{URL: "http://replay.test/n/20260102030405mp_/http://a.example/d/p", MIME: "text/html; charset=utf-8", Body: markup}, func(l links.Link) {
		if l.Hop == links.HopSpeculative || l.In&(links.InComment|links.InConditional|links.InScript|links.InHandler|links.InEscaped|links.InJSON|links.InData) != 0 || quiet[l.Kind.String()] {
			return
		}
		if !strings.HasPrefix(l.URL, "http://replay.test/n/20260102030405") {
			out = append(out, l.Kind.String()+" "+l.URL)
		}
	})
	return out
}

// quiet are the kinds that no browser follows without a script of the page, which the shim sees.
var quiet = map[string]bool{
	"lazy-src": true, "lazy-srcset": true, "lazy-background": true, "data-href": true, "data-json": true, "custom-src": true, "custom-href": true,
	"meta-og": true, "meta-url": true, "option-value": true, "object-flashvars": true, "text-url": true,
}

func TestNothingEscapes(t *testing.T) {
	tally := attack.Count(t)
	for _, c := range pages {
		tally.Try(1)
		var b bytes.Buffer
		if err := document(t).HTML(&b, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if bad := escapes(t, b.Bytes()); bad != nil {
			t.Errorf("%s: %q", c.in, bad)
		}
	}
}

// Whatever comes in, cutting it into pieces changes nothing.
func FuzzHTML(f *testing.F) {
	for _, c := range pages {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var whole, pieces bytes.Buffer
		if err := document(t).HTML(&whole, bytes.NewReader(src)); err != nil {
			t.Fatal(err)
		}
		if err := document(t).HTML(&pieces, iotest.OneByteReader(bytes.NewReader(src))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(whole.Bytes(), pieces.Bytes()) {
			t.Fatalf("whole  %q\npieces %q", whole.Bytes(), pieces.Bytes())
		}
	})
}

// Rewritten style sheets hold no address outside the archive.
func FuzzCSS(f *testing.F) {
	f.Add(`a{b:url( "x.png" )}@import 'y';`)
	f.Add(`@import url(s.css);a{b:image-set("x" 1x)}/* url(x)`)
	f.Fuzz(func(t *testing.T, src string) {
		got := document(t).CSS(nil, []byte(src))
		_, _ = links.Extract(links.Document{URL: "http://a.example/n/20260102030405cs_/x", MIME: "text/css; charset=utf-8", Body: got}, func(l links.Link) {
			if l.Hop == links.HopEmbed && strings.HasPrefix(l.Raw, "http") {
				t.Fatalf("%q gives %q with %q", src, got, l.Raw)
			}
		})
	})
}

// Input made to be read again and again is read a few times: a quarter of a megabyte of each pattern ends in no time, or the test
// does not end.
func TestHostileInputIsLinear(t *testing.T) {
	tally := attack.Count(t)
	for _, p := range []string{
		"<", "</", "<!", "<!--", "<a ", "<a b=\"", "<a b='>", "<a b=c", "<script>", "</script", "<script></scrip", "<style>@import ", "<![CDATA[", "<svg>", "&", "&#", "<a href=&", "<base href=x>",
		"<iframe srcdoc='", "<img srcset='a,", "<textarea>", "<a style='url(", "[/", "/[", "(/a", "`${", "`", "{", "}", "({", "/*", "//", "eval(", "import(", "a.location", "{location,", "class A{", "case ", "\\", "'", "<!--\n", "export{top ", "x?.",
		"url(", "url('", "@import '", "image-set(", "/**", "url(\\", "\"\\", "(", ")",
	} {
		tally.Try(7)
		src := bytes.Repeat([]byte(p), 1<<18/len(p))
		var b bytes.Buffer
		if err := document(t).HTML(&b, bytes.NewReader(src)); err != nil {
			t.Fatal(err)
		}
		document(t).JS(nil, src)
		document(t).CSS(nil, src)
		document(t).HLS(nil, src)
		document(t).DASH(nil, src)
		document(t).Srcset(string(src))
		document(t).ImportMap(nil, src)
	}
}
