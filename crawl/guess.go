package crawl

import (
	"strings"
	"sync"

	"varve/crawl/scope"
)

// Strings in scripts that look like URLs are tried last, as guesses. Most of them are none and cost their host a 404 each. So a host
// gets a few to begin with, and every one that brings something earns some more:
//
//	allowed = guessStart + guessEarned · brought
//
// With 30 and 5, a host whose scripts name a thousand pages gives all of them, also if four of five strings are none; one whose
// strings are none is asked 30 times. What was measured is not kept with the crawl: a run that is resumed begins anew.
const (
	guessStart  = 30
	guessEarned = 5
	maxGuessed  = 100_000 // hosts of which it is known; beyond, all are measured anew
)

// guesses knows what guessing brought, by host.
type guesses struct {
	mu sync.Mutex
	by map[string]guessed
}

type guessed struct{ tried, brought int }

func newGuesses() *guesses { return &guesses{by: map[string]guessed{}} }

// take reports whether one more may be tried at a host, and counts it.
func (g *guesses) take(host string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, known := g.by[host]
	if s.tried >= guessStart+guessEarned*s.brought {
		return false
	}
	if !known && len(g.by) >= maxGuessed {
		clear(g.by)
	}
	s.tried++
	g.by[host] = s
	return true
}

// answered takes note of a guess that brought something.
func (g *guesses) answered(v *Visit) {
	if !v.guessed() || v.status < 200 || v.status > 399 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.by[v.item.Host]
	s.brought++
	g.by[v.item.Host] = s
}

// guessed reports whether the URL was met as a string that looks like one, and not as a form, which is tried last as well.
func (v *Visit) guessed() bool {
	return v.item.Band == BandGuess && strings.HasSuffix(v.item.HopPath, string(scope.HopSpeculative))
}
