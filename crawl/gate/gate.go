package gate

import (
	"container/list"
	"context"
	"math"
	"sync"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/spamfilter"
	"varve/web/canon"
)

// Gate is the stage that lets hosts in or not: it holds their records and asks the assessor.
type Gate struct {
	r        *crawl.Run
	cfg      spamfilter.Config
	assessor Assessor
	rulings  Rulings
	verdicts Verdicts
	name     string  // of the model
	model    float64 // threshold of the assessor
	end      func()  // ends the watch on rulings

	mu      sync.Mutex
	seeds   map[string]bool
	records *recordCache
	dirty   map[string]*spamfilter.Record // changed outside of a commit
	counts  map[spamfilter.State]int64    // of hosts that have a record
	support *spamfilter.Support           // who links whom; nil without an assessor
	touched []string                      // suspects whose support changed
	freed   []string                      // hosts that were set aside, and are not rejected any more
	fresh   map[string]Verdict            // that were not handed over yet
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Starter
	crawl.Idler
	crawl.Finisher
	crawl.Teller
	crawl.Knower
} = (*Gate)(nil)

// New returns the stage of a run that filters by an assessor, by rulings, or both.
func New(o Options) *Gate {
	if o.Rulings == nil {
		o.Rulings = noRulings{}
	}
	if o.Verdicts == nil {
		o.Verdicts = noVerdicts{}
	}
	return &Gate{
		assessor: o.Assessor, rulings: o.Rulings, verdicts: o.Verdicts, name: o.Model, model: o.Threshold, seeds: map[string]bool{}, fresh: map[string]Verdict{},
		dirty: map[string]*spamfilter.Record{}, counts: map[spamfilter.State]int64{},
	}
}

// noteName comes before the host in the names of the records in the frontier.
const noteName = "spam host "

// Open takes the rules of the definition, counts the hosts of a crawl that is resumed, and learns again who supports whom.
func (g *Gate) Open(r *crawl.Run) error {
	g.r, g.cfg = r, r.Def.SpamRules.Config(g.model)
	if err := g.cfg.Validate(); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "spam filter", Err: err}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.records = newRecordCache(g.cfg.Memory)
	if g.assessor != nil {
		g.support = spamfilter.NewSupport(g.cfg.Memory)
	}
	err := r.EachSeed(func(_ string, u canon.URL) error {
		g.seeds[u.HostPort()] = true
		return nil
	})
	if err != nil {
		return err
	}
	return r.Frontier().EachNote(noteName, func(name string, note []byte) error {
		rec, err := spamfilter.Parse(note)
		if err != nil {
			return err
		}
		g.counts[rec.State]++
		g.recall(name[len(noteName):], rec)
		return nil
	})
}

// record gives a copy of what is known of a host. The lock is held.
func (g *Gate) record(host string) (*spamfilter.Record, error) {
	if rec, ok := g.dirty[host]; ok {
		c := *rec
		return &c, nil
	}
	if rec, ok := g.records.get(host); ok {
		c := *rec
		return &c, nil
	}
	note, err := g.r.Frontier().NoteOf(noteName + host)
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
func (g *Gate) change(host string, old spamfilter.State, rec *spamfilter.Record) {
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
		g.r.Event("host-state", "host", host, "state", rec.State, "was", old, "spamicity", known(rec.Spamicity), "pages", rec.Pages, "supporters", g.supporters(host), "why", rec.Why)
	}
}

// ruled applies what people decided to a record and tells whether it changed. Seeds are never rejected.
func (g *Gate) ruled(host string, rec *spamfilter.Record) bool {
	if g.seeds[host] {
		return rec.Free("seed")
	}
	switch ruling, why := g.rulings.Of(host); ruling {
	case spamfilter.Allow:
		return rec.Free(why)
	case spamfilter.Refuse:
		return rec.Bar(why)
	}
	return false
}

// Admit says whether a URL that was taken may be fetched, by the state of its host.
func (g *Gate) Admit(a *crawl.Admission) {
	if !a.Taken {
		return
	}
	host := a.Item.Host
	g.mu.Lock()
	defer g.mu.Unlock()
	rec, err := g.record(host)
	if err != nil {
		g.r.Fail(err)
		return
	}
	if old := rec.State; g.ruled(host, rec) || g.recalled(host, rec) {
		g.dirty[host] = rec
		g.change(host, old, rec)
	}
	switch {
	case rec.State == spamfilter.Rejected:
		a.SetAside(rec.Reason())
		return
	case rec.State > spamfilter.Sampled || g.assessor == nil:
		return
	}
	if stats, err := g.r.Frontier().HostStats(host); err == nil && stats.InFlight > 1 && g.cfg.Room(rec, int(stats.InFlight-1)) == 0 {
		a.Wait()
	}
}

// Know says how likely the host of a candidate is spam, if it was assessed.
func (g *Gate) Know(c *scope.Candidate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if rec, err := g.record(c.URL.HostPort()); err == nil && !math.IsNaN(rec.Spamicity) {
		c.Spam = scope.Is(rec.Spamicity)
	}
}

// sight is what a page shows of hosts: a look for the sample of its own, and the hosts that it supports.
type sight struct {
	look    []byte
	targets []uint64
}

// Examine condenses a page for the sample of its host, if that is wanted, and notes which hosts it supports.
func (g *Gate) Examine(v *crawl.Visit, a *crawl.Answer) {
	if g.assessor == nil || v.Again() || v.Status() != 200 || !v.IsPage() {
		return
	}
	host := v.Item().Host
	g.mu.Lock()
	rec, err := g.record(host)
	wanted := err == nil && !g.seeds[host] && g.cfg.Wants(rec, g.documents(host, rec))
	supports := err == nil && len(rec.Targets) < spamfilter.MaxTargets && rec.State != spamfilter.Rejected && !v.NoFollow()
	g.mu.Unlock()
	var s sight
	if supports {
		s.targets = spamfilter.Targets(host, a.Links)
	}
	if wanted {
		s.look = g.assessor.Look(&SampledPage{URL: v.URL().String(), Header: a.Header, Body: a.Body, Fetched: v.Fetched()})
	}
	if s.look != nil || len(s.targets) > 0 {
		v.SetRemark(g, &s)
	}
}

// documents is how many documents of a host were fetched, where that matters.
func (g *Gate) documents(host string, rec *spamfilter.Record) int64 {
	if rec.State != spamfilter.Archiving || rec.Sample == nil {
		return 0
	}
	stats, err := g.r.Frontier().HostStats(host)
	if err != nil {
		return 0 // the commit meets the same failure
	}
	return stats.Done
}

// rulingsEvery is how often new rulings are looked for.
const rulingsEvery = 10 * time.Second

// Start watches for hosts that a curator calls normal, or that found support, and gives them back while the crawl runs.
func (g *Gate) Start(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	g.end = func() { cancel(); <-ended }
	go func() {
		defer close(ended)
		for g.r.Clock().Sleep(ctx, rulingsEvery) == nil {
			if _, err := g.reconsider(); err != nil {
				g.r.Fail(err)
			}
			g.keep()
		}
	}()
}

// Stop ends the watch.
func (g *Gate) Stop() {
	g.end()
	g.keep()
}

// reconsider looks for new rulings and puts the hosts back that they, or their support, free. It tells how many.
func (g *Gate) reconsider() (int, error) {
	supported, err := g.release()
	if err != nil || !g.rulings.Changed() {
		return supported, err
	}
	ruled, err := g.applyRulings()
	return supported + ruled, err
}

// applyRulings puts the hosts back that new rulings free.
func (g *Gate) applyRulings() (int, error) {
	notes := map[string][]byte{}
	var hosts []string
	g.mu.Lock()
	err := g.eachRejected(func(host string, rec *spamfilter.Record) error {
		if old := rec.State; g.ruled(host, rec) && rec.State != spamfilter.Rejected {
			notes[noteName+host] = rec.Append(nil)
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
	if _, err := g.r.Frontier().FinishWith(nil, notes); err != nil {
		return 0, err
	}
	return len(hosts), g.unretire(hosts)
}

// Idle gives hosts back when there is nothing else left to do, and reports whether one was.
func (g *Gate) Idle(exhausted bool) bool {
	if !exhausted {
		return false
	}
	n, err := g.reconsider()
	if err != nil {
		g.r.Fail(err)
	}
	return n > 0
}

// eachRejected goes through the hosts that are rejected, those of which only the memory knows too. The lock is held.
func (g *Gate) eachRejected(each func(host string, rec *spamfilter.Record) error) error {
	seen := map[string]bool{}
	for host, rec := range g.dirty {
		seen[host] = true
		if c := *rec; c.State == spamfilter.Rejected {
			if err := each(host, &c); err != nil {
				return err
			}
		}
	}
	return g.r.Frontier().EachNote(noteName, func(name string, note []byte) error {
		host := name[len(noteName):]
		rec, err := spamfilter.Parse(note)
		if err != nil || seen[host] || rec.State != spamfilter.Rejected {
			return err
		}
		return each(host, rec)
	})
}

// recordCache holds the records of the hosts used last, up to a number of bytes. All are in the frontier, too.
type recordCache struct {
	most, used int64
	order      *list.List // the one used last in front
	at         map[string]*list.Element
}

type cached struct {
	host string
	rec  *spamfilter.Record
	size int64
}

func newRecordCache(most int64) *recordCache {
	return &recordCache{most: most, order: list.New(), at: map[string]*list.Element{}}
}

func (c *recordCache) get(host string) (*spamfilter.Record, bool) {
	e, ok := c.at[host]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).rec, true //nolint:forcetypeassert // the list is ours
}

// put keeps a record, which must not be changed any more, and forgets the ones that were not used for longest.
func (c *recordCache) put(host string, rec *spamfilter.Record) {
	if e, ok := c.at[host]; ok {
		c.drop(e)
	}
	one := &cached{host, rec, rec.Size() + int64(len(host))}
	c.at[host] = c.order.PushFront(one)
	c.used += one.size
	for c.used > c.most && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
}

func (c *recordCache) drop(e *list.Element) {
	one := c.order.Remove(e).(*cached) //nolint:forcetypeassert // the list is ours
	delete(c.at, one.host)
	c.used -= one.size
}
