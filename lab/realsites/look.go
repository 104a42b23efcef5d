package realsites

import (
	"context"
	"fmt"
	"image"
	"strings"
	"unicode"

	"varve/lab/eval/capture"
)

// look is what a browser shows of a page.
type look struct {
	words   string
	picture image.Image // nil: none was taken
}

// read looks at each page in a browser: live, or in replay where base is the address of a collection. Rules say where the browser finds hosts.
func read(ctx context.Context, rules, base string, pages []Page) ([]look, error) {
	if len(pages) == 0 {
		return nil, nil
	}
	eye, err := capture.OpenEye(ctx, rules)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotHere, err)
	}
	defer eye.Close()
	looks := make([]look, len(pages))
	for i, p := range pages {
		address := p.URL
		if base != "" {
			address = base + p.URL
		}
		text, err := eye.Read(address, base != "")
		if err == nil && text == "" { // the first page of a browser on a busy machine may take longer than anybody waits
			text, err = eye.Read(address, base != "")
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			text = "could not be opened: " + err.Error()
		} else if looks[i].picture, err = eye.Picture(base != ""); err != nil {
			return nil, fmt.Errorf("picture of %s: %w", address, err)
		}
		looks[i].words = strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
	}
	return looks, nil
}

// minLike is how alike the pictures of a page must be.
const minLike = 0.97

// compare counts the pages that show the same words and look alike, and says where others part. A page is looked at twice while it is live: a word that
// differs then (a counter of visits, a clock) is the site's own doing, and need not be the same in replay; nor need a picture be more alike than
// those two are.
func (l *Line) compare(pages []Page, live, again, shown []look) {
	l.Likeness = 1
	for i, p := range pages {
		l.Looked++
		if live[i].picture != nil && again[i].picture != nil && shown[i].picture != nil {
			alike := likeness(live[i].picture, shown[i].picture)
			l.Likeness = min(l.Likeness, alike)
			if own := likeness(live[i].picture, again[i].picture); alike >= minLike || alike >= own {
				l.Alike++
			} else {
				l.Unlike = append(l.Unlike, fmt.Sprintf("%s: %.3f, two live looks %.3f", p.URL, alike, own))
			}
		}
		was, is := live[i].words, settle(live[i].words, again[i].words, shown[i].words)
		if was == is {
			l.Same++
			continue
		}
		n := 0
		for n < min(len(was), len(is)) && was[n] == is[n] {
			n++
		}
		n = strings.LastIndexByte(was[:n], ' ') + 1
		l.Differ = append(l.Differ, fmt.Sprintf("%s: live %q, replay %q", p.URL, clip(was[n:]), clip(is[min(n, len(is)):])))
	}
}

// settle replaces the words of a text that stand where two looks at a live page differ by those of the first look.
func settle(live, again, shown string) string {
	a, b, c := strings.Fields(live), strings.Fields(again), strings.Fields(shown)
	if live == again || len(a) != len(b) || len(a) != len(c) {
		return shown
	}
	for i := range a {
		if a[i] != b[i] {
			c[i] = a[i]
		}
	}
	return strings.Join(c, " ")
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
