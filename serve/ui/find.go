package ui

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
)

// The box at the top takes whatever somebody has in mind: words, an address, a name, a date. While it is typed the box
// lists what it may be (suggest), and Enter leads to the page that shows all of it (find). The list always ends with a
// search of the texts, so that nothing that is typed leads nowhere.

// findData is what the page of the box shows.
type findData struct {
	Query  string
	Found  []foundIn
	Groups []suggestions
	None   bool // it is an address, and no collection has it
}

// foundIn is what was found in one collection.
type foundIn struct {
	*holdings.Collection
	List []holdings.HeldPage
	More bool
	All  string // address of the whole list
}

// suggestions are what a text may mean, of one kind.
type suggestions struct {
	Kind string       `json:"kind"` // in words
	List []suggestion `json:"list"`
}

// suggestion is one thing that a text may mean.
type suggestion struct {
	Label string `json:"label"`
	Note  string `json:"note,omitempty"`
	Href  string `json:"href"`
}

// Sizes of the list: of each kind, and of what is looked at for addresses while somebody types.
const (
	suggested   = 4
	suggestSeen = 2000
	mostTyped   = 500 // bytes
)

// find shows all that a text in the box may mean. What can only be words is searched for at once.
func (u *UI) find(r *http.Request) (*view, error) {
	d := findData{Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	if d.Query == "" {
		return &view{template: "find", title: "Find", section: "collections", data: d}, nil
	}
	if d.Query = clip(d.Query, mostTyped); isAddress(d.Query) {
		if err := u.findAddress(r.Context(), &d); err != nil {
			return nil, err
		}
	}
	var err error
	if d.Groups, err = u.suggestions(r.Context(), d.Query, false); err != nil {
		return nil, err
	}
	if len(d.Groups) == 1 && !isAddress(d.Query) { // nothing but words
		return &view{to: d.Groups[0].List[0].Href}, nil
	}
	return &view{template: "find", title: message.From(r.Context()).Text("Find {0}", d.Query), section: "collections", data: d}, nil
}

// findAddress looks for an address in all collections.
func (u *UI) findAddress(ctx context.Context, d *findData) error {
	if u.cfg.Index == nil {
		return noIndex()
	}
	list, err := u.cfg.Holdings.Collections(ctx)
	if err != nil {
		return err
	}
	match, target := holdings.Typed(d.Query)
	for _, c := range list {
		ask := holdings.Query{Collection: c.Name, Match: match, URL: target, Limit: capturesSeen}
		pages, cursor, err := holdings.Pages(u.cfg.Index.Captures(ctx, ask), nil, 20)
		if err != nil {
			return err
		}
		if len(pages) > 0 {
			all := collectionPath(c.Name) + "/pages?" + url.Values{"url": {d.Query}, "type": {"all"}}.Encode()
			d.Found = append(d.Found, foundIn{c, pages, cursor != "", all})
		}
	}
	d.None = len(d.Found) == 0
	return nil
}

// suggest answers the box while somebody types.
func (u *UI) suggest(r *http.Request) (*view, error) {
	q := clip(strings.TrimSpace(r.URL.Query().Get("q")), mostTyped)
	groups := []suggestions{}
	if q != "" {
		var err error
		if groups, err = u.suggestions(r.Context(), q, true); err != nil {
			return nil, err
		}
	}
	body, err := json.Marshal(groups)
	return &view{file: &file{"suggestions.json", "text/json; charset=utf-8", body}}, err
}

// suggestions lists what a text may mean: names, addresses if asked for, collections, times; last the search for it.
func (u *UI) suggestions(ctx context.Context, q string, addresses bool) (out []suggestions, err error) {
	add := func(kind string, list []suggestion) {
		if len(list) > 0 {
			out = append(out, suggestions{kind, list})
		}
	}
	l := message.From(ctx)
	add(l.Text("Persons and things"), u.suggestEntities(ctx, q))
	add(l.Text("Names"), u.suggestNames(ctx, q))
	collections, err := u.cfg.Holdings.Collections(ctx)
	if err != nil {
		return nil, err
	}
	if addresses && isAddress(q) && u.cfg.Index != nil {
		list, err := u.suggestPages(ctx, q, collections)
		if err != nil {
			return nil, err
		}
		add(l.Text("Addresses"), list)
	}
	var named []suggestion
	for _, c := range collections {
		if holds(c.Title, q) || holds(c.Name, q) {
			named = append(named, suggestion{c.Title, l.Text("collection"), collectionPath(c.Name)})
		}
	}
	add(l.Text("Collections"), named[:min(len(named), suggested)])
	add(l.Text("Times"), suggestTimes(l, q))
	add(l.Text("Texts"), []suggestion{{l.Text("Search the texts for “{0}”", clip(q, 60)), "", "/search?" + url.Values{"q": {q}}.Encode()}})
	return out, nil
}

// suggestEntities returns entities that the text may name; none where names were not linked.
func (u *UI) suggestEntities(ctx context.Context, q string) (out []suggestion) {
	if u.cfg.Texts == nil || isAddress(q) {
		return nil
	}
	list, err := search.SuggestEntities(ctx, u.cfg.Texts, u.cfg.Linkers, url.Values{"prefix": {q}}, u.entityReader(ctx))
	if err != nil {
		return nil // names were not linked, or the text is no name
	}
	l := message.From(ctx)
	for _, e := range list[:min(len(list), suggested)] {
		out = append(out, suggestion{e.Label, l.Text("{0}, in {1}", clip(e.ID, 60), l.Count(e.Count, "version")), entityPath(e.ID)})
	}
	return out
}

// suggestNames completes names that analyses found; none where nothing was analysed.
func (u *UI) suggestNames(ctx context.Context, q string) (out []suggestion) {
	if u.cfg.Texts == nil || isAddress(q) {
		return nil
	}
	l := message.From(ctx)
	for _, facet := range []string{"person", "organisation", "place"} {
		names, err := search.Complete(ctx, u.cfg.Texts, facet, url.Values{"prefix": {q}})
		if err != nil {
			continue // the collections were not analysed, or the text is no name
		}
		for _, n := range names.Names[:min(len(names.Names), suggested)] {
			out = append(out, suggestion{n.Name, l.Text("{0}, in {1}", l.Word(facet), l.Count(n.Count, "version")), "/search?" + url.Values{"facet": {facet + ":" + n.Name}}.Encode()})
		}
	}
	return out
}

func (u *UI) suggestPages(ctx context.Context, q string, collections []*holdings.Collection) (out []suggestion, err error) {
	match, target := holdings.Typed(q)
	for _, c := range collections {
		ask := holdings.Query{Collection: c.Name, Match: match, URL: target, Limit: suggestSeen}
		pages, _, err := holdings.Pages(u.cfg.Index.Captures(ctx, ask), nil, suggested)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			if out = append(out, suggestion{short(p.URL, 80), c.Title + ", " + message.From(ctx).Count(p.Captures, "capture"), collectionPath(c.Name) + "/page?" + url.Values{"url": {p.URL}}.Encode()}); len(out) == 2*suggested {
				return out, nil
			}
		}
	}
	return out, nil
}

// timeForms are how people write days, months and years, with what part of time each names.
var timeForms = []struct{ layout, kind string }{
	{"2006", "year"},
	{"2006-01", "month"},
	{"January 2006", "month"},
	{"Jan 2006", "month"},
	{time.DateOnly, "day"},
	{"2 January 2006", "day"},
	{"2 Jan 2006", "day"},
	{"2.1.2006", "day"},
	{"2006/01/02", "day"},
}

// suggestTimes reads a text as a time.
func suggestTimes(l *message.Language, q string) []suggestion {
	for _, f := range timeForms {
		at, err := time.Parse(f.layout, q)
		if err != nil || at.Year() < 1990 || at.Year() > 2100 {
			continue
		}
		layout := map[string]string{"year": "2006", "month": "2006-01", "day": time.DateOnly}[f.kind]
		name := at.Format(layout)
		out := []suggestion{{l.Text("What was first seen in {0}", name), l.Text("versions"), "/search?" + url.Values{"from": {name}, "to": {name}, "relation": {string(fulltext.Begins)}}.Encode()}}
		if f.kind != "day" {
			out = append(out, suggestion{l.Text("Crawls and changes of {0}", name), l.Text("first page"), "/?" + url.Values{"at": {name}}.Encode()})
		}
		return out
	}
	return nil
}

// isAddress reports whether a text looks like an address, a host or a path: it has a scheme, or is one word with a dot or a
// slash in it.
func isAddress(q string) bool {
	return strings.HasPrefix(q, "http://") || strings.HasPrefix(q, "https://") || !strings.ContainsAny(q, " \t\"") && strings.ContainsAny(q, "./") && suggestTimes(message.English(), q) == nil
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// clip cuts a text to so many bytes, at the end of a character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
