package gather

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/web/wire"
)

// answers are the answers of a run that the frontier does not know yet: under way, or recorded and
// waiting for their commit. They are what makes one request of two that want the same URL, whether a
// worker or a collector asks. Memory grows with what is under way.
//
//	worker:    take a URL and note it as under way, in one step; a URL that a collector fetches is left to it
//	collector: claim the URL; who comes second waits for the first
//	both:      have (there is an answer), drop (the frontier knows what came of it, or nothing did)
type answers struct {
	mu    sync.Mutex
	under map[string]*pending
}

// pending is one URL under way.
type pending struct {
	done chan struct{}  // closed when there is an answer, or none will come
	got  source         // under the lock; nil: no answer
	left *frontier.Item // a worker had taken the URL from the queue
	over bool           // done is closed
}

// source gives an answer as often as it is asked; ok is false when it is gone.
type source interface {
	open() (resp *collect.Response, ok bool, err error)
}

func newAnswers() *answers { return &answers{under: map[string]*pending{}} }

// take takes a URL from the frontier for a worker and notes it as under way. URLs that a collector
// fetches meanwhile are passed over: their visit settles them.
func (a *answers) take(next func() (frontier.Item, bool, error)) (frontier.Item, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		item, ok, err := next()
		if err != nil || !ok {
			return item, ok, err
		}
		p := a.under[item.Key]
		if p == nil {
			a.under[item.Key] = &pending{done: make(chan struct{})}
			return item, true, nil
		}
		p.left = &item
	}
}

// claim notes a URL as under way; mine is false when it is so already.
func (a *answers) claim(key string) (p *pending, mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p = a.under[key]; p != nil {
		return p, false
	}
	p = &pending{done: make(chan struct{})}
	a.under[key] = p
	return p, true
}

// have tells that a URL under way has an answer.
func (a *answers) have(key string, got source) {
	if key == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.under[key]; p != nil {
		p.got = got
		p.end()
	}
}

// drop ends the notice of a URL. It gives the item that a worker left, if one did.
func (a *answers) drop(key string) *frontier.Item {
	if key == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.under[key]
	if p == nil {
		return nil
	}
	delete(a.under, key)
	p.end()
	return p.left
}

// source gives what there is of a pending answer.
func (a *answers) source(p *pending) source {
	a.mu.Lock()
	defer a.mu.Unlock()
	return p.got
}

// end closes done once; the lock is held.
func (p *pending) end() {
	if !p.over {
		p.over = true
		close(p.done)
	}
}

// fetched is an answer in memory or its spool.
type fetched struct {
	h  *crawl.Held
	id string // of its record
}

// open gives the answer from memory or its spool.
func (f fetched) open() (*collect.Response, bool, error) {
	h := f.h
	if !h.Keep() {
		return nil, false, nil
	}
	x := h.Exchange()
	return &collect.Response{
		Status: x.Head.Status, Header: x.Head.Header, Size: x.Response.Size(), Truncated: x.Truncated != "",
		Raw:      &closing{Reader: io.NewSectionReader(&x.Response, 0, x.Response.Size()), close: func() error { h.Release(); return nil }},
		RecordID: f.id, Date: x.Timings.Start,
	}, true, nil
}

// closing is a reader with something to close, once.
type closing struct {
	io.Reader
	close func() error
	done  atomic.Bool
}

// Close closes what is behind the reader.
func (c *closing) Close() error {
	if c.done.Swap(true) {
		return nil
	}
	return c.close()
}

// recorded is an answer in a WARC file of the collection, finished or being written.
type recorded struct {
	r    *crawl.Run
	file string
	at   warc.Place
}

// recordOf is the answer of a visit, where it was written.
func recordOf(r *crawl.Run, v *crawl.Visit) recorded {
	at := v.Record().Location
	return recorded{r, at.File, warc.Place{Offset: at.Offset, URI: v.URL().String()}}
}

// original is an answer that the collection held before.
func original(r *crawl.Run, ref history.Reference) recorded {
	return recorded{r, ref.Location.File, ref.Place()}
}

// open reads the record. A revisit is answered with the record that holds its payload.
func (a recorded) open() (*collect.Response, bool, error) {
	resp, digest, err := readRecord(a.r, a.file, a.at)
	if err == nil && resp == nil {
		var ref history.Reference
		if ref, err = holder(a.r, digest); err == nil {
			resp, _, err = readRecord(a.r, ref.Location.File, ref.Place())
		}
		if err == nil && resp == nil {
			err = fmt.Errorf("the original %s is a revisit itself", ref.ID)
		}
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the record at %s %d: %w", a.file, a.at.Offset, err)
	}
	return resp, true, nil
}

// holder finds the record that holds a payload.
func holder(r *crawl.Run, digest string) (history.Reference, error) {
	d, err := history.Payload(digest)
	if err != nil {
		return history.Reference{}, err
	}
	ref, ok, err := r.History().ByDigest(d)
	if err == nil && !ok {
		err = fmt.Errorf("no record with the payload %s", digest)
	}
	return ref, err
}

// readRecord opens the answer in a record; of a revisit it gives the digest of its payload instead.
func readRecord(r *crawl.Run, file string, at warc.Place) (resp *collect.Response, digest string, err error) {
	rec, done, err := r.RecordAt(file, at)
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if resp == nil {
			err = errors.Join(err, done())
		}
	}()
	if rec.Type() == warc.TypeRevisit {
		return nil, rec.Header.Get(warc.FieldPayloadDigest), nil
	}
	if resp, err = responseOf(rec); err == nil {
		resp.Raw = &closing{Reader: resp.Raw, close: done}
	}
	return resp, "", err
}

// responseOf reads the head of a record's answer and leaves all of it to be read.
func responseOf(rec *warc.Record) (*collect.Response, error) {
	raw := bufio.NewReaderSize(rec.Block, 8<<10)
	head, err := peekHead(raw)
	if err == nil && head.Status == 0 { // a long one
		raw = bufio.NewReaderSize(raw, maxHead)
		head, err = peekHead(raw)
	}
	if err != nil {
		return nil, err
	}
	date, err := rec.Date()
	if err != nil {
		return nil, err
	}
	return &collect.Response{
		Status: head.Status, Header: head.Header, Raw: io.NopCloser(raw), Size: rec.Length(), Cached: true,
		Truncated: rec.Header.Get(warc.FieldTruncated) != "", RecordID: rec.ID(), Date: date,
	}, nil
}

// peekHead parses the head at the start of a stream without using it up. It gives none where the
// head is longer than the buffer.
func peekHead(raw *bufio.Reader) (wire.Head, error) {
	b, err := raw.Peek(raw.Size())
	if end := wire.HeadEnd(b); end >= 0 {
		return wire.ParseHead(b[:end])
	}
	switch {
	case errors.Is(err, io.EOF), err == nil && raw.Size() >= maxHead:
		return wire.ParseHead(b)
	}
	return wire.Head{}, err
}

// maxHead bounds the head that is looked for in a record.
const maxHead = 256 << 10
