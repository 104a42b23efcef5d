package search_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/derive/annotate"
	"varve/entity/base"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve/search"
)

// oneBase has one base for all.
type oneBase struct{ linker *annotate.Linker }

func (b oneBase) Linker(string) (*annotate.Linker, func(), error) { return b.linker, func() {}, nil }

// withholding shows texts as somebody sees them who may not see some pages.
type withholding struct {
	search.Texts
	path string
}

func (w withholding) Sources(ctx context.Context, names ...string) ([]fulltext.Source, error) {
	list, err := w.Texts.Sources(ctx, names...)
	for i := range list {
		list[i].View = &fulltext.View{
			Key: w.path, May: func(surt string, _ time.Time) bool { return !strings.HasSuffix(surt, w.path) },
			Mixed: func() func(string) bool { return func(string) bool { return false } }, Links: func(string) (string, int32, error) { return "", 0, nil },
		}
	}
	return list, err
}

func people(t *testing.T) (search.Texts, search.Linkers) {
	t.Helper()
	dir := t.TempDir()
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	texts, err := servetest.OpenTexts(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = texts.Close() })
	l, err := annotate.OpenLinker(base.InArchive(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return texts, oneBase{l}
}

// told sums up an answer.
func told(e *search.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d/%d;", e.ID, e.Label, e.Total, e.Of)
	for _, n := range e.Names {
		fmt.Fprintf(&b, " %s %d %s-%s", n.Name, n.Count, n.First.Format("200601"), n.Last.Format("200601"))
	}
	b.WriteString(";")
	for _, c := range e.Companions {
		fmt.Fprintf(&b, " %s %d", c.ID, c.Count)
	}
	b.WriteString(";")
	for _, p := range e.Pairs {
		fmt.Fprintf(&b, " %s-%s %d", e.Companions[p.A].ID, e.Companions[p.B].ID, p.Count)
	}
	return b.String()
}

// How versions judge it by each name, what kinds of things passages say it is, and who in the base refers to it and to a companion.
func TestAskEntityMore(t *testing.T) {
	texts, bases := people(t)
	q, err := search.ParseEntity("Q1", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.AskEntity(t.Context(), texts, bases, "", q)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Opinions) != 1 || e.Opinions[0].Name != "Anna Stein" || e.Opinions[0].Sides != (search.Sides{Judged: 12, For: 12}) {
		t.Errorf("%+v", e.Opinions)
	}
	if len(e.Types) == 0 || e.Types[0].Label != "person" || e.Types[0].Count > e.Typed || e.Typed > len(e.Passages) {
		t.Errorf("%+v of %d", e.Types, e.Typed)
	}
	for _, c := range e.Companions {
		if related := c.ID == "Q4"; related != (c.Strength > 0) || related && (c.Strength != 0.5 || !slices.Equal(c.Via, []string{"Cabinet of 2021"})) {
			t.Errorf("%+v", c)
		}
	}
	// What is withheld is judged by nobody.
	e, err = search.AskEntity(t.Context(), withholding{texts, "/news/0"}, bases, "", q)
	if err != nil || len(e.Opinions) != 1 || e.Opinions[0].Judged != 11 {
		t.Errorf("%+v, %v", e, err)
	}
}

// Persons whom curators made entities are not told to outside readers: neither their page, nor beside others, nor while one types. Other things are.
func TestPrivatePersons(t *testing.T) {
	texts, bases := people(t)
	ask := func(id string, outside bool) (*search.Entity, error) {
		q, err := search.ParseEntity(id, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Outside = outside
		return search.AskEntity(t.Context(), texts, bases, "", q)
	}
	for _, id := range []string{servetest.NewPerson, "new:ffffffffffff"} {
		if e, err := ask(id, true); varve.KindOf(err) != varve.NotFound {
			t.Errorf("%s: %+v, %v", id, e, err)
		}
	}
	for id, outside := range map[string]bool{servetest.NewPerson: false, servetest.NewPlace: true, "Q2": true} {
		if _, err := ask(id, outside); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	beside := func(outside bool) (ids []string) {
		e, err := ask("Q2", outside)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Companions {
			ids = append(ids, c.ID)
		}
		for _, p := range e.Pairs {
			if p.A >= len(ids) || p.B >= len(ids) {
				t.Errorf("pair %v of %d", p, len(ids))
			}
		}
		return ids
	}
	if inside, out := beside(false), beside(true); !slices.Contains(inside, servetest.NewPerson) || slices.Contains(out, servetest.NewPerson) || len(out) != len(inside)-1 {
		t.Errorf("inside %v, outside %v", inside, out)
	}
	for outside, want := range map[bool]int{false: 1, true: 0} {
		list, err := search.SuggestEntities(t.Context(), texts, bases, url.Values{"prefix": {"Ida Quist"}}, search.EntityReader{Outside: outside})
		if err != nil || len(list) != want {
			t.Errorf("%v: %v, %v", outside, list, err)
		}
	}
}

// discreet does not tell outside readers of some values.
type discreet struct {
	search.Texts
	bases search.Linkers
}

func (d discreet) Hides(context.Context) func(facet, value string) bool {
	return search.HidesPrivate(d.bases)
}

// A person whom curators made an entity is no value of a facet for outside readers: neither beside a search nor while one types. The texts are found.
func TestPrivateValues(t *testing.T) {
	texts, bases := people(t)
	values := func(texts search.Texts) string {
		var out []string
		for _, facet := range []string{annotate.EntityFacet, annotate.CalledFacet} {
			c, err := search.Complete(t.Context(), texts, facet, url.Values{"q": {"race"}, "top": {"50"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range c.Names {
				out = append(out, n.Name)
			}
		}
		return strings.Join(out, "; ")
	}
	const person, holm = "Ida Quist [" + servetest.NewPerson + "]; [Q2] Karl Holm; [" + servetest.NewPerson + "] Ida Quist", "Karl Holm [Q2]; "
	if got := values(texts); got != holm+person {
		t.Errorf("inside: %s", got)
	}
	outside := discreet{texts, bases}
	if got := values(outside); got != holm+"[Q2] Karl Holm" {
		t.Errorf("outside: %s", got)
	}
	if a, err := search.Ask(t.Context(), outside, "", fulltext.Query{Text: `"Ida Quist"`, Limit: -1}); err != nil || a.Total != 3 {
		t.Errorf("texts that name her: %+v, %v", a, err)
	}
	hides := search.HidesPrivate(bases)
	for value, want := range map[string]bool{"Quist Hill [" + servetest.NewPlace + "]": false, "Nobody [new:ffffffffffff]": true, "Ida Quist": false, "": false} {
		if hides(annotate.EntityFacet, value) != want || hides("person", value) {
			t.Errorf("%q is hidden: %v", value, !want)
		}
	}
}

// What curators made an entity of texts is known to readers as far as versions tell that they may see: not that it is there, nor its other names, nor what stands near it.
func TestMadeOfWithheld(t *testing.T) {
	texts, bases := people(t)
	ask := func(texts search.Texts, id string, reader bool) (*search.Entity, error) {
		return search.AskEntity(t.Context(), texts, bases, "", search.EntityQuery{ID: id, EntityReader: search.EntityReader{Reader: reader}})
	}
	for id, found := range map[string]bool{servetest.NewPlace: false, servetest.NewPerson: true, "Q6": true} {
		if _, err := ask(texts, id, false); err != nil {
			t.Errorf("%s for curators: %v", id, err)
		}
		if e, err := ask(texts, id, true); (err == nil) != found || err != nil && varve.KindOf(err) != varve.NotFound {
			t.Errorf("%s: %+v, %v", id, e, err)
		}
	}
	names := func(e *search.Entity) (out []string) {
		for _, n := range e.Known.Names {
			out = append(out, n.Text)
		}
		return out
	}
	for reader, want := range map[bool]string{false: "Ida Quist Lady of the Hill", true: "Ida Quist"} {
		e, err := ask(texts, servetest.NewPerson, reader)
		if err != nil {
			t.Fatal(err)
		}
		got := names(e)
		slices.Sort(got)
		if strings.Join(got, " ") != want || (len(e.Known.Phrases) == 0) != reader {
			t.Errorf("reader %v: %v, %v", reader, got, e.Known.Phrases)
		}
		list, err := search.SuggestEntities(t.Context(), texts, bases, url.Values{"prefix": {"Lady of the Hill"}}, search.EntityReader{Reader: reader})
		if err != nil || (len(list) == 0) != reader {
			t.Errorf("reader %v is offered %v, %v", reader, list, err)
		}
	}
	if e, err := ask(withholding{texts, ""}, servetest.NewPerson, true); varve.KindOf(err) != varve.NotFound {
		t.Errorf("all that names her is withheld: %+v, %v", e, err)
	}
}

// An entity is found under all its names, with when each was used, with whom, and at which time; what is withheld is in no number.
func TestAskEntity(t *testing.T) {
	texts, bases := people(t)
	for _, c := range []struct {
		id, params string
		texts      search.Texts
		want       string
	}{
		{"Q1", "", texts, "Q1 Anna Berg 24/48; Anna Berg 12 202101-202112 Anna Stein 12 202001-202012; Q2 12 Q4 12 Q3 12; Q2-Q4 6 Q2-Q3 6"},
		{"enwiki:Anna Berg", "", texts, "Q1 Anna Berg 24/48; Anna Berg 12 202101-202112 Anna Stein 12 202001-202012; Q2 12 Q4 12 Q3 12; Q2-Q4 6 Q2-Q3 6"},
		{"Q1", "q=hall+Holm", texts, "Q1 Anna Berg 12/48; Anna Berg 6 202101-202111 Anna Stein 6 202001-202011; Q2 12 Q4 6 Q3 6; Q2-Q4 6 Q2-Q3 6"},
		{"Q1", "asof=2020-03-01", texts, "Q1 Anna Berg 2/48; Anna Berg 12 202101-202112 Anna Stein 12 202001-202012; Q3 2 Q2 1; Q3-Q2 1"},
		{"Q4", "", withholding{texts, "/withheld"}, "Q4 Ministry of Finance 11/47; Ministry of Finance 11 202101-202111; Q1 11 Q2 6; Q1-Q2 6"},
		{"Q6", "", texts, "Q6 Nobody Names 0/0;;;"},
	} {
		v, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		q, err := search.ParseEntity(c.id, v)
		if err != nil {
			t.Fatal(err)
		}
		e, err := search.AskEntity(t.Context(), c.texts, bases, "people", q)
		if err != nil {
			t.Fatalf("%s: %v", c.id, err)
		}
		if got := told(e); got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.id, c.params, got, c.want)
		}
		marked := func(h fulltext.Hit) bool {
			return slices.ContainsFunc(h.Snippet, func(p fulltext.Piece) bool { return p.Hit })
		}
		if e.Total > 0 && (len(e.Passages) == 0 || !marked(e.Passages[0])) {
			t.Errorf("%s: no name is marked in %+v", c.id, e.Passages)
		}
	}
	e, err := search.AskEntity(t.Context(), texts, bases, "", search.EntityQuery{ID: "Q1", Query: fulltext.Query{Trend: fulltext.ByYear}})
	if err != nil || len(e.Points) != 2 || e.Points[0].Hits != 12 || e.Points[0].Of != 24 || len(e.Kinds) != 1 || e.Kinds[0].Label != "human" || e.Known.Description != "politician" {
		t.Errorf("%+v, %v", e, err)
	}
	for id, kind := range map[string]varve.Kind{"Q99": varve.NotFound, `Q"1`: varve.Invalid, "": varve.Invalid} {
		if _, err := search.AskEntity(t.Context(), texts, bases, "", search.EntityQuery{ID: id}); varve.KindOf(err) != kind {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := search.AskEntity(t.Context(), crowd(t), nil, "", search.EntityQuery{ID: "Q1"}); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("names that were not linked: %v", err)
	}
}

// The box suggests by the begin of a label and by whole other names, and nothing that only withheld versions name.
func TestSuggestEntities(t *testing.T) {
	texts, bases := people(t)
	for _, c := range []struct {
		prefix string
		texts  search.Texts
		want   string
	}{
		{"anna", texts, "Q1 Anna Berg 24"},
		{"Anna Stein", texts, "Q1 Anna Berg 24"},
		{"minister berg", texts, "Q1 Anna Berg 24"},
		{"minist", texts, "Q4 Ministry of Finance 12, Q3 Ministry of Health 12"},
		{"Nobody", texts, ""},
		{"Anna", withholding{texts, ""}, ""},
		{"Anna Stein", withholding{texts, ""}, ""},
	} {
		list, err := search.SuggestEntities(t.Context(), c.texts, bases, url.Values{"prefix": {c.prefix}}, search.EntityReader{})
		var got []string
		for _, e := range list {
			got = append(got, fmt.Sprintf("%s %s %d", e.ID, e.Label, e.Count))
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %q, %v", c.prefix, got, c.want, err)
		}
	}
}
