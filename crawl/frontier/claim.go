package frontier

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// Claim gives up to n hosts that have a URL to take at the instant now and are not claimed, in
// turn: a host that was claimed and released comes again after all others that have work. The
// caller holds a claimed host until Release; its head stays in memory that long. At most
// Config.MaxHosts hosts are claimed at a time.
//
// Fewer than n are given when there are no more, or when the store has to be searched on; in the
// second case Ready fires again at once.
func (f *Frontier) Claim(now time.Time, n int) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	n = min(n, f.cfg.MaxHosts-f.hosts.pinned())
	f.rot.rouse(now, f.cfg.MaxWait)
	var names []string
	for searched := false; len(names) < n; {
		id, ok := f.rot.pop()
		if !ok {
			if searched || !f.rot.pass {
				break
			}
			searched = true
			if err := f.searchWork(); err != nil {
				return names, err
			}
			continue
		}
		h, err := f.claimable(id, now)
		if err != nil {
			return names, err
		}
		if h != nil {
			h.claimed = true
			f.hosts.touch(h)
			names = append(names, h.name)
		}
	}
	f.hosts.trim()
	if len(names) < n && f.rot.pass {
		f.signal()
	}
	return names, nil
}

// claimable gives the host of that number when it has a URL to take now; when it only has later
// ones it is put to sleep.
func (f *Frontier) claimable(id uint32, now time.Time) (*host, error) {
	h, err := f.residentID(id)
	if err != nil || h == nil || h.claimed || h.retired || h.waiting() == 0 {
		return nil, err
	}
	e, ok, err := f.peek(h, now)
	if err != nil || !ok {
		return nil, err
	}
	if f.waits(e.pos, now) {
		f.rot.sleep(h.id, e.pos.due())
		return nil, nil
	}
	return h, nil
}

// waits reports whether the URL at p has to wait. One that would have to for longer than any may has outlived a clock
// that was set back: it waits no longer.
func (f *Frontier) waits(p pos, now time.Time) bool {
	return p.late() && ahead(p.due(), now, f.cfg.MaxWait)
}

// forGood is, in milliseconds, how far an instant lies ahead that is meant for good, until Place: no clock is set back by a
// thousand years.
const forGood = 1000 * 365 * 24 * 60 * 60 * 1000

// ahead reports whether an instant, in Unix milliseconds, is still to come, and by no more than the longest wait; zero is no bound.
func ahead(due int64, now time.Time, longest time.Duration) bool {
	d := due - now.UnixMilli()
	return d > 0 && (longest <= 0 || d <= longest.Milliseconds() || d >= forGood)
}

// Release gives a claimed host back. If it has work it joins the end of the round.
func (f *Frontier) Release(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.hosts.byName[name]
	if h == nil || !h.claimed || f.err != nil {
		return
	}
	h.claimed = false
	f.hosts.touch(h)
	if h.waiting() > 0 && !h.retired {
		f.rot.rejoin(h.id)
		f.signal()
	}
	f.hosts.trim()
}

// Ready fires when a host may have become claimable since it last fired.
func (f *Frontier) Ready() <-chan struct{} { return f.wake }

// NextDue tells when the first of the sleeping hosts has a URL to take; ok is false when none
// sleeps. Hosts that are claimed are not among them: see Head.
func (f *Frontier) NextDue() (at time.Time, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.rot.sleepers) == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(f.rot.sleepers[0].until).UTC(), true
}

// announce lists a host that has work for the next Claim.
func (t *tx) announce(h *host) {
	if h.claimed || h.retired || h.waiting() == 0 {
		return
	}
	t.f.rot.push(h.id)
	t.woken = true
}

// searchWork lists the next hosts of the pass over all hosts with work.
func (f *Frontier) searchWork() error {
	_, upper := spaceBounds(spaceWork)
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: workKey(nil, f.rot.cursor), UpperBound: upper})
	if err != nil {
		return fmt.Errorf("search hosts with work: %w", err)
	}
	ok := it.First()
	for n := 0; ok && n < passStep; n++ {
		id := binary.BigEndian.Uint32(it.Key()[1:])
		f.rot.cursor = id + 1
		_, asleep := f.rot.asleep[id]
		if h := f.hosts.byID[id]; !asleep && (h == nil || !h.claimed) {
			f.rot.push(id)
		}
		ok = it.Next()
	}
	if !ok {
		f.rot.passed()
	}
	if err := it.Close(); err != nil {
		return fmt.Errorf("search hosts with work: %w", err)
	}
	return nil
}
