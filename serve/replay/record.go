package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/serve/replay/address"
	"varve/web/canon"
	"varve/web/wire"
)

// record is an opened capture: its own head, and the body of itself or of its original.
type record struct {
	head    wire.Head // of the capture
	body    wire.Head // of the record that holds the body: how it is coded
	length  int64     // of the payload as stored; -1 if unknown
	payload io.Reader // without transfer coding
	content func() (io.ReadCloser, error)
	finish  func() (int64, error) // reads the record that holds the body to its end, and tells if its digests do not fit
	closers []io.Closer
	cut     bool      // it does not hold all that was sent
	step    warc.Step // how the original of a revisit was found; "" if it is none
}

// Close frees the record; a nil one has nothing to free.
func (r *record) Close() {
	if r == nil {
		return
	}
	for _, c := range r.closers {
		c.Close()
	}
}

// open opens a capture.
func (h *Handler) open(ctx context.Context, collection string, c Found) (*record, error) {
	rec, closer, err := h.cfg.Records.Record(ctx, collection, c.File, warc.PlaceOf(c.Capture))
	if err != nil {
		return nil, fmt.Errorf("open %s at %d: %w", c.File, c.Offset, err)
	}
	r := &record{closers: []io.Closer{closer}}
	if rec.Type() == warc.TypeRevisit {
		err = h.revisit(ctx, collection, c, rec, r)
	} else {
		err = r.read(rec, true)
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("read %s at %d: %w", c.File, c.Offset, err)
	}
	return r, nil
}

// read takes head and body of a record; a record without HTTP message (resource) is its block.
func (r *record) read(rec *warc.Record, own bool) error {
	r.finish = rec.Finish
	msg, err := rec.HTTP()
	if errors.Is(err, warc.ErrNoHTTP) {
		r.length, r.payload = rec.Length(), rec.Block
		r.content = func() (io.ReadCloser, error) { return io.NopCloser(rec.Block), nil }
		r.body = wire.Head{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: rec.Header.Get(warc.FieldContentType)}}}
		if own {
			r.head = r.body
		}
		return nil
	}
	if err != nil {
		return err
	}
	r.body, r.payload, r.content = msg.Head, msg.Payload(), msg.Content
	r.cut = rec.Header.Get(warc.FieldTruncated) != ""
	r.length = -1
	if !msg.Chunked() && rec.Header.Get(warc.FieldSegmentNumber) == "" {
		r.length = rec.Length() - int64(msg.Size)
	}
	if own {
		r.head = msg.Head
	}
	return nil
}

// revisit takes the head of the revisit, if it has one, and the body of its original.
func (h *Handler) revisit(ctx context.Context, collection string, c Found, rec *warc.Record, r *record) error {
	own := true
	if msg, err := rec.HTTP(); err == nil && !warc.IsNotModified(rec) && msg.Status != 304 {
		r.head, own = msg.Head, false
		if msg.Status >= 300 && msg.Status < 400 { // its Location is all that matters
			r.body, r.length, r.payload = msg.Head, 0, eofReader{}
			r.content = func() (io.ReadCloser, error) { return io.NopCloser(eofReader{}), nil }
			return nil
		}
	}
	ref, step, ok := warc.Resolve(rec, canon.SURT(c.URL), &originals{ctx, h.cfg.Index, collection})
	if !ok {
		return errors.New("the original of this revisit is not in the archive")
	}
	r.step = step
	orig, closer, err := h.cfg.Records.Record(ctx, collection, ref.File, ref.Place())
	if err != nil {
		return fmt.Errorf("original of the revisit: %w", err)
	}
	r.closers = append(r.closers, closer)
	if orig.Type() == warc.TypeRevisit {
		return errors.New("the original of this revisit is a revisit")
	}
	return r.read(orig, own)
}

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// originals finds the originals of revisits in the index.
type originals struct {
	ctx        context.Context
	index      Index
	collection string
}

// ByID finds nothing: indexes do not know record ids. The steps after it do.
func (o *originals) ByID(string) (warc.Ref, bool) { return warc.Ref{}, false }

// ByURIDate finds the capture of a URI at an instant, to the second.
func (o *originals) ByURIDate(uri string, date time.Time) (warc.Ref, bool) {
	return o.pick(canon.SURT(uri), date, func(c Found) bool {
		return c.Time.Truncate(time.Second).Equal(date.Truncate(time.Second))
	})
}

// ByKeyDigest finds the nearest capture at or before an instant with that key and payload.
func (o *originals) ByKeyDigest(key, digest string, at time.Time) (warc.Ref, bool) {
	return o.pick(key, at, func(c Found) bool {
		return !c.Time.After(at) && cdxj.SameDigest(c.Digest, digest)
	})
}

// ByDigest asks the index, if it can tell.
func (o *originals) ByDigest(digest string) (warc.Ref, bool) {
	x, ok := o.index.(interface {
		ByDigest(ctx context.Context, collection, digest string) (Found, bool, error)
	})
	if !ok {
		return warc.Ref{}, false
	}
	c, ok, err := x.ByDigest(o.ctx, o.collection, digest)
	return ref(c), ok && err == nil
}

// maxOriginals bounds how many captures of a key are looked at for an original.
const maxOriginals = 2000

// pick gives the nearest capture of a key that holds a body and fits.
func (o *originals) pick(key string, at time.Time, fits func(Found) bool) (warc.Ref, bool) {
	for _, limit := range []int{maxCandidates, maxOriginals} {
		captures, err := o.index.Closest(o.ctx, o.collection, key, at, limit)
		if err != nil {
			return warc.Ref{}, false
		}
		for _, c := range captures {
			if c.MIME != "warc/revisit" && fits(c) {
				return ref(c), true
			}
		}
		if len(captures) < limit {
			break
		}
	}
	return warc.Ref{}, false
}

func ref(c Found) warc.Ref {
	return warc.Ref{URI: c.URL, Key: canon.SURT(c.URL), Date: c.Time, Digest: c.Digest, File: c.File, Offset: c.Offset, Inner: c.Inner}
}

// maxHops bounds how far redirects are followed when looking for circles.
const maxHops = 5

// circular tells why a redirect cannot be shown: following it in the archive leads back to it.
func (h *Handler) circular(ctx context.Context, collection string, c Found, r *record) error {
	from := canon.SURT(c.URL)
	at, head := c.URL, r.head
	for range maxHops {
		next, ok := location(at, &head)
		if !ok {
			return nil
		}
		key := canon.SURT(next)
		if key == from {
			return errCircular
		}
		captures, err := h.cfg.Index.Closest(ctx, collection, key, c.Time, 1)
		if err != nil || len(captures) == 0 || captures[0].Status != 0 && (captures[0].Status < 300 || captures[0].Status > 399) {
			return nil
		}
		rec, err := h.open(ctx, collection, captures[0])
		if err != nil {
			return nil
		}
		at, head = captures[0].URL, rec.head
		rec.Close()
	}
	return nil
}

// location gives where a redirect leads.
func location(from string, head *wire.Head) (string, bool) {
	v := head.Header.Get("Location")
	if head.Status < 300 || head.Status > 399 || v == "" {
		return "", false
	}
	u, err := canon.Parse(from)
	if err != nil {
		return "", false
	}
	to, err := u.Resolve(v)
	return to.String(), err == nil && to.Host() != ""
}

// target gives the address in the archive for an address outside.
func target(collection string, t time.Time, mod address.Mod, url string) string {
	return address.At(collection, t, mod, url)
}
