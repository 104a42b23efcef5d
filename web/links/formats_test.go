package links

import (
	"strings"
	"testing"
)

// TestFormats are small documents of each format and what must be found in them, "kind path" joined by |.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ mime, body, want string }{
		// Markup.
		{"text/html", `<a href="a"b="c">x<a href='d'>y`, "a-href /d/a|a-href /d/d"},
		{"text/html", `<a href=x><a href=`, "a-href /d/x"},
		{"text/html", `<a href="cut off`, ""},
		{"text/html", `<A HREF=X>`, "a-href /d/X"},
		{"text/html", `<a href="one" href="two">`, "a-href /d/one"},
		{"text/html", `a < b <a href=x>`, "a-href /d/x"},
		{"text/html", `<a/href=x/>`, "a-href /d/x/"},
		{"text/html", `<script>"<!--<script>"</script><a href=hidden>--></script><a href=seen>`, "a-href /d/seen"},
		{"text/html", `<script><!--</script><a href=seen>`, "a-href /d/seen"},
		{"text/html", `<!--><a href=seen>`, "a-href /d/seen"},
		{"text/html", `<!-- a --!><a href=seen>`, "a-href /d/seen"},
		{"text/html", `<title><a href=no></title><textarea>plain</textarea><xmp>x</xmp><a href=yes>`, "a-href /d/yes"},
		{"text/html", `<![CDATA[<a href=x>]]>`, ""},
		{"text/html", `<a href="&#x2f;num&amp;&#65;&ampx&amp=1">`, "a-href /num&A&ampx&amp=1"},
		{"text/html", `<base href="//cdn.example/b/"><a href=x><form><input name=q></form>`, "a-href http://cdn.example/b/x|form-get /d/p.html?q="},
		{"text/html", `<base href="javascript:x"><a href=x>`, "a-href /d/x"},
		{"text/html", `<a href="#x">a</a><a href="">b</a><a href=" ">c</a>`, ""},
		{"text/html", `<base href=/b/><a href="#x">`, "a-href /b/#x"},
		{"text/html", `<iframe srcdoc="<base href=/in/><a href=x>"></iframe><a href=y>`, "a-href /in/x in srcdoc|a-href /d/y"},
		{"text/html", `<img srcset="data:image/png;base64,AA 1x, b.png 2x">`, "img-srcset /d/b.png"},
		{"text/html", `<a href="http://a b/">x</a><a href="http://">y</a><a href="//ok.example">z</a>`, "a-href http://ok.example/"},
		{"text/html", `<a href="feed:https://f.example/r">x</a><a href="view-source:http://f.example/s">`, "a-href https://f.example/r|a-href http://f.example/s"},
		{"text/html", `<meta http-equiv=refresh content="0;URL=&quot;x y&quot;"><meta http-equiv=refresh content=30>`, "meta-refresh /d/x%20y"},
		{"text/html", `<form action="/s?old=1#f"><input name="a b" value="ü&"><input type=checkbox name=c checked><input type=radio name=r value=1><input type=submit name=s></form>`, "form-action /s?old=1#f|form-get /s?a+b=%C3%BC%26&c=on"},
		{"text/html", `<img data-src="{{x}}" data-price="1/2" data-type="text/html" data-id=3.5>`, ""},
		{"text/html", `<a href=http://t.example/x>http://t.example/x</a> http://t.example/y.`, "a-href http://t.example/x|html-text http://t.example/y"},
		{"text/html", `<div onclick="window.location='/go'">`, "js-location /go in handler"},
		{"application/xhtml+xml", `<?xml version="1.0"?><html><script src="a.js"/><a href="b">x</a></html>`, "script-src /d/a.js|a-href /d/b"},
		// Style sheets.
		{"text/css", `@import url(a.css) screen; @import "b.css"; a{b:url( c.png )}`, "css-import /d/a.css|css-import /d/b.css|css-url /d/c.png"},
		{"text/css", `a{content:"url(no)"} /* url(no) */ b{c:url("d\"e.png")}`, "css-url /d/d%22e.png"},
		{"text/css", `@font-face{src:url(f.woff)format("woff"),url(g.ttf)} a{b:url(h)}`, "css-font /d/f.woff|css-font /d/g.ttf|css-url /d/h"},
		{"text/css", `a{b:url(x'y)} c{d:url(ok)}`, "css-url /d/ok"},
		{"text/css", `a{b:url(open; c:d} e{f:url(ok)}`, ""},
		{"text/css", `@namespace "http://n.example/"; @document url(http://d.example/){a{b:url(ok)}}`, "css-url /d/ok"},
		{"text/css", `a{b:-webkit-image-set(url(1.png) 1x, "2.png" type("image/png") 2x)}`, "css-url /d/1.png|css-image-set /d/2.png"},
		{"text/css", `a{--x:url(v.png);b:URL(U.png);c:u\rl(w.png)}`, "css-url /d/v.png|css-url /d/U.png|css-url /d/w.png"},
		{"text/css", "a{b:url(a\\\nb)} c{d:\"bad\n;e:url(ok)}", "css-url /d/ab|css-url /d/ok"},
		// JSON.
		{"application/json", `{"a":{"url":"/u"},"image":["i.png",{"src":"s"}],"path":"x","first":"John","next":"?p=2"}`, "json-url /u|json-embed /d/i.png|json-url /d/p.html?p=2"},
		{"application/json", `{"url":"https://t.example/{id}","url":"http://ok.example/","text":"see http://t.example/z."}`, "json-url http://ok.example/|json-guess http://t.example/z"},
		{"application/json", `["\u002fx\/y.html"]`, "json-guess /x/y.html"},
		// XML.
		{"application/xml", `<a xmlns="http://n.example/"><b href="x"/><url>http://t.example/</url><c>/not</c></a>`, "xml-attr /d/x|xml-text http://t.example/"},
		{"application/xml", `<a xml:base="/b/"><c xml:base="d/"><e href="f"/></c><g href="h"/></a>`, "xml-attr /b/d/f|xml-attr /b/h"},
		{"application/xml", `<rss><channel><item><title>T</title><link><![CDATA[ http://t.example/1 ]]></link><guid isPermaLink="false">17</guid></item></channel></rss>`, "feed-item http://t.example/1"},
		{"application/xml", `<urlset><url><loc>http://t.example/?a=1&amp;b=2</loc></url><url><loc>/rel</loc>`, "sitemap-loc http://t.example/?a=1&b=2|sitemap-loc /rel"},
		// Media.
		{"application/dash+xml", `<MPD><Period duration="PT6S"><AdaptationSet><SegmentTemplate timescale="10" media="$RepresentationID$/$Time$.m4s"><SegmentTimeline><S t="5" d="20" r="1"/><S d="15" r="-1"/></SegmentTimeline></SegmentTemplate><Representation id="a"/></AdaptationSet></Period></MPD>`, "dash-segment /d/a/5.m4s|dash-segment /d/a/25.m4s|dash-segment /d/a/45.m4s"},
		{"application/dash+xml", `<MPD><BaseURL>m/</BaseURL><BaseURL>alt/</BaseURL><Period><AdaptationSet><Representation><BaseURL>v.mp4</BaseURL><SegmentBase><Initialization range="0-9"/></SegmentBase></Representation><Representation><SegmentList><Initialization sourceURL="i.mp4"/><SegmentURL media="1.m4s"/></SegmentList></Representation></AdaptationSet></Period></MPD>`, "dash-segment /d/m/v.mp4|dash-init /d/m/i.mp4|dash-segment /d/m/1.m4s"},
		{"application/x-mpegurl", "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-BYTERANGE:10@0\na.ts\n#EXT-X-BYTERANGE:10@10\na.ts\nb.m3u8\n", "hls-segment /d/a.ts|hls-playlist /d/b.m3u8"},
		{"audio/x-mpegurl", "# comment\nsong one.mp3\nhttp://t.example/s\n", "playlist-entry /d/song%20one.mp3|playlist-entry http://t.example/s"},
		{"text/plain", "Look: (http://t.example/a_(b)), https://t.example/c. xhttp://no.example/ http://", "text-url http://t.example/a_(b)|text-url https://t.example/c"},
	} {
		got := strings.Join(kindsOf(t, c.mime, c.body), "|")
		if got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.mime, c.body, got, c.want)
		}
	}
}

// TestFaults: a document that stops making sense says where, and what came before is kept.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ mime, body, fault string }{
		{"application/json", `{"url":"/x"`, "json at byte 11: ends inside 1 open values"},
		{"application/json", `{"url":"/x"]}`, "json at byte 11: unexpected ']'"},
		{"application/json", `{"url":"/x","y":"`, "json at byte 17: string does not end"},
		{"application/json", `{"url":"/x"}` + strings.Repeat("[", 600), "nested deeper than 512"},
		{"application/xml", `<a><b href="/x"></a>`, "<b> closed by </a>"},
		{"application/xml", `<a href="/x"/></c>`, "unexpected </c>"},
		{"application/xml", `<a><b href="/x"/>`, "ends inside <a>"},
		{"application/pdf", "%PDF-1.4 trailer << /Encrypt 5 0 R >>", "pdf is encrypted"},
	} {
		n := 0
		_, err := Extract(Document{URL: "http://h.example/", MIME: c.mime, Body: []byte(c.body)}, func(Link) { n++ })
		if err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: error %v, want %q", c.body[:min(40, len(c.body))], err, c.fault)
		}
		if want := strings.Count(c.body, "/x"); n != want {
			t.Errorf("%s: %d links, want %d", c.body[:min(40, len(c.body))], n, want)
		}
	}
}
