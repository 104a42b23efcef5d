package gather

import (
	"strings"
	"sync"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// Where pages are executed, strings in scripts are not guessed at: what a page asks for is known, and most other strings are none. But an
// application may name pages that no link leads to, in the table of its routes: a book without its side bar, a shop without its list. Such
// a table names pages that are known, too. So a string that could be the address of a page is tried if the script that has it
// names at least knownRoutes pages that were found otherwise, or one whose address but for its numbers is that of knownRoutes strings; the first page of
// a host does not count, all scripts name it. The budget of guesses at a host (crawl/guess.go) holds for it as for any.
//
// Example: main.js has "/", "/cloud1", ... "/cloud10", "/lib/GET". The crawl has / as its seed and /cloud1 by a link: /cloud2 is tried. A library
// that has "/undefined" and "/text/html" names no page: nothing of it is tried.
//
// A script whose strings were met before the run was resumed is not known; its strings are tried, within the budget.
const (
	knownRoutes = 2
	maxTables   = 500  // scripts of which strings are remembered
	maxRoutes   = 1000 // of each
	maxLooks    = 20   // at what a script names, each up to maxRoutes in the frontier: guesses come last, when nearly all is known
)

// tables are the strings of scripts that could be pages, by script.
type tables struct {
	mu sync.Mutex
	by map[string]*table
}

type table struct {
	keys map[string]string // by the frontier's key, their shapes
	sure bool              // enough of them are pages
	left int               // how often that may be looked into, yet
}

// note remembers a string of a script, or of a page.
func (t *tables) note(script, key string, u canon.URL) {
	if !couldBePage(u.Path()) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.by[script]
	if one == nil {
		if len(t.by) >= maxTables {
			return
		}
		if t.by == nil {
			t.by = map[string]*table{}
		}
		one = &table{keys: map[string]string{}, left: maxLooks}
		t.by[script] = one
	}
	if len(one.keys) < maxRoutes {
		one.keys[key] = shape(u.Path())
	}
}

// isRoute reports whether a string of a script is likely to be a page: the script is known to name others.
func (t *tables) isRoute(script string, u canon.URL, lookup func(key string) (frontier.Entry, error)) bool {
	if !couldBePage(u.Path()) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.by[script]
	if one == nil || one.sure {
		return one != nil || len(t.by) < maxTables
	}
	if one.left--; one.left < 0 {
		return false
	}
	shapes := map[string]int{}
	for _, s := range one.keys {
		shapes[s]++
	}
	known := 0
	for key, s := range one.keys {
		e, err := lookup(key)
		if err != nil || s == "/" || !isKnown(&e) {
			continue
		}
		if known++; known >= knownRoutes || shapes[s] > knownRoutes {
			one.sure = true
			return true
		}
	}
	return false
}

// isKnown reports whether an address is there, or was found by more than a string.
func isKnown(e *frontier.Entry) bool {
	switch e.State {
	case frontier.Done:
		return !e.Outcome.Failed && e.Outcome.Status < 400
	case frontier.Queued, frontier.InFlight:
		return e.Item.Band < crawl.BandGuess
	}
	return false
}

// shape is a path without its numbers.
func shape(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, path)
}

// couldBePage reports whether a path may be that of a page: no file of another kind, no pattern, no interface for programs.
func couldBePage(path string) bool {
	if strings.ContainsAny(path, ":*{}()$[]<>|") || strings.HasPrefix(path, "/api/") {
		return false
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(last, '.')
	return i < 0 || strings.HasPrefix(last[i:], ".htm") || last[i:] == ".php" || last[i:] == ".xhtml"
}

// isGuess reports whether an address was met as a string.
func isGuess(item *frontier.Item) bool {
	return item.Band == crawl.BandGuess && strings.HasSuffix(item.HopPath, string(scope.HopSpeculative))
}
