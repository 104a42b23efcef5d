package sparql_test

import (
	"strings"
	"testing"

	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/lab/w3c"
)

// The groups of the suites of SPARQL 1.1 and 1.0 whose tests are of syntax.
func TestSyntaxSuites(t *testing.T) {
	var table w3c.Table
	for name, manifests := range map[string][]string{
		"sparql11": {"syntax-query", "syntax-update-1", "syntax-update-2", "syntax-fed"},
		"sparql10": {"syntax-sparql1", "syntax-sparql2", "syntax-sparql3", "syntax-sparql4", "syntax-sparql5"},
	} {
		suite := w3c.Open(t, name)
		for _, m := range manifests {
			for _, c := range suite.Tests(t, w3c.Base+"sparql/"+name+"/"+m+"/manifest.ttl") {
				text := string(suite.File(t, c.Action.Value))
				var err error
				if strings.Contains(c.Type, "Update") {
					_, err = sparql.ParseUpdate(text, c.Action.Value)
				} else {
					_, err = sparql.Parse(text, c.Action.Value)
				}
				switch negative := strings.HasPrefix(c.Type, "Negative"); {
				case negative && err == nil:
					table.Failed(c.Group, c.Name, "was read, and must not be: "+text)
				case !negative && err != nil:
					table.Failed(c.Group, c.Name, err.Error())
				default:
					table.Passed(c.Group)
				}
			}
		}
	}
	table.Report(t, nil)
}

func TestQuerySuites(t *testing.T) {
	var table w3c.Table
	for name, manifests := range map[string][]string{
		"sparql11": {"manifest-sparql11-query.ttl", "manifest-sparql11-results.ttl"},
		"sparql10": {"manifest-evaluation.ttl"},
	} {
		suite := w3c.Open(t, name)
		for _, m := range manifests {
			for _, c := range suite.Tests(t, w3c.Base+"sparql/"+name+"/"+m) {
				if c.Type != "QueryEvaluationTest" && c.Type != "CSVResultFormatTest" {
					continue
				}
				if why := w3c.RunQuery(t, suite, c, func(quads []rdf.Quad) sparql.Dataset { return sparql.NewMemory(quads) }); why != "" {
					table.Failed(c.Group, c.Name, why)
				} else {
					table.Passed(c.Group)
				}
			}
		}
	}
	table.Report(t, nil)
}
