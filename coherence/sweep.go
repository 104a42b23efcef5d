package coherence

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Claim says that a page has a version that stood in an interval. A page may have many claims.
type Claim[K comparable] struct {
	Page K
	Interval
}

// Throughout gives the content of a page that stood from x to y, both included, at the strongest level that is known and not below least; x = y asks for an
// instant. Intervals of one content that share an instant are a chain, and one of them, or a chain, must cover the stretch:
//
//	[x, y] is covered by [f1, t1], ..., [fn, tn] of one content with f1 <= x, f(i+1) <= t(i), y <= tn; its level is the weakest of theirs
//
// Cost: O(n log n) for n intervals.
func Throughout(known []Held, x, y time.Time, least Level) (out Held, ok bool) {
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b Held) int {
		return cmp.Or(strings.Compare(a.Content, b.Content), a.From.Compare(b.From))
	})
	for _, level := range []Level{Witnessed, Asserted, Inferred} {
		if !level.AtLeast(least) {
			break
		}
		for of := known; len(of) > 0; {
			n := slices.IndexFunc(of, func(h Held) bool { return h.Content != of[0].Content })
			if n < 0 {
				n = len(of)
			}
			if chain, ok := covers(of[:n], x, y, level); ok {
				return Held{Content: of[0].Content, Interval: chain}, true
			}
			of = of[n:]
		}
	}
	return out, false
}

// covers chains intervals of one content, in order of their begins, over [x, y].
func covers(of []Held, x, y time.Time, least Level) (chain Interval, ok bool) {
	reached := x // all before it is covered
	for i := 0; ; {
		var next Interval
		for ; i < len(of) && !of[i].From.After(reached); i++ {
			if of[i].Level.AtLeast(least) && !of[i].To.Before(reached) && (next.Level == "" || of[i].To.After(next.To)) {
				next = of[i].Interval
			}
		}
		if next.Level == "" || chain.Level != "" && !next.To.After(reached) {
			return chain, false
		}
		if chain.Level == "" {
			chain = next
		} else {
			chain.To, chain.Level = next.To, chain.Level.Weaker(next.Level)
		}
		if reached = next.To; !reached.Before(y) {
			return chain, true
		}
	}
}

// Peak is a stretch of time, both ends included, at which a number of pages stand at once.
type Peak struct {
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Pages int       `json:"pages"`
}

// edge is an end of a claim.
type edge[K comparable] struct {
	at   time.Time
	page K
	open bool
}

// Best finds the stretches of time at which the most pages stand at once, by claims of at least
// the given level: up to k of them, the fullest first and of equal ones the earlier. A stretch
// counts when there are fewer pages just before and just after it. A page with several claims on
// an instant counts once. Cost: O(m log m) for m claims.
func Best[K comparable](claims []Claim[K], least Level, k int) []Peak {
	edges := edgesOf(claims, least)
	held := map[K]int{}
	var peaks []Peak
	rising := false
	var from time.Time
	for _, e := range edges {
		if e.open {
			if held[e.page]++; held[e.page] == 1 {
				rising, from = true, e.at
			}
			continue
		}
		if held[e.page] > 1 {
			held[e.page]--
			continue
		}
		if rising {
			peaks = append(peaks, Peak{from, e.at, len(held)})
		}
		delete(held, e.page)
		rising = false
	}
	slices.SortStableFunc(peaks, func(a, b Peak) int { return cmp.Compare(b.Pages, a.Pages) })
	return peaks[:max(0, min(k, len(peaks)))]
}

// edgesOf lists the ends of claims in order of time; at the same instant intervals open before
// others close, since both ends belong to them.
func edgesOf[K comparable](claims []Claim[K], least Level) []edge[K] {
	edges := make([]edge[K], 0, 2*len(claims))
	for _, c := range claims {
		if c.Level.AtLeast(least) && !c.To.Before(c.From) {
			edges = append(edges, edge[K]{c.From, c.Page, true}, edge[K]{c.To, c.Page, false})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge[K]) int {
		if d := a.at.Compare(b.at); d != 0 || a.open == b.open {
			return d
		}
		if a.open {
			return -1
		}
		return 1
	})
	return edges
}
