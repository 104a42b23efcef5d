package crawl

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/web/links"
)

// collecting is the part of a run that has collectors go further with answers.
//
//	worker:    answer fetched and looked at -> route -> a collector: the visit, its answer and its host are
//	           handed over; the host has its turn again when the visit has got a slot
//	collector: asks the Net (net.go) under a deadline, gives links, resources, and what it cost
//	then:      records with the resources, in one write; the visit goes to the committer
//
// So no worker waits for a collector, at most one visit per host waits for a slot, and a visit that is
// killed while it is collected is made again: nothing of it was written, and what the collector fetched is
// found in the records.
type collecting struct {
	r       *Run
	opts    Collect
	number  int   // among the politeness' customers
	bell    *bell // rings for politeness
	lessons *bell // and when the route has learned
	doors   *doors

	ctx   context.Context          // of all fetches of the run
	slots map[string]chan struct{} // visits being collected, by the first of their collectors
	held  chan struct{}            // visits that wait for a slot
	under sync.WaitGroup

	mu      sync.Mutex
	workers []*worker      // with their buffers, for the visits of collectors
	learned int            // since the route's state was kept
	ran     map[string]int // pages whose scripts were run, by host
}

// maxAnswer bounds the content that a collector is given.
const maxAnswer = 8 << 20

// collectWith makes the run one that collects, if there is a route and somebody to do it.
func (r *Run) collectWith(opts Collect) {
	if opts.Route == nil || len(opts.Collectors) == 0 {
		return
	}
	opts = opts.withDefaults()
	r.answers = newAnswers()
	r.collects = &collecting{
		r: r, opts: opts, bell: newBell(), lessons: newBell(), doors: newDoors(),
		slots: map[string]chan struct{}{}, held: make(chan struct{}, maxHeld),
	}
	for name := range opts.Collectors {
		r.collects.slots[name] = make(chan struct{}, opts.Slots)
	}
}

// begin tells the context of the run.
func (c *collecting) begin(ctx context.Context) {
	if c != nil {
		c.ctx = ctx
	}
}

// enter makes collectors a customer of the politeness, and recalls what the route had measured.
func (c *collecting) enter(e *Engine) {
	if c == nil {
		return
	}
	c.number = e.enter(c.bell)
	keeper, ok := c.opts.Route.(RouteKeeper)
	if !ok {
		return
	}
	state, err := os.ReadFile(c.statePath())
	if err == nil {
		err = keeper.Restore(state)
	}
	if err != nil && !os.IsNotExist(err) {
		c.r.events.add("route-state", "lost", err.Error()) // it is measured anew
	}
}

func (c *collecting) statePath() string { return filepath.Join(c.r.place.Dir, "route.json") }

// keepEvery is after how many lessons the route's state is kept: a kill costs no more.
const keepEvery = 8

// learn tells the route what a collector brought, and keeps what it knows by now.
func (c *collecting) learn(choice collect.Choice, y collect.Yield) {
	c.opts.Route.Learn(choice, y)
	c.lessons.poke()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.learned++; c.learned >= keepEvery {
		c.learned = 0
		c.keepState()
	}
}

// keepState writes the route's state; the lock is held.
func (c *collecting) keepState() {
	keeper, ok := c.opts.Route.(RouteKeeper)
	if !ok {
		return
	}
	state, err := keeper.State()
	if err == nil {
		tmp := c.statePath() + ".new"
		if err = os.WriteFile(tmp, state, 0o644); err == nil {
			err = os.Rename(tmp, c.statePath())
		}
	}
	if err != nil {
		c.r.events.add("route-state", "notKept", err.Error())
	}
}

// wait returns when no visit is collected any more.
func (c *collecting) wait() {
	if c == nil {
		return
	}
	c.under.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepState()
}

func (c *collecting) leave() {
	if c != nil {
		c.r.engine.leave(c.number)
	}
}

// worker gives a worker's buffers to somebody who is none.
func (c *collecting) worker() *worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.workers); n > 0 {
		w := c.workers[n-1]
		c.workers = c.workers[:n-1]
		return w
	}
	return newWorker(c.r)
}

func (c *collecting) give(w *worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.workers) < 2*c.opts.Slots+4 {
		c.workers = append(c.workers, w)
	}
}

// choosesStreams tells whether the parts of streams are left to a collector of its own (crawl/media), which
// takes one rendition or all, and never follows a live stream for ever.
func (c *collecting) choosesStreams() bool { return c != nil && c.opts.Collectors["media"] != nil }

// job is a visit that is handed to a collector.
type job struct {
	v      *visit
	held   *held
	choice collect.Choice
	who    []collect.Collector
	ev     *collect.Evidence
	meta   []byte              // of the metadata record so far
	seen   map[string]struct{} // keys of the links that the parser found
	host   string              // that has no turn until the job has a slot; "" for parts
	ran    bool                // the scripts of the page were run
}

// collect asks the route about an answer that was looked at, and hands it over if a collector is to go
// further. The answer stays held then, and the host with it.
func (w *worker) collect(v *visit, h *held, host string) bool {
	c := w.r.collects
	if c == nil || !v.queued() || !v.answered() || v.verdict != frontier.Finished || v.again() || v.isProbe() {
		return false
	}
	ev := w.evidence(v, h.x)
	choice := c.opts.Route.Choose(ev)
	if len(c.who(choice.Collector)) == 0 && len(choice.Look) == 0 && !choice.Wait {
		w.spared(choice)
		return false
	}
	c.held <- struct{}{}
	return w.handOver(v, h, ev, choice, host)
}

// collectPart asks the route about an answer that a collector asked for: a stream that a player in a page
// plays, say, is for the collector of streams. Pages in pages have been executed with them.
func (w *worker) collectPart(v *visit, h *held, by string) bool {
	c := w.r.collects
	if !v.queued() || !v.asked.isPlain() || v.verdict != frontier.Finished || v.isPage() {
		return false
	}
	ev := w.evidence(v, h.x)
	choice := c.opts.Route.Choose(ev)
	if len(c.who(choice.Collector)) == 0 || strings.Contains("+"+by+"+", "+"+choice.Collector+"+") {
		return false
	}
	select {
	case c.held <- struct{}{}:
	default:
		return false // too many wait; a collector must not wait for them
	}
	if _, err := w.r.frontier.Add(v.item); err != nil { // it may outlive the visit that asked for it
		w.r.fail(err)
	}
	return w.handOver(v, h, ev, choice, "")
}

// handOver makes a job of a visit. A place among those that wait has been taken.
func (w *worker) handOver(v *visit, h *held, ev *collect.Evidence, choice collect.Choice, host string) bool {
	c := w.r.collects
	id, err := warc.NewID(w.ids)
	if err != nil {
		w.r.fail(err)
		<-c.held
		return false
	}
	v.recordID, h.id, v.collector = id, id, choice.Collector
	ev.RecordID, ev.Content = id, bytes.Clone(ev.Content)
	j := &job{v: v, held: h, choice: choice, who: c.who(choice.Collector), ev: ev, host: host, meta: bytes.Clone(w.meta), seen: maps.Clone(w.seen)}
	h.keep()
	w.r.answers.have(v.item.Key, w.sourceOf(v, h))
	c.under.Go(func() { c.do(c.ctx, j) })
	return true
}

// slot gives the places of the first collector of a choice.
func (c *collecting) slot(names string) chan struct{} {
	for name := range strings.SplitSeq(names, "+") {
		if s := c.slots[name]; s != nil {
			return s
		}
	}
	return nil
}

// who gives the collectors of a choice.
func (c *collecting) who(names string) (list []collect.Collector) {
	for name := range strings.SplitSeq(names, "+") {
		if who := c.opts.Collectors[name]; who != nil {
			list = append(list, who)
		}
	}
	return list
}

// spared notes why nobody goes further with an answer, where there is something to say.
func (w *worker) spared(c collect.Choice) {
	if c.Why != "" {
		w.metaField("route", "parser: "+c.Why)
	}
}

// sourceOf is where others get the answer of a visit that is not recorded yet.
func (w *worker) sourceOf(v *visit, h *held) source {
	if v.status == 304 && v.known != nil {
		return recorded{w.r, v.known.Original.Location}
	}
	return h
}

// answerOf is what a collector is told of an answer. One that is not modified is what it was.
func (w *worker) answerOf(v *visit, x *fetch.Exchange, body []byte) collect.Answer {
	a := collect.Answer{
		URL: v.url.String(), Via: v.item.Via, Hops: v.item.HopPath, Status: v.status, Header: x.Head.Header,
		MIME: v.mime, Content: body, RecordID: v.recordID, Date: v.fetched,
	}
	if v.status == 304 && v.known != nil {
		a.Status, a.MIME = v.known.Status, v.known.MIME
	}
	return a
}

// evidence is what the route decides by. The content is valid until the worker's next visit.
func (w *worker) evidence(v *visit, x *fetch.Exchange) *collect.Evidence {
	r := w.r
	body := w.body // of the original
	if v.status != 304 {
		body = w.content(v, x)
	}
	body = body[:min(len(body), maxAnswer)]
	return &collect.Evidence{
		Answer: w.answerOf(v, x, body), Info: w.info, Truncated: v.truncated,
		Pages: r.tally.totals().Pages, Elapsed: w.now().Sub(r.started),
	}
}

// do has a visit collected when there is a slot, and ends it.
func (c *collecting) do(ctx context.Context, j *job) {
	defer j.held.release()
	r := c.r
	over := c.running(j.choice, j.v.url.Host())
	defer func() { over(j.ran) }()
	if len(j.choice.Look) > 0 {
		c.look(ctx, j)
		c.again(j)
	}
	c.awaitLesson(ctx, j)
	free, ok := c.enterSlot(ctx, j)
	defer free()
	<-c.held
	if j.host != "" {
		r.unclaim(j.host)
		r.poke()
	}
	if !ok {
		r.giveBack(j.v)
		return
	}
	if err := c.collect(ctx, j); err != nil {
		if ctx.Err() == nil {
			r.fail(err)
		}
		r.giveBack(j.v) // it was cut short: all of it again
		return
	}
	r.answers.have(j.v.item.Key, recorded{r, j.v.where})
	r.hand(j.v)
}

// awaitLesson asks the route again whenever a collector has come back, until it has decided.
func (c *collecting) awaitLesson(ctx context.Context, j *job) {
	for j.choice.Wait && ctx.Err() == nil {
		learned := c.lessons.rings()
		if c.again(j); !j.choice.Wait {
			return
		}
		select {
		case <-learned:
		case <-ctx.Done():
		}
	}
}

// again asks the route anew.
func (c *collecting) again(j *job) {
	j.ev.Again = true
	j.choice = c.opts.Route.Choose(j.ev)
	j.who, j.v.collector = c.who(j.choice.Collector), j.choice.Collector
}

// enterSlot waits for a slot, if the job is for a collector; ok is false when the run ended meanwhile.
func (c *collecting) enterSlot(ctx context.Context, j *job) (free func(), ok bool) {
	free = func() {}
	if len(j.who) == 0 {
		return free, ctx.Err() == nil
	}
	slot := c.slot(j.choice.Collector)
	select {
	case slot <- struct{}{}:
		return func() { <-slot }, true
	case <-ctx.Done():
		return free, false
	}
}

// collect has the collectors work and appends the records of the visit. What was learned since the
// first choice may have made it needless.
func (c *collecting) collect(ctx context.Context, j *job) error {
	w := c.worker()
	defer c.give(w)
	if len(j.who) == 0 {
		j.v.collector = ""
		w.meta = append(w.meta[:0], j.meta...)
		w.spared(j.choice)
		return w.append(j.v, j.held.x)
	}
	result, net, err := c.ask(ctx, j)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j.ran = err == nil && c.runs(j.choice.Collector)
	err = w.finish(j, result, net, err)
	c.learn(j.choice, net.yield) // also with an error: somebody may wait for it
	return err
}

// maxScript bounds a script file that is looked at.
const maxScript = 1 << 20

// look shows the route script files of the page: parts that are fetched anyway, a little earlier.
func (c *collecting) look(ctx context.Context, j *job) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Time)
	defer cancel()
	net := &pageNet{c: c, r: c.r, page: j.v, own: j.seen, ctx: ctx, burst: map[string]int{}}
	defer net.close()
	for _, url := range j.choice.Look {
		resp, err := net.Fetch(ctx, &collect.Request{URL: url, Hop: links.HopEmbed})
		if err != nil {
			continue // it stays unknown
		}
		e := &collect.Evidence{Answer: collect.Answer{
			URL: url, Via: j.v.item.URL, Status: resp.Status, Header: resp.Header, MIME: "text/javascript", Date: resp.Date,
		}}
		e.Content, _ = resp.Content(maxScript)
		resp.Close()
		c.opts.Route.Choose(e)
	}
}

// ask runs the collector under its deadline.
func (c *collecting) ask(ctx context.Context, j *job) (*collect.Result, *pageNet, error) {
	limit := j.choice.Time
	if limit <= 0 {
		limit = c.opts.Time
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the collector's %s are over", limit))
	defer cancel()
	net := &pageNet{c: c, r: c.r, page: j.v, by: j.choice.Collector, own: j.seen, ctx: ctx, burst: map[string]int{}}
	begun := time.Now()
	result, err := collectAll(ctx, j, net)
	cancel()
	net.close()
	requests := net.yield.Cost.Requests
	net.yield.Cost = result.Cost
	net.yield.Cost.Requests = requests
	net.yield.Cost.Wall = time.Since(begun)
	net.yield.Failed = err != nil
	return result, net, err
}

// collectAll has the collectors of a job work, one after the other.
func collectAll(ctx context.Context, j *job, net collect.Net) (*collect.Result, error) {
	all, errs := new(collect.Result), []error(nil)
	for _, who := range j.who {
		got, err := who.Collect(ctx, &j.ev.Answer, net)
		errs = append(errs, err)
		if got == nil {
			continue
		}
		all.Links = append(all.Links, got.Links...)
		all.Resources = append(all.Resources, got.Resources...)
		all.Fields = append(all.Fields, got.Fields...)
		all.Cost.CPU += got.Cost.CPU
		if all.Title == "" {
			all.Title = got.Title
		}
	}
	return all, errors.Join(errs...)
}

// finish puts together what parser and collector found, and appends the records of the visit.
func (w *worker) finish(j *job, result *collect.Result, net *pageNet, failed error) error {
	v := j.v
	w.meta = append(w.meta[:0], j.meta...)
	w.metaField("collector", j.choice.Collector)
	w.metaField("collector-why", j.choice.Why)
	if failed != nil {
		w.metaField("note", j.choice.Collector+": "+failed.Error())
	}
	if result.Title != "" {
		v.title = result.Title
		w.metaField("title", result.Title)
	}
	for _, f := range result.Fields {
		w.metaField(f.Name, f.Value)
	}
	net.yield.Links = w.merge(j, result.Links)
	y := net.yield
	w.metaField("collector-cost", fmt.Sprintf("cpu=%.3fs wall=%.3fs requests=%d", y.Cost.CPU.Seconds(), y.Cost.Wall.Seconds(), y.Cost.Requests))
	fields := []any{
		"url", v.item.URL, "collector", j.choice.Collector, "why", j.choice.Why, "links", y.Links, "parts", y.Parts,
		"missing", y.Missing, "requests", y.Cost.Requests, "cpu", y.Cost.CPU.Seconds(), "wall", y.Cost.Wall.Seconds(),
	}
	if failed != nil {
		fields = append(fields, "error", failed.Error())
	}
	w.r.events.add("collected", fields...)
	more, err := w.resources(v, result.Resources)
	if err != nil {
		return err
	}
	defer closeBodies(result.Resources)
	return w.append(v, j.held.x, more...)
}

// closeBodies frees the files of resources.
func closeBodies(list []collect.Resource) {
	for _, res := range list {
		if c, ok := res.Body.(io.Closer); ok {
			_ = c.Close() // it was read to its end
		}
	}
}

// merge queues the collector's links that the parser did not find, and lists all of them. It tells how
// many are new to the crawl.
func (w *worker) merge(j *job, found []links.Link) (fresh int) {
	v := j.v
	w.seen, w.items = j.seen, w.items[:0]
	scores := w.r.rate(links.Info{Title: v.title}, found)
	for i := range found {
		if i < maxOutlinks {
			w.meta = appendOutlink(w.meta, found[i])
		}
		score := plainScore
		if scores != nil {
			score = scores[i]
		}
		w.queue(v, &found[i], score, scores != nil, v.nofollow)
	}
	for i := range w.items {
		if e, err := w.r.frontier.Lookup(w.items[i].Key); err == nil && e.State == frontier.Unseen {
			fresh++
		}
	}
	v.links = append(v.links, w.items...)
	w.seen = map[string]struct{}{}
	w.forget(w.found)
	return fresh
}

// resources makes the records of what a collector made of a page.
func (w *worker) resources(v *visit, list []collect.Resource) ([]*warc.Entry, error) {
	var out []*warc.Entry
	for _, res := range list {
		id, err := warc.NewID(rand.Reader)
		if err != nil {
			return nil, err
		}
		out = append(out, warc.New(warc.TypeResource, id, w.now(), res.Body).With(warc.FieldTargetURI, res.URI).
			With(warc.FieldContentType, res.ContentType).With(warc.FieldConcurrentTo, v.recordID))
		if len(res.Fields) == 0 {
			continue
		}
		var meta []byte
		for _, f := range res.Fields {
			meta = appendField(meta, f.Name, f.Value)
		}
		about, err := warc.NewID(rand.Reader)
		if err != nil {
			return nil, err
		}
		out = append(out, warc.New(warc.TypeMetadata, about, w.now(), warc.Bytes(meta)).With(warc.FieldTargetURI, res.URI).
			With(warc.FieldContentType, warc.ContentTypeFields).With(warc.FieldConcurrentTo, id))
	}
	return out, nil
}

// settled ends the notice of a URL under way: the frontier knows by now what came of it, or nothing did. A
// worker may have taken it and left it to a collector that came to nothing: then it goes back.
func (r *Run) settled(key string) {
	left := r.answers.drop(key)
	if left == nil {
		return
	}
	if e, err := r.frontier.Lookup(key); err == nil && e.State == frontier.InFlight {
		r.returnURL(&visit{item: *left})
		r.poke()
	}
}
