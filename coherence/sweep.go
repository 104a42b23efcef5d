package coherence

import (
	"cmp"
	"slices"
	"time"
)

// Claim says that a page has a version that stood in an interval. A page may have many claims.
type Claim[K comparable] struct {
	Page K
	Interval
}

// AsOf gives, for every page that has a version at the instant x of at least the given level, the
// strongest claim on it; pages in order of their first claim. Cost: O(claims).
func AsOf[K comparable](claims []Claim[K], x time.Time, least Level) []Claim[K] {
	var out []Claim[K]
	place := map[K]int{}
	for _, c := range claims {
		if !c.Contains(x) || !c.Level.AtLeast(least) {
			continue
		}
		i, seen := place[c.Page]
		if !seen {
			place[c.Page] = len(out)
			out = append(out, c)
		} else if c.Level.rank() > out[i].Level.rank() {
			out[i] = c
		}
	}
	return out
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
