package fact

import (
	"strings"
	"testing"

	"varve/fact/clean"
	"varve/language/mention"
)

// The relations of the program are those that are promised, and describe each other.
func TestRelations(t *testing.T) {
	list, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Relation{}
	for _, r := range list {
		by[r.Name] = r
	}
	for _, name := range []string{"works_for_club", "holds_office", "spouse", "leads_organisation", "member_of", "located_in", "cast_of"} {
		if r := by[name]; r.Name == "" || len(r.Patterns) == 0 || len(r.Subject) == 0 || len(r.Object) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	s := by["spouse"]
	if !s.Symmetric || s.Title != "was married to" || s.Constraints[0].Allow != clean.Disjoint || !s.fits(mention.Person, "") || s.fits(mention.Person, mention.Location) {
		t.Errorf("%+v", s)
	}
	if k := by["works_for_club"].Seeds[0]; k.Subject != "David Beckham" || k.Begin.First.String() != "2003-01-01" || k.End.Last.String() != "2007-12-31" {
		t.Errorf("%+v", k)
	}
}

// A file with errors names each line and the reason.
func TestRelationErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"title x", `test, line 1: "title" comes before the first line 'relation NAME'`},
		{"relation a b", `line 1: "a b" is no name of a relation`},
		{"relation a\nsubject PER HUMAN", `line 2: "HUMAN" is no kind of name`},
		{"relation a\nobject", `line 2: no kind of name is given`},
		{"relation a\n\n# note\nconstraint subject near", `line 4: "near" is no relation of intervals`},
		{"relation a\nconstraint friend before", `line 2: constraint "friend before": want subject, object, pair or office`},
		{"relation a\npattern after S join O @in", `line 2: "after" is none of begin, during, end`},
		{"relation a\npattern begin join in", `line 2: "join in" is no pattern`},
		{"relation a\nnot join", `line 2: "join" is no pattern`},
		{"relation a\nseed Beckham", `line 2: "Beckham": want subject | object`},
		{"relation a\nseed A | B | then", `line 2: "then" is no date`},
		{"relation a\nseed A | B | 2003 | 2001", `line 2: "A | B | 2003 | 2001" ends before it begins`},
		{"relation a\nsymmetric yes", `line 2: symmetric stands alone`},
		{"relation a\ncolour red", `line 2: "colour" is not known`},
		{"relation a\npattern begin S become {OFFICE} O @in", `line 2: "S become {OFFICE} O @in": "OFFICE" is no word, nor a set`},
		{"relation a\npattern begin S become {mayor O @in", `line 2: "S become {mayor O @in": want {one|other}`},
		{"relation a\npattern begin S become mayor} O @in", `line 2: "S become mayor} O @in": } without {`},
		{"relation a\npattern begin S {a}? {b}? {c}? {d}? {e}? O @in", `more than 4 places that may be absent`},
		{"relation a\nwords office mayor", `line 2: words "office mayor": want a name in capitals`},
		{"relation a\nwords OFFICE mayor | prime minister", `"prime minister" is not one word`},
		{"relation a\ncolour red\nsubject X", `line 3: "X" is no kind`},
	} {
		if _, err := ReadRelations(strings.NewReader(c.in), "test"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.in, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"relation a\nrelation a", "relation a is described twice"},
		{"relation a\nwithin b", "relation a speaks of b, which is not described"},
		{"relation a\nconstraint subject before b", "relation a speaks of b, which is not described"},
		{"relation a\nwithin b\nrelation b\nwithin a", "relation a is within itself"},
	} {
		list, err := ReadRelations(strings.NewReader(c.in), "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.in, err, c.want)
		}
	}
}

// Whatever a file has, it is read or refused with its lines.
func FuzzReadRelations(f *testing.F) {
	f.Add("relation spouse\nsubject PER\nobject PER\nconstraint subject disjoint,equals\npattern begin S marry O @in\nseed A | B | 1990 | 2000\n")
	f.Add("relation a\nwithin a\n\x00")
	f.Fuzz(func(t *testing.T, in string) {
		list, err := ReadRelations(strings.NewReader(in), "fuzz")
		if err != nil && !strings.Contains(err.Error(), "fuzz, ") {
			t.Errorf("no place: %v", err)
		}
		_ = Check(list)
	})
}

// Patterns of many forms.
func TestPatternMatches(t *testing.T) {
	list, err := ReadRelations(strings.NewReader("relation a\nwords OFFICE mayor | minister\npattern begin S {be|serve} {as}? {prime}? {OFFICE} of O @{in|on}\npattern begin S lead O @in\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"S be mayor of O @in": true, "S serve as prime minister of O @on": true, "S serve prime mayor of O @in": true,
		"S be of O @in": false, "S be mayor of O @from": false, "S be mayor of O": false, "S be mayor of O @in @in": false, "S as mayor of O @in": false, "": false,
	} {
		if got := list[0].Patterns[0].Matches(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if p := list[0].Patterns[1]; !p.Matches("S lead O @in") || p.Matches("S lead O @on") {
		t.Errorf("%+v", p)
	}
}
