package access

import (
	"iter"
	"slices"
	"strings"
	"time"
)

// Capture is a capture that a rule may be about.
type Capture struct {
	Collection, Key, URL string
	Time                 time.Time
}

// Effect is what would change if a rule came into force, by the captures that whoever asks may see.
type Effect struct {
	Captures    int64    `json:"captures"` // that were looked at: those with an address and a time that the rule is about
	Withheld    Change   `json:"withheld"` // from readers, who see them now
	Taken       Change   `json:"taken"`    // from curators too, who see them now
	Opened      Change   `json:"opened"`   // to readers, who do not see them now
	Collections []string `json:"collections"`
	More        bool     `json:"more"` // there are more captures than are looked at: the counts are at least these
}

// Change is captures that are seen no more, or from now on.
type Change struct {
	Captures int64    `json:"captures"`
	Pages    int64    `json:"pages"` // addresses
	Examples []string `json:"examples,omitempty"`

	last string // key of the last page
}

// Sizes of an effect.
const (
	mostLooked    = 500_000 // captures
	effectSamples = 8
	largeEffect   = 1000 // captures
)

// Large reports whether so much would be seen no more that a person should be asked twice.
func (e *Effect) Large() bool { return e.More || e.Withheld.Captures+e.Taken.Captures >= largeEffect }

func (c *Change) add(x *Capture) {
	c.Captures++
	if key := x.Collection + "\x00" + x.Key; key != c.last {
		c.last = key
		if c.Pages++; len(c.Examples) < effectSamples {
			c.Examples = append(c.Examples, x.URL)
		}
	}
}

// Effect returns what a rule would change beside the rules in force. The captures must come by collection and key; those outside of the rule do no
// harm. The rule must have passed Check.
func (s *RuleSet) Effect(r Rule, captures iter.Seq2[Capture, error], now time.Time) (Effect, error) {
	rules := []Rule{r}
	if s != nil {
		for _, old := range s.rules {
			rules = append(rules, *old)
		}
	}
	after := NewRuleSet(rules)
	reader, curator := Visitor{Role: Viewer}, Visitor{Role: Curator}
	out := Effect{Collections: []string{}}
	for c, err := range captures {
		if err != nil {
			return out, err
		}
		if !r.matches(c.Collection, c.Key, c.Time) {
			continue
		}
		if out.Captures == mostLooked {
			out.More = true
			break
		}
		out.Captures++
		may := func(set *RuleSet, v Visitor) bool { return set.Check(v, c.Collection, c.Key, c.Time, now).Allowed }
		was, is := may(s, reader), may(after, reader)
		switch {
		case was && !is:
			out.Withheld.add(&c)
		case !was && is:
			out.Opened.add(&c)
		}
		taken := may(s, curator) && !may(after, curator)
		if taken {
			out.Taken.add(&c)
		}
		if (was != is || taken) && !slices.Contains(out.Collections, c.Collection) {
			out.Collections = append(out.Collections, c.Collection)
		}
	}
	return out, nil
}

// Keys returns a range of index keys that has all keys that a rule which passed Check is about, and few others: those behind after and before until. Empty ones have
// no end.
func (r *Rule) Keys() (after, until string) {
	switch {
	case r.low == "":
		return "", ""
	case r.anyPort:
		host := strings.TrimRight(r.low, "),/")
		return host, host + ";" // the byte behind the colon of a port
	case r.folder != "":
		return r.folder[:len(r.folder)-1], r.folder + "@" // the byte behind a question mark
	}
	return r.low[:len(r.low)-1], r.high
}
