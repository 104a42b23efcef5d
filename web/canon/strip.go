package canon

import (
	"slices"
	"strings"
)

// ruleGroup holds the compiled rules of one group.
type ruleGroup struct {
	query    nameTable
	matrix   nameTable
	together []*Rule
	segments []*Rule
}

// nameTable finds rules by parameter name: a map for whole names, a list for beginnings.
type nameTable struct {
	exact  map[string][]*Rule
	prefix []prefixRule
}

type prefixRule struct {
	prefix string
	rule   *Rule
}

func (t *nameTable) add(r *Rule) {
	for _, n := range r.Names {
		if p, ok := strings.CutSuffix(n, "*"); ok {
			t.prefix = append(t.prefix, prefixRule{p, r})
		} else {
			t.exact[n] = append(t.exact[n], r)
		}
	}
}

// find gives the first rule that matches a parameter, or nil.
func (t *nameTable) find(name, value string) *Rule {
	var buf [maxRuleName]byte
	short := name[:min(len(name), maxRuleName)]
	lower := appendLower(buf[:0], short)
	if len(name) <= maxRuleName {
		for _, r := range t.exact[string(lower)] {
			if r.value == nil || r.value.MatchString(value) {
				return r
			}
		}
	}
	for _, p := range t.prefix {
		if len(lower) >= len(p.prefix) && string(lower[:len(p.prefix)]) == p.prefix &&
			(p.rule.value == nil || p.rule.value.MatchString(value)) {
			return p.rule
		}
	}
	return nil
}

// appendLower appends s with ASCII letters in lower case.
func appendLower(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		b = append(b, c)
	}
	return b
}

func (g *ruleGroup) addQuery(r *Rule) {
	g.query.add(r)
	if r.Together {
		g.together = append(g.together, r)
	}
}

func (g *ruleGroup) addMatrix(r *Rule)  { g.matrix.add(r) }
func (g *ruleGroup) addSegment(r *Rule) { g.segments = append(g.segments, r) }

// FrontierKey gives the key under which u is queued, seen and remembered: its serialisation
// without fragment and without the session ids that the default rules know.
func (u URL) FrontierKey() string { return defaultRules().FrontierKey(u) }

// FrontierKey is like URL.FrontierKey with these rules.
func (r *Rules) FrontierKey(u URL) string { return r.Strip(u, GroupSession) }

// Strip gives the serialisation of u without fragment and without all that the rules of the
// groups match. Rules look at whole parameters and whole segments, so stripping twice changes
// nothing. Only http and https URLs are touched.
func (r *Rules) Strip(u URL, groups ...string) string {
	key := u.href[:u.queryEnd]
	if !u.IsHTTP() {
		return strings.TrimRight(key, " ") // a space at the end of an opaque path would not survive parsing
	}
	path, query, changed := u.Path(), u.Query(), false
	for _, name := range groups {
		g := r.groups[name]
		if g == nil {
			continue
		}
		if q := g.stripQuery(query); len(q) != len(query) {
			query, changed = q, true
		}
		if p := g.stripPath(path); len(p) != len(path) {
			path, changed = p, true
		}
	}
	if !changed {
		return key
	}
	key = u.href[:u.pathStart] + path
	if query != "" || u.HasQuery() && u.Query() == "" {
		key += "?" + query
	}
	return key
}

// stripQuery drops the parameters that match.
func (g *ruleGroup) stripQuery(query string) string {
	if query == "" {
		return ""
	}
	var partial []*Rule // rules of which not all names are there
	for _, r := range g.together {
		if !g.complete(r, query) {
			partial = append(partial, r)
		}
	}
	drop := func(arg string) bool {
		name, value, _ := strings.Cut(arg, "=")
		r := g.query.find(name, value)
		return r != nil && !slices.Contains(partial, r)
	}
	for arg := range strings.SplitSeq(query, "&") {
		if drop(arg) {
			return strings.Join(slices.DeleteFunc(strings.Split(query, "&"), drop), "&")
		}
	}
	return query
}

// complete tells whether each name of a rule is in the query with a matching value.
func (g *ruleGroup) complete(r *Rule, query string) bool {
	found := 0
	for _, name := range r.Names {
		for arg := range strings.SplitSeq(query, "&") {
			n, v, _ := strings.Cut(arg, "=")
			if strings.EqualFold(n, name) && g.query.find(n, v) == r {
				found++
				break
			}
		}
	}
	return found == len(r.Names)
}

// stripPath drops matrix parameters (;name=value) and segments that match.
func (g *ruleGroup) stripPath(path string) string {
	if len(g.matrix.exact)+len(g.matrix.prefix) > 0 && strings.IndexByte(path, ';') >= 0 {
		path = g.stripMatrix(path)
	}
	for _, r := range g.segments {
		if strings.Contains(path, r.Hint) {
			path = r.stripSegments(path)
		}
	}
	return path
}

// stripMatrix works segment by segment, so that no new parameter can arise from two old ones.
func (g *ruleGroup) stripMatrix(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		first, params, ok := strings.Cut(s, ";")
		if !ok {
			continue
		}
		kept := []byte(first)
		for p := range strings.SplitSeq(params, ";") {
			name, value, _ := strings.Cut(p, "=")
			if g.matrix.find(name, value) == nil {
				kept = append(append(kept, ';'), p...)
			}
		}
		if dots(kept) == 0 { // "..;jsessionid=1" must not become ".."
			segments[i] = string(kept)
		}
	}
	return strings.Join(segments, "/")
}

// stripSegments drops each segment that matches, if the rest of the path allows it.
func (r *Rule) stripSegments(path string) string {
	limit := len(path) // a segment must end before limit: the last place where r.before matches
	if r.before != nil {
		limit = 0
		if all := r.before.FindAllStringIndex(path, -1); len(all) > 0 {
			limit = all[len(all)-1][0]
		}
	}
	var b strings.Builder
	start := 0 // of the text not yet copied; each round looks at one "/segment"
	for i := 0; i < len(path); {
		end := len(path)
		if j := strings.IndexByte(path[i+1:], '/'); j >= 0 {
			end = i + 1 + j
		}
		if end < len(path) && end <= limit && r.pattern.MatchString(path[i+1:end]) {
			b.WriteString(path[start:i])
			start = end
		}
		i = end
	}
	b.WriteString(path[start:])
	return b.String()
}
