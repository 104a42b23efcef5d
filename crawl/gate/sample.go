package gate

import (
	"maps"
	"math"
	"slices"

	"varve/crawl"
	"varve/crawl/spamfilter"
)

// sighting is what a commit brings of a host.
type sighting struct {
	looks   [][]byte
	targets []uint64
}

// Settle puts the looks of visits into the samples of their hosts, assesses those that reached a checkpoint, and notes the
// records that changed.
func (g *Gate) Settle(visits []*crawl.Visit, notes *crawl.Notes) error {
	seen := map[string]*sighting{}
	for _, v := range visits {
		if !v.Settles() {
			continue
		}
		host := v.Item().Host
		if v.FromSeed() {
			g.seed(host)
		}
		one, ok := v.Remark(g).(*sight)
		if !ok {
			continue
		}
		s := seen[host]
		if s == nil {
			s = &sighting{}
			seen[host] = s
		}
		s.targets = append(s.targets, one.targets...)
		if one.look != nil {
			s.looks = append(s.looks, one.look)
		}
	}
	for _, host := range slices.Sorted(maps.Keys(seen)) {
		rec, err := g.sampled(host, seen[host])
		if err != nil {
			return err
		}
		if rec != nil {
			notes.Put(noteName+host, rec.Append(nil))
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.ripple(notes); err != nil {
		return err
	}
	for host, rec := range g.dirty {
		notes.Put(noteName+host, rec.Append(nil))
	}
	clear(g.dirty)
	return nil
}

// seed notes that a host is one of a seed, or of where a seed redirects to.
func (g *Gate) seed(host string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seeds[host] && g.counts[spamfilter.Archiving] > 0 {
		if rec, ok := g.records.get(host); ok && rec.State >= spamfilter.Archiving {
			return
		}
	}
	g.seeds[host] = true
	rec, err := g.record(host)
	if err != nil {
		return // the next commit meets the same failure
	}
	if old := rec.State; rec.Free("seed") {
		g.dirty[host] = rec
		g.change(host, old, rec)
	}
}

// sampled adds what was seen of a host to its record and draws the conclusion, where one is due; nil where nothing changes.
func (g *Gate) sampled(host string, s *sighting) (*spamfilter.Record, error) {
	g.mu.Lock()
	rec, err := g.record(host)
	if err != nil {
		g.mu.Unlock()
		return nil, err
	}
	old, assessed, fresh := rec.State, rec.Assessed, rec.Support(s.targets)
	if len(fresh) > 0 && g.support != nil && g.dirty[host] == nil {
		g.touched = append(g.touched, g.support.Add(spamfilter.HashOf(host), fresh)...)
	}
	supporters := g.supporters(host)
	if len(s.looks) > 0 {
		g.prior(host, rec)
	}
	g.mu.Unlock()
	wanted := len(s.looks) > 0 && g.cfg.Wants(rec, g.documents(host, rec))
	if !wanted && len(fresh) == 0 {
		return nil, nil
	}
	if wanted {
		g.grow(host, rec, s.looks, supporters)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dirty[host] != nil { // a ruling came meanwhile
		return nil, nil
	}
	g.change(host, old, rec)
	if assessed != rec.Assessed {
		g.found(host, rec)
	}
	return rec, nil
}

// grow adds looks to the sample of a host, and assesses it where that is due.
func (g *Gate) grow(host string, rec *spamfilter.Record, looks [][]byte, supporters int) {
	sample, err := g.assessor.Merge(rec.Sample, looks)
	if err != nil {
		g.cfg.Unknown(rec, "sample: "+err.Error())
		rec.Sample = nil
		return
	}
	g.cfg.Grow(rec, sample, len(looks))
	g.assess(host, rec, supporters)
}

// assess asks the assessor about a host that reached a checkpoint.
func (g *Gate) assess(host string, rec *spamfilter.Record, supporters int) {
	if !g.cfg.Due(rec) {
		return
	}
	sample := rec.Sample
	a, err := g.assessor.Assess(host, sample)
	switch {
	case err != nil:
		g.cfg.Unknown(rec, "assessment: "+err.Error())
		return
	case math.IsNaN(a.Spamicity):
		g.cfg.Unknown(rec, "the assessor does not know")
		return
	}
	g.cfg.Judge(rec, a.Spamicity, supporters, a.Reasons)
	if rec.Content >= g.cfg.Threshold && rec.State != spamfilter.Sampling { // rejected, or kept by its support alone
		rec.Why = g.reasons(sample, rec.Why)
	}
}

// reasons asks the assessor what speaks for spam, if it did not say so with its verdict.
func (g *Gate) reasons(sample []byte, said string) string {
	e, can := g.assessor.(Explainer)
	if said != "" || !can {
		return said
	}
	why, err := e.Explain(sample)
	if err != nil {
		return "reasons: " + err.Error()
	}
	return why
}

// Finish settles what a crawl leaves that has nothing else to do: hosts with fewer pages than a sample are assessed for
// the report, and the queues of rejected hosts are refused.
func (g *Gate) Finish() error {
	if err := g.assessRest(); err != nil {
		return err
	}
	g.keep()
	var hosts []string
	g.mu.Lock()
	err := g.eachRejected(func(host string, _ *spamfilter.Record) error {
		hosts = append(hosts, host)
		return nil
	})
	g.mu.Unlock()
	for _, h := range hosts {
		if err == nil {
			err = g.refuseQueue(h)
		}
	}
	return err
}

// assessRest gives the hosts that ran out of pages before their sample was whole a spamicity for the report. They stay
// what they are: nothing is left of them that could be rejected.
func (g *Gate) assessRest() error {
	var hosts []string
	err := g.r.Frontier().EachNote(noteName, func(name string, note []byte) error {
		rec, err := spamfilter.Parse(note)
		if err == nil && rec.State == spamfilter.Sampling {
			hosts = append(hosts, name[len(noteName):])
		}
		return err
	})
	if err != nil || g.assessor == nil {
		return err
	}
	notes := map[string][]byte{}
	for _, h := range hosts {
		g.mu.Lock()
		rec, err := g.record(h)
		g.mu.Unlock()
		if err != nil {
			return err
		}
		a, err := g.assessor.Assess(h, rec.Sample)
		if err != nil {
			continue // it stays unknown
		}
		old := rec.State
		g.mu.Lock()
		rec.State, rec.Content, rec.Assessed, rec.Why = spamfilter.Sampled, a.Spamicity, rec.Pages, a.Reasons
		if rec.Spamicity = spamfilter.Temper(a.Spamicity, g.supporters(h)); rec.Spamicity >= g.cfg.Threshold {
			rec.Why = g.reasons(rec.Sample, rec.Why)
		}
		notes[noteName+h] = rec.Append(nil)
		g.change(h, old, rec)
		g.found(h, rec)
		g.mu.Unlock()
	}
	_, err = g.r.Frontier().FinishWith(nil, notes)
	return err
}

// refuseQueue refuses what is queued of a rejected host.
func (g *Gate) refuseQueue(host string) error {
	g.mu.Lock()
	rec, err := g.record(host)
	g.mu.Unlock()
	if err != nil {
		return err
	}
	return g.r.RefuseQueued(host, rec.Reason())
}

// perState counts the hosts per state, of so many that are known.
func (g *Gate) perState(known int64) map[spamfilter.State]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := maps.Clone(g.counts)
	for _, n := range g.counts {
		known -= n
	}
	out[spamfilter.NotSampled] = max(0, known)
	return out
}

// recall learns from a stored record whom a host supports. The lock is held.
func (g *Gate) recall(host string, rec *spamfilter.Record) {
	if g.support == nil {
		return
	}
	h := spamfilter.HashOf(host)
	g.support.Add(h, rec.Targets)
	if rec.State == spamfilter.Rejected {
		g.support.Withdraw(h)
	}
	if g.cfg.Suspect(rec) {
		g.support.Suspect(host)
		if rec.State == spamfilter.Archiving {
			g.freed = append(g.freed, host) // the run before may have ended before it was put back
		}
	}
}

// weigh lets a host's support count, or not any more, by its new state, and notes whose verdict may change by it. The lock is held.
func (g *Gate) weigh(host string, old spamfilter.State, rec *spamfilter.Record) {
	if g.support == nil {
		return
	}
	if g.cfg.Suspect(rec) {
		g.support.Suspect(host)
	} else {
		g.support.Clear(host)
	}
	switch h := spamfilter.HashOf(host); {
	case rec.State == spamfilter.Rejected && old != spamfilter.Rejected:
		g.touched = append(g.touched, g.support.Withdraw(h)...)
	case rec.State != spamfilter.Rejected && old == spamfilter.Rejected:
		g.touched = append(g.touched, g.support.Restore(h)...)
	}
}

// supporters is how many hosts support a host. The lock is held.
func (g *Gate) supporters(host string) int {
	if g.support == nil {
		return 0
	}
	return g.support.Of(spamfilter.HashOf(host))
}

// maxRipple bounds the verdicts that one commit draws again.
const maxRipple = 10_000

// ripple draws the verdicts on suspects again whose support changed, and on those that this touches, and adds the records that
// changed to the notes of the commit. A farm falls host by host: each one that is rejected supports the others no more. The lock is held.
func (g *Gate) ripple(notes *crawl.Notes) error {
	slices.Sort(g.touched)
	for n := 0; len(g.touched) > 0 && n < maxRipple; n++ {
		host := g.touched[0]
		g.touched = g.touched[1:]
		if g.dirty[host] != nil {
			continue // people have spoken
		}
		rec, err := g.record(host)
		if err != nil {
			return err
		}
		old := rec.State
		if !g.cfg.Reconsider(rec, g.supporters(host)) {
			continue
		}
		g.change(host, old, rec)
		g.found(host, rec)
		notes.Put(noteName+host, rec.Append(nil))
		if old == spamfilter.Rejected {
			g.freed = append(g.freed, host)
		}
	}
	g.touched = nil
	return nil
}

// release puts the hosts back that their support freed since the last time.
func (g *Gate) release() (int, error) {
	g.mu.Lock()
	hosts := g.freed
	g.freed = nil
	g.mu.Unlock()
	if len(hosts) == 0 {
		return 0, nil
	}
	return len(hosts), g.unretire(hosts)
}

// unretire puts hosts back into the rotation.
func (g *Gate) unretire(hosts []string) error {
	for _, h := range hosts {
		if err := g.r.Frontier().Retire(h, false); err != nil {
			return err
		}
	}
	g.r.Wake()
	return nil
}
