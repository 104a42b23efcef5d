package derive

import (
	"fmt"
	"strings"
	"testing"

	"varve/page"
)

// TestCuts: what limits keep out of a row is told in its column error.
func TestCuts(t *testing.T) {
	var many strings.Builder
	for i := range maxLinks + 4 {
		fmt.Fprintf(&many, "<a href=/%d>", i)
	}
	for _, c := range []struct{ name, mime, body, want string }{
		{"nothing", "text/html", "<p>" + strings.Repeat("some words ", 20) + "<a href=/x>x</a>", ""},
		{"links", "text/html", many.String(), "links beyond a limit: 4"},
		{"a link that is too long", "text/html", "<a href=/" + strings.Repeat("x", 9000) + ">", "links beyond a limit: 1"},
		{"text", "text/html", "<article><p>" + strings.Repeat("This is a sentence with many words about the archive. ", 40) + "</p></article>", "text is kept up to 200 bytes"},
	} {
		a := &analyser{opts: (&Options{MaxText: 200}).withDefaults(), page: page.NewReader()}
		if c.name == "nothing" {
			a.opts.MaxText = 1 << 20
		}
		var p PageRow
		if _, err := a.read(t.Context(), answer{url: "http://h.test/", mime: c.mime, body: []byte(c.body)}, &p); err != nil || p.Error != c.want {
			t.Errorf("%s: %q, want %q; %v", c.name, p.Error, c.want, err)
		}
	}
}

// TestPlainText: the text of what is text already is the text.
func TestPlainText(t *testing.T) {
	const words = "The archive keeps what the site said in May.\nNobody changed a word of it since then."
	for _, c := range []struct{ name, url, mime, body, want string }{
		{"text", "http://h.test/a.txt", "text/plain", words, "The archive keeps what"},
		{"with a charset", "http://h.test/a.txt", "text/plain; charset=iso-8859-1", words + " caf\xe9", "café"},
		{"UTF-16", "http://h.test/a.txt", "text/plain", "\xff\xfeT\x00h\x00e\x00 \x00a\x00r\x00c\x00h\x00i\x00v\x00e\x00", "The archive"},
		{"Markdown", "http://h.test/a.md", "text/markdown", "# Title\n\n" + words, "The archive keeps what"},
		{"no type", "http://h.test/a", "", words, "The archive keeps what"},
		{"bytes", "http://h.test/a", "application/octet-stream", "\x00\x01\x02\x03" + words, ""},
	} {
		a := &analyser{opts: (&Options{}).withDefaults(), page: page.NewReader()}
		var p PageRow
		if _, err := a.read(t.Context(), answer{url: c.url, mime: c.mime, body: []byte(c.body)}, &p); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.Text, c.want) || c.want == "" && p.Text != "" {
			t.Errorf("%s: detected %q, text %q, %d words, language %q", c.name, p.Detected, p.Text, p.Words, p.Language)
		}
	}
}
