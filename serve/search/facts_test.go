package search_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"varve"
	"varve/lab/servetest"
	"varve/serve/search"
)

func careers(t *testing.T) search.Texts {
	t.Helper()
	dir := t.TempDir()
	if err := servetest.Careers(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	texts, err := servetest.OpenTexts(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = texts.Close() })
	return texts
}

// saidOf sums up facts.
func saidOf(list []search.ToldFact) string {
	var out []string
	for _, f := range list {
		s := fmt.Sprintf("%s %s %s", f.Subject, f.Relation, f.Object)
		if f.Sure {
			s += " surely"
		}
		for _, x := range f.Statements {
			s += fmt.Sprintf(" %s %s %d", x.Aspect, x.Time, x.Versions)
			if x.Contradicted {
				s += "!"
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// Who was what, and when, from both sides; what contradicts the rest are alternatives; what is withheld is in no answer, and contradicts nothing.
func TestAskFacts(t *testing.T) {
	texts := careers(t)
	for _, c := range []struct {
		params              string
		texts               search.Texts
		facts, alternatives string
	}{
		{"of=Diego+Lopez", texts, "Diego Lopez spouse Carla Weber begin 2012 1; Diego Lopez member_of Real Madrid begin 2003 1; Diego Lopez spouse Victoria Adams begin 1999-07 3 end 2007 3; Diego Lopez works_for_club Real Madrid begin 2003 2 end 2007 1", "Diego Lopez spouse Paula Stone begin 2001 1!"},
		{"of=diego+lopez&relation=works_for_club&when=2005", texts, "Diego Lopez works_for_club Real Madrid surely begin 2003 2 end 2007 1", ""},
		{"of=Diego+Lopez", withholding{texts, "/withheld"}, "Diego Lopez member_of Real Madrid begin 2003 1; Diego Lopez spouse Victoria Adams begin 1999-07 3 end 2007 3; Diego Lopez works_for_club Real Madrid begin 2003 2 end 2007 1", "Diego Lopez spouse Paula Stone begin 2001 1!"},
		{"of=Diego+Lopez&relation=spouse", withholding{texts, "/lopez"}, "Diego Lopez spouse Carla Weber begin 2012 1; Diego Lopez spouse Paula Stone begin 2001 1; Diego Lopez spouse Victoria Adams begin 1999-07 1! end 2007 1", ""},
		{"of=Germany&when=2010", texts, "Anna Keller holds_office Germany surely begin 2005 1 end 2013 1", ""},
		{"of=Nobody", texts, "", ""},
	} {
		v, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		q, err := search.ParseFacts(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&search.FactDesk{Texts: c.texts}).Ask(t.Context(), "careers", q)
		if err != nil {
			t.Fatal(err)
		}
		if f, a := saidOf(got.Facts), saidOf(got.Alternatives); f != c.facts || a != c.alternatives {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", c.params, f, a, c.facts, c.alternatives)
		}
	}
	for _, bad := range []string{"of=a%22b", "of=a&with=x<y", "of=a&when=soon"} {
		v, _ := url.ParseQuery(bad)
		if _, err := search.ParseFacts(v); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A fact has the sentences that state it, and what stands against it.
func TestFact(t *testing.T) {
	texts := careers(t)
	desk := &search.FactDesk{Texts: texts}
	p, err := desk.Fact(t.Context(), "", "spouse", "", "Diego Lopez", "Victoria Adams")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Statements) != 2 || !p.Believed || len(p.Others) != 2 || saidOf(p.Against) != "Diego Lopez spouse Paula Stone begin 2001 1!" {
		t.Errorf("%+v", p)
	}
	for i, want := range []string{"Diego Lopez married Victoria Adams in July 1999.", "Diego Lopez divorced Victoria Adams in 2007."} {
		for _, x := range p.Statements[i].Passages {
			if x.Sentence != want {
				t.Errorf("%s: %q, want %q", x.URL, x.Sentence, want)
			}
		}
		if n := len(p.Statements[i].Passages); n != 3 {
			t.Errorf("%d passages", n)
		}
	}
	if p, err = desk.Fact(t.Context(), "", "spouse", "", "diego lopez", "Paula Stone"); err != nil || p.Believed || p.Subject != "Diego Lopez" || len(p.Against) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	hidden := &search.FactDesk{Texts: withholding{texts, "/withheld"}}
	if _, err := hidden.Fact(t.Context(), "", "spouse", "", "Diego Lopez", "Carla Weber"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("a fact of a page that may not be seen: %v", err)
	}
	names, err := hidden.Ask(t.Context(), "", search.FactQuery{})
	if err != nil || len(names.Names) != 7 || names.Names[0].Name != "Diego Lopez" {
		t.Errorf("%+v, %v", names, err)
	}
	if _, err := (&search.FactDesk{Texts: crowd(t)}).Ask(t.Context(), "", search.FactQuery{Of: "A"}); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("texts in which nobody looked for facts: %v", err)
	}
}
