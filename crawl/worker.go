package crawl

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/netip"
	"time"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/page"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/markup"
	"varve/web/robots"
	"varve/web/wire"
)

// share is how many URLs of a host a worker does in a row before others get their turn.
const share = 16

// Worker makes visits, one at a time. It has the buffers that visits reuse.
type Worker struct {
	r           *Run
	ids         io.Reader // randomness for record ids
	page        *page.Reader
	readers     []Stage             // stages that look at pages while they are read
	subscribers []markup.Subscriber // each of theirs
	subscribed  bool                // they have seen the page that was read last
	body        []byte
	seen        map[string]uint8 // keys of one page's links, with the most urgent band of each
	meta        []byte
	found       []links.Link    // of one page
	items       []frontier.Item // those of them that are in scope
	pages       int
	scoped      scope.Candidate
	asking      Admission
	answer      Answer
	header      wire.Header      // of the page that was read last
	info        links.Info       // of the page that was read last
	looked      []byte           // its content
	before      *preceding       // of the record that is replayed
	heavy       bool             // it reads a large answer
	fetching    bool             // an answer of its own is read, and handed to the committer
	room        map[string]int64 // that the budget of sitemaps leaves hosts, while one is read
}

// alone waits until no other worker reads a large answer, if one of that size may be large; until fetch ends, when the
// committer has the visit.
func (w *Worker) alone(size int64, isPacked bool) {
	if isPacked {
		size *= packed
	}
	if w.fetching && !w.heavy && size > heavyBody {
		w.r.heavy.reading.Lock()
		w.heavy = true
	}
}

// lighten ends the reading of a large answer.
func (w *Worker) lighten() {
	w.fetching = false
	if w.heavy {
		w.heavy, w.body, w.looked = false, nil, nil
		w.page = page.NewReader() // its buffers are as large as the answer
		w.r.heavy.reading.Unlock()
	}
}

func newWorker(r *Run) *Worker {
	w := &Worker{
		r: r, ids: bufio.NewReaderSize(rand.Reader, 4<<10),
		page: page.NewReader(), seen: map[string]uint8{},
	}
	for _, one := range r.stages.all {
		if s, ok := one.(PageReader); ok {
			if sub := s.NewReader(); sub != nil {
				w.readers, w.subscribers = append(w.readers, one), append(w.subscribers, sub)
			}
		}
	}
	return w
}

// loop works until the run is over.
func (w *Worker) loop(ctx context.Context) {
	for {
		t, ok := w.r.next(ctx)
		if !ok {
			return
		}
		w.serve(ctx, t)
		w.r.served()
	}
}

// serve makes visits to one host, as long as politeness lets it go on without waiting.
func (w *Worker) serve(ctx context.Context, t turnOf) {
	for n := 0; ; n++ {
		more := w.one(ctx, t)
		if !more {
			return
		}
		now := w.now()
		state, _ := w.r.State()
		if n >= share || state != Running || w.r.overBudget(now) != "" {
			w.r.unclaim(t.host)
			return
		}
		if w.r.reach.concerns(t.host) {
			t.lease = nil // what was given up needs none, and the host may have to be left alone for long
			continue
		}
		if t.lease = w.r.acquire(t.host, now); t.lease == nil {
			w.r.Wake() // who sleeps does not know when this host has rested
			return     // it stands in line; Ready gives it back
		}
	}
}

func (w *Worker) now() time.Time { return w.r.engine.cfg.Clock.Now() }

// one makes one visit. It tells whether the host is still the worker's to go on with.
func (w *Worker) one(ctx context.Context, t turnOf) bool {
	r := w.r
	item, ok := w.take(t.host)
	if !ok {
		w.abandon(t.lease)
		r.unclaim(t.host)
		r.feed()
		return false
	}
	v := &Visit{item: item, started: w.now()}
	var err error
	if v.url, err = canon.Parse(item.URL); err != nil {
		w.abandon(t.lease)
		r.hand(v.refuse("unparsable: " + err.Error()))
		return true
	}
	if err := r.stages.order.Begin(v); err != nil {
		w.abandon(t.lease)
		r.hand(v.refuse("unreadable: " + err.Error()))
		return true
	}
	v.settings = r.scope.Load().Settings(v.url.Host())
	if p := v.settings.Paused; p != nil && *p {
		w.abandon(t.lease)
		r.giveBack(v)
		r.park(t.host, parkedByCurator)
		return false
	}
	if f, gone := r.reach.givenUp(authorityOf(v.url)); gone {
		w.abandon(t.lease)
		r.hand(v.notReached(f))
		return true
	}
	if t.lease == nil {
		if t.lease = r.acquire(t.host, w.now()); t.lease == nil {
			r.giveBack(v)
			r.Wake()
			return false // it stands in line
		}
	}
	if mine, over := w.letIn(v, t); over {
		return mine
	}
	if over, why := r.hostOverBudget(v); over && !v.again() {
		w.abandon(t.lease)
		r.giveBack(v)
		r.rest(t.host, why)
		return false
	}
	switch held := w.admit(ctx, v, t.lease); held {
	case hostWaits:
		return false
	case visitOver:
		return true
	}
	return w.fetch(ctx, v, t)
}

// letIn asks the stages about a URL that was taken. If mine is false, the host is not the worker's any more; over says that the
// visit is.
func (w *Worker) letIn(v *Visit, t turnOf) (mine, over bool) {
	r := w.r
	if v.isProbe() {
		return true, false
	}
	w.asking = Admission{URL: v.url, Item: &v.item, Visit: v, Taken: true}
	if r.stages.admits(&w.asking) {
		return true, false
	}
	verdict, why := w.asking.verdict, w.asking.why
	w.abandon(t.lease)
	switch {
	case verdict == refused:
		v.AddGap("refused: " + firstWords(why)) // neither scope nor robots.txt keeps it out; a guess is not missing
		r.hand(v.refuse(why))
		return true, true
	case verdict == setAside && r.stages.ordered: // a plan must be told of each page
		r.hand(v.refuse(why))
		return true, true
	case verdict == othersHave:
		r.giveBack(v)
		if err := r.PutAside(t.host, true); err != nil {
			r.Fail(err)
		}
		r.unclaim(t.host)
	case verdict == waits:
		r.giveBack(v)
		r.rest(t.host, "")
	default:
		r.giveBack(v)
		r.setAside(t.host, why)
	}
	return false, true
}

// take gives the next URL of a host, if the budget has room for it.
func (w *Worker) take(host string) (frontier.Item, bool) {
	r := w.r
	now := w.now()
	if !r.begin(now) {
		return frontier.Item{}, false
	}
	item, ok, err := r.stages.take(func() (frontier.Item, bool, error) { return r.takeURL(host, now) })
	if err != nil {
		r.Fail(err)
	}
	if err != nil || !ok {
		r.end()
		return item, false
	}
	return item, true
}

// What admit found.
type clearance int

const (
	cleared   clearance = iota
	visitOver           // the URL is settled or given back; the lease is over
	hostWaits           // the host stands in the line of its address
)

// admit asks everything that must be known before a URL is fetched: scope as it is now, traps,
// robots.txt, and whether its address may be contacted.
func (w *Worker) admit(ctx context.Context, v *Visit, lease *polite.Lease) clearance {
	r := w.r
	if w.unwanted(v) {
		w.abandon(lease)
		r.hand(v)
		return visitOver
	}
	if ok, _ := r.engine.polite.Bind(lease, w.address(ctx, v.url.Host()), w.now()); !ok {
		r.giveBack(v)
		r.Wake()
		return hostWaits
	}
	ignored := r.ignoresRobots(v.settings)
	if ignored && !r.scope.Load().Asks("robots") {
		return cleared
	}
	authority := authorityOf(v.url)
	known, fresh := r.robots.of(authority, w.now())
	if !fresh {
		r.returnURL(v)
		asked := w.fetchRobots(ctx, v.url, lease)
		aside := r.leaveAlone(v.item.Host, asked, w.now())
		r.end()
		if aside {
			return hostWaits
		}
		return visitOver
	}
	if known.Access == robots.Closed && !ignored { // of another scheme than the one that was asked last
		r.engine.polite.Release(lease, polite.Outcome{RetryAfter: known.Expires.Sub(w.now())}, w.now())
		r.giveBack(v)
		return visitOver
	}
	if d, out := r.ruledByRobots(v); out {
		w.abandon(lease)
		r.hand(v.ruleOut(&d, atTurn))
		return visitOver
	}
	if ignored {
		return cleared
	}
	if verdict := known.rules.Test(v.url.Target()); !verdict.Allowed {
		w.abandon(lease)
		why := "robots.txt"
		if verdict.Rule != nil {
			why += ": " + verdict.Rule.String()
		}
		r.hand(v.refuse(why))
		return visitOver
	}
	return cleared
}

// address is the one a request to the host goes to; invalid while it is not known.
func (w *Worker) address(ctx context.Context, host string) netip.Addr {
	answer, err := w.r.engine.cfg.Fetcher.Resolve(ctx, host)
	if err != nil || len(answer.Addrs) == 0 {
		return netip.Addr{}
	}
	return answer.Addrs[0]
}

// unwanted refuses a URL that is not fetched after all, and tells so: the rules may have changed since it was
// queued, and whether it looks like a trap shows only now.
func (w *Worker) unwanted(v *Visit) bool {
	r := w.r
	if !v.isRuled() {
		return false
	}
	set := r.scope.Load()
	w.scoped = r.candidate(set, v)
	if v.item.Attempts == 0 {
		found := r.traps.URL(v.url, w.now())
		for _, s := range found {
			r.suspect(v.item.URL, s)
		}
		w.scoped.Suspicions = append(w.scoped.Suspicions, found...)
	}
	d := set.Decide(&w.scoped, r.seeds)
	switch most := v.settings.MaxHops; {
	case !d.Accepted():
		v.ruleOut(&d, atTurn)
	case most != nil && w.scoped.Hops.Links() > *most:
		v.refuse(fmt.Sprintf("scope: max-hops of %s is %d", v.url.Host(), *most))
	case v.item.Band != BandGuess || v.item.Attempts > 0:
	case v.guessed() && !r.guesses.take(v.item.Host):
		v.refuse("guesses at the host bring too little")
	case !r.tally.guess(r.Def.MaxGuess):
		v.refuse("budget of speculative URLs used up")
	}
	return v.Refused()
}

// abandon gives a lease back without a request; nil is none.
func (w *Worker) abandon(lease *polite.Lease) {
	if lease == nil {
		return
	}
	w.r.engine.polite.Release(lease, polite.Outcome{Failure: polite.Abandoned}, w.now())
}

// request is what is sent for a visit, as the curator's settings have it.
func (w *Worker) request(v *Visit) *fetch.Request {
	r := w.r
	req := &fetch.Request{
		URL: v.url.String(), Jar: r.jar, MaxBody: r.Def.MaxBody, MaxTime: time.Duration(r.Def.Timeout),
		AllowLoopback: r.loopback,
	}
	if v.settings.MaxSize != nil {
		req.MaxBody = int64(*v.settings.MaxSize)
	}
	if v.settings.Timeout != nil {
		req.MaxTime = time.Duration(*v.settings.Timeout)
	}
	if v.settings.UserAgent != "" {
		req.Header.Add("User-Agent", v.settings.UserAgent)
	}
	return req
}

// fetch makes the exchange and hands the visit to the committer, or to a collector. It tells whether the
// host is still the worker's to go on with.
func (w *Worker) fetch(ctx context.Context, v *Visit, t turnOf) bool {
	r := w.r
	w.fetching = true
	defer w.lighten()
	h, outcome, again, _ := w.exchange(ctx, v, w.request(v), t.lease)
	if h == nil {
		r.giveBack(v) // we gave up, not the server
		return true
	}
	defer h.Release()
	if again && !v.answered() {
		r.hand(v)
		return true
	}
	if !v.Refused() {
		w.examine(v, h.x)
	}
	if v.Refused() {
		r.hand(v)
		return !r.leaveAlone(t.host, outcome.RetryAfter, w.now())
	}
	if w.takenOver(v, h, t.host) {
		return false
	}
	if err := w.append(v, h.x); err != nil {
		r.Fail(err)
		r.giveBack(v)
		return true
	}
	if v.answered() {
		for _, s := range r.stages.sharers {
			s.Recorded(v)
		}
	}
	r.hand(v)
	return !r.leaveAlone(t.host, outcome.RetryAfter, w.now())
}

// takenOver asks the stages whether one goes further with an answer that was looked at.
func (w *Worker) takenOver(v *Visit, h *Held, host string) bool {
	if !v.queued() || !v.answered() || v.verdict != frontier.Finished || v.again() || v.isProbe() {
		return false
	}
	for _, s := range w.r.stages.extenders {
		if s.TakeOver(v, w.Answer(v, h), host) {
			return true
		}
	}
	return false
}

// giveBack returns a taken URL to its place as if nothing had been.
func (r *Run) giveBack(v *Visit) {
	r.returnURL(v)
	if v.part {
		r.load.parts.Add(-1)
	}
	r.end()
}

// hand gives a visit to the committer.
func (r *Run) hand(v *Visit) {
	r.load.got.Add(v.size)
	r.heavy.admit(v)
	r.handover.visits <- v
}

// bandOf orders the kinds of URLs of a host.
const (
	BandSeed  = 0 // seeds and where they redirect to
	BandPart  = 1 // what pages need to be shown
	BandPage  = 2
	BandGuess = 3 // strings that look like URLs
	BandSpare = 4 // parts of which it is not known yet whether any page needs them
)
