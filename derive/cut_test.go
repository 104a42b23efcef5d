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
		var p Page
		if _, err := a.read(t.Context(), answer{url: "http://h.test/", mime: c.mime, body: []byte(c.body)}, &p); err != nil || p.Error != c.want {
			t.Errorf("%s: %q, want %q; %v", c.name, p.Error, c.want, err)
		}
	}
}
