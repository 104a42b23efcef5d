package lid

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"varve/lab/eval/maintext"
	"varve/text/boilerplate"
	"varve/text/charset"
	"varve/text/lang"
	"varve/web/links"
)

// Pages is what was measured on real pages, against the language that they declare. Declarations are wrong now and
// then, so this is a lower bound.
type Pages struct {
	Pages    int            `json:"pages"` // with a declared language that the model knows, and a main text
	Agree    int            `json:"agree"`
	Declared map[string]int `json:"declared"`
	Differ   []string       `json:"differ"` // file: declared, said
}

// MeasurePages identifies the language of the main text of real pages.
func MeasurePages(x *lang.Identifier, pages []maintext.Page) Pages {
	r := Pages{Declared: map[string]int{}}
	known := x.Languages()
	for _, p := range pages {
		body, _ := charset.ToUTF8(p.Body, "")
		info, err := links.Extract(links.Document{URL: "http://page.example/", MIME: "text/html", Charset: "utf-8", Body: body}, func(links.Link) {})
		said := declared(info.Lang)
		if err != nil || !slices.Contains(known, said) {
			continue
		}
		text := boilerplate.Find(body, boilerplate.Limits{}).Text
		if len(text) < 100 {
			continue
		}
		r.Pages++
		r.Declared[said]++
		if g := x.Identify(text); g.Lang == said {
			r.Agree++
		} else {
			r.Differ = append(r.Differ, fmt.Sprintf("%s: declares %s, we say %s (%.2f)", p.File, said, g.Lang, g.Confidence))
		}
	}
	return r
}

// declared is the language of a lang attribute: de-AT is de, no is nb.
func declared(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	switch tag {
	case "no":
		return "nb"
	case "fil":
		return "tl"
	}
	return tag
}

// Print writes the figures.
func (p Pages) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nreal pages with a declared language: %d, the same found for %d (%.3f)\n ", p.Pages, p.Agree, float64(p.Agree)/float64(max(1, p.Pages)))
	for _, l := range slices.Sorted(maps.Keys(p.Declared)) {
		fmt.Fprintf(&b, " %s %d", l, p.Declared[l])
	}
	b.WriteString("\n")
	for _, d := range p.Differ {
		b.WriteString("  " + d + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
