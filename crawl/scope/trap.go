package scope

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"varve/text/near"
	"varve/web/canon"
)

// TrapKind names a sign of a crawler trap.
type TrapKind string

// The signs.
const (
	TrapLong     TrapKind = "long"     // the URL is very long
	TrapDeep     TrapKind = "deep"     // its path has very many segments
	TrapRepeat   TrapKind = "repeat"   // path segments repeat, as with a broken relative link
	TrapCalendar TrapKind = "calendar" // a date far ahead, or dates that keep growing
	TrapParams   TrapKind = "params"   // parameters explode: very many in one URL or per path
	TrapAlike    TrapKind = "alike"    // ever new URLs of one shape give nearly the same content
	TrapAction   TrapKind = "action"   // it does something with a page and shows none: edit, reply, log in, compare versions
)

// TrapKinds lists all signs.
var TrapKinds = []TrapKind{TrapLong, TrapDeep, TrapRepeat, TrapCalendar, TrapParams, TrapAlike, TrapAction}

func trapNames() string {
	names := make([]string, len(TrapKinds))
	for i, k := range TrapKinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// Suspicion is one sign found on a URL, with its reason in words.
type Suspicion struct {
	Kind TrapKind `json:"kind"`
	Why  string   `json:"why"`
}

// TrapLimits say from where on something is suspicious. A zero field takes the default.
type TrapLimits struct {
	Length    int           // bytes of a URL; 2000
	Depth     int           // path segments; 25
	DeepFrom  int           // path segments from which a path is deep, though not suspicious alone; 10
	DeepMany  int           // deep paths of one host; 1000
	Same      int           // times that one path segment occurs; 5
	Runs      int           // times that a sequence of segments stands in a row; 3
	Params    int           // parameters in one URL; 30
	Queries   int           // different queries under one path; 5000
	NameSets  int           // different sets of parameter names under one path; 64
	Sessions  int           // different session ids under one path; 50
	Ahead     time.Duration // how far dates may lie in the future; 2 years
	Growth    int           // times that the first or last date of a shape moved; 1000
	Alike     int           // pages of a shape in a row that look like an earlier one; 25
	AlikeBits int           // simhash distance up to which two pages look alike; 3
	Hosts     int           // hosts remembered; 4096
	Shapes    int           // paths and shapes remembered per host; 128
}

func (l TrapLimits) withDefaults() TrapLimits {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&l.Length, 2000},
		{&l.Depth, 25},
		{&l.DeepFrom, 10},
		{&l.DeepMany, 1000},
		{&l.Same, 5},
		{&l.Runs, 3},
		{&l.Params, 30},
		{&l.Queries, 5000},
		{&l.NameSets, 64},
		{&l.Sessions, 50},
		{&l.Growth, 1000},
		{&l.Alike, 25},
		{&l.AlikeBits, 3},
		{&l.Hosts, 4096},
		{&l.Shapes, 128},
	} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	if l.Ahead <= 0 {
		l.Ahead = 2 * 365 * 24 * time.Hour
	}
	return l
}

// Traps watches the URLs and pages of a crawl for signs of traps. It only suspects; rules decide. It is
// safe for use by several goroutines, and its memory is bounded by Hosts x Shapes.
type Traps struct {
	limits TrapLimits
	mu     sync.Mutex
	hosts  *recent[string, *hostState]
}

// NewTraps makes a watch.
func NewTraps(limits TrapLimits) *Traps {
	limits = limits.withDefaults()
	return &Traps{limits: limits, hosts: newRecent[string, *hostState](limits.Hosts)}
}

// URL looks at a URL that is new to the crawl (each should be given once, as its counters count
// different URLs) and gives what is suspicious about it, usually nothing.
func (t *Traps) URL(u canon.URL, now time.Time) []Suspicion {
	found := inspect(u, t.limits)
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.host(u)
	for _, look := range []func(canon.URL, TrapLimits) *Suspicion{h.query, h.session, h.deep} {
		if s := look(u, t.limits); s != nil {
			found = append(found, *s)
		}
	}
	if d, ok := findDate(u); ok {
		if s := h.date(u, d, now, t.limits); s != nil {
			found = append(found, *s)
		}
	}
	if s := h.trapped(u); s != nil {
		found = append(found, *s)
	}
	return found
}

// minTokens is the shortest text that can look like another: galleries are full of short ones.
const minTokens = 20

// Page tells the watch the simhash of the text of a fetched page (text/near) and the number of its
// tokens. Shorter texts than 20 tokens say nothing.
func (t *Traps) Page(u canon.URL, simhash near.Simhash, tokens int) {
	if tokens < minTokens {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.host(u).page(u, simhash, t.limits)
}

func (t *Traps) host(u canon.URL) *hostState {
	return t.hosts.get(u.HostPort(), func() *hostState {
		return &hostState{states: newRecent[uint64, *shapeState](t.limits.Shapes)}
	})
}

// inspect finds the signs that a URL carries in itself.
func inspect(u canon.URL, l TrapLimits) []Suspicion {
	var found []Suspicion
	if n := len(u.String()); n > l.Length {
		found = append(found, Suspicion{TrapLong, fmt.Sprintf("the URL has %d bytes, more than %d", n, l.Length)})
	}
	if n := depth(u.Path()); n > l.Depth {
		found = append(found, Suspicion{TrapDeep, fmt.Sprintf("the path has %d segments, more than %d", n, l.Depth)})
	}
	if why := repeats(u.Path(), l); why != "" {
		found = append(found, Suspicion{TrapRepeat, why})
	}
	if n := strings.Count(u.Query(), "&") + 1; n > l.Params {
		found = append(found, Suspicion{TrapParams, fmt.Sprintf("%d parameters, more than %d", n, l.Params)})
	}
	return found
}
