package scope

import (
	"fmt"
	"slices"
	"sync/atomic"

	"varve/web/canon"
)

// Decision is the verdict on a candidate and who gave it.
type Decision struct {
	Verdict Word   `json:"verdict"` // Accept or Reject
	Rule    int    `json:"rule"`    // index of the rule from 0; -1 when none spoke
	Name    string `json:"name,omitempty"`
	Why     string `json:"why"`
	Follow  *bool  `json:"follow,omitempty"` // where the rule says so: whether links are followed

	label string
}

// Accepted tells whether the candidate is in: to be kept, or for its links.
func (d Decision) Accepted() bool { return d.Keeps() || d.Follows() }

// Keeps tells whether the answer is recorded.
func (d Decision) Keeps() bool { return d.Verdict == Accept }

// Follows tells whether the links of the answer are followed.
func (d Decision) Follows() bool {
	if d.Follow != nil {
		return *d.Follow
	}
	return d.Keeps()
}

// Label names the rule where decisions are counted: by its name, or by number and conditions.
func (d Decision) Label() string { return d.label }

// String gives a line for people: `reject by rule 3 "no calendars": regex /cal/`.
func (d Decision) String() string {
	if d.Rule < 0 {
		return fmt.Sprintf("%s: %s", d.Verdict, d.Why)
	}
	if d.Name == "" {
		return fmt.Sprintf("%s by rule %d: %s", d.Verdict, d.Rule+1, d.Why)
	}
	return fmt.Sprintf("%s by rule %d %q: %s", d.Verdict, d.Rule+1, d.Name, d.Why)
}

// Opinion is what one rule says of a candidate.
type Opinion struct {
	Rule   int    `json:"rule"`
	Name   string `json:"name,omitempty"`
	Word   Word   `json:"word"` // Accept, Reject or Pass
	Why    string `json:"why"`
	Decide bool   `json:"decides"` // this was the last word
}

// Set is a compiled definition: rules in order, and settings per domain. It never changes and is safe
// for use by several goroutines.
type Set struct {
	rules    []compiled
	settings settingsTable
	def      Definition
	asks     map[string]bool // keys that a rule has, as in TOML: conditions, and follow
	steps    []int64         // sizes from which on the verdict may be another, sorted
}

// NewSet compiles and checks a definition. The error is a *FieldError that names rule or domain and field.
func NewSet(def Definition) (*Set, error) {
	rules, err := def.All()
	if err != nil {
		return nil, err
	}
	if len(rules) > maxRules {
		return nil, &FieldError{Field: "rule", Err: fmt.Errorf("%d rules, at most %d are allowed", len(rules), maxRules)}
	}
	s := &Set{def: def, rules: make([]compiled, len(rules))}
	own := len(rules) - len(def.Rules) - len(afterRules()) // where the curator's rules begin
	for i := range rules {
		r, ferr := compileRule(&rules[i])
		if ferr != nil {
			ferr.Rule, ferr.Name = i-own+1, rules[i].Name
			return nil, ferr
		}
		if r.label = r.name; r.label == "" {
			r.label = fmt.Sprintf("rule %d: %s", i+1, r.why)
		}
		s.rules[i] = r
		s.learn(&r, &rules[i])
	}
	slices.Sort(s.steps)
	if s.settings, err = newSettingsTable(def.Domains); err != nil {
		return nil, err
	}
	return s, nil
}

// learn notes what a rule asks about.
func (s *Set) learn(c *compiled, r *Rule) {
	if s.asks == nil {
		s.asks = map[string]bool{}
	}
	for _, cond := range c.conditions {
		s.asks[cond.field] = true
	}
	if r.Follow != nil {
		s.asks["follow"] = true
	}
	if r.LargerThan > 0 {
		s.steps = append(s.steps, int64(r.LargerThan)+1)
	}
	if r.SmallerThan > 0 {
		s.steps = append(s.steps, int64(r.SmallerThan))
	}
}

// Asks tells whether a rule has one of the conditions, or follow, by their keys in TOML: what nobody asks for need not be found out.
func (s *Set) Asks(keys ...string) bool {
	return slices.ContainsFunc(keys, func(c string) bool { return s.asks[c] })
}

// Largest gives the size above which a candidate of unknown size is out, whatever more comes of it; 0 if there is none. Between
// two sizes that rules name the verdict is the same, so it is asked for at each, from the largest down.
func (s *Set) Largest(c *Candidate, seeds *Seeds) (most int64) {
	known := c.Size
	defer func() { c.Size = known }()
	for _, step := range slices.Backward(s.steps) {
		if c.Size = Is(step); s.Decide(c, seeds).Accepted() {
			break
		}
		most = step - 1
	}
	return most
}

// Definition gives back what the set was made of.
func (s *Set) Definition() Definition { return s.def }

// Decide gives the verdict on a candidate: the last rule that speaks.
func (s *Set) Decide(c *Candidate, seeds *Seeds) Decision {
	for i := len(s.rules) - 1; i >= 0; i-- {
		if r := &s.rules[i]; r.speaks(c, seeds) {
			return Decision{Verdict: r.word, Rule: i, Name: r.name, Why: r.why, Follow: r.follow, label: r.label}
		}
	}
	return Decision{Verdict: Reject, Rule: -1, Why: "no rule accepts it", label: "no rule accepts it"}
}

// Explain gives the opinion of every rule, in order, for the scope tester.
func (s *Set) Explain(c *Candidate, seeds *Seeds) []Opinion {
	out := make([]Opinion, len(s.rules))
	last := s.Decide(c, seeds).Rule
	for i := range s.rules {
		r := &s.rules[i]
		out[i] = Opinion{Rule: i, Name: r.name, Word: Pass, Why: r.why, Decide: i == last}
		switch testAll(r.conditions, c, seeds) {
		case unknown:
			out[i].Why += " (not known yet)"
		case yes, no:
			if r.speaks(c, seeds) {
				out[i].Word = r.word
			}
		}
	}
	return out
}

// Settings gives what the curator set for a host: of each field the value of the longest domain that has it.
func (s *Set) Settings(host string) Settings { return s.settings.of(host) }

// Live holds the set in force of a running crawl. Readers never wait; Swap is seen by the next Load.
type Live struct{ set atomic.Pointer[Set] }

// NewLive begins with a set.
func NewLive(s *Set) *Live {
	l := new(Live)
	l.set.Store(s)
	return l
}

// Load gives the set in force.
func (l *Live) Load() *Set { return l.set.Load() }

// Swap checks a new definition and, only when it is right, puts it in force.
func (l *Live) Swap(def Definition) error {
	s, err := NewSet(def)
	if err != nil {
		return err
	}
	l.set.Store(s)
	return nil
}

// CandidateOf makes the candidate for a bare URL and way, as the scope tester needs it.
func CandidateOf(rawURL, hops string) (Candidate, error) {
	u, err := canon.Parse(rawURL)
	if err != nil {
		return Candidate{}, err
	}
	h, err := ParseHops(hops)
	return Candidate{URL: u, Hops: h}, err
}
