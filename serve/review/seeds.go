package review

import (
	"fmt"
	"maps"
	"slices"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/serve/holdings"
	"varve/web/canon"
)

// unreachableFor is in how many crawls in a row a host must have answered nothing.
const unreachableFor = 3

// seedFails tells how bad the outcome of a seed is; 0 if it is not.
func seedFails(outcome string) int {
	switch outcome {
	case "unreachable", "dead":
		return 70
	case "blocked", "refused":
		return 60
	case "zero pages":
		return 35
	}
	return 0
}

// seeds tells of the seeds of the last crawl that bring nothing.
func (s series) seeds() []Alert {
	k := s.last()
	seeds := k.Full().Seeds
	var out []Alert
	for _, url := range slices.Sorted(maps.Keys(seeds)) {
		seed := seeds[url]
		weight := seedFails(seed.Outcome)
		if weight == 0 || seed.Outcome == "zero pages" && !s.ledFurther(url) {
			continue
		}
		first := s.since(func(k *holdings.Crawl) bool { return seedFails(k.Full().Seeds[url].Outcome) > 0 })
		out = append(out, Alert{
			Kind: SeedFailed, Subject: url, Crawl: k.ID, Weight: weight, Since: first.Ended, occasion: first.ID, What: seedTrouble(seed),
			Act: "look at it in a browser; correct the seed, ask for access, or take it out",
		})
	}
	return out
}

// ledFurther tells whether a seed had links in an earlier crawl: one that never had is a single page.
func (s series) ledFurther(url string) bool {
	return slices.ContainsFunc(s, func(k *holdings.Crawl) bool { return k.Full().Seeds[url].Links > 0 })
}

func seedTrouble(s crawl.Seed) string {
	switch s.Outcome {
	case "dead":
		return fmt.Sprintf("the seed answers with status %d", s.Status)
	case "zero pages":
		return "the seed leads nowhere any more: it has no links in scope"
	case "blocked":
		return "the seed is blocked: " + s.Why
	}
	if s.Why == "" {
		return "the seed is " + s.Outcome
	}
	return "the seed is " + s.Outcome + ": " + s.Why
}

// moved tells of seeds that redirect to a site that somebody else may have registered.
func (s series) moved() []Alert {
	k := s.last()
	var out []Alert
	seeds := k.Full().Seeds
	for _, url := range slices.Sorted(maps.Keys(seeds)) {
		to := seeds[url].To
		if !elsewhere(url, to) {
			continue
		}
		first := s.since(func(k *holdings.Crawl) bool { return elsewhere(url, k.Full().Seeds[url].To) })
		out = append(out, Alert{
			Kind: SeedMoved, Subject: url, Crawl: k.ID, Weight: 45, Since: first.Ended, occasion: first.ID, What: "the seed redirects to " + to,
			Act: "if the site moved, make the new address the seed; it may be out of scope now",
		})
	}
	return out
}

// elsewhere tells whether two addresses belong to different registered names.
func elsewhere(from, to string) bool {
	if to == "" {
		return false
	}
	a, err := crawl.ParseSeed(from)
	if err != nil {
		return false
	}
	b, err := canon.Parse(to)
	return err == nil && b.IsHTTP() && canon.PayLevelDomain(a.Host()) != canon.PayLevelDomain(b.Host())
}

// hosts tells of hosts of which the last crawls of the series got nothing. Those of seeds that fail are told
// of already. Reports name the 50 hosts with most addresses, so smaller ones of large crawls are not seen.
func (s series) hosts(told []Alert) []Alert {
	if len(s) < unreachableFor {
		return nil
	}
	known := map[string]bool{}
	for _, a := range told {
		if u, err := crawl.ParseSeed(a.Subject); err == nil {
			known[u.HostPort()] = true
		}
	}
	k := s.last()
	var out []Alert
	for _, h := range k.Full().Hosts {
		dead := func(k *holdings.Crawl) bool { return silent(k.Full().Hosts, h.Host) }
		if known[h.Host] || s[len(s)-unreachableFor:].since(dead) != s[len(s)-unreachableFor] {
			continue
		}
		first := s.since(dead)
		out = append(out, Alert{
			Kind: HostUnreachable, Subject: h.Host, Crawl: k.ID, Weight: 55, Since: first.Ended, occasion: first.ID,
			What: fmt.Sprintf("nothing could be got from it in the last %d crawls; %d addresses failed in the last one", unreachableFor, h.Failed),
			Act:  "look at it in a browser; take it out of the scope if it is gone",
		})
	}
	return out
}

// silent tells whether a host was asked and every answer failed.
func silent(hosts []frontier.HostStats, host string) bool {
	i := slices.IndexFunc(hosts, func(h frontier.HostStats) bool { return h.Host == host })
	return i >= 0 && hosts[i].Failed > 0 && hosts[i].Failed >= hosts[i].Done
}
