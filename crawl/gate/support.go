package gate

import (
	"slices"

	"varve/crawl"
	"varve/crawl/spamfilter"
)

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
