package tool

import (
	"errors"
	"fmt"
	"io"

	"varve/archive/warc"
	"varve/web/canon"
	"varve/web/wire"
)

// opened is the body of a capture, with what is known about it. Close it when done.
type opened struct {
	io.Reader
	about   Extracted
	closers []func() error
}

// Close frees what the body needed.
func (o *opened) Close() error {
	var errs []error
	for _, c := range o.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// open opens the body of a capture: of a revisit that of its original, of a segmented record all
// its segments.
func (x *Extractor) open(rec *warc.Record) (*opened, error) {
	o := &opened{about: Extracted{URL: rec.TargetURI(), File: rec.File, Offset: rec.Offset}}
	o.about.Time, _ = rec.Date()
	if rec.Type() != warc.TypeRevisit {
		return o, x.openBody(o, rec)
	}
	if h, err := rec.HTTP(); err == nil {
		o.about.Status, o.about.MIME = h.Status, h.MediaType()
	}
	return o, x.openOriginal(o, rec)
}

// openOriginal finds the original of a revisit and opens its body.
func (x *Extractor) openOriginal(o *opened, rec *warc.Record) error {
	ref, step, ok := warc.Resolve(rec, canon.SURT(rec.TargetURI()), x.originals)
	if !ok {
		return errors.New("a revisit whose original is not in the files given")
	}
	orig, done, err := openRecord(x.input(ref.File), ref.Place())
	if err != nil {
		return fmt.Errorf("the original of a revisit: %w", err)
	}
	o.closers = append(o.closers, done)
	own := o.about
	if err := x.openBody(o, orig); err != nil {
		return errors.Join(err, o.Close())
	}
	o.about.Original = string(step)
	if own.Status != 0 && own.Status != 304 { // a 304 speaks of the connection, not of the page
		o.about.Status = own.Status
	}
	if own.MIME != "" {
		o.about.MIME = own.MIME
	}
	return nil
}

func (x *Extractor) input(name string) *Input {
	for _, in := range x.survey.inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// openBody opens the payload or content of a record that has it.
func (x *Extractor) openBody(o *opened, rec *warc.Record) error {
	if origin, n, ok := warc.Segment(rec.Header); ok && n == 1 {
		o.about.Segments = len(x.survey.series.byOrigin[origin])
		rec.Block = warc.Join(func(n int) (*warc.Record, error) { return x.segment(o, origin, n) })
	}
	if !rec.IsHTTP() {
		o.about.MIME = wire.MediaType(rec.Header.Get(warc.FieldContentType))
		o.Reader = rec.Block
		return nil
	}
	h, err := rec.HTTP()
	if err != nil {
		o.Reader = rec.Block
		return nil //nolint:nilerr // a block without HTTP is the body
	}
	o.about.Status, o.about.MIME = h.Status, h.MediaType()
	if x.opts.Payload {
		o.Reader = h.Payload()
		return nil
	}
	c, err := h.Content()
	if err != nil {
		return err
	}
	o.Reader = c
	o.closers = append(o.closers, c.Close)
	return nil
}

// segment opens the n-th segment of a series.
func (x *Extractor) segment(o *opened, origin string, n int) (*warc.Record, error) {
	p, ok := x.survey.series.get(origin, n)
	if !ok {
		return nil, errors.New("not in the files given")
	}
	rec, done, err := openRecord(x.survey.inputs[p.input], warc.Place{Offset: p.offset, Inner: p.inner})
	if err != nil {
		return nil, err
	}
	o.closers = append(o.closers, done)
	return rec, nil
}

// openRecord opens the record at a place.
func openRecord(in *Input, at warc.Place) (*warc.Record, func() error, error) {
	rec, r, err := in.File.Record(at, warc.Options{Name: in.Name, Policy: warc.Silent()})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return rec, r.Close, nil
}
