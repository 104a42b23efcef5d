package boilerplate_test

import (
	"strings"
	"testing"

	"varve/lab/attack"
	"varve/text/boilerplate"
)

// Pages that are made to cost much end, with a text or without one.
func TestHostilePages(t *testing.T) {
	tally := attack.Count(t)
	for name, page := range map[string]string{
		"deep div":      strings.Repeat("<div>", 200_000),
		"deep a":        "<div>" + strings.Repeat("<a>", 100_000),
		"formatting":    "<div>" + strings.Repeat("<b><i><u><p>x", 20_000),
		"tables":        strings.Repeat("<table><tr><td>", 3000),
		"paragraphs":    "<div>" + strings.Repeat("<p>some text here</p>", 5000),
		"attributes":    "<div " + strings.Repeat("a='b' ", 100_000) + ">",
		"no end":        "<div><p class='",
		"jsonld":        "<script type=application/ld+json>" + strings.Repeat("[", 300_000) + "</script><div>",
		"not closed":    "<script>" + strings.Repeat("<p>", 1000),
		"zero bytes":    "<div>\x00<p>\x00</p>" + strings.Repeat("\x00", 1000),
		"nested claims": strings.Repeat("<div class=post><p>x", 40_000),
		"asides":        strings.Repeat("<aside><nav>", 300) + strings.Repeat("<br>x", 100_000),
		"nested list":   "<div>" + strings.Repeat("<ul><li>", 200) + strings.Repeat("<li>words in it", 5000),
	} {
		tally.Try(1)
		r := boilerplate.Find([]byte(page), boilerplate.Limits{})
		if len(r.Text) > len(page) || r.Text == "" && r.Method != boilerplate.None {
			t.Errorf("%s: %d characters found by %q", name, len(r.Text), r.Method)
		}
	}
}

// Finding ends, is the same each time and leaves the page alone.
func FuzzFind(f *testing.F) {
	f.Add([]byte("<article><p>" + strings.Repeat("some words, ", 80) + "</p></article><nav>x</nav>"))
	f.Add([]byte("<table><tr><td><p>a</td><div itemprop=articleBody>b</table>"))
	f.Add([]byte("<h1>a<p>b<ul><li>c&amp;d"))
	f.Fuzz(func(t *testing.T, page []byte) {
		in := append(make([]byte, 0, len(page)+8), page...)
		if a, b := boilerplate.Find(in, boilerplate.Limits{}), boilerplate.Find(in, boilerplate.Limits{}); a != b {
			t.Fatalf("%+v, then %+v", a, b)
		}
		if string(in) != string(page) {
			t.Fatal("the page was changed")
		}
	})
}
