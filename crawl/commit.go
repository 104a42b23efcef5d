package crawl

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"varve"
	"varve/crawl/frontier"
)

// groupSize is how many visits are made durable together at most.
const groupSize = 256

// groupPace is the least time from one group to the next. A group costs three syncs and their
// wake-ups whatever its size, and on a fast disk groups would be small without it. A worker that
// finds nothing queued cuts it short: links are queued by the commit of their page.
const groupPace = 60 * time.Millisecond

// handover is the way of visits to the committer.
type handover struct {
	visits chan *Visit
	hungry chan struct{} // somebody waits for the committer: it should not
	over   atomic.Bool   // no worker is left
}

func newHandover() handover {
	return handover{visits: make(chan *Visit, groupSize), hungry: make(chan struct{}, 1)}
}

// commit makes visits durable in groups, as they come: all that are waiting share one sync of the
// WARC file and one commit of the frontier.
func (r *Run) commit() {
	group := make([]*Visit, 0, groupSize)
	for first := range r.handover.visits {
		group = append(group[:0], first)
	more:
		for len(group) < groupSize {
			select {
			case v, ok := <-r.handover.visits:
				if !ok {
					break more
				}
				group = append(group, v)
			default:
				break more
			}
		}
		begun := r.engine.cfg.Clock.Now()
		if err := r.commitGroup(group); err != nil {
			r.Fail(err)
		}
		r.heavy.settled(group)
		for _, v := range group {
			r.load.got.Add(-v.size)
			for _, s := range r.stages.sharers {
				s.Settled(v.item.Key)
			}
			if v.part {
				r.load.parts.Add(-1)
			}
		}
		r.wakeResting()
		r.lookout.wakes.Add(1) // before the clock may move
		r.load.busy.Add(-int64(len(group)))
		r.Wake()
		r.pace(begun)
	}
}

// pace waits until a group may follow the one that begun then. A run that pauses or stops wants its
// visits settled.
func (r *Run) pace(begun time.Time) {
	if state, _ := r.State(); state != Running || r.handover.over.Load() || r.lookout.driven.Load() {
		return
	}
	timer := r.engine.cfg.Clock.NewTimer(groupPace - r.engine.cfg.Clock.Now().Sub(begun))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.handover.hungry:
	}
}

// feed asks the committer not to wait, if nothing is queued.
func (r *Run) feed() {
	if r.stages.ordered || r.frontier.Stats().Queued == 0 {
		r.hurry()
	}
}

// hurry cuts the committer's wait short.
func (r *Run) hurry() {
	select {
	case r.handover.hungry <- struct{}{}:
	default:
	}
}

// commitGroup waits for the records and then tells the frontier. After a failure nothing of the
// group is done: it stays queued.
func (r *Run) commitGroup(group []*Visit) error {
	if r.fatalError() != nil {
		for _, v := range group {
			if v.queued() {
				r.returnURL(v)
			}
		}
		return nil
	}
	if err := awaitRecords(group); err != nil {
		return err
	}
	if err := r.remember(group); err != nil {
		return err
	}
	var notes Notes
	if err := r.stages.settle(group, &notes); err != nil {
		return err
	}
	if err := r.reach.note(&notes); err != nil {
		return err
	}
	for _, v := range group {
		v.stranger = v.elsewhere(r.seeds)
	}
	note, err := r.tally.add(group)
	if err != nil {
		return err
	}
	if err := r.lines.add(group); err != nil {
		return err
	}
	results := make([]frontier.Result, 0, len(group))
	for _, v := range group {
		if v.queued() {
			results = append(results, v.result())
		}
	}
	told, err := r.frontier.FinishWith(note, notes.by, results...)
	if err != nil {
		return err
	}
	if told.Reopened > 0 {
		r.events.add("reopened", "urls", told.Reopened)
	}
	for _, v := range group {
		r.noteVisit(v)
		r.noteCut(v)
	}
	return r.stages.committed()
}

// RefuseQueued settles all that is queued of a host as refused. The run must have nothing else to do.
func (r *Run) RefuseQueued(host, why string) error {
	for {
		list, _, err := r.frontier.List(host, "", groupSize)
		if err != nil || len(list) == 0 {
			return err
		}
		group := make([]*Visit, 0, len(list))
		for _, l := range list {
			if l.State == frontier.Queued {
				group = append(group, (&Visit{item: l.Item, started: r.engine.cfg.Clock.Now()}).refuse(why))
			}
		}
		if len(group) == 0 {
			return fmt.Errorf("refuse the queue of %s: its URLs are under way", host)
		}
		if err := r.commitGroup(group); err != nil {
			return err
		}
	}
}

// awaitRecords waits until the records of visits are durable.
func awaitRecords(group []*Visit) error {
	for _, v := range group {
		if v.ticket != nil {
			if err := v.ticket.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

// queued tells visits to URLs of the frontier from those made on the way, such as robots.txt.
func (v *Visit) queued() bool { return v.item.Key != "" }

// noteVisit puts what is worth it into the events: not the ordinary visit.
func (r *Run) noteVisit(v *Visit) {
	switch {
	case v.verdict == frontier.Refused:
		r.events.add("refused", "url", v.item.URL, "why", v.reason)
	case v.verdict == frontier.Later:
		r.events.add("retry", "url", v.item.URL, "class", v.class, "status", v.status, "at", v.notBefore)
	case v.class != "":
		r.events.add("failed", "url", v.item.URL, "class", v.class, "status", v.status)
	}
}

// noteCut puts links that limits kept out into the events.
func (r *Run) noteCut(v *Visit) {
	if v.cutLinks > 0 || v.cutContent {
		r.events.add("cut", "url", v.item.URL, "links", v.cutLinks, "content", v.cutContent)
	}
}

// appendLocation writes where a record lies, for the frontier to keep.
func appendLocation(b []byte, l varve.Location) []byte {
	if l.File == "" {
		return b
	}
	b = append(b, l.File...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, l.Offset, 10)
	b = append(b, ' ')
	return strconv.AppendInt(b, l.Length, 10)
}

// Pages may have 100,000 links. Links in memory are bounded in three places: those of sitemaps are queued piece by piece
// (queueAhead), one worker at a time reads a large answer, until the committer has it, and the committer takes no more
// than mostLinks links, or one visit.
const (
	heavyBody = 1 << 20 // bytes from which on an answer may have very many links; few pages are so large
	packed    = 8       // times that a sitemap, at least, is smaller when it is packed
	mostLinks = 60_000  // links of visits that wait for their commit
)

// heavy counts the links of visits that wait for their commit.
type heavy struct {
	reading sync.Mutex // held by the worker that reads a large answer

	mu    sync.Mutex
	freed *sync.Cond
	links int
	most  int // at a time, for tests
}

func newHeavy() *heavy {
	h := &heavy{}
	h.freed = sync.NewCond(&h.mu)
	return h
}

// admit waits until the links of a visit fit in.
func (h *heavy) admit(v *Visit) {
	v.weight = len(v.links)
	if v.weight == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.links > 0 && h.links+v.weight > mostLinks {
		h.freed.Wait()
	}
	h.links += v.weight
	h.most = max(h.most, h.links)
}

// settled gives back the room of a group of visits.
func (h *heavy) settled(group []*Visit) {
	n := 0
	for _, v := range group {
		n += v.weight
		v.weight = 0
	}
	if n == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.links -= n
	h.freed.Broadcast()
}
