package nodes

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varve/crawl/frontier"
	"varve/crawl/nodes/engine"
)

// Claim is the record of a partition.
type Claim struct {
	Owner   string   `json:"owner,omitempty"` // session; empty: it was released
	Epoch   uint64   `json:"epoch"`           // grows with each owner
	Range   string   `json:"range,omitempty"` // sealed state on the shelf; empty: none
	Bytes   int64    `json:"bytes,omitempty"` // of the range
	Inbox   uint64   `json:"inbox,omitempty"` // what others found, up to this place of the log, is in the range
	Sources []Source `json:"sources,omitempty"`
}

// Source is a log that has what became of the partition's URLs since the range was sealed.
type Source struct {
	Session string `json:"session"`
	After   uint64 `json:"after"` // place of the log
}

// held is a claim as it was seen last.
type held struct {
	Claim
	rev uint64
}

// watchClaims keeps the list of claims.
func (n *Node) watchClaims() {
	for n.ctx.Err() == nil {
		_ = n.engine.Watch(n.ctx, partPrefix, func(e engine.Entry) { // begun again where it broke
			p, err := strconv.Atoi(strings.TrimPrefix(e.Key, partPrefix))
			if err != nil || p < 0 || p >= n.partitions {
				return
			}
			h := held{rev: e.Revision}
			if e.Value != nil && json.Unmarshal(e.Value, &h.Claim) != nil {
				return
			}
			n.mu.Lock()
			newer := n.claims[p].rev < e.Revision
			if newer {
				n.claims[p] = h
			}
			n.mu.Unlock()
			if newer && h.Owner != n.session.Load().ID {
				n.wake()
			}
		})
		n.session.Load().pause(n.ctx, n.cfg.Timing.Renew/4, nil)
	}
}

func (n *Node) claim(p int) held {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.claims[p]
}

// putClaim replaces a claim by compare-and-set.
func (n *Node) putClaim(ctx context.Context, p int, c Claim, last uint64) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	rev, err := n.engine.Put(ctx, partKey(p), b, last)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.claims[p].rev < rev {
		n.claims[p] = held{c, rev}
	}
	return nil
}

// members returns the nodes that can own something, and the sessions that there are.
func (n *Node) members() (ids []string, sessions map[string]Status) {
	sessions = map[string]Status{}
	own := n.session.Load().ID
	for id, b := range n.session.Load().others() {
		var s Status
		if json.Unmarshal(b, &s) == nil {
			sessions[id] = s
		}
	}
	for id, s := range sessions {
		if !s.Leaving && id != own {
			ids = append(ids, s.Node)
		}
	}
	if !n.stopping.Load() {
		ids = append(ids, n.cfg.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids), sessions
}

// rebalance takes the partitions that are to be the node's and are free, and begins to release those that are to be another's.
func (n *Node) rebalance() error {
	ids, sessions := n.members()
	if n.waitsForOthers(len(ids)) {
		return nil
	}
	take := map[int]held{} // as they were when it was decided: what is written must replace just that
	give := false
	for p := range n.partitions {
		mine := Owner(p, ids) == n.cfg.ID
		switch state := n.state[p].Load(); {
		case mine && state == unowned:
			if c := n.claim(p); c.Owner == "" || n.isOver(c.Owner, sessions) {
				take[p] = c
			}
		case mine && state == releasing:
			// It came back before it was gone: the release goes on, and it is taken again.
		case !mine && state == ready:
			n.state[p].Store(releasing)
			give = true
		}
	}
	if give {
		n.refollow()
		if err := n.retire(func(p int) bool { return n.state[p].Load() == releasing }, true); err != nil {
			return err
		}
	}
	return n.take(take)
}

// waitsForOthers reports whether a crawl that nobody has begun waits for more nodes.
func (n *Node) waitsForOthers(members int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return members < n.cfg.Expect && len(n.claims) == 0 && n.cfg.Clock.Now().Sub(n.joined) < expectMost
}

// isOver reports whether a session has ended. That a key is not found is no proof: reads may be answered by a copy that is behind. What proves
// it is a write that succeeds only where nothing is. A session that is over stays so: its name is never used again.
func (n *Node) isOver(session string, known map[string]Status) bool {
	if session == n.session.Load().ID {
		return true // we have forgotten
	}
	if _, there := known[session]; there {
		return false
	}
	n.mu.Lock()
	over := n.over[session]
	n.mu.Unlock()
	if over {
		return true
	}
	rev, err := n.engine.Put(n.ctx, nodePrefix+session, nil, 0)
	if errors.Is(err, engine.ErrConflict) {
		known[session] = Status{}
	}
	if err != nil {
		return false
	}
	_ = n.engine.Delete(n.ctx, nodePrefix+session, rev) // one that stays is not renewed, and ended like a session
	n.mu.Lock()
	n.over[session] = true
	n.mu.Unlock()
	return true
}

// inParallel does something for each of a list, some at a time; round trips are what it costs.
func inParallel(list []int, do func(int) error) error {
	const most = 16
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	places := make(chan struct{}, most)
	for _, p := range list {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			if err := do(p); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// take claims partitions, and brings their state here.
func (n *Node) take(list map[int]held) error {
	if len(list) == 0 {
		return nil
	}
	s := n.session.Load()
	last, err := n.engine.Last(n.ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	got := map[int]Claim{} // as they were
	dead := map[string]bool{}
	err = inParallel(slices.Sorted(maps.Keys(list)), func(p int) error {
		was := list[p]
		c := was.Claim
		c.Owner, c.Epoch = s.ID, was.Epoch+1
		c.Sources = slices.Clone(was.Sources)
		if k := len(c.Sources); k == 0 || c.Sources[k-1].Session != s.ID {
			c.Sources = append(c.Sources, Source{Session: s.ID, After: last})
		}
		err := n.putClaim(n.ctx, p, c, was.rev)
		if errors.Is(err, engine.ErrConflict) {
			return nil // another was first, or it is as we do not know yet
		}
		if err == nil {
			n.state[p].Store(loading)
			mu.Lock()
			got[p] = was.Claim
			if was.Owner != "" {
				dead[was.Owner] = true
			}
			mu.Unlock()
		}
		return err
	})
	if len(got) == 0 {
		return err
	}
	if lerr := n.load(got); lerr != nil {
		// Nothing of it is ready. The claims are ours: they are taken anew by the next step.
		for p := range got {
			n.state[p].Store(unowned)
		}
		return errors.Join(err, lerr)
	}
	now := n.cfg.Clock.Now()
	for p, was := range got {
		if was.Epoch > 0 {
			n.movedAt[p].Store(&now)
			n.moved.Store(true)
		}
		n.state[p].Store(ready)
	}
	if rerr := n.retire(func(p int) bool { _, ok := got[p]; return ok }, false); rerr != nil {
		return rerr
	}
	n.refollow()
	for id := range dead {
		n.taken.Add(1)
		n.run.Event("re-owned", "from", id, "partitions", len(got))
	}
	n.run.Wake()
	return err
}

// load applies what is known of partitions to the frontier: ranges, logs, inboxes.
func (n *Node) load(parts map[int]Claim) error {
	upTo, err := n.engine.Last(n.ctx)
	if err != nil {
		return err
	}
	a := n.applier()
	for p, c := range parts {
		if c.Range == "" {
			continue
		}
		if err := n.loadRange(c.Range, a); err != nil {
			return fmt.Errorf("state of partition %d: %w", p, err)
		}
	}
	from := map[string]uint64{} // where to begin with a session's log
	least := upTo
	var subjects []string
	for p, c := range parts {
		for _, src := range c.Sources {
			if at, ok := from[src.Session]; !ok || src.After < at {
				from[src.Session] = src.After
			}
		}
		least = min(least, c.Inbox)
		subjects = append(subjects, inboxSubject(p))
	}
	for session, after := range from {
		wanted := map[int]uint64{}
		for p, c := range parts {
			for _, src := range c.Sources {
				if src.Session == session {
					wanted[p] = src.After
				}
			}
		}
		err := n.engine.Read(n.ctx, []string{logSubject(session)}, after, upTo, func(m engine.Message) error {
			return n.unpack(m, func(e *entry) error {
				if after, ok := wanted[n.partition(&e.item)]; ok && m.Seq > after {
					return a.add(e)
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(subjects)
	err = n.engine.Read(n.ctx, subjects, least, upTo, func(m engine.Message) error {
		if c, ok := parts[inboxOf(m.Subject)]; !ok || m.Seq <= c.Inbox {
			return nil
		}
		return n.unpack(m, a.add)
	})
	if err == nil {
		err = a.end()
	}
	n.box.mu.Lock()
	defer n.box.mu.Unlock()
	for p := range parts {
		n.box.pos[p] = upTo
	}
	return err
}

// unpack passes the entries of a message. A damaged one is told and passed over: the rest of the crawl goes on.
func (n *Node) unpack(m engine.Message, each func(*entry) error) error {
	var failed error
	err := unpack(m.Data, func(e *entry) error {
		failed = each(e)
		return failed
	})
	if err != nil && failed == nil {
		n.run.Event("damaged-message", "subject", m.Subject, "seq", m.Seq, "err", err.Error())
		n.cfg.Log.Warn("a message of the log is damaged; what it said is lost", "subject", m.Subject, "seq", m.Seq, "err", err)
	}
	return failed
}

func (n *Node) loadRange(name string, a *applier) error {
	r, err := n.engine.Fetch(n.ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	return readRange(bufio.NewReaderSize(r, 64<<10), a.add)
}

// release goes on with partitions that are to be another's: those with nothing under way are sealed and released.
func (n *Node) release() error {
	busy := map[int]bool{}
	any := false
	for p := range n.partitions {
		any = any || n.state[p].Load() == releasing
	}
	if !any {
		return nil
	}
	cursor := ""
	for {
		hosts, next, err := n.run.Frontier().Hosts(cursor, 1000)
		if err != nil {
			return err
		}
		for i := range hosts {
			if hosts[i].InFlight > 0 {
				busy[n.partition(&frontier.Item{Host: hosts[i].Host, Domain: hosts[i].Domain})] = true
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	var list []int
	for p := range n.partitions {
		if n.state[p].Load() == releasing && !busy[p] {
			list = append(list, p)
		}
	}
	return n.seal(n.ctx, list, true)
}

// reseal seals the state of partitions anew whose logs have grown, and of those that were taken from others.
func (n *Node) reseal() error {
	n.mu.Lock()
	var list []int
	for p := range n.partitions {
		if n.state[p].Load() != ready {
			continue
		}
		c := n.claims[p]
		if len(c.Sources) > 3 || n.logged[p] > max(n.cfg.SealFrom, c.Bytes) {
			list = append(list, p)
		}
	}
	n.mu.Unlock()
	return n.seal(n.ctx, list, false)
}

// handOver releases all that the node has, when it stops.
func (n *Node) handOver(ctx context.Context) error {
	var list []int
	for p := range n.partitions {
		if s := n.state[p].Load(); s == ready || s == releasing {
			n.state[p].Store(releasing)
			list = append(list, p)
		}
	}
	return n.seal(ctx, list, true)
}

// seal writes what is known of partitions to the shelf, and into their claims where it lies. With give they are released.
func (n *Node) seal(ctx context.Context, list []int, give bool) error {
	if len(list) == 0 {
		return nil
	}
	// What the log has up to here is in the frontier, and so in what is exported from it now.
	covered := n.committed.Load()
	n.box.mu.Lock()
	inboxes := map[int]uint64{}
	for _, p := range list {
		inboxes[p] = n.box.pos[p]
	}
	n.box.mu.Unlock()
	files, err := n.export(list)
	defer func() {
		for _, f := range files {
			f.close()
		}
	}()
	if err != nil {
		return err
	}
	s := n.session.Load()
	var mu sync.Mutex
	var old []string
	left := map[string]bool{}
	err = inParallel(list, func(p int) error {
		was := n.claim(p)
		if was.Owner != s.ID { // released by a write that came through unheard, or lost
			n.state[p].Store(unowned)
			return nil
		}
		c := Claim{Owner: s.ID, Epoch: was.Epoch, Inbox: inboxes[p], Sources: []Source{{Session: s.ID, After: covered}}}
		if give {
			c.Owner, c.Sources = "", nil
		}
		if f := files[p]; f != nil {
			c.Range, c.Bytes = fmt.Sprintf("range.%d.%d.%s", p, was.Epoch, randomWord()[:8]), f.size
			if err := n.engine.Store(ctx, c.Range, f.reader()); err != nil {
				return err
			}
		}
		if err := n.putClaim(ctx, p, c, was.rev); err != nil {
			return err
		}
		if give {
			n.state[p].Store(unowned)
			n.given.Add(1)
		}
		n.mu.Lock()
		n.logged[p] = 0
		n.mu.Unlock()
		mu.Lock()
		defer mu.Unlock()
		if was.Range != "" {
			old = append(old, was.Range)
		}
		for _, src := range was.Sources {
			left[src.Session] = true
		}
		return n.engine.Trim(ctx, inboxSubject(p), inboxes[p])
	})
	for _, name := range old {
		_ = n.engine.Remove(ctx, name) // nothing refers to it; one that stays is garbage, no fault
	}
	n.run.Event("sealed", "partitions", len(list), "released", give)
	return errors.Join(err, n.trimLogs(ctx, left))
}

// trimLogs removes what no claim needs any more of logs.
func (n *Node) trimLogs(ctx context.Context, sessions map[string]bool) error {
	n.mu.Lock()
	least := map[string]uint64{}
	for _, c := range n.claims {
		for _, src := range c.Sources {
			if at, ok := least[src.Session]; !ok || src.After < at {
				least[src.Session] = src.After
			}
		}
	}
	n.mu.Unlock()
	for id := range sessions {
		upTo, needed := least[id]
		if !needed {
			if id == n.session.Load().ID {
				upTo = n.committed.Load()
			} else if !n.isOver(id, n.known()) {
				continue
			} else {
				var err error
				if upTo, err = n.engine.Last(ctx); err != nil {
					return err
				}
			}
		}
		if upTo > 0 {
			if err := n.engine.Trim(ctx, logSubject(id), upTo); err != nil {
				return err
			}
		}
	}
	return nil
}

// sealed is a range on its way to the shelf.
type sealed struct {
	file *os.File
	w    *bufio.Writer
	b    batcher
	size int64
}

func (s *sealed) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

func (s *sealed) reader() io.Reader { return io.NewSectionReader(s.file, 0, s.size) }

// export writes what the frontier knows of partitions into files, one for each that has something, in one pass over it.
func (n *Node) export(list []int) (files map[int]*sealed, err error) {
	files = map[int]*sealed{}
	wanted := func(host, domain string) bool {
		return slices.Contains(list, n.partition(&frontier.Item{Host: host, Domain: domain}))
	}
	add := func(out *entry) error {
		p := n.partition(&out.item)
		s := files[p]
		if s == nil {
			f, err := os.CreateTemp(n.run.Dir(), "range-*.tmp")
			if err != nil {
				return err
			}
			s = &sealed{file: f, w: bufio.NewWriterSize(f, 64<<10)}
			s.b.flush = func(msg []byte) error { return writeFrame(s.w, msg) }
			files[p] = s
			if _, err := s.w.WriteString(rangeMagic); err != nil {
				return err
			}
		}
		n.packed(out)
		return s.b.add(out)
	}
	for _, t := range n.travellers {
		err := t.Carry(func(host string) bool { return wanted(host, "") }, func(host string, note []byte) error {
			return add(&entry{kind: entryNote, item: frontier.Item{Key: host, Host: host}, reason: string(note)})
		})
		if err != nil {
			return files, err
		}
	}
	err = n.run.Frontier().Export(wanted, func(e frontier.Entry) error {
		out := entry{kind: entryLink, item: e.Item}
		switch e.State {
		case frontier.Done:
			out.kind, out.outcome = entryDone, e.Outcome
		case frontier.Dropped:
			out.kind, out.reason = entryRefused, e.Reason
		}
		return add(&out)
	})
	for _, p := range slices.Sorted(maps.Keys(files)) {
		s := files[p]
		if err == nil {
			err = errors.Join(s.b.end(), writeEnd(s.w), s.w.Flush())
		}
		if err == nil {
			s.size, err = s.file.Seek(0, io.SeekCurrent)
		}
	}
	return files, err
}

func writeEnd(w io.Writer) error {
	_, err := w.Write([]byte{0, 0, 0, 0})
	return err
}
