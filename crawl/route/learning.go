package route

import (
	"fmt"
	"strings"

	"varve/crawl/collect"
)

// because says why a page is executed.
func because(signs Sign, p0 float64, s *Record, e Estimate) string {
	if s.Runs == 0 {
		return fmt.Sprintf("%s (chance %.2f)", signs, p0)
	}
	return fmt.Sprintf("%d of %d executed pages of the section had more than their source, %.1f new URLs per CPU second (chance %.2f±%.2f)",
		s.Brought, s.Runs, float64(s.Total)/max(s.meanCost()*float64(s.Runs), 0.001), e.Chance, e.SD)
}

func (r *Record) meanCost() float64 {
	if r.Weight == 0 {
		return 0
	}
	return r.Cost / r.Weight
}

// spared says why a page with signs is not executed; nothing where the signs are weak.
func spared(signs Sign, s *Record, e Estimate) string {
	return fmt.Sprintf("%d of %d executed pages of the section had more than their source (expected gain %.2f; %s)", s.Brought, s.Runs, e.Gain, signs)
}

// Learn takes what a collector brought.
func (r *Router) Learn(c collect.Choice, y collect.Yield) {
	if !strings.HasPrefix(c.Collector, Browser) || c.Section == "" {
		return
	}
	p := r.rules.params
	host := hostOf(c.Section)
	cost := y.Cost.CPU
	if cost <= 0 {
		cost = y.Cost.Wall / 2
	}
	gain := y.Links + y.Parts
	r.mu.Lock()
	defer r.mu.Unlock()
	s, h := r.record(r.sections, c.Section), r.record(r.hosts, host)
	s.UnderWay, h.UnderWay = max(0, s.UnderWay-1), max(0, h.UnderWay-1)
	if y.Failed && gain == 0 || strings.Contains(c.Collector, API) {
		return // the browser's fault, perhaps, or another's merit: nothing is learned of the page
	}
	*s = s.Learned(gain, cost, p.Forget, p)
	*h = h.Learned(gain, cost, p.ForgetHost, p)
	r.all = r.all.Learned(gain, cost, 0.99, p)
}

// hostOf is the host record of a section.
func hostOf(section string) string {
	where, signs, _ := strings.Cut(section, " ")
	host, _, _ := strings.Cut(where, "/")
	if signs != "" {
		return host + " " + signs
	}
	return host
}

// record finds or makes a record; the lock is held. When there are too many, those with the fewest pages
// are forgotten.
func (r *Router) record(in map[string]*Record, key string) *Record {
	rec := in[key]
	if rec == nil {
		if len(in) >= r.rules.params.MostSections {
			prune(in)
		}
		rec = new(Record)
		in[key] = rec
	}
	return rec
}

// prune forgets the records of the fewest pages: half of them or more.
func prune(in map[string]*Record) {
	most := len(in) / 2
	for least := 1; len(in) > most && least > 0; least *= 2 {
		for k, rec := range in {
			if rec.UnderWay == 0 && rec.Pages+rec.Runs <= least {
				delete(in, k)
			}
		}
	}
}
