package scope

import (
	"errors"
	"fmt"
	"strings"
)

// Limits on what a definition may hold, so that a slip does not eat the machine.
const (
	maxRegexLength = 1000
	maxRules       = 10_000
)

// compiled is a rule ready for use.
type compiled struct {
	name       string
	label      string // where it is counted
	word       Word
	not        bool
	follow     *bool
	why        string // the conditions in words
	conditions []condition
}

// speaks tells whether the rule has its say on the candidate.
func (r *compiled) speaks(c *Candidate, s *Seeds) bool {
	switch testAll(r.conditions, c, s) {
	case yes:
		return !r.not
	case no:
		return r.not
	}
	return false
}

// compiler collects the conditions of one rule and the first error with its field.
type compiler struct {
	conditions []condition
	err        *FieldError
}

type test = func(c *Candidate, s *Seeds) answer

// add puts a condition that is given.
func (b *compiler) add(given bool, field, text string, t test) {
	if given {
		b.conditions = append(b.conditions, condition{field, strings.TrimSpace(field + " " + text), t})
	}
}

// fail keeps the first error.
func (b *compiler) fail(field string, err error) {
	if b.err == nil && err != nil {
		b.err = &FieldError{Field: field, Err: err}
	}
}

// compileRule checks a rule and makes it ready.
func compileRule(r *Rule) (compiled, *FieldError) {
	var b compiler
	b.place(r)
	b.lists(r)
	b.way(r)
	b.content(r)
	if r.Do != Accept && r.Do != Reject {
		b.fail("do", fmt.Errorf("%q is neither accept nor reject", r.Do))
	}
	if r.Not && len(b.conditions) == 0 {
		b.fail("not", errors.New("not needs a condition"))
	}
	texts := make([]string, len(b.conditions))
	for i, c := range b.conditions {
		texts[i] = c.text
	}
	why := strings.Join(texts, " and ")
	switch {
	case why == "":
		why = "always"
	case r.Not:
		why = "not (" + why + ")"
	}
	return compiled{name: r.Name, word: r.Do, not: r.Not, follow: r.Follow, why: why, conditions: b.conditions}, b.err
}

// place compiles the conditions on where a URL lies.
func (b *compiler) place(r *Rule) {
	b.add(r.Seeds, "seeds", "", func(c *Candidate, _ *Seeds) answer { return say(c.Hops == "") })
	b.add(r.Redirected, "seed-redirect", "", func(c *Candidate, _ *Seeds) answer { return say(c.Hops.redirectedSeed()) })
	b.add(r.SeedPage, "seed-page", "", func(c *Candidate, s *Seeds) answer { return say(s.page(c.URL)) })
	b.add(r.SeedPrefix, "seed-prefix", "", func(c *Candidate, s *Seeds) answer { return say(s.folder(c.URL)) })
	b.add(r.SeedHost, "seed-host", "", func(c *Candidate, s *Seeds) answer { return say(s.host(c.URL)) })
	b.add(r.SeedDomain, "seed-domain", "", func(c *Candidate, s *Seeds) answer { return say(s.domain(c.URL)) })
	schemes := lower(r.Scheme)
	b.add(len(schemes) > 0, "scheme", words(schemes), func(c *Candidate, _ *Seeds) answer {
		for _, s := range schemes {
			if c.URL.Scheme() == s {
				return yes
			}
		}
		return no
	})
	b.add(r.LongerThan > 0, "longer-than", fmt.Sprint(r.LongerThan), func(c *Candidate, _ *Seeds) answer {
		return say(len(c.URL.String()) > r.LongerThan)
	})
	b.add(r.DeeperThan > 0, "deeper-than", fmt.Sprint(r.DeeperThan), func(c *Candidate, _ *Seeds) answer {
		return say(depth(c.URL.Path()) > r.DeeperThan)
	})
	if r.LongerThan < 0 || r.DeeperThan < 0 {
		b.fail("longer-than", errors.New("limits must not be negative"))
	}
}

// lists compiles hosts, domains, prefixes and regular expressions.
func (b *compiler) lists(r *Rule) {
	hosts, err := newHostSet(r.Host)
	b.fail("host", err)
	b.add(len(hosts) > 0, "host", words(r.Host), func(c *Candidate, _ *Seeds) answer { return say(hosts.has(c.URL)) })
	vias, err := newHostSet(r.ViaHost)
	b.fail("via-host", err)
	b.add(len(vias) > 0, "via-host", words(r.ViaHost), func(c *Candidate, _ *Seeds) answer {
		return say(!c.Via.IsZero() && vias.has(c.Via))
	})
	below, err := newDomainSet(r.Domain)
	b.fail("domain", err)
	b.add(len(below) > 0, "domain", words(r.Domain), func(c *Candidate, _ *Seeds) answer { return say(below.has(c.URL.Host())) })
	pre, err := newPrefixes(r.Prefix)
	b.fail("prefix", err)
	b.add(len(r.Prefix) > 0, "prefix", words(r.Prefix), func(c *Candidate, _ *Seeds) answer { return say(pre.has(c.URL)) })
	if re := b.regex("regex", r.Regex); len(re) > 0 {
		b.add(true, "regex", words(r.Regex), func(c *Candidate, _ *Seeds) answer { return say(re.match(c.URL.String())) })
	}
	if re := b.regex("via", r.Via); len(re) > 0 {
		b.add(true, "via", words(r.Via), func(c *Candidate, _ *Seeds) answer {
			return say(!c.Via.IsZero() && re.match(c.Via.String()))
		})
	}
}

// regex compiles alternatives; nil when there are none or one is wrong.
func (b *compiler) regex(field string, list []string) finders {
	f, err := newFinders(list)
	b.fail(field, err)
	return f
}

// words joins values for an explanation, the first few of a long list.
func words(list []string) string {
	if len(list) > 4 {
		return strings.Join(list[:4], ", ") + fmt.Sprintf(" and %d more", len(list)-4)
	}
	return strings.Join(list, ", ")
}
