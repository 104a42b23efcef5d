package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/index/fulltext"
	"varve/serve/holdings"
)

// Records copies the records of hits into a new WARC file. The originals stay as they are.
type Records struct {
	Texts      Texts
	Collection string
	Path       func(file string) (string, error) // where a WARC file of the collection lies
	Software   string
	Asked      string // the query as it was asked, for the warcinfo
	Random     io.Reader
	Now        func() time.Time
}

// Write copies the record of the first capture of each hit, header and block byte for byte and packed anew, behind a warcinfo that says
// what was asked, when, and of which collection. It tells how many there were.
func (r *Records) Write(ctx context.Context, w io.Writer, q fulltext.Query, most int) (int, error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return 0, err
	}
	if err := r.info(enc, w); err != nil {
		return 0, err
	}
	done := map[varve.Location]bool{}
	_, err = Each(ctx, r.Texts, r.Collection, q, most, func(h *fulltext.Hit) error {
		place := varve.Location{File: h.File, Offset: h.Offset}
		if done[place] {
			return nil // a state that came back is told by the same record
		}
		done[place] = true
		path, err := r.Path(h.File)
		if err != nil {
			return err
		}
		return holdings.WithRecord(path, h.Offset, func(rec *warc.Record) error { return copyRecord(enc, w, rec) })
	})
	return len(done), err
}

func (r *Records) info(enc *warc.Encoder, w io.Writer) error {
	id, err := warc.NewID(r.Random)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("software: %s\r\nformat: WARC file version 1.1\r\ndescription: records of the collection %s that a search found, copied byte for byte\r\nsearch: %s\r\nsearched: %s\r\n",
		r.Software, r.Collection, r.Asked, r.Now().UTC().Format(time.RFC3339))
	e := warc.New(warc.TypeWarcinfo, id, r.Now(), warc.Bytes(text)).With(warc.FieldContentType, warc.ContentTypeFields)
	return enc.Encode(w, e)
}

// copyRecord writes a record as it is. Its block goes through a file, since it may be large and is read twice.
func copyRecord(enc *warc.Encoder, w io.Writer, rec *warc.Record) (err error) {
	f, err := os.CreateTemp("", "varve-record-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	size, err := io.Copy(f, rec.Block)
	if err != nil {
		return err
	}
	return enc.Encode(w, &warc.Entry{Version: rec.Version, Header: rec.Header, Raw: rec.Raw, Block: io.NewSectionReader(f, 0, size)})
}
