package crawl

import (
	"errors"
	"fmt"
	"io"

	"varve"
	"varve/archive/warc"
	"varve/crawl/frontier"
	"varve/web/canon"
)

// replay settles the visits whose records were durable when the process died, but which the
// frontier had not heard of: the WARC file is the log from which they are made again. So a kill
// costs only what was really under way. Their links are found again in the recorded answers.
func (r *Run) replay(name string, file io.ReaderAt, size int64) error {
	r.tally.file(name)
	settled, err := r.replayFile(name, file, size)
	if err != nil {
		return fmt.Errorf("replay %s: %w", name, err)
	}
	if settled > 0 {
		r.events.add("replayed", "file", name, "visits", settled)
	}
	return nil
}

func (r *Run) replayFile(name string, file io.ReaderAt, size int64) (int, error) {
	reader, err := warc.NewReader(io.NewSectionReader(file, 0, size), warc.Options{Name: name, Policy: warc.Silent()})
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	w := newWorker(r)
	var group []*visit
	settled := 0
	for {
		rec, err := reader.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return settled, err
		}
		if err != nil || len(group) == groupSize {
			if e := r.commitGroup(group); e != nil {
				return settled, e
			}
			settled += len(group)
			group = group[:0]
		}
		if err != nil {
			return settled, nil
		}
		v, err := w.visitOf(rec)
		if err != nil {
			return settled, err
		}
		if v != nil && !contains(group, v.item.Key) {
			group = append(group, v)
		}
	}
}

// contains tells whether a URL is in the group already: it may have been recorded twice.
func contains(group []*visit, key string) bool {
	for _, v := range group {
		if v.item.Key == key {
			return true
		}
	}
	return false
}

// visitOf makes a visit of a recorded answer if its URL is still queued, else nil.
func (w *worker) visitOf(rec *warc.Record) (*visit, error) {
	if rec.Type() != warc.TypeResponse {
		return nil, nil
	}
	u, err := canon.Parse(rec.TargetURI())
	if err != nil {
		return nil, nil //nolint:nilerr // not one of ours
	}
	entry, err := w.r.frontier.Lookup(u.FrontierKey())
	if err != nil || entry.State != frontier.Queued {
		return nil, err
	}
	v := &visit{item: entry.Item, url: u, size: rec.Length(), digest: rec.Header.Get(warc.FieldPayloadDigest), recordID: rec.ID()}
	if v.fetched, err = rec.Date(); err != nil {
		return nil, nil //nolint:nilerr // fetched again
	}
	h, err := rec.HTTP()
	if err != nil || tryAgain(h.Status) {
		return nil, nil //nolint:nilerr // fetched again
	}
	v.started, v.status, v.mime = v.fetched, h.Status, h.MediaType()
	v.validators = [2]string{h.Header.Get("ETag"), h.Header.Get("Last-Modified")}
	if body, err := h.Content(); err == nil {
		w.body, _ = readInto(w.body[:0], io.LimitReader(body, maxContent))
		body.Close()
	}
	w.meta = w.meta[:0]
	w.follow(v, h.Header, w.body)
	length, err := rec.Finish()
	v.where = varve.Location{File: rec.File, Offset: rec.Offset, Length: length}
	return v, err
}

// readInto appends all that r gives to b.
func readInto(b []byte, r io.Reader) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
