package nodes

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"varve"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/nodes/engine"
	"varve/web/canon"
)

// Config says what a node is.
type Config struct {
	Engine     engine.Engine
	Crawl      string // name of the crawl, for people
	ID         string // of the node, the same each time that it starts on its directory: letters, digits, - and _
	Name       string // for people; the ID if empty
	Partitions int    // of a crawl that this node creates; DefaultPartitions
	Expect     int    // nodes that a new crawl waits for before the first takes a partition; 0: none
	Timing     Timing
	Clock      clock.Clock
	Log        *slog.Logger
	SealFrom   int64 // bytes of log after which the state of a partition is sealed anew; 64 MiB
}

// expectMost is how long a new crawl waits for the nodes that it expects.
const expectMost = time.Minute

// Node is one node of a crawl: a stage of its run.
type Node struct {
	cfg        Config
	engine     engine.Engine
	partitions int
	joined     time.Time

	session atomic.Pointer[Session]
	state   []atomic.Uint32 // of partitions: unowned, loading, ready, releasing
	news    chan struct{}   // for the loop: something changed

	run        *crawl.Run
	travellers []crawl.Traveller // stages that keep something with URLs
	seeds      *seeding          // of a node that puts the seeds into the log; nil: another does, or did
	started    atomic.Bool       // all seeds were asked about
	stopping   atomic.Bool
	ended      atomic.Bool // the crawl is complete
	gate       atomic.Bool // once all nodes were out of visits: stages may add what they have
	asked      atomic.Bool // they were asked, and had nothing
	paused     atomic.Bool // by us

	ordering    sync.Mutex
	orders      crawl.Orders // as heard
	obeying     sync.Mutex
	obeyed      crawl.Orders // as in force here
	ordersRead  bool
	ordered     atomic.Bool // the first orders are in force
	heldByOrder atomic.Bool
	ration      ration

	mu     sync.Mutex
	claims map[int]held      // as seen
	over   map[string]bool   // sessions that have ended
	past   map[string]Status // nodes that are gone, as they were
	loose  []frontier.Item
	told   Status

	addrs   *addresses
	moved   atomic.Bool                 // some partition has changed hands
	movedAt []atomic.Pointer[time.Time] // when one came here from another

	box       inbox
	sent      sentTable
	committed atomic.Uint64 // place of the last own log message whose commit is made
	appended  uint64        // place of the last one; only the committer's
	logged    []int64       // bytes of entries by partition since it was sealed; of mu
	routed    atomic.Int64
	received  atomic.Int64
	taken     atomic.Int64 // partitions taken from nodes that died
	given     atomic.Int64
	waiting   atomic.Int64 // messages for it that it has not read

	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup
}

// The states of a partition at a node.
const (
	unowned uint32 = iota
	loading
	ready
	releasing
)

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Starter
	crawl.Holder
	crawl.Committer
	crawl.Closer
} = (*Node)(nil)

// Keys of the table and subjects of the log.
const (
	definitionKey = "crawl.definition"
	seededKey     = "crawl.seeded"
	endKey        = "crawl.end"
	partPrefix    = "part."
	reportPrefix  = "report."
)

func partKey(p int) string             { return fmt.Sprintf("%s%d", partPrefix, p) }
func inboxSubject(p int) string        { return fmt.Sprintf("in.%d", p) }
func logSubject(session string) string { return "log." + session }

// Defined is the definition of a crawl as its nodes have it.
type Defined struct {
	Version    int              `json:"version"`
	Partitions int              `json:"partitions"`
	Definition crawl.Definition `json:"definition"`
}

// definedVersion is the version of what nodes agree on: entries, claims, placement. Nodes of another one may not join.
const definedVersion = 2

// ErrEnded is returned for a crawl that all nodes together have completed.
var ErrEnded = errors.New("the crawl is complete")

// Define makes the definition that of the crawl, or returns the one that it has; created says which. A definition without seeds only asks.
func Define(ctx context.Context, e engine.Engine, def crawl.Definition, partitions int) (d Defined, created bool, err error) {
	if partitions == 0 {
		partitions = DefaultPartitions
	}
	if partitions < 1 || partitions > MaxPartitions {
		return d, false, &varve.Error{Kind: varve.Invalid, Op: "join", Msg: fmt.Sprintf("a crawl has 1 to %d partitions, not %d", MaxPartitions, partitions)}
	}
	if _, err := e.Get(ctx, endKey); err == nil {
		return d, false, ErrEnded
	}
	for tries := range 50 {
		if tries > 0 && !wait(ctx, 100*time.Millisecond) { // another was first, and what it wrote is not to be read here yet
			break
		}
		got, err := e.Get(ctx, definitionKey)
		if err == nil {
			d, err = readDefined(ctx, e, string(got.Value))
			return d, false, err
		}
		if !errors.Is(err, engine.ErrNotFound) {
			return d, false, err
		}
		if len(def.Seeds) == 0 {
			return d, false, &varve.Error{Kind: varve.NotFound, Op: "join", Msg: "no node has defined this crawl yet", Hint: "the first node gives the seeds; see that --crawl names the crawl that you mean"}
		}
		d = Defined{Version: definedVersion, Partitions: partitions, Definition: def}
		b, err := json.Marshal(d)
		if err != nil {
			return d, false, err
		}
		name := "definition." + randomWord()
		if err := e.Store(ctx, name, bytes.NewReader(b)); err != nil {
			return d, false, err
		}
		if _, err = e.Put(ctx, definitionKey, []byte(name), 0); err == nil {
			return d, true, nil
		}
		if !errors.Is(err, engine.ErrConflict) {
			return d, false, err
		}
	}
	return d, false, errors.New("join: the definition of the crawl cannot be read")
}

// wait waits, and reports whether ctx is still there.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func readDefined(ctx context.Context, e engine.Engine, name string) (d Defined, err error) {
	r, err := e.Fetch(ctx, name)
	if err != nil {
		return d, fmt.Errorf("read the definition of the crawl: %w", err)
	}
	defer r.Close()
	if err := json.NewDecoder(r).Decode(&d); err != nil {
		return d, fmt.Errorf("read the definition of the crawl: %w", err)
	}
	if d.Version != definedVersion || d.Partitions < 1 || d.Partitions > MaxPartitions {
		return d, &varve.Error{
			Kind: varve.Conflict, Op: "join", Msg: fmt.Sprintf("the crawl was begun by nodes of another version (%d, this one speaks %d)", d.Version, definedVersion),
			Hint: "run the same version of varve on all nodes of a crawl",
		}
	}
	return d, nil
}

// randomWord is a word that nobody else has.
func randomWord() string {
	var b [9]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Join makes this process a node of a crawl that is defined. It holds a session from now on: Leave ends it where no run does.
func Join(ctx context.Context, cfg Config, d Defined) (*Node, error) {
	if cfg.Name == "" {
		cfg.Name = cfg.ID
	}
	if cfg.SealFrom <= 0 {
		cfg.SealFrom = 64 << 20
	}
	cfg.Timing = cfg.Timing.WithDefaults()
	n := &Node{
		cfg: cfg, engine: cfg.Engine, partitions: d.Partitions, joined: cfg.Clock.Now(), state: make([]atomic.Uint32, d.Partitions),
		news: make(chan struct{}, 1), claims: map[int]held{}, over: map[string]bool{}, past: map[string]Status{}, logged: make([]int64, d.Partitions),
	}
	n.box.pos = make([]uint64, d.Partitions)
	n.movedAt = make([]atomic.Pointer[time.Time], d.Partitions)
	n.addrs = &addresses{n: n, places: make(chan struct{}, askMost), by: map[string]*address{}}
	n.ration.at = n.joined
	n.ctx, n.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := n.evictFormer(ctx); err != nil {
		n.stop()
		return nil, err
	}
	if err := n.newSession(ctx); err != nil {
		n.stop()
		return nil, fmt.Errorf("join: %w", err)
	}
	return n, nil
}

// evictFormer ends sessions that an earlier process of this node left: it had the same directory, and its lock is ours now.
func (n *Node) evictFormer(ctx context.Context) error {
	list, err := n.engine.List(ctx, nodePrefix)
	if err != nil {
		return fmt.Errorf("join: %w", err)
	}
	for _, e := range list {
		var s Status
		if json.Unmarshal(e.Value, &s) == nil && s.Node == n.cfg.ID {
			_ = n.engine.Delete(ctx, e.Key, e.Revision)
		}
	}
	return nil
}

// newSession begins a session and keeps it.
func (n *Node) newSession(ctx context.Context) error {
	s := newSession(n.cfg.ID+"-"+randomWord()[:8], n.engine, n.cfg.Clock, n.cfg.Timing, nil, n.wake)
	s.value = func() []byte { return n.status(s) }
	s.ended = n.remember
	if err := s.begin(ctx); err != nil {
		return err
	}
	n.session.Store(s)
	n.sent.reset()
	n.tasks.Go(func() { s.keep(n.ctx) })
	n.tasks.Go(func() { n.addrs.watch(s) })
	return nil
}

// Fetcher makes requests only while the node may: its session is cut off from the others before they may take its sites.
func (n *Node) Fetcher(f crawl.Fetcher) crawl.Fetcher {
	return fenced{f, func() (context.Context, bool) { return n.session.Load().Live() }}
}

// wake tells the loop that something changed.
func (n *Node) wake() {
	select {
	case n.news <- struct{}{}:
	default:
	}
}

// partition is that of an item.
func (n *Node) partition(it *frontier.Item) int {
	domain := it.Domain
	if domain == "" {
		domain = canon.PayLevelDomain(crawl.HostName(it.Host))
	}
	return PartitionOf(domain, n.partitions)
}

// Open is part of crawl.Opener.
func (n *Node) Open(r *crawl.Run) error {
	n.run = r
	for _, s := range r.Stages() {
		if t, ok := s.(crawl.Traveller); ok {
			n.travellers = append(n.travellers, t)
		}
	}
	_, err := n.engine.Get(n.ctx, seededKey)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		n.seeds = &seeding{n: n, by: map[int]*batcher{}}
	case err != nil:
		return fmt.Errorf("join: %w", err)
	}
	return nil
}

// Start is part of crawl.Starter. The run waits until it is known what is the node's.
func (n *Node) Start(context.Context) {
	n.started.Store(true)
	n.pause("joining the other nodes")
	n.tasks.Go(func() { n.watchClaims() })
	n.tasks.Go(func() { n.watchOrders() })
	n.tasks.Go(func() { n.watchPast() })
	n.tasks.Go(func() { n.loop() })
	n.tasks.Go(func() { n.follow() })
}

// Stop is part of crawl.Starter.
func (n *Node) Stop() { n.stopping.Store(true) }

// pause has the run wait, in our name.
func (n *Node) pause(why string) {
	if state, _ := n.run.State(); state == crawl.Running {
		n.run.Pause(why)
		n.paused.Store(true)
	}
}

// resume ends our pause.
func (n *Node) resume() {
	if n.paused.CompareAndSwap(true, false) {
		n.obeying.Lock()
		defer n.obeying.Unlock()
		if n.obeyed.Paused { // our pause becomes theirs
			n.run.Repause(n.obeyed.Why)
			n.heldByOrder.Store(true)
			return
		}
		n.run.Resume()
	}
}

// loop does what is to be done when something changed, and now and then.
func (n *Node) loop() {
	for n.ctx.Err() == nil {
		if err := n.step(); err != nil && n.ctx.Err() == nil {
			n.cfg.Log.Warn("the engine of the nodes cannot be used now; it is tried again", "err", err)
		}
		timer := n.cfg.Clock.NewTimer(n.cfg.Timing.Renew / 2)
		select {
		case <-n.news:
		case <-timer.C:
		case <-n.ctx.Done():
		}
		timer.Stop()
	}
}

func (n *Node) step() error {
	s := n.session.Load()
	if s.Lost() {
		if err := n.startAnew(); err != nil {
			return err
		}
		s = n.session.Load()
	}
	if _, live := s.Live(); !live {
		n.pause("the lease of this node is not renewed: its sites may be another's")
		return nil
	}
	if n.seeds != nil && n.started.Load() {
		if err := n.seeds.finish(); err != nil {
			return err
		}
		n.seeds = nil
	}
	if !n.stopping.Load() {
		if err := n.rebalance(); err != nil {
			return err
		}
		if err := n.firstOrders(); err != nil {
			return err
		}
		if err := n.obey(); err != nil {
			return err
		}
		n.ordered.Store(true)
		n.resume()
	}
	n.addrs.tidy() // first: others wait for addresses, whatever becomes of the rest
	if err := n.release(); err != nil {
		return err
	}
	if err := n.reseal(); err != nil {
		return err
	}
	if err := n.tend(); err != nil {
		return err
	}
	return n.findEnd()
}

// startAnew begins another session after one that others ended. What was owned is not any more.
func (n *Node) startAnew() error {
	n.pause("this node was taken for dead: it joins again")
	n.run.Event("lease-lost", "session", n.session.Load().ID)
	n.cfg.Log.Warn("the lease of this node was lost: others have its sites; it joins again", "session", n.session.Load().ID)
	for p := range n.state {
		n.state[p].Store(unowned)
	}
	n.refollow()
	if err := n.retire(func(int) bool { return true }, true); err != nil {
		n.run.Fail(err)
	}
	return n.newSession(n.ctx)
}

// retire takes the hosts of partitions out of the rotation, or puts them back.
func (n *Node) retire(of func(p int) bool, out bool) error {
	f, cursor := n.run.Frontier(), ""
	for {
		hosts, next, err := f.Hosts(cursor, 1000)
		if err != nil {
			return err
		}
		for i := range hosts {
			h := &hosts[i]
			if h.Retired == out || !of(n.partition(&frontier.Item{Host: h.Host, Domain: h.Domain})) || !out && n.run.Parked(h.Host) != "" {
				continue
			}
			if err := n.run.PutAside(h.Host, out); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

// Leave ends the session of a node whose run did not begin.
func (n *Node) Leave(ctx context.Context) error {
	n.stop()
	n.tasks.Wait()
	return n.session.Load().end(ctx)
}

// Close is part of crawl.Closer: what is the node's goes to the others, or is done.
func (n *Node) Close() error {
	if n.ctx.Err() != nil {
		return nil
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(n.ctx), time.Minute)
	defer end()
	n.stopping.Store(true)
	n.mu.Lock()
	n.told.Leaving = true
	n.mu.Unlock()
	last := n.status(n.session.Load())
	n.stop()
	n.tasks.Wait()
	var err error
	s := n.session.Load()
	if _, live := s.Live(); live && !n.ended.Load() && n.run.FatalError() == nil {
		err = n.handOver(ctx)
	}
	n.leaveBudget(ctx)
	n.rememberIn(ctx, last)
	return errors.Join(err, s.end(ctx))
}
