package robots

import (
	"slices"
	"strings"
	"time"
)

// Rules are all rules of a file for one crawler, ready for many tests. They are safe for use by
// several goroutines.
type Rules struct {
	agent string
	globs []entry     // rules with `*` inside or `$`, longest first, Allow before Disallow
	plain prefixTable // rules that are only a prefix
	pace  []Pace
}

// entry is a compiled rule.
type entry struct {
	rule    Rule
	pattern pattern
	length  int // octets of the normal form: what "most specific" counts
}

// Verdict is the answer to one test.
type Verdict struct {
	Allowed bool
	Rule    *Rule // the rule that decided; nil when none matched
}

// For merges the groups that are meant for the product token. Without such a group those of `*`
// count; without any the crawler may go everywhere. The token is the bare name, without a version.
func (f *File) For(token string) *Rules {
	token = strings.ToLower(token)
	named := func(a Agent) bool { return a.matches(token) }
	star := func(a Agent) bool { return a.Token == "*" }
	if r := f.collect(named); r != nil {
		r.agent = token
		return r
	}
	if r := f.collect(star); r != nil {
		r.agent = "*"
		return r
	}
	return new(Rules)
}

// collect merges the groups that have an agent of the given kind, or gives nil when none has.
func (f *File) collect(kind func(Agent) bool) *Rules {
	r, found := new(Rules), false
	var plain []entry
	for _, g := range f.Groups {
		at := slices.IndexFunc(g.Agents, kind)
		if at < 0 {
			continue
		}
		found = true
		for _, rule := range g.Rules {
			r.globs, plain = addRule(r.globs, plain, rule)
		}
		for _, p := range g.Pace {
			if at < p.agents {
				r.pace = append(r.pace, p)
			}
		}
	}
	if !found {
		return nil
	}
	slices.SortStableFunc(r.globs, moreSpecific)
	r.plain = newPrefixTable(plain)
	return r
}

// addRule compiles a rule into the list it belongs to, in both forms where they differ.
func addRule(globs, plain []entry, rule Rule) (g, p []entry) {
	form := normal(rule.Path, ofRule)
	for _, s := range slices.Compact([]string{form, openQuery(form)}) {
		e := entry{rule: rule, pattern: compile(s), length: len(form)}
		if _, ok := e.pattern.literal(); ok {
			plain = append(plain, e)
		} else {
			globs = append(globs, e)
		}
	}
	return globs, plain
}

// moreSpecific orders rules: more octets first, then Allow, then the earlier line.
func moreSpecific(a, b entry) int {
	switch {
	case a.length != b.length:
		return b.length - a.length
	case a.rule.Allow != b.rule.Allow:
		if a.rule.Allow {
			return -1
		}
		return 1
	}
	return a.rule.Line - b.rule.Line
}

// Agent says whose groups these rules are: the token, "*", or "" when the file has none for us.
func (r *Rules) Agent() string { return r.agent }

// Test decides on a target: the path with query of a URL, as sent in a request line.
func (r *Rules) Test(target string) Verdict {
	if target == "" || target[0] != '/' {
		target = "/" + target
	}
	if target == "/robots.txt" {
		return Verdict{Allowed: true}
	}
	form := normal(target, ofTarget)
	best := r.search(form)
	if open := openQuery(form); open != form {
		if e := r.search(open); e != nil && (best == nil || moreSpecific(*e, *best) < 0) {
			best = e
		}
	}
	if best == nil {
		return Verdict{Allowed: true}
	}
	rule := best.rule
	return Verdict{Allowed: rule.Allow, Rule: &rule}
}

// search gives the most specific rule that covers a target in normal form.
func (r *Rules) search(form string) *entry {
	best := r.plain.longest(form)
	for i := range r.globs {
		e := &r.globs[i]
		if best != nil && moreSpecific(*best, *e) < 0 {
			break
		}
		if e.pattern.match(form) {
			return e
		}
	}
	return best
}

// Delay gives the spacing of requests that the site asks for at the instant: Crawl-delay, or the
// Request-rate of that hour, whichever is longer. False when it asks for none.
func (r *Rules) Delay(now time.Time) (time.Duration, bool) {
	var longest time.Duration
	found := false
	for _, p := range r.pace {
		if p.Name != "visit-time" && p.Hours.Contains(now) {
			longest, found = max(longest, p.Delay), true
		}
	}
	return longest, found
}

// Welcome tells whether the instant lies in a Visit-time of the site; without one it always does.
func (r *Rules) Welcome(now time.Time) bool {
	asked := false
	for _, p := range r.pace {
		if p.Name == "visit-time" {
			if p.Hours.Contains(now) {
				return true
			}
			asked = true
		}
	}
	return !asked
}

// Target gives the path with query of an absolute http URL, without fragment.
func Target(rawURL string) string {
	if i := strings.Index(rawURL, "://"); i >= 0 {
		rawURL = rawURL[i+3:]
		j := strings.IndexAny(rawURL, "/?#")
		if j < 0 {
			return "/"
		}
		rawURL = rawURL[j:]
	}
	rawURL, _, _ = strings.Cut(rawURL, "#")
	if !strings.HasPrefix(rawURL, "/") {
		rawURL = "/" + rawURL
	}
	return rawURL
}
