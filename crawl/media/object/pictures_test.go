package object

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPictures(t *testing.T) {
	page := `<html><head><title>Town</title><base href="/news/"><meta property="og:image" content="/share.jpg"><meta property="og:image:alt" content="The town"></head><body>
<p>Before it.</p><figure><IMG src=a.jpg alt="A &amp; B" title="Tip"><figcaption>The <b>bridge</b> in 1950</figcaption></figure>
<div><p>The mayor spoke.</p><img src="data:image/gif;base64,R0lGOD" data-src="../b.png"><p>Then he left.</p></div>
<img alt="no address"><noscript><img src=c.jpg></noscript><img src=a.jpg></body></html>`
	got, err := Pictures([]byte(page), "http://a.test/x", "text/html")
	want := []Picture{
		{URL: "http://a.test/news/a.jpg", Alt: "A & B", Title: "Tip", Caption: "The bridge in 1950", Around: "The bridge in 1950"},
		{URL: "http://a.test/b.png", Around: "The mayor spoke. Then he left."},
		{URL: "http://a.test/news/a.jpg", Around: "The mayor spoke. Then he left."},
		{URL: "http://a.test/share.jpg", Alt: "The town", Title: "Town"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, want)
	}
	if got, err := Pictures([]byte("<p>no picture, an imgX neither</p>"), "http://a.test/", "text/html"); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// What is beyond the limit is counted.
func TestManyPictures(t *testing.T) {
	var b strings.Builder
	for i := range maxPictures + 7 {
		fmt.Fprintf(&b, "<img src=/%d.jpg>", i)
	}
	got, err := Pictures([]byte(b.String()), "http://a.test/", "text/html")
	var many *TooManyError
	if !errors.As(err, &many) || many.Beyond != 7 || len(got) != maxPictures {
		t.Errorf("%d pictures, %v", len(got), err)
	}
}

// A page of many pictures, figures inside each other and elements without text costs a bounded look at each picture.
func TestPicturesWithoutText(t *testing.T) {
	page := strings.Repeat("<figure>", 400) + strings.Repeat("<b></b>", 100_000) + strings.Repeat("<img src=a>", maxPictures) + strings.Repeat("<i></i>", 100_000)
	got, err := Pictures([]byte(page), "http://a.test/", "text/html")
	if err != nil || len(got) != maxPictures {
		t.Errorf("%d pictures, %v", len(got), err)
	}
	left := maxLooked
	root, _ := treeOf([]byte(page), "text/html")
	if s := textWithin(root, &left); s != "" || left > 0 {
		t.Errorf("%q, %d nodes left", s, left)
	}
}
