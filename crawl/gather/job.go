package gather

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/web/links"
)

// job is a visit that is handed to a collector.
type job struct {
	v      *crawl.Visit
	held   *crawl.Held
	choice collect.Choice
	who    []collect.Collector
	ev     *collect.Evidence
	meta   []byte           // of the metadata record so far
	seen   map[string]uint8 // keys of the links that the parser found, with their bands
	host   string           // that has no turn until the job has a slot; "" for parts
	ran    bool             // the scripts of the page were run
	taught bool             // the route was told what came of its choice
}

// TakeOver asks the route about an answer that was looked at, and takes it if a collector is to go further. Its host has no turn
// until the job has a slot.
func (c *Stage) TakeOver(v *crawl.Visit, a *crawl.Answer, host string) bool {
	ev := c.evidence(v, a)
	choice := c.opts.Route.Choose(ev)
	if len(c.who(choice.Collector)) == 0 && len(choice.Look) == 0 && !choice.Wait {
		spared(a, choice)
		return false
	}
	c.waiting <- struct{}{}
	return c.handOver(v, a, ev, choice, host)
}

// takePart asks the route about an answer that a collector asked for: a stream that a player in a page
// plays, say, is for the collector of streams. Pages in pages have been executed with them.
func (c *Stage) takePart(v *crawl.Visit, a *crawl.Answer, by string) bool {
	if !v.Queued() || v.Special() || !v.Finished() || v.IsPage() {
		return false
	}
	ev := c.evidence(v, a)
	choice := c.opts.Route.Choose(ev)
	if len(c.who(choice.Collector)) == 0 || atWork(choice.Collector, by) {
		return false
	}
	select {
	case c.waiting <- struct{}{}:
	default:
		return false // too many wait; a collector must not wait for them
	}
	if _, err := c.r.Frontier().Add(*v.Item()); err != nil { // it may outlive the visit that asked for it
		c.r.Fail(err)
	}
	return c.handOver(v, a, ev, choice, "")
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
func (c *Stage) handOver(v *crawl.Visit, a *crawl.Answer, ev *collect.Evidence, choice collect.Choice, host string) bool {
	id, err := warc.NewID(rand.Reader)
	if err != nil {
		c.r.Fail(err)
		<-c.waiting
		return false
	}
	v.SetRecordID(id)
	v.SetCollector(choice.Collector)
	ev.RecordID, ev.Content, ev.Look = id, bytes.Clone(ev.Content), nil // the reader is the worker's
	meta, seen := a.Worker().Meta()
	j := &job{v: v, held: a.Held, choice: choice, who: c.who(choice.Collector), ev: ev, host: host, meta: meta, seen: seen}
	a.Held.Keep()
	c.answers.have(v.Item().Key, c.sourceOf(v, a.Held))
	c.jobs.Go(func() { c.do(c.ctx, j) })
	return true
}

// slot gives the places of the first collector of a choice.
func (c *Stage) slot(names string) chan struct{} {
	for name := range strings.SplitSeq(names, "+") {
		if s := c.slots[name]; s != nil {
			return s
		}
	}
	return nil
}

// who gives the collectors of a choice.
func (c *Stage) who(names string) (list []collect.Collector) {
	for name := range strings.SplitSeq(names, "+") {
		if who := c.opts.Collectors[name]; who != nil {
			list = append(list, who)
		}
	}
	return list
}

// spared notes why nobody goes further with an answer, where there is something to say.
func spared(to interface{ Field(name, value string) }, c collect.Choice) {
	if c.Why != "" {
		to.Field("route", "parser: "+c.Why)
	}
}

// sourceOf is where others get the answer of a visit that is not recorded yet.
func (c *Stage) sourceOf(v *crawl.Visit, h *crawl.Held) source {
	if known := v.Known(); v.Status() == 304 && known != nil {
		return original(c.r, known.Original)
	}
	return fetched{h, v.RecordID()}
}

// evidence is what the route decides by. The content is valid until the worker's next visit. An answer that is not modified is
// what it was.
func (c *Stage) evidence(v *crawl.Visit, a *crawl.Answer) *collect.Evidence {
	ev := &collect.Evidence{
		Answer: collect.Answer{
			URL: v.URL().String(), Via: v.Item().Via, Hops: v.Item().HopPath, Status: v.Status(), Header: a.Header,
			MIME: v.MIME(), Content: a.Body[:min(len(a.Body), maxAnswer)], RecordID: v.RecordID(), Date: v.Fetched(),
		},
		Info: a.Info, Truncated: v.Truncated(), Look: a.Read(c),
	}
	if known := v.Known(); v.Status() == 304 && known != nil {
		ev.Status, ev.MIME = known.Status, known.MIME
	}
	ev.Pages, ev.Elapsed = c.r.Sofar()
	return ev
}

// do has a visit collected when there is a slot, and ends it.
func (c *Stage) do(ctx context.Context, j *job) {
	defer j.held.Release()
	r := c.r
	over := c.running(j.choice, j.v.URL().Host())
	defer func() { over(j.ran) }()
	if len(j.choice.Look) > 0 {
		c.look(ctx, j)
		c.again(j)
	}
	c.awaitLesson(ctx, j)
	free, ok := c.enterSlot(ctx, j)
	defer free()
	defer c.untaught(j)
	<-c.waiting
	if j.host != "" {
		r.Unclaim(j.host)
	}
	if state, _ := r.State(); !ok || state == crawl.Stopping && len(j.who) > 0 {
		r.GiveBack(j.v) // a run that stops begins nothing
		return
	}
	if err := c.collect(ctx, j); err != nil {
		if ctx.Err() == nil {
			r.Fail(err)
		}
		r.GiveBack(j.v) // it was cut short: all of it again
		return
	}
	c.answers.have(j.v.Item().Key, recordOf(r, j.v))
	r.Hand(j.v)
}

// awaitLesson asks the route again whenever a collector has come back, until it has decided.
func (c *Stage) awaitLesson(ctx context.Context, j *job) {
	for j.choice.Wait && ctx.Err() == nil {
		learned := c.lessons.next()
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
func (c *Stage) again(j *job) {
	j.ev.Again = true
	j.choice = c.opts.Route.Choose(j.ev)
	j.who = c.who(j.choice.Collector)
	j.v.SetCollector(j.choice.Collector)
}

// enterSlot waits for a slot, if the job is for a collector; ok is false when the run ended meanwhile.
func (c *Stage) enterSlot(ctx context.Context, j *job) (free func(), ok bool) {
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
func (c *Stage) collect(ctx context.Context, j *job) error {
	w := c.worker()
	defer c.give(w)
	if len(j.who) == 0 {
		j.v.SetCollector("")
		w.SetMeta(j.meta)
		spared(w, j.choice)
		return w.Record(j.v, j.held)
	}
	result, net, err := c.ask(ctx, j)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j.ran = err == nil && c.runs(j.choice.Collector)
	err = c.finish(w, j, result, net, err)
	j.taught = true
	c.learn(j.choice, net.yield) // also with an error: somebody may wait for it
	return err
}

// untaught tells the route that nothing came of its choice, if it was not told anything: it counts what is under way.
func (c *Stage) untaught(j *job) {
	if len(j.who) > 0 && !j.taught {
		c.learn(j.choice, collect.Yield{Failed: true})
	}
}

// maxScript bounds a script file that is looked at.
const maxScript = 1 << 20

// look shows the route script files of the page: parts that are fetched anyway, a little earlier.
func (c *Stage) look(ctx context.Context, j *job) {
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
			URL: url, Via: j.v.Item().URL, Status: resp.Status, Header: resp.Header, MIME: "text/javascript", Date: resp.Date,
		}}
		e.Content, _ = resp.Content(maxScript)
		resp.Close()
		c.opts.Route.Choose(e)
	}
}

// ask runs the collector under its deadline.
func (c *Stage) ask(ctx context.Context, j *job) (*collect.Result, *pageNet, error) {
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

// finish puts together what parser and collector found, and appends the records of the visit.
func (c *Stage) finish(w *crawl.Worker, j *job, result *collect.Result, net *pageNet, failed error) error {
	v := j.v
	w.SetMeta(j.meta)
	w.Field("collector", j.choice.Collector)
	w.Field("collector-why", j.choice.Why)
	if failed != nil {
		v.AddGap("collector failed: " + j.choice.Collector)
		w.Field("note", j.choice.Collector+": "+failed.Error())
	}
	if result.Title != "" {
		v.SetTitle(result.Title)
		w.Field("title", result.Title)
	}
	for _, f := range result.Fields {
		w.Field(f.Name, f.Value)
	}
	if result.Cut > 0 {
		v.CutLinks(result.Cut)
		w.Field("collector-cut", strconv.Itoa(result.Cut))
	}
	if n := len(result.Links) - crawl.MaxOutlinks; n > 0 {
		w.Field("collector-outlinks-not-listed", strconv.Itoa(n))
	}
	net.yield.Links = c.merge(w, j, result.Links)
	y := net.yield
	w.Field("collector-cost", fmt.Sprintf("cpu=%.3fs wall=%.3fs requests=%d", y.Cost.CPU.Seconds(), y.Cost.Wall.Seconds(), y.Cost.Requests))
	fields := []any{
		"url", v.Item().URL, "collector", j.choice.Collector, "why", j.choice.Why, "links", y.Links, "parts", y.Parts,
		"missing", y.Missing, "requests", y.Cost.Requests, "cpu", y.Cost.CPU.Seconds(), "wall", y.Cost.Wall.Seconds(),
	}
	if failed != nil {
		fields = append(fields, "error", failed.Error())
	}
	c.r.Event("collected", fields...)
	more, err := c.resources(v, result.Resources)
	if err != nil {
		return err
	}
	defer closeBodies(result.Resources)
	return w.Record(v, j.held, more...)
}

// closeBodies frees the files of resources.
func closeBodies(list []collect.Resource) {
	for _, res := range list {
		if c, ok := res.Body.(io.Closer); ok {
			_ = c.Close() // it was read to its end
		}
	}
}

// merge queues the collector's links that the parser did not find, and lists all of them. It returns how
// many are new to the crawl.
func (c *Stage) merge(w *crawl.Worker, j *job, found []links.Link) (fresh int) {
	queued := w.AddLinks(j.v, found, j.seen)
	for i := range queued {
		e, err := c.r.Frontier().Lookup(queued[i].Key)
		if err == nil && (e.State == frontier.Unseen || e.State == frontier.Dropped && queued[i].Band < e.Band) {
			fresh++
		}
	}
	return fresh
}

// resources makes the records of what a collector made of a page.
func (c *Stage) resources(v *crawl.Visit, list []collect.Resource) ([]*warc.Entry, error) {
	var out []*warc.Entry
	for _, res := range list {
		id, err := warc.NewID(rand.Reader)
		if err != nil {
			return nil, err
		}
		out = append(out, warc.New(warc.TypeResource, id, c.r.Clock().Now(), res.Body).With(warc.FieldTargetURI, res.URI).
			With(warc.FieldContentType, res.ContentType).With(warc.FieldConcurrentTo, v.RecordID()))
		if len(res.Fields) == 0 {
			continue
		}
		var meta []byte
		for _, f := range res.Fields {
			meta = crawl.AppendField(meta, f.Name, f.Value)
		}
		about, err := warc.NewID(rand.Reader)
		if err != nil {
			return nil, err
		}
		out = append(out, warc.New(warc.TypeMetadata, about, c.r.Clock().Now(), warc.Bytes(meta)).With(warc.FieldTargetURI, res.URI).
			With(warc.FieldContentType, warc.ContentTypeFields).With(warc.FieldConcurrentTo, id))
	}
	return out, nil
}
