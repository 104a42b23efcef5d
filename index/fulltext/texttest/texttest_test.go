package texttest

import (
	"path/filepath"
	"testing"

	"varve/index/fulltext"
)

// TestEmbedded runs the suite on the index of one machine.
func TestEmbedded(t *testing.T) { Run(t, Embedded) }

// The comparison must see a difference of one document, of one count and of an order.
func TestDiffer(t *testing.T) {
	ix := Embedded(t, "texttest", Write(t, t.TempDir(), library(), facetsOf), labels)
	other := Embedded(t, "texttest", Write(t, filepath.Join(t.TempDir()), library()[1:], facetsOf), labels)
	q := fulltext.Query{Text: "law", Facets: []string{"host"}, Trend: fulltext.ByYear}
	if d := Differ(ask(t, ix, nil, q), ask(t, ix, nil, q)); d != "" {
		t.Errorf("the same: %s", d)
	}
	if Differ(ask(t, ix, nil, q), ask(t, other, nil, q)) == "" {
		t.Error("a document less, and nobody sees it")
	}
	a, b := ask(t, ix, nil, q), ask(t, ix, nil, q)
	b.Hits[0], b.Hits[4] = b.Hits[4], b.Hits[0]
	if Differ(a, b) == "" {
		t.Error("another order, and nobody sees it")
	}
	b = ask(t, ix, nil, q)
	b.Facets["host"][0].Count++
	if Differ(a, b) == "" {
		t.Error("another count, and nobody sees it")
	}
	src := func(x fulltext.Text) []fulltext.Source { return []fulltext.Source{{Name: "c", Index: x}} }
	if got := Compare(t, 5, 200, src(ix), src(ix), library(), []string{"person:Ann Berg"}); got.Equal != 200 || got.Found < 50 {
		t.Errorf("%+v", got)
	}
}
