package coherence

import (
	"fmt"
	"math"
	"strings"
)

// Strategy is the name of a way to order visits.
type Strategy string

// The strategies. Those of the second block plan for revisits when [Options.Revisit] is set.
const (
	BFS                 Strategy = "bfs"           // in the order of discovery
	DFS                 Strategy = "dfs"           // the page found last first
	HottestFirst        Strategy = "hottest-first" // the highest change rate first
	HottestLast         Strategy = "hottest-last"  // the lowest change rate first
	Freshness           Strategy = "freshness"     // most freshness won for a search engine, after Olston and Pandey
	MeasurableThreshold Strategy = "measurable"    // seed 001, figure 7: threshold eta on the conflict since the start

	SHARC              Strategy = "sharc"     // organ pipe; with revisits the pyramid of hopeful and hopeless pages
	InducibleThreshold Strategy = "inducible" // seed 001, figure 8: threshold eta on the conflict between visit and revisit
	Varve              Strategy = "varve"     // the optimum assignment; without revisits the organ pipe
)

// Strategies lists all strategies.
func Strategies() []Strategy {
	return []Strategy{BFS, DFS, HottestFirst, HottestLast, Freshness, SHARC, MeasurableThreshold, InducibleThreshold, Varve}
}

// ParseStrategy reads the name of a strategy; "" is the default, varve.
func ParseStrategy(s string) (Strategy, error) {
	if s == "" {
		return Varve, nil
	}
	var names []string
	for _, k := range Strategies() {
		if string(k) == s {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("strategy %q is not known; there are %s", s, strings.Join(names, ", "))
}

// Candidate is a page that can be visited. Rate and the times are in one unit of the caller's choice:
// changes per second and seconds, or changes per slot and slots.
type Candidate struct {
	ID    uint64
	Rate  float64 // expected changes per unit of time; negative or not a number: not known
	Cost  float64 // expected time that its fetch takes, with the pause after it; 0 is the pace
	Age   float64 // time since it was fetched last, in an earlier crawl; 0 is never. Freshness uses it
	Value float64 // what it is worth to have it; asked with [Options.Focus]

	seq uint64 // order of discovery
}

// Options are what a plan depends on beside the pages.
type Options struct {
	Revisit  bool    // visits will be followed by revisits
	Eta      float64 // threshold of measurable and inducible; 0 is DefaultEta
	Pace     float64 // time from one fetch to the next; 0 is 1
	Expected int     // estimate of the number of all pages, found and not yet found; less than found means no more
	Prior    float64 // rate of pages whose rate is not known
	Focus    bool    // valuable pages are visited first, with some leeway for coherence
	Leeway   float64 // with Focus: among how many of the most valuable pages is chosen, as a share of the visits to come; 0 is one page, 1 is all that can be visited
}

// DefaultEta is a threshold in the middle of the range that the seed found good, 0.45 to 0.7.
const DefaultEta = 0.6

// DefaultLeeway is what a capture that is after something gives coherence. docs/algorithms/relevance.md has what it costs either.
const DefaultLeeway = 0.125

// withDefaults fills unset and senseless options.
func (o Options) withDefaults() Options {
	if !(o.Eta > 0 && o.Eta < 1) {
		o.Eta = DefaultEta
	}
	if !(o.Pace > 0) || math.IsInf(o.Pace, 1) {
		o.Pace = 1
	}
	if !finite(o.Prior) {
		o.Prior = 0
	}
	if !(o.Leeway > 0) {
		o.Leeway = 0
	}
	o.Leeway = min(o.Leeway, 1)
	return o
}

// finite tells whether x is a number that can be a rate or a time.
func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// utility is the priority of a page for freshness, after Olston and Pandey (2008): the area
// between the divergence D(s) = 1-exp(-l*s) at age a and the divergence until then,
//
//	a*D(a) - integral over [0,a] of D(s) ds  =  (1-exp(-l*a))/l - a*exp(-l*a)
//
// It prefers pages that have changed and whose change will last: the coldest of the changed.
func utility(l, a float64) float64 {
	if l*a < 1e-4 {
		return l * a * a / 2 // the limit for small l*a
	}
	return Conflict(l, a)/l - a*math.Exp(-l*a)
}
