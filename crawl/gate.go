package crawl

import (
	"context"
	"math"
	"sync"
	"time"

	"varve/crawl/spamfilter"
	"varve/web/canon"
	"varve/web/links"
)

// gate lets hosts in or not: it holds their records and asks the assessor. A nil gate lets all in at no cost.
//
//	worker:    a URL is taken -> may its host be asked? -> fetch -> a page is condensed (look)
//	committer: looks go into the sample of their host -> checkpoint? assess -> the record is stored in the commit of the visits
//
// So the state of a host is always that of the visits that are done, also after a kill.
type gate struct {
	r        *Run
	cfg      spamfilter.Config
	assessor Assessor
	rulings  Rulings

	mu      sync.Mutex
	seeds   map[string]bool
	records *recordCache
	dirty   map[string]*spamfilter.Record // changed outside of a commit
	counts  map[spamfilter.State]int64    // of hosts that have a record
	support *spamfilter.Support           // who links whom; nil without an assessor
	touched []string                      // suspects whose support changed
	freed   []string                      // hosts that were set aside, and are not rejected any more
}

// gateNote comes before the host in the names of the records in the frontier.
const gateNote = "spam host "

// filterWith makes the gate of a run, if it has one.
func (r *Run) filterWith(s Spam) error {
	if s.Assessor == nil && s.Rulings == nil {
		return nil
	}
	g := &gate{
		r: r, cfg: r.Def.SpamRules.config(s.Threshold), assessor: s.Assessor, rulings: s.Rulings, seeds: map[string]bool{},
		dirty: map[string]*spamfilter.Record{}, counts: map[spamfilter.State]int64{},
	}
	g.records = newRecordCache(g.cfg.Memory)
	if s.Assessor != nil {
		g.support = spamfilter.NewSupport(g.cfg.Memory)
	}
	// A seed that cannot be read is told of when the crawl opens.
	_ = r.EachSeed(func(_ string, u canon.URL) error {
		g.seeds[u.HostPort()] = true
		return nil
	})
	r.gate = g
	return g.cfg.Validate()
}

// load counts the hosts of a crawl that is resumed, and learns again who supports whom.
func (g *gate) load() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.r.frontier.EachNote(gateNote, func(name string, note []byte) error {
		rec, err := spamfilter.Parse(note)
		if err != nil {
			return err
		}
		g.counts[rec.State]++
		g.recall(name[len(gateNote):], rec)
		return nil
	})
}

// record gives a copy of what is known of a host. The lock is held.
func (g *gate) record(host string) (*spamfilter.Record, error) {
	if rec, ok := g.dirty[host]; ok {
		c := *rec
		return &c, nil
	}
	if rec, ok := g.records.get(host); ok {
		c := *rec
		return &c, nil
	}
	note, err := g.r.frontier.NoteOf(gateNote + host)
	if err != nil {
		return nil, err
	}
	rec := spamfilter.NewRecord()
	if note != nil {
		if rec, err = spamfilter.Parse(note); err != nil {
			return nil, err
		}
	}
	g.records.put(host, rec)
	c := *rec
	return &c, nil
}

// change puts a record in the place of the one before, and tells of it. The lock is held.
func (g *gate) change(host string, old spamfilter.State, rec *spamfilter.Record) {
	g.records.put(host, rec)
	g.weigh(host, old, rec)
	if rec.State == old {
		return
	}
	if old != spamfilter.NotSampled {
		g.counts[old]--
	}
	g.counts[rec.State]++
	if rec.State > spamfilter.Sampled {
		g.r.events.add("host-state", "host", host, "state", rec.State, "was", old, "spamicity", known(rec.Spamicity), "pages", rec.Pages, "supporters", g.supporters(host), "why", rec.Why)
	}
}

// known gives a number, or nil for what was never told.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// ruled applies what people decided to a record and tells whether it changed. Seeds are never rejected.
func (g *gate) ruled(host string, rec *spamfilter.Record) bool {
	if g.seeds[host] {
		return rec.Free("seed")
	}
	if g.rulings == nil {
		return false
	}
	switch ruling, why := g.rulings.Of(host); ruling {
	case spamfilter.Allow:
		return rec.Free(why)
	case spamfilter.Refuse:
		return rec.Bar(why)
	}
	return false
}

// What the gate says to a URL that was taken.
type passage int

const (
	passes  passage = iota
	waits           // for the verdict on its host
	refused         // its host is rejected
)

// ask tells whether a URL may be fetched, by the state of its host.
func (g *gate) ask(v *Visit) (passage, string) {
	if g == nil || v.isProbe() {
		return passes, ""
	}
	host := v.item.Host
	g.mu.Lock()
	defer g.mu.Unlock()
	rec, err := g.record(host)
	if err != nil {
		g.r.Fail(err)
		return passes, ""
	}
	if old := rec.State; g.ruled(host, rec) {
		g.dirty[host] = rec
		g.change(host, old, rec)
	}
	switch {
	case rec.State == spamfilter.Rejected:
		return refused, rec.Reason()
	case rec.State > spamfilter.Sampled || g.assessor == nil:
		return passes, ""
	}
	if stats, err := g.r.frontier.HostStats(host); err == nil && stats.InFlight > 1 && g.cfg.Room(rec, int(stats.InFlight-1)) == 0 {
		return waits, ""
	}
	return passes, ""
}

// letIn asks the gate for a URL that a worker has taken. If it tells false, the host is not the worker's any more; the second
// result tells that the visit is over.
func (w *worker) letIn(v *Visit, t turnOf) (mine, over bool) {
	r := w.r
	answer, why := r.gate.ask(v)
	switch {
	case answer == passes:
		return true, false
	case answer == refused && r.coh != nil: // a plan must be told of each page
		w.abandon(t.lease)
		r.hand(v.refuse(why))
		return true, true
	}
	w.abandon(t.lease)
	r.giveBack(v)
	if answer == waits {
		r.rest(t.host, "")
		return false, true
	}
	r.setAside(t.host, why)
	return false, true
}

// setAside takes a rejected host out of the rotation. Its URLs stay queued until the end of the crawl, for a curator may
// give it back.
func (r *Run) setAside(host, why string) {
	if err := r.frontier.Retire(host, true); err != nil {
		r.Fail(err)
	}
	r.events.add("set-aside", "host", host, "why", why)
	r.unclaim(host)
}

// look condenses a page for the sample of its host, if that is wanted, and notes which hosts it supports.
func (g *gate) look(v *Visit, p SamplePage, found []links.Link) {
	if g == nil || g.assessor == nil || !v.queued() || v.isProbe() || v.again() || v.status != 200 || !v.isPage() {
		return
	}
	g.mu.Lock()
	rec, err := g.record(v.item.Host)
	wanted := err == nil && g.cfg.Wants(rec) && !g.seeds[v.item.Host]
	supports := err == nil && len(rec.Targets) < spamfilter.MaxTargets && rec.State != spamfilter.Rejected && !v.nofollow
	g.mu.Unlock()
	if supports {
		v.targets = spamfilter.Targets(v.item.Host, found)
	}
	if wanted {
		p.URL, p.Fetched = v.url.String(), v.fetched
		v.look = g.assessor.Look(&p)
	}
}

// rulingsEvery is how often new rulings are looked for.
const rulingsEvery = 10 * time.Second

// watchRulings gives hosts back that a curator calls normal, or that found support, while the crawl runs.
func (g *gate) watchRulings(ctx context.Context) {
	if g == nil {
		return
	}
	for g.r.engine.cfg.Clock.Sleep(ctx, rulingsEvery) == nil {
		if _, err := g.reconsider(); err != nil {
			g.r.Fail(err)
		}
	}
}

// reconsider looks for new rulings and puts the hosts back that they, or their support, free. It tells how many.
func (g *gate) reconsider() (int, error) {
	if g == nil {
		return 0, nil
	}
	supported, err := g.release()
	if err != nil || g.rulings == nil || !g.rulings.Changed() {
		return supported, err
	}
	ruled, err := g.applyRulings()
	return supported + ruled, err
}

// applyRulings puts the hosts back that new rulings free.
func (g *gate) applyRulings() (int, error) {
	notes := map[string][]byte{}
	var hosts []string
	g.mu.Lock()
	err := g.eachRejected(func(host string, rec *spamfilter.Record) error {
		if old := rec.State; g.ruled(host, rec) && rec.State != spamfilter.Rejected {
			notes[gateNote+host] = rec.Append(nil)
			delete(g.dirty, host)
			g.change(host, old, rec)
			hosts = append(hosts, host)
		}
		return nil
	})
	g.mu.Unlock()
	if err != nil || len(hosts) == 0 {
		return 0, err
	}
	if _, err := g.r.frontier.FinishWith(nil, notes); err != nil {
		return 0, err
	}
	return len(hosts), g.unretire(hosts)
}

// anythingBack is asked when there is nothing left to do: it tells whether something was given back.
func (g *gate) anythingBack() bool {
	n, err := g.reconsider()
	if err != nil {
		g.r.Fail(err)
	}
	return n > 0
}

// eachRejected goes through the hosts that are rejected, those of which only the memory knows too. The lock is held.
func (g *gate) eachRejected(each func(host string, rec *spamfilter.Record) error) error {
	seen := map[string]bool{}
	for host, rec := range g.dirty {
		seen[host] = true
		if c := *rec; c.State == spamfilter.Rejected {
			if err := each(host, &c); err != nil {
				return err
			}
		}
	}
	return g.r.frontier.EachNote(gateNote, func(name string, note []byte) error {
		host := name[len(gateNote):]
		rec, err := spamfilter.Parse(note)
		if err != nil || seen[host] || rec.State != spamfilter.Rejected {
			return err
		}
		return each(host, rec)
	})
}
