package crawl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"varve"
	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/web/wire"
)

// held is an exchange that several look at; the last one releases it.
type held struct {
	x    *fetch.Exchange
	id   string // of its record
	refs atomic.Int32
}

func hold(x *fetch.Exchange) *held {
	h := &held{x: x}
	h.refs.Store(1)
	return h
}

// keep takes one more hold; false when the exchange is gone.
func (h *held) keep() bool {
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

func (h *held) release() {
	if h.refs.Add(-1) == 0 {
		_ = h.x.Release() // a spool that cannot be closed is the system's to clean
	}
}

// open gives the answer from memory or its spool.
func (h *held) open() (*collect.Response, bool, error) {
	if !h.keep() {
		return nil, false, nil
	}
	x := h.x
	return &collect.Response{
		Status: x.Head.Status, Header: x.Head.Header, Size: x.Response.Size(), Truncated: x.Truncated != "",
		Raw:      &closing{Reader: io.NewSectionReader(&x.Response, 0, x.Response.Size()), close: func() error { h.release(); return nil }},
		RecordID: h.id, Date: x.Timings.Start,
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
	r    *Run
	file string
	at   warc.Place
}

// recorded is the answer of a visit, where it was written.
func (v *Visit) recorded(r *Run) recorded {
	return recorded{r, v.where.File, warc.Place{Offset: v.where.Offset, URI: v.url.String()}}
}

// original is an answer that the collection held before.
func original(r *Run, ref history.Reference) recorded {
	return recorded{r, ref.Location.File, ref.Place()}
}

// open reads the record. A revisit is answered with the record that holds its payload.
func (a recorded) open() (*collect.Response, bool, error) {
	resp, digest, err := a.r.readRecord(a.file, a.at)
	if err == nil && resp == nil {
		var ref history.Reference
		if ref, err = a.r.holder(digest); err == nil {
			resp, _, err = a.r.readRecord(ref.Location.File, ref.Place())
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
func (r *Run) holder(digest string) (history.Reference, error) {
	if r.history == nil {
		return history.Reference{}, errors.New("a revisit, and the crawl has no history")
	}
	d, err := history.Payload(digest)
	if err != nil {
		return history.Reference{}, err
	}
	ref, ok, err := r.history.ByDigest(d)
	if err == nil && !ok {
		err = fmt.Errorf("no record with the payload %s", digest)
	}
	return ref, err
}

// maxHead bounds the head that is looked for in a record.
const maxHead = 256 << 10

// readRecord opens the answer in a record; of a revisit it gives the digest of its payload instead.
func (r *Run) readRecord(file string, at warc.Place) (resp *collect.Response, digest string, err error) {
	rec, done, err := r.recordAt(file, at)
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

// recordAt opens a record of a WARC file of the collection; done closes it.
func (r *Run) recordAt(file string, at warc.Place) (rec *warc.Record, done func() error, err error) {
	f, err := r.openRecorded(file)
	if err != nil {
		return nil, nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	opened, err := warc.NewFile(file, f, size)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	rec, reader, err := opened.Record(at, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return rec, func() error { return errors.Join(reader.Close(), f.Close()) }, nil
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

// parseLocation reads what appendLocation wrote.
func parseLocation(b []byte) (l varve.Location, ok bool) {
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

// within gives the smaller of a wait and the time to an instant.
func within(wait time.Duration, at, now time.Time) time.Duration {
	if at.IsZero() {
		return wait
	}
	return max(0, min(wait, at.Sub(now)))
}
