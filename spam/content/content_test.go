package content

import (
	"math"
	"strings"
	"testing"
	"time"

	"varve/spam/feature"
	"varve/spam/terms"
	"varve/text/token"
	"varve/web/robots"
)

// near tells whether two values are the same, unknown ones too.
func near(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) < 1e-9 }

// The worked example of docs/algorithms/spam_features.md.
func TestOfWorked(t *testing.T) {
	v, err := terms.Collect([][3]string{
		{"en", "cheap pills", "the cat sat the cat ran"},
		{"en", "cheap", "the dog sat"},
		{"en", "", "the sat"},
		{"en", "", "the sat"},
		{"en", "", "the sat"},
	})
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`<html><title>Cheap Pills</title><body>the cat sat. <a href="http://b.example/">The cat</a> sat HERE 99.</body></html>`)
	p := Read("http://a-1.example/x/y.html?p=1&q=2", "text/html", body, nil)
	p.Vocabulary, p.Language = v, "en"
	f := Of(p)
	for k, want := range map[Feature]float64{
		Words: 8, TitleWords: 2, TitleLength: 11, AnchorFraction: 2.0 / 8,
		WordLength: (3*6 + 4 + 2) / 8.0,
		Entropy:    -(3*0.25*math.Log2(0.25) + 2*0.125*math.Log2(0.125)),
		TopWord:    0.25, Distinct: 5.0 / 8,
		Popular100: 6.0 / 8, // the, cat, sat are in the collection
		// "the" and "sat" are on a quarter of the pages: stop words; corpus words are cat, dog, ran, and those of titles alone
		CorpusPrecision100: 1.0 / 5, CorpusRecall100: 1.0 / 5,
		QueryPrecision100: 0, QueryRecall100: 0,
		Sentences: 2, SentenceLength: 4, SentenceDeviation: 1,
		Lower: 5.0 / 8, Capitalised: 1.0 / 8, Upper: 1.0 / 8, Numeric: 1.0 / 8, Mixed: 0,
		LinksOutside: 1, LinksInside: 0, HostsOutside: 1, OutsideFraction: 1, LinkDensity: 1.0 / 8,
		URLLength: 17, URLDepth: 2, URLParameters: 2, URLPunctuation: 5, URLDigits: 2,
		HostLength: 11, HostPunctuation: 1, HostDigits: 1, HostLabels: 2,
		HiddenFraction: 0, DisguisedFraction: 0, ScriptRedirect: 0, MetaRefresh: 0, RobotsNoindex: 0,
		Cloaking: feature.Unknown(), RedirectExecuted: feature.Unknown(),
	} {
		if !near(f[k], want) {
			t.Errorf("%s = %v, want %v (%s)", definitions[k].Name, f[k], want, definitions[k].Formula)
		}
	}
	// trigrams: "the cat sat", "cat sat the", "sat the cat", ...: of the collection's 5, "cat sat the" never occurs there
	if l := f[TrigramLikelihood]; !(l > 0 && l < math.Log(13)) {
		t.Errorf("trigram likelihood %v", l)
	}
}

func TestUnknownWithoutEvidence(t *testing.T) {
	f := Of(&Document{URL: "http://a.example/"})
	for k, v := range f {
		switch Feature(k) {
		case WordLength, AnchorFraction, GzipRatio, Entropy, TopWord, Distinct, VisibleFraction, Cloaking, HiddenFraction, TrigramLikelihood, Popular100:
			if v == v {
				t.Errorf("%s of nothing is %v", definitions[k].Name, v)
			}
		}
		if math.IsInf(v, 0) {
			t.Errorf("%s is %v", definitions[k].Name, v)
		}
	}
}

func TestHidden(t *testing.T) {
	const filler = "<p>0123456789</p>"
	for _, c := range []struct {
		name, html        string
		hidden, disguised float64
	}{
		{"plain", `<p>0123456789</p>`, 0, 0},
		{"display", `<div style="display: none">0123456789</div>`, .5, 0},
		{"inherited", `<div style="DISPLAY:NONE"><p><b>0123456789</b></p></div>`, .5, 0},
		{"ends with its element", `<div style="display:none">01234</div>01234`, .25, 0},
		{"hidden attribute", `<p hidden>0123456789</p>`, .5, 0},
		{"class", `<style>.k, .x { color: red; display:none !important } /* .y{display:none} */</style><p class="a k">01234</p><p class=y>01234</p>`, .25, 0},
		{"id", `<style>div#k{visibility:hidden}</style><div id=k>0123456789</div>`, .5, 0},
		{"media", `<style>@media print{.k{display:none}} .k{display:none}</style><p class=k>0123456789</p>`, .5, 0},
		{"second rule of media", `<style>@media print{.a{color:red}.k{display:none}}</style><p class=k>0123456789</p>`, 0, 0},
		{"after charset", `<style>@charset "utf-8"; .k{display:none}</style><p class=k>0123456789</p>`, .5, 0},
		{"sheet in a comment", "<style><!--\n.k{display:none}\n--></style><p class=k>0123456789</p>", .5, 0},
		{"comment before a rule", `<style>/* a */ .k{/* b */display/**/:none/* c */}</style><p class=k>0123456789</p>`, .5, 0},
		{"semicolon in an address", `<div style="background:url(data:image/png;base64,AA);display:none">0123456789</div>`, .5, 0},
		{"brace in a string", `<style>.a::before{content:"}"} .k{display:none}</style><p class=k>0123456789</p>`, .5, 0},
		{"declaration in a string", `<div style="content:';display:none;'">0123456789</div>`, 0, 0},
		{"escapes", `<style>.sm\:k{d\69splay:n\6fne}</style><p class="sm:k">0123456789</p>`, .5, 0},
		{"important apart", `<div style="display:none ! important">0123456789</div>`, .5, 0},
		{"rule in a rule", `<style>.k{color:red;.a{color:blue}a:hover{color:red}display:none}</style><p class=k>0123456789</p>`, .5, 0},
		{"no declaration", `<style>.k{display;none:;;*zoom:1;display:none}</style><p class=k>0123456789</p>`, .5, 0},
		{"cut off", `<style>.k{display:none</style><p class=k>0123456789</p>`, .5, 0},
		{"inside of others", `<style>.a .k, .a>.k, p:hover, .k[x], :is(.k) {display:none}</style><p class=k>0123456789</p>`, 0, 0},
		{"no size", `<span style="font-size:0">0123456789</span>`, 0, .5},
		{"off screen", `<div style="position:absolute;left:-9999px">0123456789</div>`, 0, .5},
		{"indent", `<div style="text-indent:-100em">0123456789</div>`, 0, .5},
		{"small indent", `<div style="text-indent:-1em">0123456789</div>`, 0, 0},
		{"transparent", `<div style="opacity:0.0">0123456789</div>`, 0, .5},
		{"flat box", `<div style="height:0;overflow:hidden">0123456789</div>`, 0, .5},
		{"white on white", `<font color=white>0123456789</font>`, 0, .5},
		{"white on unknown", `<link rel=stylesheet href=x.css><font color=white>0123456789</font>`, 0, 0},
		{"ground", `<body bgcolor="#000"><p style="color:#010101">0123456789</p><p style="color:#fff"></body>`, 0, .5},
		{"grey on grey", `<div style="background-color: rgb(200, 200, 200)"><span style="color:#C9C9C9">0123456789</span></div>`, 0, .5},
		{"picture", `<div style="background: url(x.png) white; color: white">0123456789</div>`, 0, 0},
		{"list", `<ul><li style="display:none">01234<li>01234</ul>`, .25, 0},
	} {
		f := Of(&Document{URL: "http://a.example/", HTML: []byte(c.html + filler)})
		// a filler of ten bytes makes halves
		if !near(f[HiddenFraction], c.hidden) || !near(f[DisguisedFraction], c.disguised) {
			t.Errorf("%s: hidden %v, disguised %v; want %v, %v", c.name, f[HiddenFraction], f[DisguisedFraction], c.hidden, c.disguised)
		}
	}
}

func TestScriptRedirects(t *testing.T) {
	const to = `"http://b.example/"`
	for _, c := range []struct {
		name, code           string
		redirect, obfuscated bool
	}{
		{"assignment", `window.location = ` + to, true, false},
		{"href", `document.location.href=` + to + `;`, true, false},
		{"replace", `top.location.replace(` + to + `)`, true, false},
		{"bare", `location=` + to, true, false},
		{"comparison", `if (location.href == ` + to + `) { x() }`, false, false},
		{"reading", `var here = location.href; track(location)`, false, false},
		{"own variable", `var location = 1; thing.location = "Berlin"`, false, false},
		{"comment", `// location = 1` + "\n/* location.href = 2 */", false, false},
		{"string", `say("location.href = 3")`, false, false},
		{"regex", `x = y.replace(/location = "/, 1)`, false, false},
		{"timer", `setTimeout("location.href=` + `'http://b.example/'` + `", 100)`, true, false},
		{"timer function", `setTimeout(function(){ window.location.href = u; }, 10)`, true, false},
		{"arrow", `setTimeout(() => { location.assign(u) }, 10)`, true, false},
		{"called", `function go() { location = u } go();`, true, false},
		{"never called", `function go() { location = u }`, false, false},
		{"on click", `b.onclick = function() { location = u }`, false, false},
		{"on load", `window.onload = function() { location = u }`, true, false},
		{"listener", `b.addEventListener("click", function() { location.href = u })`, false, false},
		{"load listener", `addEventListener("load", function() { location.href = u })`, true, false},
		{"at once", `(function() { if (a) { location.href = u } })()`, true, false},
		{"method", `var app = { go: function(u) { location.href = u } }`, false, false},
		{"referrer", `if (document.referrer.indexOf("google") > 0) location.replace(u)`, true, false},
		{"concat", `window["loc" + "ation"]["hr" + 'ef'] = u`, true, true},
		{"variables", `var a = "loca", b = "tion"; window[a + b] = u`, true, true},
		{"escapes", `eval("\x6cocation\u002ehref='x'")`, true, true},
		{"char codes", `eval(String.fromCharCode(108,111,99,97,116,105,111,110,61,39,120,39))`, true, true},
		{"unescape", `eval(unescape("%6c%6f%63%61%74%69%6f%6e%3d%27%78%27"))`, true, true},
		{"base64", `eval(atob("bG9jYXRpb249J3gn"))`, true, true},
		{"twice", `eval(unescape("eval%28%27loca%27+%27tion=1%27%29"))`, true, true},
		{"written", `document.write(unescape("%3Cscript%3Elocation%3D1%3C/script%3E"))`, true, true},
		{"written refresh", `document.write('<me'+'ta http-equiv="refresh" content="0;url=http://b.example/">')`, true, true},
		{"reversed", `eval("'x'=noitacol".split("").reverse().join(""))`, true, true},
		{"joined", `eval(["loc","ation='x'"].join(""))`, true, true},
		{"named string", `var c = "location='x'"; eval(c)`, true, true},
		{"octal escapes", `eval("\154ocation='x'")`, true, true},
		{"template", "eval(`loc${'ati'}on=1`)", true, true},
		{"hole of a template", "a = `${location = u}`", true, false},
		{"regex after a condition", `if (a) /"/.test(b) && (location = u)`, true, false},
		{"eval of nothing", `eval("1+1")`, false, false},
		{"broken", `eval("loc`, false, false},
	} {
		f := Of(&Document{URL: "http://a.example/", HTML: []byte("<script>" + c.code + "</script>")})
		if f[ScriptRedirect] != truth(c.redirect) || f[ScriptObfuscated] != truth(c.obfuscated) {
			t.Errorf("%s: redirect %v, obfuscated %v: %s", c.name, f[ScriptRedirect], f[ScriptObfuscated], c.code)
		}
	}
}

func TestMarkup(t *testing.T) {
	p := &Document{URL: "http://a.example/", Executed: "http://b.example/", Text: "one two three", Alternate: "four five", Robots: []string{"none"}, HTML: []byte(
		`<meta http-equiv=Refresh content="0; URL=http://b.example/"><meta name=Keywords content="a, b, c"><meta name="description" content="d e">
		<iframe src=x></iframe><body onload="go()"><script>function go(){ location.href='x' }</script>`)}
	f := Of(p)
	for k, want := range map[Feature]float64{
		MetaRefresh: 1, MetaKeywords: 3, MetaDescription: 2, Frames: 1, ScriptRedirect: 1, ScriptObfuscated: 0,
		RedirectExecuted: 1, Cloaking: 1, RobotsNoindex: 1, RobotsNofollow: 1,
	} {
		if f[k] != want {
			t.Errorf("%s = %v, want %v", definitions[k].Name, f[k], want)
		}
	}
	for content, want := range map[string]bool{"0;url=x": true, "5, x": true, "30;url=x": false, "0": false, "x;url=y": false, "0;url=http://a.example/": false} {
		if refreshes("http://a.example/", content) != want {
			t.Errorf("refresh %q: %v", content, !want)
		}
	}
}

func TestHost(t *testing.T) {
	var h Host
	for _, v := range h.Vector() {
		if v == v && v != 0 {
			t.Fatalf("a host without pages has %v", h.Vector())
		}
	}
	fetched := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	h.Add(&Document{URL: "http://a.example/deep/page", Title: "T", Text: "a b c d", Hosts: []string{"x.example"}, Modified: fetched, Fetched: fetched})
	h.Add(&Document{URL: "http://a.example/", Title: "T", Text: "d c b a a a", Hosts: []string{"x.example", "y.example"}, Modified: fetched.AddDate(0, 0, -10), Fetched: fetched})
	h.Add(&Document{URL: "http://a.example/p?q=1", Title: "U", Text: "a b d c"})
	h.Format("application/pdf; x=y")
	h.Answer(200)
	h.Answer(404)
	h.Answer(301)
	h.Answer(304)
	h.Robots(robots.Parse([]byte("User-agent: *\nDisallow: /\n")))
	got := map[string]float64{}
	vector := h.Vector()
	for i, n := range h.Names() {
		if _, twice := got[n]; twice {
			t.Errorf("%s is there twice", n)
		}
		got[n] = vector[i]
	}
	if len(vector) != len(h.Names()) || h.Home() != "http://a.example/" || h.Count() != 3 {
		t.Fatalf("%d values, %d names; home %s", len(vector), len(h.Names()), h.Home())
	}
	for n, want := range map[string]float64{
		"home.words": 6, "mean.words": 14.0 / 3, "std.words": math.Sqrt(8.0 / 9),
		"host.pages": 3, "host.formats": 2, "host.other_documents": 1, "host.same_texts": 1.0 / 3, "host.same_titles": 1.0 / 3,
		"host.target_hosts": 2, "host.targets_per_page": 2.0 / 3, "host.robots_file": 1, "host.robots_rules": 1, "host.robots_closed": 1,
		"host.modified_known": 2.0 / 3, "host.modified_age": math.Log(11) / 2, "host.modified_deviation": math.Log(11) / 2, "host.modified_now": .5,
		"host.redirects": .25, "host.failures": .25,
	} {
		if !near(got[n], want) {
			t.Errorf("%s = %v, want %v", n, got[n], want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range append(Definitions(), HostDefinitions()...) {
		if d.Name == "" || d.Formula == "" || d.Group == "" || d.Cost == "" || seen[d.Name] {
			t.Errorf("definition %+v", d)
		}
		seen[d.Name] = true
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte(`<style>.a{color:white}</style><p class=a>x<script>eval(unescape("%6c")+"ocation=1")</script>`))
	f.Add([]byte(`<script>var a=[\"x\",'y'].join("");(()=>{location[a]=1})()</script><font color=#12>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := Read("http://a.example/", "text/html", body, nil)
		p.Alternate = "x y"
		for k, v := range Of(p) {
			if math.IsInf(v, 0) || v < 0 && Feature(k) != TrigramLikelihood && v < -1e-9 {
				t.Errorf("%s = %v", definitions[k].Name, v)
			}
		}
	})
}

// sample is a page of about 50 KB.
func sample() []byte {
	var b strings.Builder
	b.WriteString(`<html><head><title>A page of some length</title><style>.menu{color:#333}</style></head><body>`)
	for i := range 300 {
		b.WriteString(`<div class="menu"><p>The harbour office opened its new building on Monday, and visitors came from all parts of town.</p>`)
		b.WriteString(`<a href="/news/` + strings.Repeat("x", i%7) + `">More about this story</a></div>`)
	}
	b.WriteString(`<script>` + strings.Repeat(`var a = {b: function(x) { return x + "y" }};`, 100) + `</script></body></html>`)
	return []byte(b.String())
}

func BenchmarkOf(b *testing.B) {
	body := sample()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Of(Read("http://a.example/", "text/html", body, nil))
	}
}

// Words are found once for bag, cases and sentences: the figures are those of a pass for each.
func TestOnePass(t *testing.T) {
	for _, text := range []string{
		"", "  ", "One. Two words! THREE more words? eBay 4u", "It rained.[1] [2] Then Dr. Who came.\nA heading\n\nHe left at 3.45 p.m. and",
		strings.Repeat("abc ", 50) + strings.Repeat("x", 90) + ". End", "日本語。テキスト、です。 Ende. Мы здесь. Да!",
	} {
		f := Of(&Document{URL: "http://a.example/", Text: text})
		sentences, words, capitals := 0.0, 0.0, 0.0
		for s := range token.Sentences(text, "") {
			n := 0.0
			for w := range token.Words(s.Text) {
				if n++; w.Text == strings.ToUpper(w.Text[:1])+strings.ToLower(w.Text[1:]) && w.Text != strings.ToLower(w.Text) && len(w.Text) > 0 && w.Text[0] < 128 {
					capitals++
				}
			}
			if words += n; n > 0 {
				sentences++
			}
		}
		if f[Sentences] != sentences || words > 0 && math.Abs(f[SentenceLength]-words/sentences) > 1e-9 {
			t.Errorf("%q: %v sentences of %v words, want %v of %v", text, f[Sentences], f[SentenceLength], sentences, words/sentences)
		}
		if words > 0 && text[0] < 128 && !strings.Contains(text, "日") && math.Abs(f[Capitalised]-capitals/words) > 1e-9 {
			t.Errorf("%q: %v capitalised, want %v", text, f[Capitalised], capitals/words)
		}
		if want := float64(terms.BagOf(text).Tokens); f[Words] != want || float64(terms.Count(text)) != want {
			t.Errorf("%q: %v words, counted %d, want %v", text, f[Words], terms.Count(text), want)
		}
	}
}
