package gate

import (
	"maps"
	"math"
	"slices"

	"varve/crawl/spamfilter"
)

// recalled takes over what an earlier crawl found of a host that was not met yet, where that is firm. The lock is held.
func (g *Gate) recalled(host string, rec *spamfilter.Record) bool {
	if rec.State != spamfilter.NotSampled || g.assessor == nil {
		return false
	}
	v, firm, known := g.verdicts.Of(host, g.r.Clock().Now())
	if !known || !firm {
		return false
	}
	why := "remembered from " + v.At.UTC().Format("2006-01-02")
	if v.Why != "" {
		why += ": " + v.Why
	}
	g.cfg.Recall(rec, v.Spamicity, v.Content, g.supporters(host), why)
	return true
}

// prior notes at the first look at a host what an earlier crawl found, where that is not firm. The lock is held.
func (g *Gate) prior(host string, rec *spamfilter.Record) {
	if rec.State != spamfilter.NotSampled {
		return
	}
	if v, _, known := g.verdicts.Of(host, g.r.Clock().Now()); known {
		rec.Prior = spamfilter.PriorNormal
		if v.Spam {
			rec.Prior = spamfilter.PriorSpam
		}
	}
}

// found notes a verdict for the crawls after this one: what was assessed, not what people decided. The lock is held.
func (g *Gate) found(host string, rec *spamfilter.Record) {
	if math.IsNaN(rec.Content) || rec.Pages < g.cfg.First || rec.State < spamfilter.Sampled || rec.State == spamfilter.GivenBack {
		return
	}
	g.fresh[host] = Verdict{
		Host: host, Spam: rec.Spamicity >= g.cfg.Threshold, Spamicity: rec.Spamicity, Content: rec.Content,
		Pages: rec.Assessed, Why: rec.Why, At: g.r.Clock().Now(),
	}
}

// keep hands over the verdicts since the last time. They can be found again: a failure is told, and does not end the crawl.
func (g *Gate) keep() {
	g.mu.Lock()
	var list []Verdict
	for _, host := range slices.Sorted(maps.Keys(g.fresh)) {
		list = append(list, g.fresh[host])
	}
	clear(g.fresh)
	g.mu.Unlock()
	if len(list) == 0 {
		return
	}
	if err := g.verdicts.Keep(list); err != nil {
		g.r.Event("verdicts-not-kept", "hosts", len(list), "err", err.Error())
	}
}
