package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"varve/page"
	"varve/text/layer"
)

// article is a page with enough text to have a main text; the arguments fill its holes.
func article(head, tail string, paragraphs ...string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html><head><title>Tides</title>" + head + "</head><body><nav><a href=/>Home</a></nav><article><h1>Tides</h1>")
	for _, p := range append([]string{
		"The tide table of the harbour is printed twice a year, and the old fishermen still mark the spring tides in red ink.",
		"In the summer months the lower jetty falls dry for about two hours, which gives the children time to look for crabs.",
		"Nobody remembers who built the first sea wall, but the stones below the lighthouse carry the marks of a hammer.",
		"After the storm of the last winter the council decided to raise the promenade by half a metre along its whole length.",
	}, paragraphs...) {
		b.WriteString("<p>" + p + "</p>")
	}
	b.WriteString("</article>" + tail + "</body></html>")
	return b.String()
}

func input(body string) page.Input {
	return page.Input{URL: "http://sea.example/tides", MIME: "text/html; charset=utf-8", Body: []byte(body)}
}

// Each case changes one thing. first is the first layer on which the pages are equal.
func TestFirstLayerThatRescues(t *testing.T) {
	base := article("", "")
	for _, c := range []struct {
		name   string
		a, b   string
		first  layer.Name
		defect layer.Defect
	}{
		{"nothing", base, base, layer.Bytes, ""},
		{"comment", article("<!-- a -->", ""), article("<!-- b -->", ""), layer.DOM, ""},
		{"nonce", article("<script nonce=aaaa>x()</script>", ""), article("<script nonce=bbbb>x()</script>", ""), layer.DOM, ""},
		{"csrf meta", article(`<meta name="csrf-token" content="k1">`, ""), article(`<meta name="csrf-token" content="k2">`, ""), layer.DOM, ""},
		{"view state", article("", `<input type=hidden name=__VIEWSTATE value="abc">`), article("", `<input type=hidden name=__VIEWSTATE value="abd">`), layer.DOM, ""},
		{"data token", article("", `<div data-request-id="1"></div>`), article("", `<div data-request-id="2"></div>`), layer.DOM, ""},
		{"uuid in id", article("", `<div id="w-123e4567-e89b-12d3-a456-426614174000"></div>`), article("", `<div id="w-123e4567-e89b-12d3-a456-426614174001"></div>`), layer.DOM, ""},
		{"epoch in script", article(`<script>var t=1763184000123;</script>`, ""), article(`<script>var t=1763184000999;</script>`, ""), layer.DOM, ""},
		{"stamp in meta", article(`<meta name=x content="2026-11-15T05:30:00Z">`, ""), article(`<meta name=x content="2026-11-15T05:31:00.123+01:00">`, ""), layer.DOM, ""},
		{"session id in link", article("", `<a href="/b?sid=9682993c8daa2c5497996114facdc805">b</a>`), article("", `<a href="/b?sid=0682993c8daa2c5497996114facdc806">b</a>`), layer.DOM, ""},
		{"attribute order", article("", `<p class=a id=b></p>`), article("", `<p id=b class=a></p>`), layer.DOM, ""},
		{"white space", article("", "<p>one  two</p>"), article("", "<p>one\n two</p>"), layer.DOM, ""},
		{"class", article("", "<p class=a>x</p>"), article("", "<p class=b>x</p>"), layer.Text, ""},
		{"number in script", article("<script>n=5</script>", ""), article("<script>n=6</script>", ""), layer.Text, ""},
		{"advertisement", article("", "<aside class=ad>Buy boats</aside>"), article("", "<aside class=ad>Buy nets</aside>"), layer.Main, ""},
		{"picture", article("", `<img src=/a.png>`), article("", `<img src=/b.png>`), layer.Text, layer.LinksDefect},
		{"link and text", article("", `<a href=/a>a</a>`), base, layer.Main, layer.LinksDefect},
		{"title", base, strings.Replace(base, "<title>Tides", "<title>Ebb", 1), layer.Main, ""},
		{"new story", base, article("", "", "A new paragraph about the herring, which has come back to the bay after thirty years.", "The buyers from the city pay more for it than for any other fish, and the ice factory works at night again."), "", layer.ContentDefect},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, _ := page.NewReader().Pair(input(c.a), input(c.b), layer.All, layer.Config{})
			if first := firstEqual(got); first != c.first || got.Defect != c.defect {
				t.Errorf("first equal layer %q, defect %q, want %q and %q; %+v", first, got.Defect, c.first, c.defect, got)
			}
			x, y := page.Of(input(c.a), layer.All), page.Of(input(c.b), layer.All)
			if whole := layer.Compare(&x, &y, layer.Config{}); whole.Equal != got.Equal || whole.Rescued != got.Rescued || whole.Defect != got.Defect {
				t.Errorf("Pair finds %+v, Compare %+v", got, whole)
			}
		})
	}
}

func firstEqual(c layer.Comparison) layer.Name {
	for _, n := range layer.Names()[:5] {
		if c.Equal.Has(n) {
			return n
		}
	}
	return ""
}

// What is neither HTML nor data is equal on all layers or on none.
func TestOtherTypesHaveOneLayer(t *testing.T) {
	a := page.Input{URL: "http://h.example/a.css", MIME: "text/css", Body: []byte("a{width:1px}")}
	b := a
	b.Body = []byte("a{width:2px}")
	c, x, _ := page.NewReader().Pair(a, b, layer.All, layer.Config{})
	if c.Equal != 0 || c.Compared != layer.All || c.Defect != layer.ContentDefect {
		t.Errorf("different: %+v", c)
	}
	d := page.Of(a, layer.All)
	if c := layer.Compare(&d, &d, layer.Config{}); c.Equal != layer.All || c.Defect != "" {
		t.Errorf("equal: %+v", c)
	}
	text, _ := d.Sum(layer.Text)
	bytes, _ := x.Sum(layer.Bytes)
	if string(text) != string(bytes) {
		t.Error("the sum of text is not that of bytes")
	}
}

// A page that turns from HTML into something else is different on every layer.
func TestTypeChanges(t *testing.T) {
	a, b := input(article("", "")), input("%PDF-1.4 not really")
	b.MIME = "application/pdf"
	c, _, _ := page.NewReader().Pair(a, b, layer.All, layer.Config{})
	if c.Equal != 0 || c.Compared != layer.All || c.Defect == "" {
		t.Errorf("%+v", c)
	}
}

// Level says which layers may rescue.
func TestLevel(t *testing.T) {
	a, b := input(article("", "<p class=a>x</p>")), input(article("", "<p class=b>x</p>"))
	for level, want := range map[layer.Name]layer.Defect{layer.Bytes: layer.ContentDefect, layer.DOM: layer.ContentDefect, layer.Text: "", layer.Near: ""} {
		c, _, _ := page.NewReader().Pair(a, b, layer.All, layer.Config{Level: level})
		if c.Defect != want {
			t.Errorf("level %s: defect %q, want %q", level, c.Defect, want)
		}
	}
}

func TestShortTextsAreNotNearlyEqual(t *testing.T) {
	a, b := input("<p>one two</p>"), input("<p>two one</p>")
	if c, _, _ := page.NewReader().Pair(a, b, layer.All, layer.Config{}); c.Defect != layer.ContentDefect {
		t.Errorf("%+v", c)
	}
}

// Digests survive JSON and the way through a history.
func TestDigestsAreKept(t *testing.T) {
	for _, in := range []page.Input{input(article("", "")), {URL: "http://h.example/x.png", MIME: "image/png", Body: []byte("\x89PNG")}} {
		d := page.Of(in, layer.All)
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back, again layer.Digests
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		for n, sum := range d.All() {
			if err := again.Set(n, sum); err != nil {
				t.Fatal(err)
			}
		}
		if back != d || again != d {
			t.Errorf("digests changed on the way:\n%+v\n%+v\n%+v", d, back, again)
		}
	}
}

func TestDigestsThatAreRefused(t *testing.T) {
	for _, s := range []string{
		`{"bytes":"sha256:00"}`, `{"text":"md5:00"}`, `{"near":"near:AAAA"}`, `{"dom":"sha256:zz"}`, `[]`,
		`{"dom":"sha256:` + strings.Repeat("ab", 32) + `","text":"sha256:` + strings.Repeat("ab", 16) + `"}`,
		`{"bytes":"sha256:` + strings.Repeat("ab", 32) + `","text":"sha256:` + strings.Repeat("cd", 32) + `"}`,
	} {
		var d layer.Digests
		if err := json.Unmarshal([]byte(s), &d); err == nil {
			t.Errorf("%s was read as %+v", s, d)
		}
	}
}

func TestRulesAreExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range layer.Rules() {
		if r.Name == "" || r.Why == "" || (r.Attr == "") == (r.Template == "") || seen[r.Name] {
			t.Errorf("rule %+v", r)
		}
		seen[r.Name] = true
	}
}

// Data for programs has layers of its own: what it says, however it is written; and links where it has some.
func TestLayersOfData(t *testing.T) {
	for _, c := range []struct {
		mime, a, b string
		first      layer.Name
		defect     layer.Defect
	}{
		{"application/json", `{"a": "word", "nonce": "x1"}`, "{\n\"a\":\"word\",\"nonce\":\"x2\"}", layer.DOM, ""},
		{"application/json", `{"a": "word"}`, `{"a": "other"}`, "", layer.ContentDefect},
		{"application/xml", "<a><b>word</b><!-- 12:00 --></a>", "<a>\n<b>word</b><!-- 12:01 --></a>", layer.DOM, ""},
		{"application/rss+xml", `<rss><channel><item><link>http://sea.example/1</link></item></channel></rss>`, `<rss><channel><item><link>http://sea.example/2</link></item></channel></rss>`, "", layer.LinksDefect},
		{"text/css", "a{}", "a {}", "", layer.ContentDefect},
	} {
		in := func(body string) page.Input {
			return page.Input{URL: "http://sea.example/data", MIME: c.mime, Body: []byte(body)}
		}
		got, _, _ := page.NewReader().Pair(in(c.a), in(c.b), layer.All, layer.Config{})
		if first := firstEqual(got); first != c.first || got.Defect != c.defect {
			t.Errorf("%s and %s: first equal layer %q, defect %q", c.a, c.b, first, got.Defect)
		}
		x, y := page.Of(in(c.a), layer.All), page.Of(in(c.b), layer.All)
		if whole := layer.Compare(&x, &y, layer.Config{}); whole.Equal != got.Equal || whole.Defect != got.Defect {
			t.Errorf("%s and %s: Pair finds %+v, Compare %+v", c.a, c.b, got, whole)
		}
	}
}
