package ui

import (
	"context"
	"slices"
	"strings"

	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/search"
)

// whoWhat is the panel of what texts speak of: the facets that analyses brought, whichever they are. It has the values that most versions have, or
// those that rose.
type whoWhat struct {
	Lists  []facetList
	Views  []viewLink // the most frequent, or rising
	Rising bool
	Time   string // of what rises, in words
	Found  bool   // there are such facets at all
}

// namesParam is the parameter that says which values the panel has; only the screen knows it.
const namesParam = "names"

// mayBeChance is the score below which no rise is shown: by chance it has a probability of 0.05 (chi-squared, one degree).
const mayBeChance = 3.84

// addWhoWhat makes the panel of lists that were counted.
func (d *searchData) addWhoWhat(ctx context.Context, u *UI, q fulltext.Query, lists []facetList) error {
	d.Who = whoWhat{Lists: lists, Found: len(d.Declared) > 0, Rising: d.Q.Get(namesParam) == "rising"}
	if !d.Who.Found {
		return nil
	}
	d.Who.Views = []viewLink{{d.say.Text("most often"), d.with(namesParam), !d.Who.Rising}, {d.say.Text("rising"), d.with(namesParam, "rising"), d.Who.Rising}}
	if d.Who.Rising {
		return d.addRising(ctx, u, q)
	}
	for i := range d.Who.Lists {
		d.Who.Lists[i].Over = d.overTime(&d.Who.Lists[i])
	}
	return nil
}

// addRising puts what rose into the panel: in the time that is asked for, else in the newest bucket of the timeline.
func (d *searchData) addRising(ctx context.Context, u *UI, q fulltext.Query) error {
	d.Who.Lists = nil
	if q.From.IsZero() {
		if d.Time == nil {
			return nil
		}
		q.From = d.Time.Bars[len(d.Time.Bars)-1].At
	}
	d.Who.Time = spanWords(d.say, &fulltext.Query{From: q.From, To: q.To})
	q.Facets, q.Limit = nil, facetTop
	for _, f := range d.Declared {
		q.Facets = append(q.Facets, f.Name)
	}
	found, err := search.AskRising(ctx, u.cfg.Texts, d.Q.Get("collection"), q)
	if err != nil {
		return err
	}
	for _, declared := range d.Declared {
		i := slices.IndexFunc(found.Facets, func(r search.RisingFacet) bool { return r.Facet == declared.Name })
		r := found.Facets[i]
		l := facetList{Facet: r.Facet, Label: d.labelOf(r.Facet)}
		chosen := d.chosen(r.Facet)
		if len(chosen) > 0 {
			l.Clear = d.facetHref(r.Facet, nil)
		}
		for _, x := range r.Values {
			if x.Score < mayBeChance {
				break
			}
			n := d.facetName(r.Facet, x.Term, x.Hits, chosen)
			n.Rise = d.say.Text("{0} of {1} versions, before {2} of {3}", x.Hits, r.In, x.Other, r.Before)
			n.Times = d.say.Decimal(x.Times, 1) + "×"
			if x.Other == 0 {
				n.Times = d.say.Text("new")
			}
			n.Chance = x.Score < byChance
			l.Names = append(l.Names, n)
		}
		if len(l.Names) > 0 {
			l.Over = d.overTime(&l)
			d.Who.Lists = append(d.Who.Lists, l)
		}
	}
	return nil
}

// linesTogether is how many values are compared over time.
const linesTogether = 5

// overTime is the address of the values of a list over time: those that are chosen, else the first ones; "" if they cannot be asked for.
func (d *searchData) overTime(l *facetList) string {
	keep := d.copy("cursor", "from", "to", "asof", "relation", "sort", "group", "limit", "trend", "facet", namesParam)
	for _, pair := range d.Q["facet"] {
		if name, _, _ := strings.Cut(pair, ":"); strings.TrimPrefix(name, "-") != l.Facet {
			keep.Add("facet", pair)
		}
	}
	if declared := d.declared(l.Facet); declared != nil && declared.Kind == derive.FacetNumbers {
		if l.Facet != search.OpinionFacet {
			return ""
		}
		if i := slices.IndexFunc(l.Names, func(n facetName) bool { return n.On && !n.without() && fulltext.Quotable(n.Value) }); i >= 0 {
			keep.Set("about", l.Names[i].Value)
		}
		return address("/opinions", keep)
	}
	anyChosen := slices.ContainsFunc(l.Names, func(n facetName) bool { return n.On && !n.without() })
	var terms []string
	for _, n := range l.Names {
		if typed := search.Typed(l.Facet, n.Value); typed != "" && !n.without() && (n.On || !anyChosen) && len(terms) < linesTogether {
			terms = append(terms, typed)
		}
	}
	if len(terms) == 0 {
		return ""
	}
	keep.Set("terms", strings.Join(terms, ","))
	return address("/trends", keep)
}

// typed returns the whole question as it can be typed; "" if it has no condition beside the words, or one that cannot be typed.
func (d *searchData) typed(q *fulltext.Query) string {
	text, any := d.Q.Get("q"), false
	for _, f := range d.Declared {
		var one []string
		for _, v := range q.Filters[f.Name] {
			one = append(one, search.Typed(f.Name, v))
		}
		var none []string
		for _, v := range q.Without[f.Name] {
			none = append(none, search.Typed(f.Name, v))
		}
		if f.Kind == derive.FacetNumbers && len(one)+len(none) > 0 || slices.Contains(one, "") || slices.Contains(none, "") {
			return ""
		}
		if any = any || len(one)+len(none) > 0; len(one) > 1 {
			one = []string{"(" + strings.Join(one, " OR ") + ")"}
		}
		for _, x := range none {
			one = append(one, "-"+x)
		}
		if len(one) > 0 {
			if text = strings.TrimSpace(text); strings.Contains(text, " OR ") {
				text = "(" + text + ")"
			}
			text = strings.TrimSpace(text + " " + strings.Join(one, " "))
		}
	}
	if !any {
		return ""
	}
	return text
}

// speakingOf says in words which values versions must have and must not have.
func (d *searchData) speakingOf(q *fulltext.Query) string {
	var out []string
	for _, f := range d.Declared {
		kind := strings.ToLower(d.labelOf(f.Name))
		if values := q.Filters[f.Name]; len(values) > 0 {
			out = append(out, d.say.Text("with {0} ({1})", strings.Join(values, " "+d.say.Text("or")+" "), kind))
		}
		if values := q.Without[f.Name]; len(values) > 0 {
			out = append(out, d.say.Text("without {0} ({1})", strings.Join(values, " "+d.say.Text("and")+" "), kind))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + d.say.Text("Only those {0}.", strings.Join(out, ", "))
}
