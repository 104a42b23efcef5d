package gather

import (
	"crypto/rand"
	"fmt"
	"io"
	"strconv"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/web/links"
)

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
		if e, err := c.r.Frontier().Lookup(queued[i].Key); err == nil && e.State == frontier.Unseen {
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
