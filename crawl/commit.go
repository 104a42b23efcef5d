package crawl

import (
	"errors"
	"fmt"
	"strconv"
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

// commit makes visits durable in groups, as they come: all that are waiting share one sync of the
// WARC file and one commit of the frontier.
func (r *Run) commit() {
	group := make([]*Visit, 0, groupSize)
	for first := range r.visits {
		group = append(group[:0], first)
	more:
		for len(group) < groupSize {
			select {
			case v, ok := <-r.visits:
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
			r.got.Add(-v.size)
			r.settled(v.item.Key)
			if v.part {
				r.parts.Add(-1)
			}
		}
		r.unhold()
		r.nap.pokes.Add(1) // before the clock may move
		r.busy.Add(-int64(len(group)))
		r.Wake()
		r.pace(begun)
	}
}

// pace waits until a group may follow the one that begun then. A run that pauses or stops wants its
// visits settled.
func (r *Run) pace(begun time.Time) {
	if state, _ := r.State(); state != Running || r.over.Load() || r.nap.driven.Load() {
		return
	}
	timer := r.engine.cfg.Clock.NewTimer(groupPace - r.engine.cfg.Clock.Now().Sub(begun))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.hungry:
	}
}

// feed asks the committer not to wait, if nothing is queued.
func (r *Run) feed() {
	if r.coh != nil || r.frontier.Stats().Queued == 0 {
		r.hurry()
	}
}

// hurry cuts the committer's wait short.
func (r *Run) hurry() {
	select {
	case r.hungry <- struct{}{}:
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
	if r.history != nil {
		if err := r.remember(group); err != nil {
			return err
		}
	}
	var notes map[string][]byte
	if r.coh != nil {
		var err error
		if notes, err = r.coh.settle(group); err != nil {
			return err
		}
	}
	noted := Notes{notes}
	if err := r.stages.settle(group, &noted); err != nil {
		return err
	}
	notes, err := r.reach.note(noted.by)
	if err != nil {
		return err
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
	if _, err := r.frontier.FinishWith(note, r.noteCookies(notes), results...); err != nil {
		return err
	}
	r.recent.see(group, r.reading(r.engine.cfg.Clock.Now()))
	for _, v := range group {
		r.noteVisit(v)
		r.noteCut(v)
	}
	if r.coh != nil {
		_, err = r.coh.advance()
	}
	return errors.Join(err, r.stages.committed())
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
