package nodes

import (
	"context"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/nodes/engine"
	"varve/crawl/scope"
	"varve/web/canon"
)

// elsewhere is why a URL is not queued or fetched here.
const elsewhere = "another node has its site"

// Admit is part of crawl.Stage. It is asked last, so what other stages did to the place of a link goes with it.
func (n *Node) Admit(a *crawl.Admission) {
	p := n.partition(a.Item)
	switch {
	case a.Taken:
		if n.state[p].Load() != ready {
			a.Leave(elsewhere)
		}
	case !n.started.Load() && a.Visit == nil: // else a visit that is replayed after a kill
		if n.seeds != nil {
			n.seeds.add(p, a.Item)
		}
		a.Refuse("seeds go to the nodes that have their sites")
	case n.state[p].Load() == ready:
	default:
		a.Refuse(elsewhere)
		if n.sent.has(a.Item) {
			return
		}
		if a.Visit == nil {
			n.mu.Lock()
			n.loose = append(n.loose, cloned(a.Item))
			n.mu.Unlock()
			return
		}
		out, _ := a.Visit.Remark(n).(*[]frontier.Item)
		if out == nil {
			out = new([]frontier.Item)
			a.Visit.SetRemark(n, out)
		}
		*out = append(*out, *a.Item)
	}
}

// cloned is an item that does not hold on to the page that it was found on.
func cloned(it *frontier.Item) frontier.Item {
	c := *it
	for _, s := range []*string{&c.Key, &c.URL, &c.Host, &c.Domain, &c.Via, &c.HopPath} {
		*s = strings.Clone(*s)
	}
	c.Meta = slices.Clone(c.Meta)
	return c
}

// Examine is part of crawl.Stage.
func (*Node) Examine(*crawl.Visit, *crawl.Answer) {}

// Settle is part of crawl.Stage: the visits' records are durable, and the frontier has not heard of them. When it returns, the log has them.
func (n *Node) Settle(visits []*crawl.Visit, _ *crawl.Notes) error {
	n.mu.Lock()
	loose := n.loose
	n.loose = nil
	n.mu.Unlock()
	for {
		err := n.settle(visits, loose)
		if err == nil || n.ctx.Err() != nil {
			return err
		}
		n.cfg.Log.Warn("what was found cannot be handed on now; it is tried again", "err", err)
		n.session.Load().pause(n.ctx, n.cfg.Timing.Renew/4, nil)
	}
}

func (n *Node) settle(visits []*crawl.Visit, loose []frontier.Item) error {
	s := n.session.Load()
	lost := s.Lost()
	w := writing{n: n, inboxes: map[int]*batcher{}}
	for i := range loose {
		w.link(&loose[i], true)
	}
	for _, v := range visits {
		if out, _ := v.Remark(n).(*[]frontier.Item); out != nil {
			for i := range *out {
				w.link(&(*out)[i], true) // not in this frontier, whoever has its partition by now
			}
		}
		if !v.Queued() || v.Later() {
			continue
		}
		res := v.Result()
		w.result(&res, lost)
		for i := range res.Links {
			w.link(&res.Links[i], lost)
		}
	}
	return w.append(s)
}

// writing is what a group of visits says, on its way to the log.
type writing struct {
	n       *Node
	log     *batcher
	inboxes map[int]*batcher
	own     []engine.Message
	out     []engine.Message
	keys    []uint64 // of links, to be remembered as sent
	sizes   map[int]int64
}

// link says that a URL was found: to the session's log if it is one of ours, and goes into the frontier with this commit; else, out, to its inbox. What
// was said lately is not said again.
func (w *writing) link(it *frontier.Item, out bool) {
	key, known := w.n.sent.key(it)
	if known {
		return
	}
	w.keys = append(w.keys, key)
	w.say(&entry{kind: entryLink, item: *it}, out)
}

func (w *writing) result(res *frontier.Result, lost bool) {
	e := entry{kind: entryDone, item: res.Item, outcome: res.Outcome}
	if res.Verdict == frontier.Refused {
		e.kind, e.reason = entryRefused, res.Reason
	}
	w.say(&e, lost)
}

func (w *writing) say(e *entry, out bool) {
	w.n.packed(e)
	p := w.n.partition(&e.item)
	if state := w.n.state[p].Load(); !out && (state == ready || state == releasing) {
		if w.log == nil {
			w.log = &batcher{flush: func(msg []byte) error {
				w.own = append(w.own, engine.Message{Subject: logSubject(w.n.session.Load().ID), Data: msg})
				return nil
			}}
			w.sizes = map[int]int64{}
		}
		before := len(w.log.buf)
		_ = w.log.add(e)
		w.sizes[p] += int64(max(len(w.log.buf)-before, 0))
		return
	}
	b := w.inboxes[p]
	if b == nil {
		b = &batcher{flush: func(msg []byte) error {
			w.out = append(w.out, engine.Message{Subject: inboxSubject(p), Data: msg})
			return nil
		}}
		w.inboxes[p] = b
	}
	_ = b.add(e)
	if e.kind == entryLink {
		w.n.routed.Add(1)
	}
}

// append makes it durable: links first, so that a page is not done while what it led to can be lost.
func (w *writing) append(s *Session) error {
	n := w.n
	for _, b := range w.inboxes {
		_ = b.end()
	}
	if len(w.out) > 0 {
		if _, err := n.engine.Append(n.ctx, w.out...); err != nil {
			return err
		}
	}
	if w.log != nil {
		_ = w.log.end()
	}
	if len(w.own) > 0 {
		if n.session.Load() != s || s.Lost() {
			return errLost
		}
		last, err := n.engine.Append(n.ctx, w.own...)
		if err != nil {
			return err
		}
		n.appended = last
		n.mu.Lock()
		for p, size := range w.sizes {
			n.logged[p] += size
		}
		n.mu.Unlock()
	}
	n.sent.put(w.keys)
	return nil
}

// Committed is part of crawl.Committer.
func (n *Node) Committed() error {
	n.committed.Store(n.appended)
	n.asked.Store(false)
	return nil
}

// sentTable remembers links that were said lately, so that those which all pages of a site have go to the log once. It is exact: a place holds the
// whole hash, with a seed of this process.
type sentTable struct {
	mu   sync.Mutex
	seed maphash.Seed
	tab  []uint64
}

const sentPlaces = 1 << 17 // 1 MiB

func (s *sentTable) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tab == nil {
		s.seed = maphash.MakeSeed()
		s.tab = make([]uint64, sentPlaces)
	}
	clear(s.tab)
}

// key returns the hash of a link and whether it was said lately. One that is found with another score or band is another.
func (s *sentTable) key(it *frontier.Item) (key uint64, known bool) {
	key = maphash.String(s.seed, it.Key) ^ mix(uint64(it.Band)<<32|uint64(uint32(math.Round(it.Score*1000))))
	s.mu.Lock()
	defer s.mu.Unlock()
	return key, s.tab[key%sentPlaces] == key
}

func (s *sentTable) has(it *frontier.Item) bool {
	_, known := s.key(it)
	return known
}

func (s *sentTable) put(keys []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.tab[key%sentPlaces] = key
	}
}

// seeding is the putting of the seeds into the log.
type seeding struct {
	n   *Node
	by  map[int]*batcher
	out []engine.Message
	err error
}

// seedStep is how many messages of seeds are appended together.
const seedStep = 64

func (s *seeding) add(p int, it *frontier.Item) {
	b := s.by[p]
	if b == nil {
		b = &batcher{flush: func(msg []byte) error {
			s.out = append(s.out, engine.Message{Subject: inboxSubject(p), Data: msg})
			if len(s.out) < seedStep {
				return nil
			}
			return s.flush()
		}}
		s.by[p] = b
	}
	if err := b.add(&entry{kind: entryLink, item: *it}); err != nil && s.err == nil {
		s.err = err
	}
}

// packed makes an entry readable for other nodes.
func (n *Node) packed(e *entry) {
	for _, t := range n.travellers {
		t.Pack(&e.item)
	}
}

func (s *seeding) flush() error {
	if len(s.out) == 0 {
		return nil
	}
	_, err := s.n.engine.Append(s.n.ctx, s.out...)
	if err == nil {
		s.out = s.out[:0]
	}
	return err
}

// finish puts the rest into the log, and says that all are there.
func (s *seeding) finish() error {
	if s.err != nil {
		s.n.run.Fail(s.err) // what was not appended is not known any more: another node does it again
		return s.err
	}
	for _, b := range s.by {
		if err := b.end(); err != nil {
			return err
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	_, err := s.n.engine.Put(s.n.ctx, seededKey, []byte(s.n.cfg.ID), 0)
	if err == engine.ErrConflict { //nolint:errorlint // it is returned as it is
		err = nil
	}
	return err
}

// inbox is the reading of what others found.
type inbox struct {
	mu    sync.Mutex
	pos   []uint64 // place of the log up to which the frontier has what was found for a partition
	again context.CancelFunc
}

func inboxOf(subject string) int {
	p, err := strconv.Atoi(strings.TrimPrefix(subject, "in."))
	if err != nil {
		return -1
	}
	return p
}

// refollow has the reader begin again: the partitions that it reads for have changed.
func (n *Node) refollow() {
	n.box.mu.Lock()
	defer n.box.mu.Unlock()
	if n.box.again != nil {
		n.box.again()
	}
}

// follow puts what others find into the frontier.
func (n *Node) follow() {
	for n.ctx.Err() == nil {
		ctx, again := context.WithCancel(n.ctx)
		n.box.mu.Lock()
		n.box.again = again
		var subjects []string
		after := uint64(math.MaxUint64)
		for p := range n.partitions {
			if n.state[p].Load() == ready {
				subjects = append(subjects, inboxSubject(p))
				after = min(after, n.box.pos[p])
			}
		}
		n.box.mu.Unlock()
		if len(subjects) == 0 {
			<-ctx.Done()
			again()
			continue
		}
		n.followOf(ctx, subjects, after)
		again()
		if n.ctx.Err() == nil && ctx.Err() == nil {
			n.session.Load().pause(n.ctx, n.cfg.Timing.Renew/4, nil)
		}
	}
}

// groupMost is how many messages go into the frontier with one sync, and groupWait how long the first of them waits for others.
const (
	groupMost = 256
	groupWait = 10 * time.Millisecond
)

// followOf reads until ctx ends or the engine fails, and knows then how far it came with all subjects.
func (n *Node) followOf(ctx context.Context, subjects []string, after uint64) {
	messages := make(chan engine.Message, groupMost)
	ctx, end := context.WithCancel(ctx)
	defer end()
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(messages)
		_ = n.engine.Follow(ctx, subjects, after, func(m engine.Message) error {
			select {
			case messages <- m:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	defer reader.Wait()
	for first := range messages {
		group := []engine.Message{first}
		timer := n.cfg.Clock.NewTimer(groupWait)
	more:
		for len(group) < groupMost {
			select {
			case m, ok := <-messages:
				if !ok {
					break more
				}
				group = append(group, m)
			case <-timer.C:
				break more
			}
		}
		timer.Stop()
		if err := n.receive(group); err != nil {
			n.run.Fail(err)
			end()
			for range messages { //nolint:revive // until the reader has ended
			}
			return
		}
	}
}

// receive applies messages to the frontier.
func (n *Node) receive(group []engine.Message) error {
	n.box.mu.Lock()
	defer n.box.mu.Unlock()
	a := n.applier()
	for _, m := range group {
		p := inboxOf(m.Subject)
		if p < 0 || p >= n.partitions || n.state[p].Load() != ready || m.Seq <= n.box.pos[p] {
			continue // released meanwhile: the next owner reads it; or read before
		}
		if err := n.unpack(m, a.add); err != nil {
			return err
		}
	}
	if err := a.end(); err != nil {
		return err
	}
	last := group[len(group)-1].Seq
	n.waiting.Store(group[len(group)-1].Left)
	for p := range n.partitions { // all that was there for them up to here has come
		if n.state[p].Load() == ready {
			n.box.pos[p] = max(n.box.pos[p], last)
		}
	}
	n.received.Add(a.applied)
	if a.applied > 0 {
		n.asked.Store(false)
		n.run.Wake()
	}
	return nil
}

// applier puts entries into the frontier, and learns which pages seeds have moved to.
func (n *Node) applier() *applier {
	return &applier{f: n.run.Frontier(), travellers: n.travellers, found: func(it *frontier.Item) {
		if it.HopPath == "" || strings.Trim(it.HopPath, string(scope.HopRedirect)) != "" {
			return
		}
		if u, err := canon.Parse(it.URL); err == nil {
			n.run.Seeds().Add(u) // where a seed redirects is a seed, on all nodes
		}
	}}
}
