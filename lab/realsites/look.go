package realsites

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"varve/lab/eval/capture"
)

// read gives the words of each page as a browser shows them: live, or in replay where base is the address of a collection. Rules say
// where the browser finds hosts.
func read(ctx context.Context, rules, base string, pages []Page) ([]string, error) {
	if len(pages) == 0 {
		return nil, nil
	}
	eye, err := capture.OpenEye(ctx, rules)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotHere, err)
	}
	defer eye.Close()
	texts := make([]string, len(pages))
	for i, p := range pages {
		address := p.URL
		if base != "" {
			address = base + p.URL
		}
		text, err := eye.Read(address, base != "")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			text = "could not be opened: " + err.Error()
		}
		texts[i] = strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
	}
	return texts, nil
}

// compare counts the pages that show the same words, and says where others part. A page is looked at twice while it is live: a word that
// differs then (a counter of visits, a clock) is the site's own doing, and need not be the same in replay.
func (l *Line) compare(pages []Page, live, again, shown []string) {
	for i, p := range pages {
		l.Looked++
		shown[i] = settle(live[i], again[i], shown[i])
		if live[i] == shown[i] {
			l.Same++
			continue
		}
		n := 0
		for n < min(len(live[i]), len(shown[i])) && live[i][n] == shown[i][n] {
			n++
		}
		n = strings.LastIndexByte(live[i][:n], ' ') + 1
		l.Differ = append(l.Differ, fmt.Sprintf("%s: live %q, replay %q", p.URL, clip(live[i][n:]), clip(shown[i][min(n, len(shown[i])):])))
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
