package crawl

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"

	"varve"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/polite"
)

// Held is an exchange that several look at; the last one releases it.
type Held struct {
	x    *fetch.Exchange
	refs atomic.Int32
}

func hold(x *fetch.Exchange) *Held {
	h := &Held{x: x}
	h.refs.Store(1)
	return h
}

// Keep takes one more hold; false when the exchange is gone.
func (h *Held) Keep() bool {
	for {
		n := h.refs.Load()
		if n == 0 {
			return false
		}
		if h.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release ends a hold.
func (h *Held) Release() {
	if h.refs.Add(-1) == 0 {
		_ = h.x.Release() // a spool that cannot be closed is the system's to clean
	}
}

// Exchange returns what is held.
func (h *Held) Exchange() *fetch.Exchange { return h.x }

// Exchange makes one request under a lease, which ends with it, and notes with the visit, with politeness and against the
// authority what came of it. Where we gave up, not the server, there is an error and nothing is held.
func (w *Worker) Exchange(ctx context.Context, v *Visit, req *fetch.Request, lease *polite.Lease) (*Held, error) {
	h, _, _, err := w.exchange(ctx, v, req, lease)
	return h, err
}

func (w *Worker) exchange(ctx context.Context, v *Visit, req *fetch.Request, lease *polite.Lease) (h *Held, o polite.Outcome, again bool, err error) {
	r := w.r
	if v.queued() && !v.special {
		r.askConditionally(req, v)
	}
	r.askAtHead(v, req)
	r.exchanges.begin(v)
	x, err := r.engine.cfg.Fetcher.Fetch(ctx, req)
	gaveUp := err != nil && (ctx.Err() != nil || errors.Is(err, ErrWithdrawn))
	r.exchanges.end(v)
	h = hold(x)
	v.took(x, err)
	o = outcomeOf(x, err, w.now())
	pause := r.engine.polite.Release(lease, o, w.now())
	if gaveUp {
		h.Release()
		return nil, o, false, err
	}
	r.noteReach(v, o, w.now())
	r.guesses.answered(v) // before the host has its next turn
	if v.Refused() {
		v.class = "" // by a rule that was asked at the head: nothing failed
		return h, o, false, nil
	}
	if v.queued() && !v.special {
		again = r.retry(v, err, pause, w.now())
	}
	return h, o, again, err
}

// RecordAt opens a record of a WARC file of the collection; done closes it.
func (r *Run) RecordAt(file string, at warc.Place) (rec *warc.Record, done func() error, err error) {
	f, err := r.openRecorded(file)
	if err != nil {
		return nil, nil, err
	}
	opened, err := warc.NewFile(file, f, f.Size())
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	rec, reader, err := opened.Record(at, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return rec, func() error { return errors.Join(reader.Close(), f.Close()) }, nil
}

// HeldAt opens the record that holds the whole answer of a URL which was the same before, so that this crawl has but a revisit record of it;
// done closes it.
func (r *Run) HeldAt(key string) (rec *warc.Record, done func() error, err error) {
	e, ok, err := r.history.Lookup(key)
	if err == nil && (!ok || e.Original.IsZero()) {
		err = errors.New("the collection does not know it")
	}
	if err != nil {
		return nil, nil, err
	}
	return r.RecordAt(e.Original.Location.File, e.Original.Place())
}

// ParseLocation reads where a record lies, as the frontier keeps it.
func ParseLocation(b []byte) (l varve.Location, ok bool) {
	f := strings.Fields(string(b))
	if len(f) != 3 {
		return l, false
	}
	l.File = f[0]
	var errs [2]error
	l.Offset, errs[0] = strconv.ParseInt(f[1], 10, 64)
	l.Length, errs[1] = strconv.ParseInt(f[2], 10, 64)
	return l, errors.Join(errs[:]...) == nil
}

// maxHead bounds the head that is looked for in a record.
const maxHead = 256 << 10
