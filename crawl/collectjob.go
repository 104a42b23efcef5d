package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/web/links"
)

// job is a visit that is handed to a collector.
type job struct {
	v      *Visit
	held   *held
	choice collect.Choice
	who    []collect.Collector
	ev     *collect.Evidence
	meta   []byte              // of the metadata record so far
	seen   map[string]struct{} // keys of the links that the parser found
	host   string              // that has no turn until the job has a slot; "" for parts
	ran    bool                // the scripts of the page were run
	taught bool                // the route was told what came of its choice
}

// collect asks the route about an answer that was looked at, and hands it over if a collector is to go
// further. The answer stays held then, and the host with it.
func (w *Worker) collect(v *Visit, h *held, host string) bool {
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
func (w *Worker) collectPart(v *Visit, h *held, by string) bool {
	c := w.r.collects
	if !v.queued() || !v.asked.isPlain() || v.verdict != frontier.Finished || v.isPage() {
		return false
	}
	ev := w.evidence(v, h.x)
	choice := c.opts.Route.Choose(ev)
	if len(c.who(choice.Collector)) == 0 || atWork(choice.Collector, by) {
		return false
	}
	select {
	case c.held <- struct{}{}:
	default:
		return false // too many wait; a collector must not wait for them
	}
	if _, err := w.r.frontier.Add(v.item); err != nil { // it may outlive the visit that asked for it
		w.r.Fail(err)
	}
	return w.handOver(v, h, ev, choice, "")
}

// atWork tells whether a collector asks for its own parts. That of streams only reads pages: what others of
// the same page ask for is still for it.
func atWork(name, by string) bool {
	if name == streams {
		return by == name
	}
	return strings.Contains("+"+by+"+", "+"+name+"+")
}

// streams is the name of the collector of streams (crawl/media).
const streams = "media"

// handOver makes a job of a visit. A place among those that wait has been taken.
func (w *Worker) handOver(v *Visit, h *held, ev *collect.Evidence, choice collect.Choice, host string) bool {
	c := w.r.collects
	id, err := warc.NewID(w.ids)
	if err != nil {
		w.r.Fail(err)
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
func (w *Worker) spared(c collect.Choice) {
	if c.Why != "" {
		w.metaField("route", "parser: "+c.Why)
	}
}

// sourceOf is where others get the answer of a visit that is not recorded yet.
func (w *Worker) sourceOf(v *Visit, h *held) source {
	if v.status == 304 && v.known != nil {
		return original(w.r, v.known.Original)
	}
	return h
}

// answerOf is what a collector is told of an answer. One that is not modified is what it was.
func (w *Worker) answerOf(v *Visit, x *fetch.Exchange, body []byte) collect.Answer {
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
func (w *Worker) evidence(v *Visit, x *fetch.Exchange) *collect.Evidence {
	r := w.r
	body := w.looked[:min(len(w.looked), maxAnswer)]
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
	defer c.untaught(j)
	<-c.held
	if j.host != "" {
		r.unclaim(j.host)
		r.Wake()
	}
	if state, _ := r.State(); !ok || state == Stopping && len(j.who) > 0 {
		r.giveBack(j.v) // a run that stops begins nothing
		return
	}
	if err := c.collect(ctx, j); err != nil {
		if ctx.Err() == nil {
			r.Fail(err)
		}
		r.giveBack(j.v) // it was cut short: all of it again
		return
	}
	r.answers.have(j.v.item.Key, j.v.recorded(r))
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
	j.taught = true
	c.learn(j.choice, net.yield) // also with an error: somebody may wait for it
	return err
}

// untaught tells the route that nothing came of its choice, if it was not told anything: it counts what is under way.
func (c *collecting) untaught(j *job) {
	if len(j.who) > 0 && !j.taught {
		c.learn(j.choice, collect.Yield{Failed: true})
	}
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
		all.Cut += got.Cut
		all.Cost.CPU += got.Cost.CPU
		if all.Title == "" {
			all.Title = got.Title
		}
	}
	return all, errors.Join(errs...)
}
