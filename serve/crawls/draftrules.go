package crawls

import (
	"fmt"
	"reflect"
	"strings"

	"varve/crawl/scope"
	"varve/web/canon"
)

// Names of the rules that the two lists of the form become.
const (
	includeName = "also, from the screen"
	excludeName = "not, from the screen"
)

// listRules makes rules of a list: an address is a prefix, a name stands for it and all below it, and what
// stands between slashes is an expression. Each kind is a rule of its own, since conditions of one rule add up.
func listRules(text, name string, do scope.Word) ([]scope.Rule, error) {
	prefix := scope.Rule{Name: name, Do: do}
	domain, regex := prefix, prefix
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case len(line) > 2 && strings.HasPrefix(line, "/") && strings.HasSuffix(line, "/"):
			regex.Regex = append(regex.Regex, line[1:len(line)-1])
		case strings.Contains(line, "://"):
			if _, err := canon.Parse(line); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			prefix.Prefix = append(prefix.Prefix, line)
		case strings.ContainsAny(line, "/ ?#"):
			return nil, fmt.Errorf("line %d: %q is neither an address (https://...), nor a name (example.org), nor an expression (/.../)", i+1, line)
		default:
			domain.Domain = append(domain.Domain, strings.TrimPrefix(line, "*."))
		}
	}
	var out []scope.Rule
	for _, r := range []scope.Rule{prefix, domain, regex} {
		if len(r.Prefix)+len(r.Domain)+len(r.Regex) > 0 {
			out = append(out, r)
		}
	}
	return out, nil
}

// splitRules finds the two lists at the beginning of rules again; all others are the rest.
func splitRules(rules []scope.Rule) (include, exclude string, rest []scope.Rule) {
	var in, out []string
	i := 0
	for ; i < len(rules); i++ {
		lines, ok := ruleLines(rules[i])
		switch {
		case ok && rules[i].Name == includeName && rules[i].Do == scope.Accept && len(out) == 0:
			in = append(in, lines...)
		case ok && rules[i].Name == excludeName && rules[i].Do == scope.Reject:
			out = append(out, lines...)
		default:
			ok = false
		}
		if !ok {
			break
		}
	}
	return strings.Join(in, "\n"), strings.Join(out, "\n"), rules[i:]
}

// ruleLines writes a rule as lines of a list; ok is false when it says more than a list can.
func ruleLines(r scope.Rule) (lines []string, ok bool) {
	plain := scope.Rule{Name: r.Name, Do: r.Do, Prefix: r.Prefix, Domain: r.Domain, Regex: r.Regex}
	if !reflect.DeepEqual(plain, r) {
		return nil, false
	}
	lines = append(append(lines, r.Prefix...), r.Domain...)
	for _, x := range r.Regex {
		lines = append(lines, "/"+x+"/")
	}
	return lines, true
}

// furtherRules reads the field for rules in TOML.
func furtherRules(text string) (scope.Definition, error) {
	set, err := scope.Parse(text)
	if err != nil {
		return scope.Definition{}, err
	}
	def := set.Definition()
	if def.Mode != "" || def.MaxHops != nil {
		return def, fmt.Errorf("scope and max-hops have fields of their own")
	}
	return def, nil
}
