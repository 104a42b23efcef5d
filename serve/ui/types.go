package ui

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/kind"
	"varve/language"
	"varve/serve/message"
)

// typesData is what the screen of kinds shows: a text, its names, and for one of them the tree of types: accepted, rejected, untested.
type typesData struct {
	Tabs       asked
	Text       string
	Example    string // address of an example
	Taxonomy   string
	Taxonomies []viewLink
	Asked      bool
	Names      []typedName
	Chosen     *typedName
	Accepted   int
	Rejected   int
	Untested   int
	Tree       []*typeNode
	JSON       string
}

// typedName is a name of the text.
type typedName struct {
	Name  string
	Kinds []string // the most special ones
	Href  string
	Here  bool
}

// typeNode is a type in the tree. One with several parents stands below each of them.
type typeNode struct {
	Label, Gloss string
	Mark         string // class of its tag
	Sure         float64
	Tested, Open bool // open: accepted
	Below        []*typeNode
}

// maxTyped is the longest text that the screen takes, in bytes: it stands in the address.
const maxTyped = 4000

const typesExample = "Marie Curie, a physicist from Warsaw, worked at the University of Paris. Her daughter, the chemist Irène Joliot-Curie, married Frédéric Joliot. The Nobel Prize was given to her in Stockholm in 1935."

// types shows of what kinds the names of a text are.
func (u *UI) types(r *http.Request) (*view, error) {
	q := r.URL.Query()
	text := strings.TrimSpace(q.Get("text"))
	for len(text) > maxTyped {
		_, n := utf8.DecodeLastRuneInString(text[:maxTyped+1])
		text = text[:maxTyped+1-n]
	}
	d := &typesData{Text: text, Taxonomy: kind.WordNet, Asked: text != ""}
	if q.Get("taxonomy") == kind.FIGER {
		d.Taxonomy = kind.FIGER
	}
	d.Example = d.address(typesExample, -1)
	say := message.From(r.Context())
	d.Taxonomies = []viewLink{{say.Text("WordNet, nine levels"), kind.WordNet, d.Taxonomy == kind.WordNet}, {say.Text("FIGER, two levels"), kind.FIGER, d.Taxonomy == kind.FIGER}}
	d.JSON = "/api/types/" + d.Taxonomy
	var err error
	if d.Tabs, err = u.askedBy(r, "types"); err != nil {
		return nil, err
	}
	v := &view{template: "types", title: say.Text("Kinds of names"), section: "search", data: d}
	if !d.Asked {
		return v, nil
	}
	chosen, err := strconv.Atoi(q.Get("name"))
	if err != nil {
		chosen = 0
	}
	return v, d.ask(r.Context(), chosen)
}

// address is that of the screen with a text and a name chosen.
func (d *typesData) address(text string, name int) string {
	q := url.Values{"text": {text}}
	if d.Taxonomy != kind.WordNet {
		q.Set("taxonomy", d.Taxonomy)
	}
	if name >= 0 {
		q.Set("name", strconv.Itoa(name))
	}
	return "/types?" + q.Encode()
}

func (d *typesData) ask(ctx context.Context, chosen int) error {
	m, err := kind.Default(d.Taxonomy)
	if err != nil {
		return err
	}
	found, err := annotate.Analyse(ctx, annotate.Content{MIME: "text/plain; charset=utf-8", Body: []byte(d.Text), Language: "en", Types: d.Taxonomy}, derive.Options{}, []language.Unit{language.Mentions})
	if err != nil {
		return err
	}
	for i, n := range found.Types {
		d.Names = append(d.Names, typedName{Name: n.Text, Kinds: m.Leaves(n.Verdict), Href: d.address(d.Text, i) + "#tree", Here: i == chosen})
	}
	if chosen >= 0 && chosen < len(found.Types) {
		d.Chosen = &d.Names[chosen]
		d.Tree = typeTree(m.Taxonomy(), found.Types[chosen].Verdict, m.Taxonomy().Roots)
		for _, s := range found.Types[chosen].Verdict.States {
			switch s {
			case kind.Accepted:
				d.Accepted++
			case kind.Rejected:
				d.Rejected++
			default:
				d.Untested++
			}
		}
	}
	return nil
}

// typeTree makes the tree below some types: what was tested first, then by name.
func typeTree(t *kind.Taxonomy, v *kind.Verdict, types []int) []*typeNode {
	types = slices.Clone(types)
	slices.SortStableFunc(types, func(a, b int) int { return int(v.States[b]) - int(v.States[a]) })
	var out []*typeNode
	for _, i := range types {
		n := &typeNode{Label: t.Types[i].Label, Gloss: t.Types[i].Gloss, Mark: "plain", Tested: v.States[i] != kind.Untested}
		switch v.States[i] {
		case kind.Accepted:
			n.Mark, n.Open = "", true
		case kind.Rejected:
			n.Mark = "bad"
		}
		if n.Tested {
			n.Sure = v.Confidence(i)
		}
		n.Below = typeTree(t, v, t.Children(i))
		out = append(out, n)
	}
	return out
}
