package access

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/web/canon"
)

// Level says who may see captures.
type Level string

// The levels, from open to closed.
const (
	Open        Level = "open"         // everybody who may use the archive
	ReadingRoom Level = "reading-room" // visitors in the reading room, and curators
	Curators    Level = "curators"     // curators only: an embargo without end
	Blocked     Level = "blocked"      // nobody: takedown
)

var levelRanks = map[Level]int{Open: 1, ReadingRoom: 2, Curators: 3, Blocked: 4}

// Rule withholds captures.
type Rule struct {
	ID         string    `json:"id"`
	Collection string    `json:"collection,omitempty"`  // empty: all
	Prefix     string    `json:"prefix,omitempty"`      // of URLs, as people write them; empty: all. A bare host takes its subdomains too
	Exact      bool      `json:"exact,omitempty"`       // only the address that Prefix is, and none that begins so
	Person     string    `json:"person,omitempty"`      // for whose sake: id of an entity, or a name; it changes nothing about what is withheld
	From       time.Time `json:"from,omitzero"`         // only captures from this instant on
	To         time.Time `json:"to,omitzero"`           // only captures before this instant
	Level      Level     `json:"level,omitempty"`       // who may see them
	Embargo    int       `json:"embargoDays,omitempty"` // captures younger than so many days are for curators only
	Reason     string    `json:"reason"`
	By         string    `json:"by"`
	Role       Role      `json:"role,omitempty"` // of whoever set it; missing in older files: an administrator
	At         time.Time `json:"at"`

	low, high string // range of index keys; high is exclusive, "" has no end
	anyPort   bool   // a bare host stands for all its ports
	folder    string // key of the folder itself where the prefix is one: keys have no slash at their end
}

// Check tells what is wrong with a rule that somebody wants to add, and prepares it.
func (r *Rule) Check() error {
	if strings.TrimSpace(r.Reason) == "" {
		return errors.New("a rule needs a reason: those who come after you will ask")
	}
	return r.valid()
}

// valid tells whether it is known what a rule withholds, and prepares it.
func (r *Rule) valid() error {
	if r.Level == "" && r.Embargo == 0 {
		return errors.New("a rule needs a level or an embargo")
	}
	if r.Level != "" && levelRanks[r.Level] == 0 {
		return fmt.Errorf("there is no level %q: open, reading-room, curators or blocked", r.Level)
	}
	if r.Embargo < 0 {
		return errors.New("an embargo cannot be negative")
	}
	if !r.From.IsZero() && !r.To.IsZero() && !r.From.Before(r.To) {
		return errors.New("the time ends before it begins")
	}
	if r.Exact && r.Prefix == "" {
		return errors.New("a rule for one address needs that address")
	}
	return r.prepare()
}

// prepare makes the range of keys of the prefix.
func (r *Rule) prepare() (err error) {
	r.low, r.high, r.folder, r.anyPort = "", "", "", false
	if r.Prefix == "" {
		return nil
	}
	match, target := canon.Shorthand(r.Prefix)
	if r.Exact {
		match, target = canon.MatchExact, r.Prefix
	} else if match == canon.MatchExact {
		match = canon.MatchPrefix
		_, rest, ok := strings.Cut(target, "://")
		if !ok {
			rest = target
		}
		if !strings.ContainsAny(rest, "/?#") {
			match = canon.MatchDomain
		}
	}
	r.low, r.high, err = canon.Range(match, target)
	if err != nil {
		return fmt.Errorf("prefix %s: %w", r.Prefix, err)
	}
	r.anyPort = match == canon.MatchDomain && !strings.Contains(r.low, ":")
	if match == canon.MatchPrefix && strings.HasSuffix(r.low, "/") && !strings.HasSuffix(r.low, ")/") {
		r.folder = strings.TrimSuffix(r.low, "/")
	}
	return nil
}

// covers tells whether a key lies in the range.
func (r *Rule) covers(key string) bool {
	if r.anyPort {
		key = withoutPort(key)
	}
	return key >= r.low && (r.high == "" || key < r.high) || r.folder != "" && (key == r.folder || strings.HasPrefix(key, r.folder+"?"))
}

// withoutPort is a key without the port of its host: example,www:8080)/ is example,www)/.
func withoutPort(key string) string {
	host, path, ok := strings.Cut(key, ")")
	name, _, port := strings.Cut(host, ":")
	if !ok || !port {
		return key
	}
	return name + ")" + path
}

// Matches reports whether a rule that passed Check is about a capture, by its index key and time.
func (r *Rule) Matches(collection, key string, at time.Time) bool {
	return r.matches(collection, key, at)
}

// matches tells whether a rule is about a capture.
func (r *Rule) matches(collection, key string, at time.Time) bool {
	key = subject(key)
	return r.about(collection) && r.covers(key) &&
		(r.From.IsZero() || !at.Before(r.From)) && (r.To.IsZero() || at.Before(r.To))
}

// about tells whether a rule is about captures of a collection; of one that is not known, it is.
func (r *Rule) about(collection string) bool {
	return r.Collection == "" || collection == "" || r.Collection == collection
}

// byAdmin tells whether an administrator set the rule.
func (r *Rule) byAdmin() bool { return r.Role == "" || r.Role.Includes(Admin) }

// withholds tells whether the rule may keep something from a visitor.
func (r *Rule) withholds(v Visitor) bool {
	switch {
	case r.Level == Blocked:
		return true
	case v.Can(Curator):
		return false
	}
	return r.Embargo > 0 || r.Level == Curators || r.Level == ReadingRoom && !v.ReadingRoom
}

// subject is the key that rules are about. What was made of a page (its picture urn:view:URL, a film urn:media:URL, a
// recording urn:vod:URL) is seen by whoever may see the page, and goes with it.
func subject(key string) string {
	rest, ok := strings.CutPrefix(key, "urn:")
	if !ok {
		return key
	}
	for _, scheme := range []string{":http://", ":https://"} {
		if i := strings.Index(rest, scheme); i >= 0 {
			return canon.SURT(rest[i+1:])
		}
	}
	return key
}

// weight orders rules by how narrow they are: by prefix, then by collection, then by time.
func (r *Rule) weight() int {
	w := 8 * len(r.low)
	if r.Collection != "" {
		w += 4
	}
	if !r.From.IsZero() || !r.To.IsZero() {
		w += 2
	}
	return w
}

// Verdict is whether a visitor may see a capture, and why not.
type Verdict struct {
	Allowed bool
	Rule    *Rule     // that withholds it
	Until   time.Time // of an embargo
}

// RuleSet is the rules in force. It never changes; safe for concurrent use.
type RuleSet struct{ rules []*Rule } // narrowest first, of equal ones the strictest

// NewRuleSet takes rules into force. They must have passed Check.
func NewRuleSet(rules []Rule) *RuleSet {
	s := &RuleSet{}
	for i := range rules {
		s.rules = append(s.rules, &rules[i])
	}
	slices.SortStableFunc(s.rules, func(a, b *Rule) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(levelRanks[b.Level], levelRanks[a.Level]), cmp.Compare(b.Embargo, a.Embargo))
	})
	return s
}

// Empty tells whether there is nothing to check.
func (s *RuleSet) Empty() bool { return s == nil || len(s.rules) == 0 }

// Withholds reports whether some rule may keep captures of a collection from the visitor; "" is any collection.
func (s *RuleSet) Withholds(v Visitor, collection string) bool {
	if v.bounded() {
		v = v.anybody()
	}
	return !v.reads(collection) || s != nil && slices.ContainsFunc(s.rules, func(r *Rule) bool { return r.about(collection) && r.withholds(v) })
}

// Passing reports whether some rule withholds captures for a time only, so that verdicts change while rules do not.
func (s *RuleSet) Passing() bool {
	return s != nil && slices.ContainsFunc(s.rules, func(r *Rule) bool { return r.Embargo > 0 })
}

// Check decides on a capture: the narrowest rule with a level decides on the level, the narrowest
// with an embargo on the embargo. What an administrator decided is not loosened by a curator's rule,
// however narrow, and blocked is blocked whatever narrower rule there is: a takedown must not be
// undone by accident.
func (s *RuleSet) Check(v Visitor, collection, key string, at, now time.Time) Verdict {
	switch {
	case !v.reads(collection):
		return Verdict{Rule: &Rule{Level: Curators, Reason: "the ticket is for another collection"}}
	case s.Empty():
		return Verdict{Allowed: true}
	}
	if !v.Covers(at) {
		v = v.anybody()
	}
	level, embargo := s.decide(collection, key, at)
	switch {
	case level != nil && level.Level == Blocked:
		return Verdict{Rule: level}
	case v.Can(Curator):
		return Verdict{Allowed: true}
	case level != nil && (level.Level == Curators || level.Level == ReadingRoom && !v.ReadingRoom):
		return Verdict{Rule: level}
	case embargo != nil && at.AddDate(0, 0, embargo.Embargo).After(now):
		return Verdict{Rule: embargo, Until: at.AddDate(0, 0, embargo.Embargo)}
	}
	return Verdict{Allowed: true}
}

// decide finds the rules that decide on a capture; nil: none does.
func (s *RuleSet) decide(collection, key string, at time.Time) (level, embargo *Rule) {
	var above struct{ level, embargo *Rule } // what administrators decided
	for _, r := range s.rules {
		if !r.matches(collection, key, at) {
			continue
		}
		if r.Level == Blocked {
			return r, nil
		}
		if r.Level != "" {
			level = cmp.Or(level, r)
			if r.byAdmin() {
				above.level = cmp.Or(above.level, r)
			}
		}
		if r.Embargo > 0 {
			embargo = cmp.Or(embargo, r)
			if r.byAdmin() {
				above.embargo = cmp.Or(above.embargo, r)
			}
		}
	}
	if a := above.level; a != nil && levelRanks[a.Level] > levelRanks[level.Level] {
		level = a
	}
	if a := above.embargo; a != nil && a.Embargo > embargo.Embargo {
		embargo = a
	}
	return level, embargo
}

// Always reports whether the visitor may see all captures of a key from one instant to another: of
// what is told without saying when in that time it was.
func (s *RuleSet) Always(v Visitor, collection, key string, from, to, now time.Time) bool {
	for _, at := range s.turns(collection, key, from, to) {
		if !s.Check(v, collection, key, at, now).Allowed {
			return false
		}
	}
	return true
}

// Ever reports whether there is an instant until now at which the visitor might see a capture of a key:
// of an address that is told without any time.
func (s *RuleSet) Ever(v Visitor, collection, key string, now time.Time) bool {
	for _, at := range s.turns(collection, key, time.Time{}, now) {
		if s.Check(v, collection, key, at, now).Allowed {
			return true
		}
	}
	return false
}

// turns are the instants of a span at which verdicts are at their mildest and strictest: its ends, and those of the
// rules in it.
func (s *RuleSet) turns(collection, key string, from, to time.Time) []time.Time {
	out := []time.Time{from, to}
	key = subject(key)
	for _, r := range s.rules {
		if !r.about(collection) || !r.covers(key) {
			continue
		}
		for _, t := range []time.Time{r.From, r.To} {
			if !t.IsZero() && t.After(from) && t.Before(to) {
				out = append(out, t.Add(-1), t)
			}
		}
	}
	return out
}
