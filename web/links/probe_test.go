package links

import (
	"slices"
	"strings"
	"testing"
)

// probes are the spellings that a browser or a standard follows, one by one, with what must be found and nothing else:
// "hop address", in the order of the document; an empty want is a decoy. Addresses are those below http://h.example.
var probes = []struct{ mime, body, want string }{
	// SVG: animated references, and references of every element.
	{"text/html", `<svg><image><animate attributeName=href values="a1.png; a2.png;a3.png"/></image></svg>`, "embed /d/a1.png|embed /d/a2.png|embed /d/a3.png"},
	{"text/html", `<svg><image><animate attributeName="xlink:href" from="f1" to="t1" by="b1"/></image></svg>`, "embed /d/f1|embed /d/t1|embed /d/b1"},
	{"text/html", `<svg><a><set attributeName="href" to="s1"/></a></svg>`, "link /d/s1"},
	{"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><set attributeName="href" to="s2.svg"/></svg>`, "embed /d/s2.svg"},
	{"image/svg+xml", `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:animate attributeName="href" values="s3.svg"/></s:svg>`, "embed /d/s3.svg"},
	{"text/html", `<svg><animate attributeName="x" values="0;10;20" from="0" to="20.5" by="1/2"/></svg>`, ""},
	{"text/html", `<svg><animate attributeName="fill" values="red;blue" href="#rect"/><set attributeName="class" to="a/b.c"/></svg>`, ""},
	{"text/html", `<svg><animate attributeName="href" values="#a;#b"/></svg>`, ""},
	{"text/html", `<set attributeName="width" to="50.5"></set>`, ""},
	{"text/html", `<svg><a href="g1">x</a><use href="u.svg#i"/><feImage href="fi"/><script href="sc"></script></svg>`, "link /d/g1|embed /d/u.svg#i|embed /d/fi|embed /d/sc"},
	{"text/html", `<svg><handler xlink:href="hd"/><discard href="#x"/><video xlink:href="vd"/><foreignObject xlink:href="fo"/></svg>`, "embed /d/hd|embed /d/vd|embed /d/fo"},
	{"text/html", `<svg><rect fill="url(p.svg#g)" clip-path="url('c.svg#c')" mask='url("m.svg#m")'/></svg>`, "embed /d/p.svg#g|embed /d/c.svg#c|embed /d/m.svg#m"},
	// MathML.
	{"text/html", `<math altimg="eq1" altimg-width="20"><mi href="l1">x</mi></math>`, "embed /d/eq1|link /d/l1"},
	{"text/html", `<math><csymbol definitionURL="defs/one">x</csymbol><annotation definitionurl="http://o.example/defs/two" src="ann"/></math>`, "speculative /d/defs/one|speculative http://o.example/defs/two|embed /d/ann"},
	{"text/html", `<math cdgroup="http://o.example/cdg"><mi>x</mi></math>`, "speculative http://o.example/cdg"},
	{"text/html", `<math><mglyph src="glyph"/></math>`, "embed /d/glyph"},
	{"text/html", `<math><csymbol cd="arith1" definitionURL="plus">x</csymbol></math><p altimg="notmath" definitionURL="x/y" cdgroup="x/z"></p>`, ""},
	// Microdata: the value of a property whose type is a URL, wherever it is written.
	{"text/html", `<div itemprop="url" content="m/1"></div><span itemprop="image" content="/m2"></span>`, "link /d/m/1|embed /m2"},
	{"text/html", `<div itemprop="thumbnailUrl" content="t/3"></div><div itemprop="contentUrl" content="/m4"></div><div itemprop="embedUrl" content="/m5"></div>`, "embed /d/t/3|embed /m4|embed /m5"},
	{"text/html", `<span itemprop="url" href="/m6">x</span><span itemprop="image" src="/m7"></span><data itemprop="image" value="/m8.png">x</data>`, "link /m6|embed /m7|embed /m8.png"},
	{"text/html", `<div itemprop="name url" content="/m9"></div><link itemprop="image" href="/m10"><meta itemprop="name image" content="/m11">`, "link /m9|embed /m10|embed /m11"},
	{"text/html", `<div itemprop="sameAs" resource="/m12"></div><a itemprop="url" href="/m13">x</a><img itemprop="image" src="/m14">`, "link /m12|link /m13|embed /m14"},
	{"text/html", `<div itemprop="name" content="a/b"></div><div itemprop="price" content="19.99"></div><div itemprop="url" content="see above"></div>`, ""},
	{"text/html", `<div itemprop="datePublished" content="2026/01/02"></div><data itemprop="sku" value="ab/12.3">x</data><div itemprop="image">none</div>`, ""},
	// RDFa.
	{"text/html", `<div property="schema:url" resource="/r1"></div><div about="/r2"></div><div resource="r/3.html"></div>`, "link /r1|speculative /r2|speculative /d/r/3.html"},
	{"text/html", `<span property="og:image" content="/r4.png"></span><div rel="license" resource="/r5"></div><div rel="foaf:depiction" src="/r6"></div>`, "embed /r4.png|link /r5|embed /r6"},
	{"text/html", `<div about="#me" resource="[_:b]" property="foaf:name" content="a/b"></div><div about="_:b1"></div><div resource="ex:thing"></div>`, ""},
	{"text/html", `<div about="[dbp:Thing]" typeof="foaf:Person"></div><div property="dc:title" content="/not/taken"></div>`, ""},
	// RequireJS, modules, web bundles.
	{"text/html", `<script data-main="js/app" src="require.js"></script>`, "embed /d/js/app.js|embed /d/require.js"},
	{"text/html", `<script data-main="/js/app.js" src="/require.js"></script>`, "embed /js/app.js|embed /require.js"},
	{"text/html", `<div data-main="column"></div><div data-main="col/left"></div>`, ""},
	{"text/html", `<script type=webbundle>{"source":"b.wbn","resources":["w/a","w/b.js"],"scopes":["w/s/"]}</script>`, "embed /d/b.wbn|embed /d/w/a|embed /d/w/b.js"},
	{"text/html", `<script type=importmap>{"imports":{"app":"./app","lib/":"/lib/"},"scopes":{"/sc/":{"dep":"./dep"}},"integrity":{"./app":"sha384-abc/def"}}</script>`, "embed /d/app|embed /lib/|embed /d/dep"},
	{"text/html", `<script type=speculationrules>{"prefetch":[{"urls":["next","two"]}],"prerender":[{"where":{"href_matches":"/p/*"}}]}</script>`, "link /d/next|link /d/two"},
	{"text/html", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing","url":"/ld","image":["/i1","/i2"],"contentUrl":"v"}</script>`, "link /ld|embed /i1|embed /i2"},
	// Lazy loading.
	{"text/html", `<img lazysrc="z1"><img lazy-src="z2"><img nitro-lazy-src="z3"><img data-lazy="z4.png"><img data-original="z5.png">`, "embed /d/z1|embed /d/z2|embed /d/z3|embed /d/z4.png|embed /d/z5.png"},
	{"text/html", `<img lazysrcset="y1 1x, y2 2x"><img nitro-lazy-srcset="y3 1x"><img lazy-srcset="y4"><source data-srcset="y5 300w, y6 600w">`, "embed /d/y1|embed /d/y2|embed /d/y3|embed /d/y4|embed /d/y5|embed /d/y6"},
	{"text/html", `<div data-bg="x1.jpg"></div><div data-background-image="x2.jpg"></div><div data-bg-image="url('x3')"></div><section bg-src="x4"></section>`, "embed /d/x1.jpg|embed /d/x2.jpg|embed /d/x3|embed /d/x4"},
	{"text/html", `<model-viewer src="m.glb" ios-src="m.usdz" poster="p" environment-image="e.hdr" skybox-image="s.hdr"></model-viewer>`, "embed /d/m.glb|embed /d/m.usdz|embed /d/p|embed /d/e.hdr|embed /d/s.hdr"},
	{"text/html", `<img src-set="q1 1x" original-src="q2" full-src="q3">`, "embed /d/q1|embed /d/q2|embed /d/q3"},
	{"text/html", `<iframe data-src="player/7"></iframe><img data-src="pics/8"><video data-poster="post9"></video>`, "embed /d/player/7|embed /d/pics/8|embed /d/post9"},
	{"text/html", `<div data-src="no"></div><div lazysrc-enabled="true" data-lazy="true" data-bg="dark" data-original="Some title" data-image="16/9"></div>`, ""},
	{"text/html", `<img lazy-src="" lazy="true"><div data-src="{{x}}" data-original="a b/c"></div><tag-x custom-srcdir="x/y" thing-source="a.b"></tag-x>`, ""},
	{"text/html", `<iframe data-src="true"></iframe><img data-src="false"><img data-src="0">`, ""},
	// Scripts.
	{"text/javascript", `$("#x").load("part")`, "embed /d/part"},
	{"text/javascript", `$(x).load("/p/2 #body")`, "embed /p/2"},
	{"text/javascript", `jQuery(x).load("p3?x=1", f)`, "embed /d/p3?x=1"},
	{"text/javascript", `loader.load("model"); new THREE.TextureLoader().load("tex.jpg"); audio.load()`, "speculative /d/tex.jpg"},
	{"text/javascript", `window.addEventListener("load", f); $(window).on("load"); $el.load(function(){})`, ""},
	{"text/javascript", `require(["./am", "../an.js", "jquery", "lib/x"], f); define(["./def", "exports", "text!./t.html"], f)`, "speculative /d/am.js|speculative /an.js|speculative /d/def.js"},
	{"text/javascript", `require("./x"); require("fs"); require("lodash/fp"); require.resolve("./z"); define("named", ["./in-this-file"], f); x = ["./a", "./b"]; f(["./c"])`, ""},
	{"text/javascript", `import("./i1"); import x from "./i2"; export * from "./i3"; import "bare"; import d from "./d.json" with {type: "json"}`, "embed /d/i1|embed /d/i2|embed /d/i3|embed /d/d.json"},
	{"text/javascript", `new URL("./u1", import.meta.url); import.meta.resolve("./u2"); new URL("u3", document.baseURI); new URL("u4", location)`, "embed /d/u1|embed /d/u2|embed /d/u3|embed /d/u4"},
	{"text/javascript", `var base = new URL("http://localhost"); var o = new URL("https://o.test/a.png").host; new URL("http://localhost", location)`, "speculative http://localhost/|speculative https://o.test/a.png"},
	{"text/javascript", `navigator.serviceWorker.register("sw"); new Worker("w1"); new SharedWorker("w2"); importScripts("w3", "w4"); CSS.paintWorklet.addModule("w5")`, "embed /d/sw|embed /d/w1|embed /d/w2|embed /d/w3|embed /d/w4|embed /d/w5"},
	{"text/javascript", `fetch("f1"); fetch(new Request("f2")); new EventSource("f3"); x.open("GET", "f4"); navigator.sendBeacon("f5"); new WebSocket("wss://h.example/ws")`, "embed /d/f1|embed /d/f2|embed /d/f3|embed /d/f4|embed /d/f5"},
	{"text/javascript", `location = "l1"; location.href = "l2"; window.location = "l3"; location.assign("l4"); document.location.replace("l5"); top.location.href = "l6"; self.location = "l7"`, "link /d/l1|link /d/l2|link /d/l3|link /d/l4|link /d/l5|link /d/l6|link /d/l7"},
	{"text/javascript", `window.open("o1"); open("o2"); history.pushState(null, "", "h1"); history.replaceState({a: 1}, "", "h2"); navigation.navigate("h3")`, "link /d/o1|link /d/o2|link /d/h1|link /d/h2|link /d/h3"},
	{"text/javascript", `i.src = "s1"; i.srcset = "s2 1x, s3 2x"; v.poster = "s4"; a.href = "s5"; o.data = "s6"; e.setAttribute("src", "s7"); e.setAttribute("srcset", "s8 1x"); new Audio("s9"); e.setAttributeNS(n, "href", "s10")`, "embed /d/s1|embed /d/s2|embed /d/s3|embed /d/s4|link /d/s5|embed /d/s6|embed /d/s7|embed /d/s8|embed /d/s9|link /d/s10"},
	{"text/javascript", `e.style.backgroundImage = "url(bg1)"; e.style.background = 'url("bg2")'; new FontFace("F", "url(font)"); document.write('<img src="dw">')`, "speculative /d/bg1|speculative /d/bg2|speculative /d/font|speculative /d/dw"},
	{"text/javascript", `s.replace("a", "b"); x.open("r"); db.open("name", 3); a.data = {}; map.get("key"); cache.load("key"); arr.push("val"); r.register("name")`, ""},
	{"text/javascript", "//# sourceMappingURL=app.js.map\n", "speculative /d/app.js.map"},
	// HTML: plain elements.
	{"text/html", `<link rel=preload as=image href="k0" imagesrcset="k1 1x, k2 2x"><link rel=preload as=image imagesrcset="k3 1x"><link rel=stylesheet href=k4><link rel="alternate stylesheet" href=k5>`, "embed /d/k1|embed /d/k2|embed /d/k0|embed /d/k3|embed /d/k4|embed /d/k5"},
	{"text/html", `<link rel=expect href="#x"><link rel=preconnect href="//cdn.example"><link rel=dns-prefetch href="//cdn.example"><link href="norel">`, ""},
	{"text/html", `<link rel=compression-dictionary href=k6><link rel=apple-touch-startup-image href=k7><link rel=me href=k8><link rel=license href=k9><link rel=manifest href=k10>`, "embed /d/k6|embed /d/k7|link /d/k8|link /d/k9|embed /d/k10"},
	{"text/html", `<picture><source srcset="c1, c2 2x"><img srcset="c3 1x" src="c4"></picture><object data="c5"></object><embed src="c6"><param name=movie value="c7.swf"><param name=src value="c8"><param name=url value="c9"><param name=quality value="high/low">`, "embed /d/c1|embed /d/c2|embed /d/c3|embed /d/c4|embed /d/c5|embed /d/c6|embed /d/c7.swf|embed /d/c8|embed /d/c9"},
	{"text/html", `<applet code="A.class" codebase="ap/" archive="a.jar, b.jar"></applet><bgsound src=b1><frameset><frame src=b2 longdesc=b3></frameset>`, "embed /d/ap/a.jar|embed /d/ap/b.jar|embed /d/ap/A.class|embed /d/b1|embed /d/b2|link /d/b3"},
	{"text/html", `<img longdesc=e1 lowsrc=e2 dynsrc=e3 usemap="#m"><body background=e4><table background=e5><tr background=e6><td background=e7></table>`, "link /d/e1|embed /d/e2|embed /d/e3|embed /d/e4|embed /d/e5|embed /d/e6|embed /d/e7"},
	{"text/html", `<blockquote cite=n1></blockquote><q cite=n2></q><ins cite=n3></ins><del cite=n4></del><form action=n5></form><button formaction=n6></button><input type=image src=n7>`, "link /d/n1|link /d/n2|link /d/n3|link /d/n4|form /d/n5|form /d/n6|embed /d/n7"},
	{"text/html", `<video src=v1 poster=v2><source src=v3><track src=v4></video><audio src=v5></audio><map><area href=v6></map><menuitem icon=v7>`, "embed /d/v1|embed /d/v2|embed /d/v3|embed /d/v4|embed /d/v5|link /d/v6|embed /d/v7"},
	{"text/html", `<html manifest=ac><meta http-equiv=refresh content="0; URL='re'"><meta name=msapplication-TileImage content="ti"><meta name="msapplication-TileColor" content="#fff"><meta property=og:image content="og.png"><meta name=twitter:player content="/tw">`, "embed /d/ac|redirect /d/re|embed /d/og.png|embed /tw"},
	{"text/html", `<noscript><img src=ns1></noscript><template><img src=tp1></template><!--[if IE]><script src=ie1></script><![endif]--><!--[if !IE]><!--><img src=ie2><!--<![endif]-->`, "embed /d/ns1|embed /d/tp1|embed /d/ie1|embed /d/ie2"},
	{"text/html", `<iframe srcdoc="&lt;img src=sd1>"></iframe><object classid="clsid:D27" codebase="x.cab"></object><portal src=po></portal>`, "embed /d/sd1|embed /d/x.cab|embed /d/po"},
	{"text/html", `<base href="/other/"><a href="ba">x</a><a href="#frag">y</a>`, "link /other/ba|link /other/#frag"},
	{"text/html", `<a attributionsrc="as1" href="as2">x</a><img src=as3 attributionsrc>`, "link /d/as2|embed /d/as3"},
	{"text/html", `<input type=text value="a/b.html" placeholder="x/y"><li value="3"><div class="a/b.html" id="x/y.png" title="see a/b.html"></div><a href="mailto:x@y.example">m</a><a href="tel:1">t</a>`, ""},
	// Style sheets.
	{"text/css", `@import "i1"; @import url(i2); @import url("i3") layer(x) screen; @import 'i4' supports(display: grid);`, "embed /d/i1|embed /d/i2|embed /d/i3|embed /d/i4"},
	{"text/css", `a{background:url(u\31 .png)} b{background:URL( "u2" )} c{background:url('u\'3')} d{background:src("u4")} e{background: u\72l(u5)}`, "embed /d/u1.png|embed /d/u2|embed /d/u'3|embed /d/u4|embed /d/u5"},
	{"text/css", `a{background:image-set("s1" 1x, url(s2) 2x)} b{background:-webkit-image-set(url(s3) 1x)} c{background:image("s4")} d{cursor:url(s5.cur),auto} e{list-style:url(s6)} f{content:url(s7)}`, "embed /d/s1|embed /d/s2|embed /d/s3|embed /d/s4|embed /d/s5.cur|embed /d/s6|embed /d/s7"},
	{"text/css", `@font-face{font-family:x;src:url(f1.woff2) format("woff2"),local("Arial/x.y"),src("f2")} a{behavior:url(b.htc);-moz-binding:url(x.xml#y)} b{shape-outside:url(so)} c{offset-path:url(op.svg#p)}`, "embed /d/f1.woff2|embed /d/f2|embed /d/b.htc|embed /d/x.xml#y|embed /d/so|embed /d/op.svg#p"},
	{"text/css", `@namespace svg url(http://n.example/ns); @namespace "http://n.example/two"; @document url(http://n.example/doc), url-prefix(http://n.example/pre) {} a::before{content:"url(no)"} /* url(no2) */ b{--x: "a/b.png"} c{background:url(data:image/png;base64,AA/BB)}`, ""},
	{"text/css", `@-moz-document domain(x.example), url("http://n.example/doc") { a{background:url(in)} } b{fill:url(#loc)} @color-profile --p{src:url(cp.icc)} @counter-style c{symbols:url(cs)}`, "embed /d/in|embed /d/cp.icc|embed /d/cs"},
	// Data formats.
	{"application/manifest+json", `{"name":"a/b","start_url":"w1","scope":"w2/","icons":[{"src":"w3"}],"shortcuts":[{"url":"w4","icons":[{"src":"w5"}]}],"screenshots":[{"src":"w6"}],"share_target":{"action":"w7"},"related_applications":[{"url":"http://o.example/app"}],"serviceworker":{"src":"w8"},"id":"/x","theme_color":"#fff","file_handlers":[{"action":"w9"}],"protocol_handlers":[{"url":"w?u=%s"}],"widgets":[{"data":"w10","ms_ac_template":"w11"}]}`, "link /d/w1|link /d/w2/|embed /d/w3|link /d/w4|embed /d/w5|embed /d/w6|link /d/w7|link http://o.example/app|embed /d/w8|link /d/w9|embed /d/w10|embed /d/w11"},
	{"application/json", `{"version":3,"file":"out.js","sourceRoot":"/src/","sources":["a.ts","lib/b"],"sourcesContent":["x('/no.html')"],"names":["a/b.js"],"mappings":"AAAA/x.js"}`, "speculative /d/out.js|speculative /src/a.ts|speculative /src/lib/b"},
	{"application/json", `{"version":3,"sources":["/a1.html"],"url":"/a2"}`, "link /a1.html|link /a2"},
	{"application/json", `{"type":"photo","version":"1.0","url":"/oe1","thumbnail_url":"/oe2","html":"<iframe src=\"/oe3\"></iframe>","provider_url":"http://o.example/","author_url":"/oe4"}`, "link /oe1|embed /oe2|embed /oe3|link http://o.example/|link /oe4"},
	{"application/xml", `<OpenSearchDescription><Url type="text/html" template="http://h.example/s?q={searchTerms}"/><Url rel="self" template="/os.xml"/><Image>/os.ico</Image><SearchForm>/sf</SearchForm></OpenSearchDescription>`, "link /os.xml|link /os.ico|link /sf"},
	{"application/xml", `<MPD><BaseURL>media/</BaseURL><Period><AdaptationSet><Representation><BaseURL>one.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`, "embed /d/media/one.mp4"},
	{"application/xml", `<opml><body><outline xmlUrl="/o1" htmlUrl="/o2"/><outline type="include" url="/o3"/></body></opml>`, "feed /o1|link /o2|link /o3"},
	{"application/xml", `<urlset><url><loc>/sm1</loc><xhtml:link rel="alternate" href="/sm2"/><image:image><image:loc>/sm3</image:loc></image:image></url></urlset>`, "feed /sm2|embed /sm3|feed /sm1"},
	{"application/rss+xml", `<rss><channel><link>/c</link><item><link>/i</link><guid isPermaLink="true">/g</guid><enclosure url="/e"/><podcast:transcript url="/t"/><podcast:chapters url="/ch"/></item></channel></rss>`, "link /c|feed /i|embed /e|link /t|link /ch"},
	{"text/vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nsprite.jpg#xywh=0,0,1,1\n", "embed /d/sprite.jpg#xywh=0,0,1,1"},
	{"text/plain", "see http://o.example/a, and (http://o.example/b).", "link http://o.example/a|link http://o.example/b"},
	{"application/pdf", "%PDF-1.4\n1 0 obj<</S/URI/URI(/pdf1)>>endobj 2 0 obj<</S/GoToR/F(pdf2.pdf)>>endobj", "link /pdf1|link /d/pdf2.pdf"},
}

// TestProbes reads the probes one by one: what stands there is found with its hop, and nothing else.
func TestProbes(t *testing.T) {
	for _, c := range probes {
		var got []string
		_, err := Extract(Document{URL: "http://h.example/d/p", MIME: c.mime, Body: []byte(c.body)}, func(l Link) {
			got = append(got, l.Hop.String()+" "+strings.TrimPrefix(l.URL, "http://h.example"))
		})
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
		}
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "|")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", c.body, strings.Join(got, "|"), c.want)
		}
	}
}

// TestProbeHeaders does the same for header fields.
func TestProbeHeaders(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Link", `<a>; rel=preload; as=style, <b>; rel="next", <c>; rel=alternate; type="application/rss+xml"`, "embed /d/a|link /d/b|feed /d/c"},
		{"Link", `<i>; rel=preload; as=image; imagesrcset="i1 1x, i2 2x"`, "embed /d/i|embed /d/i1|embed /d/i2"},
		{"Link", `<d>; rel=preconnect, <e>; rel=dns-prefetch`, ""},
		{"Link", `<p?a,b;c>; title="x, <no>; rel=next"; rel=license`, "link /d/p?a,b;c"},
		{"Refresh", `5; url=r`, "redirect /d/r"},
		{"Content-Location", `cl`, "link /d/cl"},
		{"SourceMap", `m.map`, "speculative /d/m.map"},
		{"Location", `lo`, "redirect /d/lo"},
		{"Speculation-Rules", `"/rules.json"`, "embed /rules.json"},
		{"Use-As-Dictionary", `match="/js/*"`, ""},
		{"Report-To", `{"endpoints":[{"url":"https://o.example/r"}]}`, ""},
	} {
		var got []string
		_, err := Extract(Document{URL: "http://h.example/d/p", MIME: "text/plain", Headers: []Header{{c.name, c.value}}}, func(l Link) {
			got = append(got, l.Hop.String()+" "+strings.TrimPrefix(l.URL, "http://h.example"))
		})
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.value, strings.Join(got, "|"), c.want)
		}
	}
}
