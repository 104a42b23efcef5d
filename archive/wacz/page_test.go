package wacz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/archive/warc"
)

func pagesOf(t *testing.T, p *Package, path string) []PageEntry {
	t.Helper()
	r, err := p.OpenEntry(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []PageEntry
	for page, err := range ReadPages(r, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, page)
	}
	return out
}

func summary(pages []PageEntry) (out []string) {
	for _, p := range pages {
		out = append(out, fmt.Sprintf("%s|%s|%t", strings.TrimPrefix(p.URL, "https://www.example.com"), p.Title, p.Seed))
	}
	return out
}

// Pages are HTML answers that somebody opened: not frames, embeds, errors; redirects carry seeds on.
func TestPages(t *testing.T) {
	data := site(t, warc.Packing{})
	start, again, latin := "/start|Start & more|", "/start|Start & more|", "/latin|Café|"
	t.Run("no seeds", func(t *testing.T) {
		pkg, sum := build(t, Config{}, packed{"a.warc.gz", data})
		got := summary(pagesOf(t, open(t, pkg), PagesPath))
		if want := []string{start + "false", latin + "false", again + "false"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if sum.Pages != 3 || sum.Extra != 0 || open(t, pkg).byPath[ExtraPagesPath] != nil {
			t.Errorf("%d pages, %d extra", sum.Pages, sum.Extra)
		}
	})
	t.Run("seed that redirects", func(t *testing.T) {
		pkg, sum := build(t, Config{Seeds: []string{"http://example.com/"}, Text: true}, packed{"a.warc.gz", data})
		p := open(t, pkg)
		got := summary(pagesOf(t, p, PagesPath))
		if want := []string{start + "true", again + "true"}; !slices.Equal(got, want) {
			t.Errorf("pages %q, want %q", got, want)
		}
		if extra := summary(pagesOf(t, p, ExtraPagesPath)); !slices.Equal(extra, []string{latin + "false"}) {
			t.Errorf("extra pages %q", extra)
		}
		if m := sum.Manifest; m.MainPageURL != "https://www.example.com/start" || m.MainPageDate == "" {
			t.Errorf("main page %q %q", m.MainPageURL, m.MainPageDate)
		}
		if text := pagesOf(t, p, PagesPath)[0].Text; text != "Start & more\nHello world\nagain" && text != "Hello world\nagain" {
			t.Errorf("text %q", text)
		}
	})
	t.Run("given", func(t *testing.T) {
		pkg, sum := build(t, Config{GivenPages: true}, packed{"a.warc.gz", data})
		if sum.Pages != 0 {
			t.Errorf("%d pages, want none", sum.Pages)
		}
		mustBeValid(t, pkg)
	})
}

func TestReadHTML(t *testing.T) {
	cases := []struct{ name, in, contentType, title, text string }{
		{"plain", "<title>A\n  B</title><p>x <i>y</i>z</p><div>w", "text/html", "A B", "x yz\nw"},
		{"entities", "<title>A &lt; B &eacute;</title>", "text/html", "A < B é", ""},
		{"no title", "<p>only text", "text/html", "", "only text"},
		{"drawing", "<svg><title>icon</title></svg><title>Page</title>", "text/html", "Page", ""},
		{"second title", "<title>One</title><title>Two</title>", "text/html", "One", ""},
		{"hidden", "<title>T</title><script>var x='<p>no'</script><style>p{}</style>yes<noscript>no</noscript>", "", "T", "yes"},
		{"latin header", "<title>Caf\xe9</title>", "text/html; charset=iso-8859-1", "Café", ""},
		{"meta", "<meta charset=windows-1251><title>\xcf\xf0\xe8</title>", "text/html", "При", ""},
		{"shift_jis", "<title>\x93\xfa\x96\x7b</title>", "text/html; charset=Shift_JIS", "日本", ""},
		{"utf-16", "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00\xe9\x00", "text/html", "é", ""},
		{"bom", "\xef\xbb\xbf<title>x</title>", "text/html; charset=latin1", "x", ""},
		{"broken", "<title>unclosed <b>x", "text/html", "unclosed <b>x", ""},
		{"empty", "", "text/html", "", ""},
	}
	for _, c := range cases {
		title, text := readHTML(strings.NewReader(c.in), c.contentType, true)
		if title != c.title || text != c.text {
			t.Errorf("%s: %q %q, want %q %q", c.name, title, text, c.title, c.text)
		}
		if only, none := readHTML(strings.NewReader(c.in), c.contentType, false); only != c.title || none != "" {
			t.Errorf("%s without text: %q %q", c.name, only, none)
		}
	}
}

func TestReadHTMLIsBounded(t *testing.T) {
	endless := strings.NewReader(strings.Repeat("<p>word ", 1<<20))
	_, text := readHTML(endless, "text/html", true)
	if len(text) > maxText {
		t.Errorf("%d bytes of text", len(text))
	}
	if read := 8<<20 - endless.Len(); read > textContent+64<<10 {
		t.Errorf("read %d bytes", read)
	}
	title, _ := readHTML(strings.NewReader("<title>"+strings.Repeat("é", 4000)), "text/html; charset=utf-8", false)
	if len(title) > maxTitle || !strings.HasSuffix(title, "é") {
		t.Errorf("title of %d bytes ending in %q", len(title), title[len(title)-4:])
	}
}

func TestReadPages(t *testing.T) {
	in := `{"format":"json-pages-1.0","id":"pages","title":"All Pages"}
{"url":"http://e.com/","ts":"2026-01-01T00:00:00Z"}

not json
{"ts":"2026-01-01T00:00:00Z"}
{"url":"http://e.com/","ts":"yesterday"}
{"url":"http://e.com/2","ts":"2026-01-01T00:00:00.123+02:00","x":[1]}`
	var got []string
	for p, err := range ReadPages(strings.NewReader(in), 1<<10) {
		if err != nil {
			got = append(got, strings.SplitAfterN(err.Error(), ":", 2)[0])
			continue
		}
		got = append(got, p.URL)
	}
	if want := []string{"http://e.com/", "line 4:", "line 5:", "line 6:", "http://e.com/2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, err := range ReadPages(strings.NewReader(strings.Repeat("x", 5000)), 1<<10) {
		if err == nil || !strings.Contains(err.Error(), "longer") {
			t.Errorf("long line: %v", err)
		}
	}
}
