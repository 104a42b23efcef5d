package inquiry

import (
	"path/filepath"
	"testing"

	"varve/entity"
	"varve/entity/base"
	"varve/kb/model"
	"varve/kb/rdf"
)

// Names mean the likeliest entity of a day; what is private, unknown or no name is an error of the expression.
func TestFunctions(t *testing.T) {
	say := func(subject string, says entity.Says, text string, n int64) entity.Statement {
		return entity.Statement{Subject: subject, Says: says, Text: text, Count: n}
	}
	list := []entity.Statement{
		say("Q567", entity.HasLabel, "Angela Merkel", 1), say("Q567", entity.HasAnchor, "Merkel", 40), say("Q567", entity.Begins, "1954-07-17", 1),
		say("Q1", entity.HasLabel, "Max Merkel", 1), say("Q1", entity.HasAnchor, "Merkel", 3), say("Q1", entity.Begins, "1918", 1), say("Q1", entity.Ends, "2006-11", 1),
		say("Q2", entity.HasLabel, "Bundestag", 1), say("Q567", entity.LinkedFrom, "Q2", 1), say("Q1", entity.LinkedFrom, "Q2", 1),
		say("new:1", entity.HasLabel, "Ada Fox", 1), say("new:1", entity.HasAnchor, "Merkel", 100),
	}
	path := filepath.Join(t.TempDir(), base.FileName)
	if _, err := base.Build(t.Context(), path, func(yield func([]byte, error) bool) {
		for _, s := range list {
			if !yield(s.AppendLine(nil), nil) {
				return
			}
		}
	}, base.Options{}); err != nil {
		t.Fatal(err)
	}
	ask := File(path)
	text, day := rdf.NewString, func(s string) rdf.Term { return rdf.NewLiteral(s, rdf.Date) }
	for _, c := range []struct {
		function string
		args     []rdf.Term
		want     string
	}{
		{"means", []rdf.Term{text("Merkel")}, "Q567"},
		{"means", []rdf.Term{text("Merkel"), day("1930-01-01")}, "Q1"},
		{"means", []rdf.Term{text("Merkel"), day("1800-01-01")}, ""},
		{"means", []rdf.Term{text("Merkel"), text("soon")}, ""},
		{"means", []rdf.Term{text("Nobody")}, ""},
		{"means", []rdf.Term{text("Ada Fox")}, ""},
		{"means", nil, ""},
		{"label", []rdf.Term{text("Q1")}, "Max Merkel"},
		{"label", []rdf.Term{text("new:1")}, ""},
		{"label", []rdf.Term{text("Q99")}, ""},
		{"related", []rdf.Term{text("Q1"), text("Q99")}, ""},
		{"related", []rdf.Term{text("Q1")}, ""},
	} {
		got, ok := ask(model.NS + c.function)(c.args)
		if ok != (c.want != "") || ok && got.Value != c.want {
			t.Errorf("%s%v: %v, %v, want %q", c.function, c.args, got, ok, c.want)
		}
	}
	if got, ok := ask(model.NS + "related")([]rdf.Term{text("Q1"), text("Q567")}); !ok || got.Datatype != rdf.Double || got.Value == "0E+00" {
		t.Errorf("related: %v, %v", got, ok)
	}
	if ask(model.NS+"other") != nil || ask("urn:x:means2") != nil {
		t.Error("functions of others are known")
	}
	if _, ok := File(filepath.Join(t.TempDir(), "none"))(model.NS + "means")([]rdf.Term{text("Merkel")}); ok {
		t.Error("a base that is not there answers")
	}
}
