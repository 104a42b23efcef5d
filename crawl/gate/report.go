package gate

import (
	"cmp"
	"math"
	"slices"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/spamfilter"
)

// maxRejected bounds the rejected hosts that a report lists; all are in the events.
const maxRejected = 1000

// Progress says where the hosts stand.
func (g *Gate) Progress(p *crawl.Progress) {
	s := g.r.Frontier().Stats()
	p.Spam = &crawl.SpamProgress{Hosts: g.perState(s.Hosts), SetAside: s.Retired}
}

// HostState says where a host stands, and how likely it is spam, if that is known.
func (g *Gate) HostState(host string) (string, *float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rec, err := g.record(host)
	if err != nil {
		return "", nil
	}
	return rec.State.String(), known(rec.Spamicity)
}

// known returns a number, or nil for what was never told.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// Report says what the filter did.
func (g *Gate) Report(rep *crawl.Report) {
	if spam, err := g.report(); err == nil {
		rep.Spam = spam
	}
}

func (g *Gate) report() (*crawl.SpamReport, error) {
	rep := &crawl.SpamReport{
		Threshold: g.cfg.Threshold, Sample: g.cfg.Sample, Model: cmp.Or(g.name, g.r.Def.SpamModel),
		Hosts: g.perState(g.r.Frontier().Stats().Hosts), Rejected: []crawl.RejectedHost{},
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.eachRejected(func(host string, rec *spamfilter.Record) error {
		stats, err := g.r.Frontier().HostStats(host)
		if err == nil {
			add(rep, host, rec, stats)
		}
		return err
	})
	cut(rep, maxRejected)
	return rep, err
}

// add counts a rejected host. The list is cut now and then, so that it stays short.
func add(rep *crawl.SpamReport, host string, rec *spamfilter.Record, s frontier.HostStats) {
	h := crawl.RejectedHost{
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
		cut(rep, maxRejected)
	}
}

// cut keeps the hosts of which most was spared.
func cut(rep *crawl.SpamReport, most int) {
	slices.SortFunc(rep.Rejected, func(a, b crawl.RejectedHost) int {
		return cmp.Or(cmp.Compare(b.Spared, a.Spared), cmp.Compare(a.Host, b.Host))
	})
	rep.Rejected = rep.Rejected[:min(len(rep.Rejected), most)]
}
