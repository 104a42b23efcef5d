package crawl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// Gap is a cause for which a crawl does not hold all that belongs to it.
type Gap struct {
	Cause    string   `json:"cause"`
	Count    int64    `json:"count"`              // of URLs, or of links
	Examples []string `json:"examples,omitempty"` // a few addresses
	// Elsewhere is set for parts of pages that lie on hosts beyond the site: avatars, fonts, counters. The site is complete without them.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// maxExamples bounds the addresses that are named for a cause.
const maxExamples = 5

// gapCauses are the causes for which a visit did not give all it should have, with how much is missing. What nobody
// asked for (guesses, probes) or what the crawl holds already (second looks) is not missing.
func (v *Visit) gapCauses() map[string]int64 {
	if !v.queued() && v.cutContent {
		return map[string]int64{"robots.txt not read to its end: rules and sitemaps may be missing": 1}
	}
	if !v.queued() || v.again() || v.isProbe() || v.item.Band == BandGuess || v.verdict == frontier.Later {
		return nil
	}
	if v.item.Band == BandSpare && v.verdict == frontier.Refused { // no page needs it
		return nil
	}
	var causes map[string]int64
	add := func(cause string, n int64) {
		if causes == nil {
			causes = map[string]int64{}
		}
		causes[cause] += n
	}
	switch {
	case v.gaveUp != nil:
		add("host given up: "+firstWords(v.gaveUp.Why), 1)
	case v.verdict == frontier.Refused && strings.HasPrefix(firstWords(v.reason), "un"):
		add("the address cannot be read", 1) // unparsable, unreadable
	case v.verdict != frontier.Finished || v.class == fetch.Guarded: // it was not to be had, by our own rules
	case !v.answered():
		add("no answer: "+cmp.Or(string(v.class), "unknown"), 1)
	case tryAgain(v.status):
		add(fmt.Sprintf("status %d at every attempt", v.status), 1)
	case v.truncated:
		add("answer cut short: "+cmp.Or(string(v.class), "limit"), 1)
	}
	if v.cutLinks > 0 {
		add("links beyond a limit", int64(v.cutLinks))
	}
	if v.cutContent {
		add("content not looked at for links", 1)
	}
	for _, cause := range v.gaps {
		add(cause, 1)
	}
	return causes
}

// elsewhere reports whether a visit was to a part of a page that lies beyond the domains of all seeds.
func (v *Visit) elsewhere(seeds *scope.Seeds) bool {
	hops := strings.TrimRight(v.item.HopPath, string(scope.HopRedirect))
	return strings.HasSuffix(hops, string(scope.HopEmbed)) && !seeds.HasDomain(v.url)
}

// gap counts what is missing after a visit; the lock is held.
func (t *tally) gap(v *Visit) {
	for cause, n := range v.gapCauses() {
		if v.stranger {
			cause = "parts of pages on other hosts: " + cause
		}
		if t.k.Missing == nil {
			t.k.Missing = map[string]Gap{}
		}
		g, known := t.k.Missing[cause]
		if !known && len(t.k.Missing) >= maxKinds {
			cause = "other"
			g = t.k.Missing[cause]
		}
		g.Cause, g.Count, g.Elsewhere = cause, g.Count+n, v.stranger && cause != "other"
		if len(g.Examples) < maxExamples && !(v.stranger && slices.ContainsFunc(g.Examples, v.sameHost)) { // of strangers each is named once
			g.Examples = append(slices.Clip(g.Examples), v.item.URL)
		}
		t.k.Missing[cause] = g
	}
}

// sameHost reports whether an address lies on the host of the visit.
func (v *Visit) sameHost(address string) bool {
	u, err := canon.Parse(address)
	return err == nil && u.HostPort() == v.item.Host
}

// Missing are the gaps for which a site is not complete: all but parts of pages that lie elsewhere.
func Missing(gaps []Gap) []Gap {
	return slices.DeleteFunc(slices.Clone(gaps), func(g Gap) bool { return g.Elsewhere })
}

// gaps lists what is missing, the most first: what visits did not give, and what was left in the queue.
func (r *Run) gaps(queued int64, why string, finished bool) []Gap {
	r.tally.mu.Lock()
	list := slices.Collect(maps.Values(r.tally.k.Missing))
	r.tally.mu.Unlock()
	budget := Gap{Cause: "budget of the host used up"}
	r.hosts.mu.Lock()
	parked := maps.Clone(r.hosts.parked)
	r.hosts.mu.Unlock()
	for _, host := range slices.Sorted(maps.Keys(parked)) {
		s, err := r.frontier.HostStats(host)
		if err != nil || s.Queued == 0 || !strings.HasPrefix(parked[host], parkedByBudget) {
			continue
		}
		budget.Count += s.Queued
		if len(budget.Examples) < maxExamples {
			budget.Examples = append(budget.Examples, host)
		}
	}
	if budget.Count > 0 {
		list = append(list, budget)
	}
	if left := queued - budget.Count; left > 0 && !finished {
		list = append(list, Gap{Cause: "left in the queue: " + why, Count: left})
	}
	slices.SortFunc(list, func(a, b Gap) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause, b.Cause)) })
	return list
}
