package boilerplate_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"varve/lab/websim"
	"varve/text/boilerplate"
)

// On pages of the simulated web all paragraphs of the article are found, and neither advertisement nor navigation.
func TestSimulatedPages(t *testing.T) {
	var hit, words, extra, got int
	for _, preset := range []string{"layers", "blog"} {
		spec, err := websim.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		w, err := websim.New(spec, 4)
		if err != nil {
			t.Fatal(err)
		}
		at := w.Epoch().Add(20 * 24 * time.Hour)
		for id := range websim.PageID(min(w.Len(), 15)) {
			a := w.Get(w.URL(id, at), at)
			if w.Page(id).Type != websim.HTML || a.Status != 200 {
				continue
			}
			want, _ := article(t, string(a.Body))
			h, e, n := overlap(want, boilerplate.Find(a.Body, boilerplate.Limits{}).Text)
			hit, words, extra, got = hit+h, words+len(strings.Fields(want)), extra+e, got+n
		}
	}
	recall, precision := float64(hit)/float64(words), 1-float64(extra)/float64(got)
	t.Logf("%d words, recall %.3f, precision %.3f", words, recall, precision)
	if recall < 0.97 || precision < 0.95 {
		t.Errorf("recall %.3f, precision %.3f", recall, precision)
	}
}

// article gives the words of paragraphs and headings in the article, by parsing the page.
func article(t *testing.T, page string) (string, bool) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		in := false
		for p := n.Parent; p != nil; p = p.Parent {
			in = in || p.Data == "article"
		}
		if in && n.Parent.Data != "time" {
			b.WriteString(n.Data + " ")
		}
	}
	return b.String(), b.Len() > 0
}

// overlap counts the words of want that are in got, as a bag, and the words of got that are not in want.
func overlap(want, got string) (hit, extra, n int) {
	bag := map[string]int{}
	for w := range strings.FieldsSeq(want) {
		bag[w]++
	}
	for w := range strings.FieldsSeq(got) {
		n++
		if bag[w] > 0 {
			bag[w]--
			hit++
		} else {
			extra++
		}
	}
	return hit, extra, n
}
