package sparql_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/kb/sparql"
)

// Answers of others, whole and broken. The suites of the W3C are read by it, too.
func TestReadResult(t *testing.T) {
	const head = `{"link":["x"],"head":{"vars":["a","b"]},"results":{"distinct":false,"bindings":[`
	for text, want := range map[string]string{
		head + `]}}`: "[]",
		head + `{"b":{"type":"uri","value":"u:u"}},{"a":{"type":"literal","value":"x","xml:lang":"EN"},"c":{"type":"bnode","value":"n"}}]}}`: `[[ <u:u>] ["x"@en ]]`,
		head + `{"a":{"type":"typed-literal","value":"1","datatype":"t:t"},"b":{"type":"bnode","value":"n"}}]}}`:                             `[["1"^^<t:t> _:n]]`,
		`{"head":{},"boolean":true}`:                        "true",
		head + `{"a":{"type":"uri","value":"u:u"}}`:         "read SPARQL results as JSON: EOF",
		head + `{"a":{"type":"uri","va`:                     "read SPARQL results as JSON: unexpected EOF",
		head + `{"a":{"type":"triple","value":""}}]}}`:      `read SPARQL results as JSON: a term of type "triple"`,
		`{"results":{"bindings":[]},"head":{"vars":["a"]}}`: "read SPARQL results as JSON: solutions before their variables",
		`{"head":{"vars":[]},"results":{}}`:                 "read SPARQL results as JSON: no list of solutions",
		`{"head":{"vars":[]}}`:                              "read SPARQL results as JSON: neither solutions nor a boolean",
		`[]`:                                                "read SPARQL results as JSON: [ where { is expected, at byte 1",
		`<html>`:                                            "read SPARQL results as JSON: invalid character '<' looking for beginning of value",
		``:                                                  "read SPARQL results as JSON: EOF",
	} {
		if got := readBack(text); got != want {
			t.Errorf("%s\n%s, want\n%s", text, got, want)
		}
	}
}

func readBack(text string) string {
	r, err := sparql.ReadResult(strings.NewReader(text))
	if err != nil {
		return err.Error()
	}
	if r.Form == sparql.Ask {
		return fmt.Sprint(r.Boolean)
	}
	all := []string{}
	for row, err := range r.Solutions {
		if err != nil {
			return err.Error()
		}
		all = append(all, fmt.Sprint(row))
	}
	return fmt.Sprint(all)
}
