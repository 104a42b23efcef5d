package warc

import (
	"fmt"
	"io"
	"strconv"
)

// Split cuts an entry whose block is longer than size into segments: the first keeps the type,
// the others are continuations, the last tells the total length. newID makes the identifiers of
// the continuations.
func Split(e *Entry, size int64, newID func() (string, error)) ([]*Entry, error) {
	total := e.Block.Size()
	if size <= 0 || total <= size {
		return []*Entry{e}, nil
	}
	origin := e.Header.Get(FieldRecordID)
	var out []*Entry
	for at := int64(0); at < total; at += size {
		n := min(size, total-at)
		seg := &Entry{Version: e.Version, Block: io.NewSectionReader(e.Block, at, n)}
		if at == 0 {
			seg.Header = e.Header.Clone()
			seg.Header.Del(FieldBlockDigest) // it was of the whole block
		} else {
			id, err := newID()
			if err != nil {
				return nil, err
			}
			seg.Header = continuation(e.Header, id, origin)
		}
		seg.Header.Set(FieldContentLength, strconv.FormatInt(n, 10))
		seg.Header.Add(FieldSegmentNumber, strconv.Itoa(len(out)+1))
		if at+n == total {
			seg.Header.Add(FieldSegmentTotal, strconv.FormatInt(total, 10))
		}
		out = append(out, seg)
	}
	return out, nil
}

func continuation(first Header, id, origin string) Header {
	h := Header{{Name: FieldType, Value: TypeContinuation}, {Name: FieldRecordID, Value: id}}
	for _, name := range []string{FieldDate, FieldTargetURI} {
		if v, ok := first.Lookup(name); ok {
			h.Add(name, v)
		}
	}
	h.Add(FieldSegmentOrigin, origin)
	return h
}

// Segment tells the place of a record in a segmented series: the id of the first record and the
// number; ok is false for records that are not segmented.
func Segment(h Header) (origin string, number int, ok bool) {
	v, there := h.Lookup(FieldSegmentNumber)
	if !there {
		return "", 0, false
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return "", 0, false
	}
	if n == 1 {
		return h.Get(FieldRecordID), 1, true
	}
	return h.Get(FieldSegmentOrigin), n, true
}

// Join streams the segments of a series as one block. open gives the n-th segment (1 is the
// first record); last tells by WARC-Segment-Total-Length which one ends it. A gap, a segment out
// of order, or a total that does not fit is an error at the place where it shows.
func Join(open func(n int) (*Record, error)) io.Reader { return &joiner{open: open} }

type joiner struct {
	open func(int) (*Record, error)
	n    int
	cur  *Record
	got  int64
	end  bool
}

func (j *joiner) Read(p []byte) (int, error) {
	for {
		if j.end {
			return 0, io.EOF
		}
		if j.cur == nil {
			if err := j.next(); err != nil {
				return 0, err
			}
		}
		n, err := j.cur.Block.Read(p)
		j.got += int64(n)
		if err == io.EOF { //nolint:errorlint // Block gives the bare value at its end
			err = j.finish()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (j *joiner) next() error {
	j.n++
	rec, err := j.open(j.n)
	if err != nil {
		return fmt.Errorf("segment %d: %w", j.n, err)
	}
	if _, n, ok := Segment(rec.Header); !ok || n != j.n {
		return fmt.Errorf("segment %d: the record says number %q", j.n, clip(rec.Header.Get(FieldSegmentNumber)))
	}
	j.cur = rec
	return nil
}

// finish ends the series if the segment read says the total, and holds the total against what came.
func (j *joiner) finish() error {
	total, ok := j.cur.Header.Lookup(FieldSegmentTotal)
	j.cur = nil
	if !ok {
		return nil
	}
	j.end = true
	if total != strconv.FormatInt(j.got, 10) {
		return fmt.Errorf("segments have %d bytes together, the last one says %s", j.got, clip(total))
	}
	return nil
}
