package crawl

import (
	"fmt"
	"time"

	"varve"
	"varve/crawl/scope"
)

// ScopeTest tells which rule decides about a URL, and what all others say.
type ScopeTest struct {
	URL      string          `json:"url"`
	Decision scope.Decision  `json:"decision"`
	Opinions []scope.Opinion `json:"opinions"`
}

// ScopeTester asks the rules of a crawl about URLs without fetching anything.
type ScopeTester struct {
	set   *scope.Set
	seeds *scope.Seeds
}

// NewScopeTester makes a tester for rules around seeds.
func NewScopeTester(def scope.Definition, seeds []string) (*ScopeTester, error) {
	set, err := scope.NewSet(def)
	if err != nil {
		return nil, err
	}
	known := scope.NewSeeds()
	for _, s := range seeds {
		u, err := ParseSeed(s)
		if err != nil {
			return nil, err
		}
		known.Add(u)
	}
	return &ScopeTester{set, known}, nil
}

// Test asks about a URL that was found on the page via ("" if that is not known) by the way hops. Of
// suspicions only those are known that the URL itself arouses.
func (t *ScopeTester) Test(url, hops, via string, now time.Time) (ScopeTest, error) {
	c, err := scope.CandidateOf(url, hops)
	if err != nil {
		return ScopeTest{}, &varve.Error{Kind: varve.Invalid, Op: "scope-test " + url, Err: err}
	}
	if via != "" {
		if c.Via, err = ParseSeed(via); err != nil {
			return ScopeTest{}, &varve.Error{Kind: varve.Invalid, Op: "scope-test " + url, Err: fmt.Errorf("found on: %w", err)}
		}
	}
	c.Suspicions = scope.NewTraps(scope.TrapLimits{}).URL(c.URL, now)
	if action, acts := c.Acts(); acts {
		c.Suspicions = append(c.Suspicions, action)
	}
	return ScopeTest{url, t.set.Decide(&c, t.seeds), t.set.Explain(&c, t.seeds)}, nil
}
