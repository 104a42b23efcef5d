package links

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// TestCharset: who names the charset wins in the order byte order mark, transport, document; anchors and paths are
// decoded, queries are sent in the document's encoding as a browser does.
func TestCharset(t *testing.T) {
	cyrillic, _ := charmap.Windows1251.NewEncoder().String(`<meta charset=windows-1251><a href="/стр?q=слово#низ">слово €‚</a>`)
	sjis, _ := japanese.ShiftJIS.NewEncoder().String(`<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><a href="?q=日本">日本</a>`)
	utf16, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(`<a href="/é?q=é">é</a>`)
	for _, c := range []struct{ name, mime, body, url, anchor, charset, source string }{
		{"meta", "text/html", cyrillic, "http://h.example/%D1%81%D1%82%D1%80?q=%F1%EB%EE%E2%EE#%D0%BD%D0%B8%D0%B7", "слово €‚", "windows-1251", "meta"},
		{"http beats meta", "text/html; charset=utf-8", `<meta charset=windows-1251><a href="?q=é">é</a>`, "http://h.example/?q=%C3%A9", "é", "utf-8", "http"},
		{"bom beats http", "text/html; charset=windows-1251", "\xef\xbb\xbf" + `<a href="?q=é">é</a>`, "http://h.example/?q=%C3%A9", "é", "utf-8", "bom"},
		{"shift_jis", "text/html", sjis, "http://h.example/?q=%93%FA%96%7B", "日本", "shift_jis", "meta"},
		{"utf-16", "text/html", utf16, "http://h.example/%C3%A9?q=%C3%A9", "é", "utf-16le", "bom"},
		{"guess utf-8", "text/html", `<a href="/é">é</a>`, "http://h.example/%C3%A9", "é", "utf-8", "guess"},
		{"guess latin", "text/html", "<a href='/x'>\xe9t\xe9</a>", "http://h.example/x", "été", "windows-1252", "guess"},
		{"unencodable", "text/html; charset=iso-8859-1", "<a href='?q=&#8364;&#21;&#26085;'>x</a>", "http://h.example/?q=%80%15%26%2326085%3B", "x", "windows-1252", "http"},
	} {
		var got []Link
		info, err := Extract(Document{URL: "http://h.example/", MIME: c.mime, Body: []byte(c.body)}, func(l Link) { got = append(got, l) })
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d links, error %v", c.name, len(got), err)
			continue
		}
		if got[0].URL != c.url || got[0].Anchor != c.anchor || info.Charset != c.charset || info.Source != c.source {
			t.Errorf("%s: got %s %q %s by %s, want %s %q %s by %s", c.name, got[0].URL, got[0].Anchor, info.Charset, info.Source, c.url, c.anchor, c.charset, c.source)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		mime, path, body string
		want             Format
	}{
		{"text/html", "/", "<p>x", HTML},
		{"text/plain", "/", "<!DOCTYPE html><p>", HTML},
		{"text/plain", "/", "x < y", Text},
		{"text/plain", "/x.css", "a{}", CSS},
		{"text/plain", "/x", "%PDF-1.4", PDF},
		{"", "/", "  <html>", HTML},
		{"", "/", "just words", Text},
		{"", "/x.js", "var a", Script},
		{"", "/", "\x00\x01\x02", Unknown},
		{"", "/", "", Unknown},
		{"application/octet-stream", "/x", "#EXTM3U\n", HLS},
		{"application/octet-stream", "/x.pdf", "PK\x03\x04", Unknown},
		{"text/html", "/feed", "<?xml version='1.0'?><rss>", XML},
		{"text/html", "/feed", "<rss version='2.0'>", XML},
		{"text/html", "/x", "<?xml version='1.0'?><!DOCTYPE html><html>", HTML},
		{"application/xml", "/x", "<?xml version='1.0'?><!DOCTYPE html><html>", XHTML},
		{"text/plain", "/x", "<div>shown</div>", Text},
		{"text/plain", "/x.html", "no markup", Text},
		{"text/html", "/x", `{"a":1}`, JSON},
		{"text/html", "/x", `{not json}`, HTML},
		{"application/json", "/x", "<html>error</html>", HTML},
		{"application/xml", "/x", "<svg xmlns='x'>", SVG},
		{"text/xml", "/x", "<data/>", XML},
		{"image/svg+xml", "/x", "<svg/>", SVG},
		{"application/atom+xml; charset=utf-8", "/x", "<feed/>", XML},
		{"application/problem+json", "/x", "{}", JSON},
		{"image/png", "/x", "\x89PNG", Unknown},
		{"image/png", "/x", "<html>", Unknown},
		{"application/pdf", "/x", "<html>", Unknown},
		{"text/css", "/x", "<!doctype html>not found", HTML},
		{"application/javascript", "/x", "//<html>", Script},
		{"TEXT/HTML; charset=x", "/", "x", HTML},
		{"text/plain", "/", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", HTML},
	} {
		if got := sniff(c.mime, c.path, []byte(c.body)); got != c.want {
			t.Errorf("%q %s %q: %s, want %s", c.mime, c.path, c.body, got, c.want)
		}
	}
}

func TestInfo(t *testing.T) {
	doc := Document{
		URL: "http://h.example/d/p?x", MIME: "text/html",
		Headers: []Header{{"X-Robots-Tag", "noarchive"}, {"Content-Language", "fr"}, {"Link", `</c>; rel=canonical`}},
		Body: []byte(`<html lang=" de-AT "><title>One
		&lt;two&gt;</title><meta name=robots content="NoIndex, nofollow"><meta name=generator content="WordPress 6"><svg><title>no</title></svg>
		<base target=x><base href="../b/"><h1>Head</h1><p>Some <b>bold</b> &amp; text&nbsp;here<script>var hidden</script></p><template>unseen</template>`),
	}
	var n int
	info, err := Extract(doc, func(Link) { n++ })
	if err != nil {
		t.Fatal(err)
	}
	want := Info{
		Format: HTML, Title: "One <two>", Charset: "utf-8", Source: "guess", Canonical: "http://h.example/c", Base: "http://h.example/b/",
		Robots: []string{"noarchive", "noindex", "nofollow"}, Lang: "de-AT", Generator: "WordPress 6", Text: "no\nHead\nSome bold & text here", TextLen: 29,
	}
	want.Counts[HopLink] = 1
	if fmt.Sprint(info) != fmt.Sprint(want) || n != 1 {
		t.Errorf("%d links\n got %+v\nwant %+v", n, info, want)
	}
}

// TestAround: anchors and surroundings are cut at whole characters and words stay in order.
func TestAround(t *testing.T) {
	body := strings.Repeat("ä ", 300) + "<a href=x> the <i>anchor</i>\n</a>after" + strings.Repeat(" ö", 300) + "<p><a href=y><img src=z alt='a  sign'></a><a href=w title=T></a>"
	var got []Link
	_, err := New(Limits{Around: 21}).Extract(Document{URL: "http://h.example/", MIME: "text/html", Body: []byte(body)}, func(l Link) { got = append(got, l) })
	if err != nil || len(got) != 4 {
		t.Fatalf("%d links, error %v", len(got), err)
	}
	if a, want := got[0].Around, "ä ä ä ä ä ä ä the anchor after ö ö ö ö ö"; got[0].Anchor != "the anchor" || a != want {
		t.Errorf("anchor %q, around %q, want %q", got[0].Anchor, a, want)
	}
	if got[1].Anchor != "a  sign" || got[2].Anchor != "a  sign" || got[3].Anchor != "T" {
		t.Errorf("anchors %q, %q, %q", got[1].Anchor, got[2].Anchor, got[3].Anchor)
	}
}

func TestLimits(t *testing.T) {
	body := []byte(strings.Repeat("<a href=/x>word </a>", 50) + "<a href='/" + strings.Repeat("y", 100) + "'>")
	n := 0
	info, err := New(Limits{Links: 20, URL: 50, Text: 30}).Extract(Document{URL: "http://h.example/", MIME: "text/html", Body: body}, func(Link) { n++ })
	if err != nil || n != 20 || !info.Truncated || len(info.Text) > 30 || info.TextLen < 200 {
		t.Errorf("%d links, truncated %v, text of %d bytes and %d characters, error %v", n, info.Truncated, len(info.Text), info.TextLen, err)
	}
	if _, err := Extract(Document{URL: "no base"}, func(Link) {}); err == nil {
		t.Error("no error for a document without an absolute URL")
	}
	if got := Context(InNoscript | InSrcdoc).String(); got != "noscript+srcdoc" {
		t.Error(got)
	}
	var h Hop
	if err := h.UnmarshalText([]byte("embed")); err != nil || h != HopEmbed || h.UnmarshalText([]byte("x")) == nil {
		t.Errorf("hop %v, error %v", h, err)
	}
	var k Kind
	if err := k.UnmarshalText([]byte("css-import")); err != nil || k != kindCSSImport || k.UnmarshalText([]byte("x")) == nil {
		t.Errorf("kind %v, error %v", k, err)
	}
	if got := Sitemaps([]byte("\xef\xbb\xbfSITEMAP : http://a/x.xml # why\nsitemap:\nUser-agent: *\nSitemap:/rel.xml")); !slices.Equal(got, []string{"http://a/x.xml", "/rel.xml"}) {
		t.Errorf("sitemaps %q", got)
	}
}
