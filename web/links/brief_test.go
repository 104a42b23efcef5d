package links_test

import (
	"strings"
	"testing"

	"varve/web/links"
)

// A brief reading finds the same links with the same anchors, and keeps little text.
func TestBrief(t *testing.T) {
	body := `<title>T</title>` + strings.Repeat(`<p>Some words of a long page &amp; more <a href="/a?x=1">the  <b>anchor</b></a> and after it.</p>`, 500)
	read := func(brief bool) (got []links.Link, info links.Info) {
		info, err := links.Extract(links.Document{URL: "http://e.test/", MIME: "text/html", Body: []byte(body), Brief: brief},
			func(l links.Link) { got = append(got, l) })
		if err != nil {
			t.Fatal(err)
		}
		return got, info
	}
	full, all := read(false)
	brief, some := read(true)
	if len(full) != 500 || len(brief) != len(full) {
		t.Fatalf("%d and %d links", len(full), len(brief))
	}
	for i := range full {
		want, got := full[i], brief[i]
		if all.Text[want.AnchorAt.From:want.AnchorAt.To] != want.Anchor || all.Text[want.AroundAt.From:want.AroundAt.To] != want.Around ||
			some.Text[got.AnchorAt.From:got.AnchorAt.To] != got.Anchor {
			t.Fatalf("link %d: %+v, in the short text %+v", i, want, got)
		}
		want.Around, want.AnchorAt, want.AroundAt, got.AnchorAt = "", links.Place{}, links.Place{}, links.Place{}
		if got != want {
			t.Fatalf("link %d: %+v, want %+v", i, got, want)
		}
	}
	if !strings.HasPrefix(all.Text, some.Text[:1000]) || len(some.Text) > 20_000 || some.Title != "T" {
		t.Errorf("title %q, %d bytes of text of %d", some.Title, len(some.Text), len(all.Text))
	}
	if d := some.TextLen - all.TextLen; d < -all.TextLen/10 || d > all.TextLen/10 {
		t.Errorf("%d characters counted, there are %d", some.TextLen, all.TextLen)
	}
}
