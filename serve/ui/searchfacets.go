package ui

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/search"
)

// facetList is one facet with its names as links.
type facetList struct {
	Facet, Label string
	Names        []facetName
	Clear        string // address without any condition on it
	Over         string // address of its values over time
}

// facetName is a name of a facet: a click adds it to the conditions or takes it out again.
type facetName struct {
	Label string
	Value string // with a dash before it if it must be missing
	Count int64
	On    bool
	Href  string
	Not   string // address with all but it; empty where there is no such thing

	Rise   string // of one that rises: how often it was there, and before
	Times  string // how many times its share before
	Chance bool   // it may be chance
}

// without reports whether the value must be missing.
func (n facetName) without() bool { return n.On && strings.HasPrefix(n.Value, "-") }

// facetLabels are the facets that are shown, in this order, as far as the index has them.
var facetLabels = []struct{ name, label string }{
	{"collection", "Collection"},
	{"host", "Host"},
	{"lang", "Language"},
	{"mime", "Type"},
	{"year", "First seen in"},
	{"coherence", "Coherence"},
	{"spam", "Spam"},
	{"domain", "Domain"},
	{"crawl", "Crawl"},
}

func (a *asked) labelOf(facet string) string {
	for _, f := range facetLabels {
		if f.name == facet {
			return a.say.Word(f.label)
		}
	}
	if d := a.declared(facet); d != nil && d.Kind == derive.FacetNumbers {
		return a.say.Text("{0} about", a.say.Word(d.Title))
	} else if d != nil {
		return a.say.Word(d.Title)
	}
	return facet
}

// declared returns a facet that an analysis brought; nil if there is none of that name.
func (a *asked) declared(facet string) *derive.Facet {
	if i := slices.IndexFunc(a.Declared, func(d derive.Facet) bool { return d.Name == facet }); i >= 0 {
		return &a.Declared[i]
	}
	return nil
}

// chosen are the values of a facet that are conditions, each with a dash before it if it must be missing.
func (a *asked) chosen(facet string) (out []string) {
	if a.declared(facet) == nil {
		return splitValues(a.Q[facet])
	}
	for _, pair := range a.Q["facet"] {
		name, value, _ := strings.Cut(pair, ":")
		if name == "-"+facet {
			out = append(out, "-"+value)
		} else if name == facet {
			out = append(out, value)
		}
	}
	return out
}

// facetTop is how many names of a facet are shown.
const facetTop = 8

// shownFacets are the facets of the index that the screen shows. Domains only say more than hosts where they
// were asked for.
func (a *asked) shownFacets() (out []string) {
	have := fulltext.Facets()
	for _, f := range facetLabels {
		if slices.Contains(have, f.name) && (f.name != "domain" || len(a.Q["domain"]) > 0) {
			out = append(out, f.name)
		}
	}
	for _, d := range a.Declared {
		out = append(out, d.Name)
	}
	return out
}

// freeFacets are the shown facets without conditions: one query counts them all.
func (a *asked) freeFacets() []string {
	return slices.DeleteFunc(a.shownFacets(), func(f string) bool { return len(a.chosen(f)) > 0 })
}

// addFacets counts the names of facets. One with conditions is counted as if it had none, so that more of its
// names can be chosen.
func (d *searchData) addFacets(ctx context.Context, u *UI, q fulltext.Query) error {
	var speaks []facetList // what analyses brought
	for _, f := range d.shownFacets() {
		counts := d.Answer.Facets[f]
		if len(d.chosen(f)) > 0 {
			wider := search.AnyValue(q, f)
			wider.Facets, wider.Limit, wider.Cursor, wider.Group = []string{f}, -1, "", false
			of := d.Q.Get("collection")
			if f == "collection" {
				of = ""
			}
			a, err := search.Ask(ctx, u.cfg.Texts, of, wider)
			if err != nil {
				return err
			}
			counts = a.Facets[f]
		}
		l := d.facet(f, counts)
		switch {
		case d.declared(f) == nil && (len(l.Names) > 1 || len(d.chosen(f)) > 0):
			d.Facets = append(d.Facets, l)
		case d.declared(f) != nil && len(l.Names) > 0:
			speaks = append(speaks, l)
		}
	}
	return d.addWhoWhat(ctx, u, q, speaks)
}

// facet makes the links of a facet. Chosen names that nothing fits are shown too: they can be taken out.
func (d *searchData) facet(name string, counts []fulltext.Count) facetList {
	l := facetList{Facet: name, Label: d.labelOf(name)}
	chosen := d.chosen(name)
	if len(chosen) > 0 {
		l.Clear = d.facetHref(name, nil)
	}
	shown := map[string]bool{}
	for _, c := range counts {
		value := c.Name
		if value == "" && d.declared(name) != nil {
			continue // of the whole text, about nothing
		} else if value == "" {
			value = "none"
		}
		if on := slices.Contains(chosen, value); on || len(l.Names) < facetTop {
			shown[value] = true
			l.Names = append(l.Names, d.facetName(name, value, c.Count, chosen))
		}
	}
	for _, value := range chosen {
		if !shown[value] {
			l.Names = append(l.Names, d.facetName(name, value, 0, chosen))
		}
	}
	return l
}

func (d *searchData) facetName(facet, value string, count int64, chosen []string) facetName {
	n := facetName{Label: d.valueLabel(facet, value), Value: value, Count: count, On: slices.Contains(chosen, value)}
	if n.On {
		n.Href = d.facetHref(facet, slices.DeleteFunc(slices.Clone(chosen), func(s string) bool { return s == value }))
		return n
	}
	n.Href = d.facetHref(facet, append(slices.Clone(chosen), value))
	if facet != "collection" {
		n.Not = d.facetHref(facet, append(slices.Clone(chosen), "-"+value))
	}
	return n
}

// facetHref is the address with these values of a facet. Collections are one parameter: that is how they are
// asked for everywhere.
func (d *searchData) facetHref(facet string, values []string) string {
	if facet == "collection" {
		values = []string{strings.Join(values, ",")}
	}
	if d.declared(facet) == nil {
		return d.with(facet, values...)
	}
	rest := slices.DeleteFunc(slices.Clone(d.Q["facet"]), func(pair string) bool {
		name, _, _ := strings.Cut(pair, ":")
		return strings.TrimPrefix(name, "-") == facet
	})
	for _, v := range values {
		value, not := strings.CutPrefix(v, "-")
		rest = append(rest, map[bool]string{true: "-"}[not]+facet+":"+value)
	}
	return d.with("facet", rest...)
}

// valueLabel is how a value of a facet is written.
func (a *asked) valueLabel(facet, value string) string {
	name, not := strings.CutPrefix(value, "-")
	switch {
	case a.declared(facet) != nil:
	case name == "none":
		name = a.say.Text("unknown")
	case facet == "collection" && a.Titles[name] != "":
		name = a.Titles[name]
	case facet == "lang":
		name = a.say.LanguageName(name)
	case facet == "crawl":
		if t, err := time.Parse("20060102T150405Z", name); err == nil {
			name = a.say.Stamp(t)
		}
	}
	if not {
		return a.say.Text("not {0}", name)
	}
	return name
}

// splitValues takes parameters apart at commas.
func splitValues(list []string) (out []string) {
	for _, v := range list {
		for name := range strings.SplitSeq(v, ",") {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// condition is one that is in force, with the address without it.
type condition struct{ Label, Href string }

// conditions lists what narrows the search, beside the words.
func (d *searchData) conditions(q *fulltext.Query) (out []condition) {
	if !q.From.IsZero() || !q.To.IsZero() {
		out = append(out, condition{spanWords(d.say, q), address(d.Path, d.copy("cursor", "from", "to", "relation"))})
	}
	if !q.AsOf.IsZero() {
		out = append(out, condition{d.say.Text("as of {0}", instant(d.say, q.AsOf)), d.with("asof")})
	}
	all := fulltext.Facets()
	for _, f := range d.Declared {
		all = append(all, f.Name)
	}
	for _, f := range all {
		chosen := d.chosen(f)
		for _, v := range chosen {
			rest := slices.DeleteFunc(slices.Clone(chosen), func(s string) bool { return s == v })
			out = append(out, condition{strings.ToLower(d.labelOf(f)) + ": " + d.valueLabel(f, v), d.facetHref(f, rest)})
		}
	}
	return out
}

// field is a parameter that a form must not lose though it does not show it.
type field struct{ Name, Value string }

// Kept are the fields of the search that its form does not show.
func (d searchData) Kept() []field {
	return d.kept("q", "collection", "from", "to", "asof", "relation", "sort", "cursor")
}

// Saved is the search as it is saved: what it asks, without what only the screen knows.
func (d searchData) Saved() string { return d.copy(namesParam).Encode() }

// kept are the parameters but some.
func (a *asked) kept(without ...string) (out []field) {
	rest := a.copy(without...)
	for _, k := range slices.Sorted(maps.Keys(rest)) {
		for _, v := range rest[k] {
			out = append(out, field{k, v})
		}
	}
	return out
}

// Several is the label of a choice of more than one collection; empty if there is at most one.
func (a asked) Several() string {
	names := search.Collections(a.Q.Get("collection"))
	if len(names) < 2 {
		return ""
	}
	for i, n := range names {
		names[i] = a.valueLabel("collection", n)
	}
	return strings.Join(names, ", ")
}

// values makes parameters of names and values.
func values(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Add(pairs[i], pairs[i+1])
		}
	}
	return q
}
