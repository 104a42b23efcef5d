package hls

import (
	"fmt"
	"net/url"
	"strings"
)

// Variables are those that EXT-X-DEFINE sets and addresses use.
type Variables struct{ values map[string]string }

// maxVariable bounds the value of a variable, and maxSubstituted what becomes of a string with variables.
const (
	maxVariable    = 8 << 10
	maxSubstituted = 64 << 10
)

// Define sets the variable of an EXT-X-DEFINE, from its value or from the query of the list's own address. It fails
// beyond limit variables.
func (v *Variables) Define(l Line, query string, limit int) error {
	a, _ := parseAttributes(l)
	name, value := a.get("NAME"), a.get("VALUE")
	if q := a.get("QUERYPARAM"); q != "" {
		values, _ := url.ParseQuery(query)
		name, value = q, values.Get(q)
	}
	switch {
	case name == "":
		return nil
	case len(v.values) >= limit:
		return fmt.Errorf("more than %d variables", limit)
	case len(value) > maxVariable:
		return fmt.Errorf("the variable %.40q is longer than %d bytes", name, maxVariable)
	}
	if v.values == nil {
		v.values = map[string]string{}
	}
	v.values[name] = value
	return nil
}

// Substitute puts variables in the place of {$name}. What follows one that is not defined stays as it is, with an error.
func (v *Variables) Substitute(s string) (string, error) {
	if len(v.values) == 0 || !strings.Contains(s, "{$") {
		return s, nil
	}
	var b strings.Builder
	for b.Len() < maxSubstituted {
		head, rest, ok := strings.Cut(s, "{$")
		b.WriteString(head)
		if !ok {
			break
		}
		name, tail, ok := strings.Cut(rest, "}")
		value, known := v.values[name]
		if !ok || !known {
			b.WriteString("{$" + rest)
			return b.String(), fmt.Errorf("the variable %.40q is not defined", name)
		}
		b.WriteString(value)
		s = tail
	}
	return b.String(), nil
}
