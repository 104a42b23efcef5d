package rdf_test

import (
	"bytes"
	"strings"
	"testing"

	"varve/kb/rdf"
	"varve/lab/w3c"
)

// The suites of RDF 1.1, all of them: kinds of tests are positive and negative syntax, and evaluation, where the result
// is given as N-Triples or N-Quads.
func TestSuites(t *testing.T) {
	suite := w3c.Open(t, "rdf11")
	var table w3c.Table
	for _, group := range []struct {
		folder string
		format rdf.Format
	}{
		{"rdf-n-triples", rdf.NTriples},
		{"rdf-n-quads", rdf.NQuads},
		{"rdf-turtle", rdf.Turtle},
		{"rdf-trig", rdf.TriG},
		{"rdf-xml", rdf.RDFXML},
	} {
		for _, c := range suite.Tests(t, w3c.Base+"rdf/rdf11/"+group.folder+"/manifest.ttl") {
			got, err := rdf.ReadAll(bytes.NewReader(suite.File(t, c.Action.Value)), group.format, rdf.Options{Base: c.Action.Value})
			switch {
			case strings.Contains(c.Type, "Negative"):
				if err == nil {
					table.Failed(c.Group, c.Name, "was read, and must not be")
					continue
				}
			case err != nil:
				table.Failed(c.Group, c.Name, err.Error())
				continue
			case strings.HasSuffix(c.Type, "Eval"):
				want, err := rdf.ReadAll(bytes.NewReader(suite.File(t, c.Result.Value)), rdf.NQuads, rdf.Options{})
				if err != nil {
					t.Fatalf("%s: %v", c.Result.Value, err)
				}
				if !rdf.Isomorphic(got, want) {
					table.Failed(c.Group, c.Name, "other triples than expected")
					t.Logf("%s\ngot\n%v\nwant\n%v", c.Name, got, want)
					continue
				}
			}
			table.Passed(c.Group)
		}
	}
	table.Report(t, nil)
}
