package object

import (
	"bytes"
	"fmt"

	"varve/web/canon"
)

// Picture is a picture on a page, with what the page says of it.
type Picture struct {
	URL     string
	Alt     string // what stands for it where it is not shown
	Title   string // what is shown beside the pointer
	Caption string // of the figure that it stands in
	Around  string // text next to it; the caption if there is one
}

// maxPictures is how many pictures of a page are told.
const maxPictures = 1000

// sources are the attributes that may hold the address of a picture, the first that is there; pages that load pictures when they come into view put a
// placeholder into src.
var sources = []string{"data-src", "data-original", "data-lazy-src", "src"}

// Pictures returns the pictures of an HTML page in its order: img elements, each time that one is shown, and the picture that stands for the page
// (og:image), if no element shows it. contentType is what the server said. A TooManyError or ErrLong comes with what was found.
func Pictures(page []byte, from, contentType string) ([]Picture, error) {
	base, err := canon.Parse(from)
	if err != nil {
		return nil, fmt.Errorf("page at %q: %w", from, err)
	}
	if !hasPictures(page) {
		return nil, nil
	}
	root, long := treeOf(page, contentType)
	x := &extractor{base: base, byURL: map[string]int{}, meta: map[string]string{}}
	x.head(root)
	var out []Picture
	shown := map[string]bool{}
	add := func(ref string, p Picture) {
		u, ok := x.resolve(ref)
		switch {
		case !ok:
			x.long(ref)
		case len(out) >= maxPictures:
			x.beyond++
		default:
			p.URL, p.Alt, p.Title, p.Around = u, clip(p.Alt, maxText), clip(p.Title, maxText), clip(p.Around, 2*maxAround+10)
			out, shown[u] = append(out, p), true
		}
	}
	for n := range root.Descendants() {
		if n.Element != elImg {
			continue
		}
		for _, name := range sources {
			if ref := n.Attr(name); ref != "" {
				c := caption(n)
				add(ref, Picture{Alt: n.Attr("alt"), Title: n.Attr("title"), Caption: c, Around: firstOf(c, nextTo(n))})
				break
			}
		}
	}
	if u, ok := x.resolve(firstOf(x.meta["og:image:secure_url"], x.meta["og:image:url"], x.meta["og:image"], x.meta["twitter:image"])); ok && !shown[u] {
		add(u, Picture{Alt: firstOf(x.meta["og:image:alt"], x.meta["twitter:image:alt"]), Title: firstOf(x.meta["og:title"], x.title)})
	}
	if x.beyond > 0 {
		return out, &TooManyError{x.beyond, long}
	}
	return out, long
}

// hasPictures reports whether a page may show pictures: most API answers and many frames have none and need no tree.
func hasPictures(page []byte) bool {
	page = page[:min(len(page), maxPage)]
	if bytes.Contains(page, []byte("og:image")) || bytes.Contains(page, []byte("twitter:image")) {
		return true
	}
	for rest := page; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
		if len(rest) >= 3 && bytes.EqualFold(rest[:3], []byte("img")) {
			return true
		}
	}
}
