package ui

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
)

// searchData is what the search screen shows.
type searchData struct {
	asked
	Answer     *fulltext.Answer
	Time       *timeline
	Said       string // the condition of time, in words
	Hits       []hitView
	Facets     []facetList
	Who        whoWhat
	Typed      string      // the question with its facets, as it can be typed
	Conditions []condition // in force, each with the address without it
	Formats    []exportLink
	Trouble    *askTrouble // why there is no answer
	Hints      []hint      // ways on from nothing
	Also       []hint      // other spellings of the words, at other times
	Called     []otherName // other names of what is asked for, at other times
	Withheld   bool        // nothing was found, and rules withhold something
	Groups     string      // address with or without groups
	Grouped    bool
	First      string // address of the first results, if these are not
	Next       string
}

// asked is what the screens about texts have in common: the collections there are and the parameters.
type asked struct {
	All    []*holdings.Collection
	Titles map[string]string
	Q      url.Values
	Path   string // of the screen
	Tab    string // search, trends, cloud, beside, opinions, facts, searches, selection
	Chief  bool   // the visitor may select

	Declared []derive.Facet // that analyses brought
	say      *message.Language
}

// askedBy reads what a screen about texts is asked. Empty parameters, as forms send them, are none.
func (u *UI) askedBy(r *http.Request, tab string) (asked, error) {
	a := asked{Q: url.Values{}, Path: r.URL.Path, Tab: tab, Titles: map[string]string{}, Chief: access.From(r.Context()).Can(access.Curator), say: message.From(r.Context())}
	for k, list := range r.URL.Query() {
		if list = slices.DeleteFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" }); len(list) > 0 {
			a.Q[k] = list
		}
	}
	var err error
	a.All, err = u.cfg.Holdings.Collections(r.Context())
	for _, c := range a.All {
		a.Titles[c.Name] = c.Title
	}
	return a, err
}

// with gives the address of the screen with one parameter changed; the place in the list is forgotten.
func (a *asked) with(name string, values ...string) string {
	q := a.copy("cursor", name)
	for _, v := range values {
		if v != "" {
			q.Add(name, v)
		}
	}
	return address(a.Path, q)
}

// copy gives the parameters without some.
func (a *asked) copy(without ...string) url.Values {
	q := url.Values{}
	for k, v := range a.Q {
		if !slices.Contains(without, k) {
			q[k] = v
		}
	}
	return q
}

// address puts a path and its parameters together.
func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// TabLinks are the screens about texts; they keep the collections and facets that were chosen.
func (a asked) TabLinks() []viewLink {
	keep := url.Values{}
	for _, k := range []string{"collection", "host", "domain", "lang", "mime"} {
		if v := a.Q[k]; len(v) > 0 {
			keep[k] = v
		}
	}
	var out []viewLink
	for _, t := range []struct{ name, label, path string }{
		{"search", a.say.Text("Search"), "/search"},
		{"trends", a.say.Text("Trends"), "/trends"},
		{"cloud", a.say.Text("Rising words"), "/cloud"},
		{"beside", a.say.Text("Two collections"), "/beside"},
		{"opinions", a.say.Text("Opinions"), "/opinions"},
		{"facts", a.say.Text("Facts"), "/facts"},
		{"types", a.say.Text("Kinds of names"), "/types"},
		{"statistics", a.say.Text("[screen]|Statistics"), "/statistics"},
		{"searches", a.say.Text("Saved searches"), "/searches"},
		{"selection", a.say.Text("Selections"), "/selections"},
	} {
		if t.name == "selection" && !a.Chief {
			continue
		}
		q := url.Values{}
		switch {
		case t.name == a.Tab:
			q = a.copy("cursor")
		case t.path != "/searches" && t.path != "/selections":
			for k, v := range keep {
				q[k] = v
			}
			if words := a.Q.Get("q"); words != "" && t.name == "trends" {
				q.Set("terms", words)
			} else if words != "" && t.name == "opinions" {
				q.Set("q", words)
			}
			if terms := a.Q.Get("terms"); terms != "" && t.name == "search" {
				q.Set("q", search.Terms(terms)[0])
			}
		}
		out = append(out, viewLink{t.label, address(t.path, q), t.name == a.Tab})
	}
	return out
}

// resultsShown is the number of results of a page.
const resultsShown = 10

// search finds versions of pages by text, time and facets.
func (u *UI) search(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "search")
	if err != nil {
		return nil, err
	}
	d := &searchData{asked: a}
	v := &view{template: "search", title: a.say.Text("Search"), section: "search", data: d}
	if len(a.All) == 0 {
		return v, nil
	}
	if words := a.Q.Get("q"); words != "" {
		v.title = a.say.Text("Search: {0}", words)
	}
	if err := d.ask(r.Context(), u); err != nil {
		if v.status, err = d.inPlace(message.From(r.Context()), err); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// ask answers the question and makes the addresses that lead on.
func (d *searchData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	q, err := search.Parse(d.copy(namesParam))
	if err != nil {
		return err
	}
	if d.Declared, err = search.Declared(ctx, u.cfg.Texts, d.Q.Get("collection")); err != nil {
		return err
	}
	d.Said = timeWords(d.say, &q) + d.speakingOf(&q)
	d.Typed = d.typed(&q)
	d.Conditions = d.conditions(&q)
	if q.Limit <= 0 || q.Limit > 100 {
		q.Limit = resultsShown
	}
	d.Grouped = q.Sort == fulltext.ByScore && d.Q.Get("group") != "false"
	q.Group, q.Trend = d.Grouped, fulltext.NoTrend
	q.Facets = d.freeFacets()
	if d.Answer, err = search.Ask(ctx, u.cfg.Texts, d.Q.Get("collection"), q); err != nil {
		return err
	}
	if d.Time, err = u.timeline(ctx, &d.asked, q); err != nil {
		return err
	}
	if err := d.addFacets(ctx, u, q); err != nil {
		return err
	}
	if d.Hits, err = u.hits(ctx, &d.asked, d.Answer.Hits); err != nil {
		return err
	}
	d.lead(q)
	also, err := search.AlsoWritten(ctx, u.cfg.Texts, d.Q.Get("collection"), q, d.Answer.Total)
	if err != nil {
		return err
	}
	for _, w := range also {
		d.Also = append(d.Also, hint{w.Label, w.Count, d.with("q", w.Text)})
	}
	called, err := search.AlsoCalled(ctx, u.cfg.Texts, d.Q.Get("collection"), q, d.Answer.Total, u.called(d.calledIn()))
	if err != nil {
		return err
	}
	for _, w := range called {
		n := newOtherName(d.say, w.OtherName, w.Asked)
		n.Count, n.Href = w.Count, d.with("q", w.Text)
		d.Called = append(d.Called, n)
	}
	if d.Answer.Total == 0 {
		d.Hints = d.hints(ctx, u, q)
		d.Withheld = u.withholds(ctx)
	}
	return nil
}

// Orders are those by facets of numbers: by what a document as a whole has, and the one that was asked for.
func (d *searchData) Orders() (out []choice) {
	for _, f := range d.Declared {
		if f.Kind == derive.FacetNumbers {
			out = append(out, choice{string(fulltext.ByMost(f.Name, "")), d.say.Text("{0}, highest first", d.say.Word(f.Title))})
		}
	}
	if s := d.Q.Get("sort"); strings.HasPrefix(s, "most:") && !slices.ContainsFunc(out, func(c choice) bool { return c.Value == s }) {
		out = append(out, choice{s, s})
	}
	return out
}

// lead makes the addresses of more results and of exports.
func (d *searchData) lead(q fulltext.Query) {
	if d.Answer.Cursor != "" {
		d.Next = d.with("cursor", d.Answer.Cursor)
	}
	if q.Cursor != "" {
		d.First = d.with("cursor")
	}
	if q.Sort == fulltext.ByScore {
		d.Groups = d.with("group", map[bool]string{true: "false", false: ""}[d.Grouped])
	}
	if d.Answer.Total > 0 {
		d.Formats = d.exports()
	}
}

// exportLink is a way to take all results away.
type exportLink struct{ Label, About, Href string }

func (d *searchData) exports() (out []exportLink) {
	for _, f := range []exportLink{
		{"CSV", d.say.Text("a table for spreadsheets"), "csv"},
		{"JSON lines", d.say.Text("one result a line, for programs"), "jsonl"},
		{"WARC", d.say.Text("the captured records, byte for byte"), "warc"},
		{"WACZ", d.say.Text("a package that replays elsewhere"), "wacz"},
	} {
		q := d.copy("cursor", "limit", "trend", "group", namesParam)
		q.Set("format", f.Href)
		out = append(out, exportLink{f.Label, f.About, address("/api/search/export", q)})
	}
	return out
}

// askTrouble is an error that is told beside the question.
type askTrouble struct {
	trouble
	Before, At, After string // the query around the place where it stops making sense
	Place             bool
}

// inPlace keeps errors of the question on its screen, where it can be mended; others stay errors.
func (d *searchData) inPlace(l *message.Language, err error) (status int, rest error) {
	t, status, err := troubleOf(l, err, d.Q.Get("q"))
	d.Trouble = t
	return status, err
}

func troubleOf(l *message.Language, err error, text string) (*askTrouble, int, error) {
	switch varve.KindOf(err) {
	case varve.Invalid, varve.NotFound, varve.Unavailable:
	default:
		return nil, 0, err
	}
	t := &askTrouble{trouble: newTrouble(l, err)}
	var syntax *fulltext.SyntaxError
	if letters := []rune(text); errors.As(err, &syntax) && syntax.At >= 0 && syntax.At <= len(letters) {
		t.Place, t.Before, t.At = true, string(letters[:syntax.At]), " "
		if syntax.At < len(letters) {
			t.At, t.After = string(letters[syntax.At]), string(letters[syntax.At+1:])
		}
	}
	return t, varve.HTTPStatus(err), nil
}

func noTexts() error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: "search", Msg: "this archive has no text index yet",
		Hint: "varve derive --collection NAME && varve index --collection NAME",
	}
}
