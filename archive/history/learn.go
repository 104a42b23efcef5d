package history

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/capture"
	"varve/archive/durable"
	"varve/archive/warc"
	"varve/web/canon"
)

// keyFile is where it is noted that a file was learned.
var keyFile = []byte{spaceMeta, 'f'}

// Bounds of learning a file: observations of one commit, and captures that are looked up to tell whether the file is known.
const (
	learnBatch  = 256
	learnSample = 100
)

// Learned tells what a file gave.
type Learned struct {
	Captures int64 // recorded
	Known    bool  // the history had them: a crawl of the collection wrote the file, or it was learned before
}

// Learn records the captures of a WARC or ARC file that came into the collection from elsewhere, so that crawls find in it
// what they need not store again. The name is the file's in the collection. A file is read once, as long as its size stays;
// one whose captures are known, because a crawl wrote it, is not read further than that shows.
//
// Payload digests are computed: what a file says of itself may be wrong, and a revisit must not refer to other bytes.
// Memory is that of one commit, whatever the size of the file.
func (s *Store) Learn(ctx context.Context, f *warc.File, name string) (out Learned, err error) {
	done, err := s.learned(name, f.Size())
	if err != nil || done {
		return Learned{Known: done}, err
	}
	if out.Known, err = s.wrote(ctx, f); err != nil {
		return out, err
	}
	if !out.Known {
		if out.Captures, err = s.learn(ctx, f, name); err != nil {
			return out, fmt.Errorf("learn %s: %w", name, err)
		}
	}
	return out, s.noteLearned(name, f.Size())
}

// learned tells whether a file of that name and size was learned.
func (s *Store) learned(name string, size int64) (bool, error) {
	if err := s.enter(); err != nil {
		return false, err
	}
	defer s.pending.Done()
	v, err := durable.Get(s.db, append(keyFile[:len(keyFile):len(keyFile)], name...))
	if err != nil || v == nil {
		return false, err
	}
	n, used := binary.Uvarint(v)
	return used == len(v) && n == uint64(size), nil
}

func (s *Store) noteLearned(name string, size int64) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.pending.Done()
	return s.db.Set(append(keyFile[:len(keyFile):len(keyFile)], name...), binary.AppendUvarint(nil, uint64(size)), pebble.Sync)
}

// wrote tells whether one of the first captures of a file is a visit that the history has.
func (s *Store) wrote(ctx context.Context, f *warc.File) (bool, error) {
	found, n := false, 0
	err := eachCapture(ctx, f, "", func(rec *warc.Record, o *Observation) (bool, error) {
		e, ok, err := s.Lookup(o.Key)
		if err != nil {
			return false, err
		}
		if ok {
			at := o.At.UTC().Truncate(time.Millisecond)
			found = e.Older.Visits > 0 && !at.After(e.Older.To)
			for _, c := range e.Changes {
				found = found || c.At.Equal(at)
			}
		}
		n++
		return !found && n < learnSample, nil
	})
	return found, err
}

// learn reads a file to its end.
func (s *Store) learn(ctx context.Context, f *warc.File, name string) (n int64, err error) {
	batch := make([]Observation, 0, learnBatch)
	flush := func() error {
		n += int64(len(batch))
		err := s.Record(batch)
		batch = batch[:0]
		return err
	}
	err = eachCapture(ctx, f, name, func(rec *warc.Record, o *Observation) (bool, error) {
		if rec.Type() != warc.TypeResponse {
			return true, nil // a revisit holds nothing
		}
		if err := o.read(rec); err != nil || o.check(s.cfg.MaxBytes) != nil {
			return true, nil //nolint:nilerr // a damaged or outsized record is no original
		}
		if batch = append(batch, *o); len(batch) < learnBatch {
			return true, nil
		}
		return true, flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	return n, err
}

// eachCapture calls do with the answers and revisits of a file, until it says false.
func eachCapture(ctx context.Context, f *warc.File, name string, do func(*warc.Record, *Observation) (bool, error)) error {
	r, err := f.ReaderAt(0, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if rec.Type() != warc.TypeResponse && rec.Type() != warc.TypeRevisit || !rec.IsHTTP() || !capture.Is(rec) || rec.Header.Has(warc.FieldSegmentNumber) {
			continue
		}
		at, err := rec.Date()
		u, badURL := canon.Parse(rec.TargetURI())
		if err != nil || badURL != nil || at.UnixMilli() <= 0 {
			continue
		}
		o := &Observation{
			Key: u.FrontierKey(), URL: u.String(), At: at, Truncated: rec.Header.Get(warc.FieldTruncated) != "",
			Record: Reference{URI: rec.TargetURI(), Date: at, ID: rec.ID()},
		}
		o.Record.Location.File, o.Record.Location.Offset, o.Record.Location.Inner = name, rec.Offset, rec.Inner
		if more, err := do(rec, o); err != nil || !more {
			return err
		}
	}
}

// read takes what the answer says, and the digest of its payload.
func (o *Observation) read(rec *warc.Record) error {
	h, err := rec.HTTP()
	if err != nil {
		return err
	}
	o.Status, o.MIME = h.Status, h.MediaType()
	o.ETag, o.LastModified = h.Header.Get("ETag"), h.Header.Get("Last-Modified")
	sum := sha1.New()
	if o.Size, err = io.Copy(sum, h.Payload()); err != nil {
		return err
	}
	o.Digests = []Digest{{Name: "sha1", Sum: string(sum.Sum(nil))}}
	o.Record.Location.Length, err = rec.Finish()
	return err
}
