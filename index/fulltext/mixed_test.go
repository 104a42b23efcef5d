package fulltext

import (
	"fmt"
	"testing"
	"time"

	"varve/derive"
)

// What withheld links call a page is not searched, not shown, not counted and gives no score; pages of which all links may be seen are
// found as before.
func TestMixedAnchors(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	page := func(name, anchors string, inlinks int32) derive.VersionRow {
		return derive.VersionRow{
			URL: "http://a.test/" + name, SURT: "test,a)/" + name, Host: "a.test", From: at, Last: at, Captures: 1, MIME: "text/html", Title: name,
			Text: "the text of a page about the river", Anchors: anchors, Inlinks: inlinks,
		}
	}
	list := []derive.VersionRow{page("mixed", "open name\nhushed name of the page", 2), page("open", "hushed as well", 1)}
	later := page("twice", "said by itself hushed", 1)
	list = append(list, later)
	later.From, later.Last, later.Text = at.AddDate(1, 0, 0), at.AddDate(1, 0, 0), "another text about the river"
	list = append(list, later)
	ix := build(t, list)
	view := &View{
		Key: 1, May: func(surt string, first time.Time) bool { return surt != "test,a)/twice" || first.Equal(at) },
		Mixed: func() func(string) bool { return func(surt string) bool { return surt == "test,a)/mixed" } },
		Links: func(string) (string, int32, error) { return "open name", 1, nil },
	}
	ask := func(v *View, text string) (out []string) {
		t.Helper()
		a, err := Search(t.Context(), []Source{{Index: ix, View: v}}, Query{Text: text, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			s := h.Title
			for _, p := range h.Snippet {
				if p.Hit {
					s += " " + p.Text
				}
			}
			out = append(out, s+fmt.Sprint(" ", h.Inlinks))
		}
		return out
	}
	for text, want := range map[string]string{
		"hushed": "[open hushed 1]", "anchor:hushed": "[open hushed 1]", "hush*": "[open hushed 1]", `"hushed name"`: "[]", `anchor:"hushed name"`: "[]", `"page hushed"~5`: "[]", "mixed": "[mixed 1]",
	} {
		if got := fmt.Sprint(ask(view, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := ask(nil, "hushed"); len(got) != 4 {
		t.Errorf("without a view: %v", got)
	}
	if n := len(ask(view, "river NOT anchor:hushed")); n != 2 {
		t.Errorf("what must be missing: %d", n)
	}
	for surt, want := range map[string]string{"test,a)/mixed": "open name", "test,a)/open": "hushed as well", "test,a)/twice": "open name"} {
		v, err := ix.Versions(surt, view, 10)
		if err != nil || len(v) != 1 || v[0].Anchors != want {
			t.Errorf("%s: %v %+v", surt, err, v)
		}
	}
	if n, m := len(ask(nil, "river name")), len(ask(view, "river name")); n != 1 || m != 0 {
		t.Errorf("by a name that is withheld in part: %d without a view, %d with it", n, m)
	}
}
