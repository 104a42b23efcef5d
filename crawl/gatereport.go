package crawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"varve/crawl/frontier"
	"varve/crawl/spamfilter"
)

// maxRejected bounds the rejected hosts that a report lists; all are in the events.
const maxRejected = 1000

// report tells what the filter did.
func (g *gate) report() (*SpamReport, error) {
	if g == nil {
		return nil, nil
	}
	rep := &SpamReport{
		Threshold: g.cfg.Threshold, Sample: g.cfg.Sample, Model: g.r.Def.SpamModel,
		Hosts: g.perState(g.r.frontier.Stats().Hosts), Rejected: []RejectedHost{},
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.eachRejected(func(host string, rec *spamfilter.Record) error {
		stats, err := g.r.frontier.HostStats(host)
		if err == nil {
			rep.add(host, rec, stats)
		}
		return err
	})
	rep.cut(maxRejected)
	return rep, err
}

// add counts a rejected host. The list is cut now and then, so that it stays short.
func (rep *SpamReport) add(host string, rec *spamfilter.Record, s frontier.HostStats) {
	h := RejectedHost{
		Host: host, Spamicity: known(rec.Spamicity), Why: rec.Why, Pages: rec.Pages,
		Documents: s.Done, Bytes: s.Bytes, Spared: s.Dropped + s.Queued + s.InFlight,
	}
	rep.Documents += h.Documents
	rep.Bytes += h.Bytes
	rep.Spared += h.Spared
	if h.Documents > 0 {
		rep.SparedBytes += h.Spared * h.Bytes / h.Documents
	}
	if rep.Rejected = append(rep.Rejected, h); len(rep.Rejected) >= 4*maxRejected {
		rep.cut(maxRejected)
	}
}

// cut keeps the hosts of which most was spared.
func (rep *SpamReport) cut(most int) {
	slices.SortFunc(rep.Rejected, func(a, b RejectedHost) int {
		return cmp.Or(cmp.Compare(b.Spared, a.Spared), cmp.Compare(a.Host, b.Host))
	})
	rep.Rejected = rep.Rejected[:min(len(rep.Rejected), most)]
}

// String gives the progress as words for people.
func (p *SpamProgress) String() string {
	var parts []string
	for _, s := range spamfilter.States() {
		if n := p.Hosts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(s.String(), "-", " ")))
		}
	}
	return "hosts: " + strings.Join(parts, ", ")
}
