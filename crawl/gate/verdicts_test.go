package gate_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/gate"
	"varve/crawl/spamfilter"
	"varve/crawl/stages"
	"varve/lab/websim/spam"
)

// memory remembers in a map; soft says that nothing in it is firm.
type memory struct {
	mu   sync.Mutex
	of   map[string]gate.Verdict
	soft bool
	fail error
}

func (m *memory) Of(host string, _ time.Time) (v gate.Verdict, firm, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known = m.of[host]
	return v, known && !m.soft, known
}

func (m *memory) Keep(list []gate.Verdict) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range list {
		m.of[v.Host] = v
	}
	return m.fail
}

// counting counts what it looks at, and tells reasons only when it is asked.
type counting struct {
	oracle
	looks, reasons *atomic.Int64
}

func (c counting) Look(p *gate.SampledPage) []byte { c.looks.Add(1); return c.oracle.Look(p) }

func (c counting) Assess(host string, sample []byte) (gate.Assessment, error) {
	a, err := c.oracle.Assess(host, sample)
	a.Reasons = ""
	return a, err
}

func (c counting) Explain([]byte) (string, error) { c.reasons.Add(1); return "because", nil }

// What a crawl found, the next one takes over at first sight: nothing is fetched of spam, and nothing looked at. Verdicts that are not firm
// decide nothing. Reasons are made for rejected hosts only.
func TestRemembers(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 30, Scale: 0.3}, 3)
	m := &memory{of: map[string]gate.Verdict{}}
	crawled := func() (got map[string]int, rep *crawl.SpamReport, looks, reasons int64) {
		a := counting{oracle{s.world, s.at}, &atomic.Int64{}, &atomic.Int64{}}
		res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: a, Verdicts: m}}.Of})
		return pages(res), res.Report.Spam, a.looks.Load(), a.reasons.Load()
	}
	first, rep, looks, reasons := crawled()
	rejected := rep.Hosts[spamfilter.Rejected]
	if rejected == 0 || looks == 0 || reasons < rejected || reasons > rejected+3 || rep.Rejected[0].Why != "because" {
		t.Fatalf("%d rejected, %d looks, %d reasons", rejected, looks, reasons)
	}
	second, again, looksAgain, _ := crawled()
	for host, v := range m.of {
		if v.Spam && second[host] != 0 || !v.Spam && second[host] < first[host]*9/10 {
			t.Errorf("%s, spam %v: %d pages, then %d", host, v.Spam, first[host], second[host])
		}
	}
	if again.Hosts[spamfilter.Rejected] < rejected || looksAgain > looks/5 {
		t.Errorf("%d rejected, then %d; %d looks, then %d", rejected, again.Hosts[spamfilter.Rejected], looks, looksAgain)
	}
	m.soft, m.fail = true, errors.New("the disk is full")
	third, rep, _, _ := crawled()
	if rep.Hosts[spamfilter.Rejected] != rejected || third[rep.Rejected[0].Host] == 0 {
		t.Errorf("with priors: %d rejected, not %d", rep.Hosts[spamfilter.Rejected], rejected)
	}
}
