package crawl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
)

// A part is a visit that a stage makes for another one that is under way: what an executed page asks for, the segments of a
// stream. It goes the way of all visits, but its stage waits for it, and its request may be more than a plain GET.
//
//	NewPart -> BeginPart (scope, budgets) -> Enter -> lease -> Allowed (robots.txt) -> Exchange -> Examine -> Record -> Hand
//	                                                                         or, whenever it comes to nothing: EndPart

// NewPart returns the visit of a part. Special says that its answer depends on more than its URL: method, range or body.
func (r *Run) NewPart(u canon.URL, it frontier.Item, special bool) *Visit {
	return &Visit{url: u, item: it, started: r.engine.cfg.Clock.Now(), part: true, special: special}
}

// BeginPart takes a place for a part that was found by the way hops on a page, or returns why it is not fetched: scope, the
// budget of the crawl or of the host, or the curator.
func (r *Run) BeginPart(v *Visit, hops, page string) (why string) {
	r.load.mu.Lock()
	defer r.load.mu.Unlock()
	if why = r.forbidden(v, hops, page); why == "" {
		r.load.busy.Add(1)
		r.load.parts.Add(1)
	}
	return why
}

func (r *Run) forbidden(v *Visit, hops, page string) string {
	v.settings = r.scope.Load().Settings(v.url.Host())
	c := scope.Candidate{URL: v.url, Hops: scope.Hops(hops)}
	c.Via, _ = canon.Parse(page)
	set := r.scope.Load()
	r.inform(set, &c)
	if d := set.Decide(&c, r.seeds); !d.Accepted() {
		return "scope: " + d.String()
	}
	if p := v.settings.Paused; p != nil && *p {
		return parkedByCurator
	}
	t, busy, most := r.tally.totals(), r.load.busy.Load(), r.most.Load()
	switch {
	case r.stages.rationer != nil:
		// A part is not given up because its run waits for more: the crawl may exceed its limit by the parts of pages under way.
		if over := r.overBudget(v.started); over != "" && over != waitForBusy {
			return "budget: " + strings.TrimSuffix(over, " reached")
		}
	case most.MaxURLs > 0 && t.URLs-t.Again+busy >= most.MaxURLs:
		return "budget: max-urls"
	case most.MaxBytes > 0 && t.Bytes-t.AgainBytes+r.load.got.Load() >= most.MaxBytes:
		return "budget: max-bytes"
	}
	if over, why := r.hostOverBudget(v); over && why != "" {
		return "budget of the host: " + why
	}
	return ""
}

// EndPart gives the place of a part back that nothing came of.
func (r *Run) EndPart() {
	r.load.parts.Add(-1)
	r.end()
}

// Enter makes a part known to the stages: as a link of its page, if it is new to the crawl, and as a visit. The result is why it
// may not be made.
func (r *Run) Enter(v, page *Visit, link *links.Link) error {
	if link != nil {
		a := Admission{URL: v.url, Item: &v.item, Visit: page, Link: link}
		if !r.stages.admits(&a) {
			return fmt.Errorf("%s", a.why)
		}
	}
	return r.stages.order.Begin(v)
}

// NewWorker returns a worker for a stage: one that makes no visits by itself.
func (r *Run) NewWorker() *Worker { return newWorker(r) }

// Request returns what is sent for a visit, as the curator's settings have it.
func (w *Worker) Request(v *Visit) *fetch.Request { return w.request(v) }

// Examine looks at an answer: links, layers, stages, and all that its metadata record will say.
func (w *Worker) Examine(v *Visit, h *Held) { w.examine(v, h.x) }

// Answer returns the answer that was examined last, for a stage that goes further with it.
func (w *Worker) Answer(v *Visit, h *Held) *Answer {
	return &Answer{Header: h.x.Head.Header, Body: w.looked, Info: w.info, Held: h, w: w, v: v}
}

// Meta returns the fields of the metadata record of the visit that was examined last, and the keys of the links found on it, with the
// most urgent band of each. Both are copies.
func (w *Worker) Meta() (fields []byte, seen map[string]uint8) {
	return bytes.Clone(w.meta), maps.Clone(w.seen)
}

// SetMeta goes on with a visit that was examined before, maybe by another worker.
func (w *Worker) SetMeta(fields []byte) { w.meta = append(w.meta[:0], fields...) }

// Field adds a field to the metadata record, if it has a value.
func (w *Worker) Field(name, value string) { w.metaField(name, value) }

// AddLinks lists links of a visit that are not in its source, and queues those in scope with it; seen are the keys that it has
// already, with their bands: what was a guess there may be more here. It returns what was queued.
func (w *Worker) AddLinks(v *Visit, found []links.Link, seen map[string]uint8) []frontier.Item {
	w.seen, w.items = seen, w.items[:0]
	for i := range min(len(found), MaxOutlinks) {
		w.meta = appendOutlink(w.meta, found[i])
	}
	w.queueAll(v, found, w.r.stages.rate(v, &links.Info{Title: v.title}, found), v.nofollow)
	n := len(v.links)
	v.links = append(v.links, w.items...)
	w.seen = map[string]uint8{}
	w.forget(w.found)
	return v.links[n:]
}

// Record appends the records of a visit, with what a stage made of its answer before it.
func (w *Worker) Record(v *Visit, h *Held, more ...*warc.Entry) error {
	return w.append(v, h.x, more...)
}

// Hand gives a recorded visit to the committer.
func (r *Run) Hand(v *Visit) { r.hand(v) }

// GiveBack returns a taken URL to its place as if nothing had been.
func (r *Run) GiveBack(v *Visit) { r.giveBack(v) }

// Return gives a URL back to the frontier that a worker had taken.
func (r *Run) Return(it frontier.Item) {
	r.returnURL(&Visit{item: it})
	r.Wake()
}

// Unclaim gives a host back that a stage took over with a visit.
func (r *Run) Unclaim(host string) {
	r.unclaim(host)
	r.Wake()
}

// FatalError returns what ended the run; nil if nothing did.
func (r *Run) FatalError() error { return r.fatalError() }

// Polite returns the politeness of the process.
func (r *Run) Polite() *polite.Registry { return r.engine.polite }

// Engine returns the engine of the run.
func (r *Run) Engine() *Engine { return r.engine }

// Jar returns the cookies of the run; nil: it keeps none.
func (r *Run) Jar() *fetch.Jar { return r.jar }

// Dir returns the folder of the crawl.
func (r *Run) Dir() string { return r.place.Dir }

// Resolve returns the address that a request to a host goes to.
func (r *Run) Resolve(ctx context.Context, host string) (*fetch.Answer, error) {
	return r.engine.cfg.Fetcher.Resolve(ctx, host)
}

// HostLimits returns what curator and robots.txt say about the pace for a host.
func (r *Run) HostLimits(host string, now time.Time) polite.Limits { return r.limits(host, now) }

// GivenUp reports whether nothing more is asked of the authority of a URL, and why.
func (r *Run) GivenUp(u canon.URL) (why string, gone bool) {
	f, gone := r.reach.givenUp(authorityOf(u))
	return f.Why, gone
}

// Sofar returns how many pages the crawl has, and how long this run has taken.
func (r *Run) Sofar() (pages int64, elapsed time.Duration) {
	return r.tally.totals().Pages, r.engine.cfg.Clock.Now().Sub(r.started)
}

// HopLetter returns the letter of the hop path for what following a link means.
func HopLetter(h links.Hop) string { return hopLetter(h) }

// BandOf returns the band of a URL that was found: parts of pages before further pages, guesses last.
func BandOf(h links.Hop, from string) uint8 { return bandOf(h, from) }

// RequestKey returns the frontier key of a request: that of its URL, or, for one that is no plain GET, a key
// that no URL has: method, range, URL, and the digest of the body. Such keys are never queued, only
// done.
func RequestKey(method, urlKey, ranged string, body []byte) string {
	if method == "" && ranged == "" {
		return urlKey
	}
	if method == "" {
		method = http.MethodGet
	}
	key := method + " " + urlKey
	if ranged != "" {
		key += " " + ranged
	}
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		key += " sha256:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	return key
}

// MaxRequestBody bounds the body of a request that a stage makes.
const MaxRequestBody = 16 << 20
