package links

import (
	"fmt"
	"strings"
	"testing"
)

// list extracts a document and gives each link as "hop kind url".
func list(t testing.TB, doc Document) ([]string, Info) {
	t.Helper()
	var got []string
	info, err := Extract(doc, func(l Link) {
		in := ""
		if l.In != 0 {
			in = " in " + l.In.String()
		}
		got = append(got, fmt.Sprintf("%s %s %s%s", l.Hop, l.Kind, l.URL, in))
	})
	if err != nil {
		t.Logf("error: %v", err)
	}
	return got, info
}

func TestMarkup(t *testing.T) {
	got, info := list(t, Document{URL: "http://h.example/d/p.html", MIME: "text/html", Body: []byte(`<!doctype html><html lang=de><head><title> A &amp; B </title>
<base href="/base/"><link rel="stylesheet" href="s.css"><style>@import "x.css"; a{background:url( 'b.png' )} @font-face{src:url(f.woff)}</style></head>
<body>Hello <a href="one?a=1&amp;b=2&copy=3" rel="NoFollow">first <b>link</b></a> and more
<p>para <img src=i.png srcset="i2.png 2x, i3.png 3x" alt="an image"><!-- <a href=old.html>x</a> --><a href=javascript:void(0)>j</a></body>`)})
	want := `embed link-stylesheet http://h.example/base/s.css
embed css-import http://h.example/base/x.css
embed css-url http://h.example/base/b.png
embed css-font http://h.example/base/f.woff
link a-href http://h.example/base/one?a=1&b=2&copy=3
embed img-src http://h.example/base/i.png
embed img-srcset http://h.example/base/i2.png
embed img-srcset http://h.example/base/i3.png
speculative a-href http://h.example/base/old.html in comment`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("got\n%s\nwant\n%s", g, want)
	}
	if info.Title != "A & B" || info.Lang != "de" || info.Base != "http://h.example/base/" {
		t.Errorf("info %+v", info)
	}
}
