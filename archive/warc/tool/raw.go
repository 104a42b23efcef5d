package tool

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varve/archive/warc"
)

// ErrShared is returned when the packed bytes of a record are asked for that shares its member
// with others.
var ErrShared = errors.New("the record shares its compressed member with others, so it has no packed bytes of its own")

// ErrStream is returned for what can only be done with a file.
var ErrStream = errors.New("cannot be done with a stream: it needs a file")

// stretch is the place of a record whose packed bytes are to be copied.
type stretch struct {
	offset, size int64
	wanted       bool
}

// copyRaw copies the packed bytes of the selected records. Whether a record has its member for
// itself shows only at the record behind it, so each is copied one step late.
func copyRaw(ctx context.Context, in *Input, r *warc.Reader, s Selection, w io.Writer) (n int64, err error) {
	if in.File == nil {
		return 0, ErrStream
	}
	last := stretch{offset: -1}
	for ctx.Err() == nil {
		rec, err := r.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		end := err != nil
		if last.wanted {
			if !end && rec.Offset == last.offset {
				return n, fmt.Errorf("%s:%d: %w", in.Name, last.offset, ErrShared)
			}
			if _, err := io.Copy(w, io.NewSectionReader(in.bytes, last.offset, last.size)); err != nil {
				return n, err
			}
			if n++; s.one() {
				return n, nil
			}
		}
		if end || s.Offset >= 0 && rec.Offset > s.Offset {
			return n, nil
		}
		last = stretch{offset: rec.Offset, wanted: s.takes(rec)}
		if last.wanted && rec.Inner != 0 {
			return n, fmt.Errorf("%s:%d: %w", in.Name, rec.Offset, ErrShared)
		}
		if last.size, err = rec.Finish(); err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}
