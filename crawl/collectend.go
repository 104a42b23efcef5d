package crawl

import (
	"crypto/rand"
	"fmt"
	"io"
	"strconv"

	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/web/links"
)

// finish puts together what parser and collector found, and appends the records of the visit.
func (w *Worker) finish(j *job, result *collect.Result, net *pageNet, failed error) error {
	v := j.v
	w.meta = append(w.meta[:0], j.meta...)
	w.metaField("collector", j.choice.Collector)
	w.metaField("collector-why", j.choice.Why)
	if failed != nil {
		v.collectorFailed = true
		w.metaField("note", j.choice.Collector+": "+failed.Error())
	}
	if result.Title != "" {
		v.title = result.Title
		w.metaField("title", result.Title)
	}
	for _, f := range result.Fields {
		w.metaField(f.Name, f.Value)
	}
	if result.Cut > 0 {
		v.cutLinks += result.Cut
		w.metaField("collector-cut", strconv.Itoa(result.Cut))
	}
	if n := len(result.Links) - maxOutlinks; n > 0 {
		w.metaField("collector-outlinks-not-listed", strconv.Itoa(n))
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
func (w *Worker) merge(j *job, found []links.Link) (fresh int) {
	v := j.v
	w.seen, w.items = j.seen, w.items[:0]
	for i := range min(len(found), maxOutlinks) {
		w.meta = appendOutlink(w.meta, found[i])
	}
	w.queueAll(v, links.Info{Title: v.title}, found, v.nofollow)
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
func (w *Worker) resources(v *Visit, list []collect.Resource) ([]*warc.Entry, error) {
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
