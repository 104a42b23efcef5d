package warcspeed

import (
	"bufio"
	"context"
	"crypto/sha1"
	"errors"
	"io"
	"os"
	"runtime"

	"github.com/klauspost/compress/gzip"

	"varve/archive/warc"
)

// readFloor inflates the file and throws the bytes away.
func readFloor(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, z)
	return err
}

// hashFloor inflates the file and hashes each record's block, and its payload where the header
// has a digest of it: the same bytes through the same functions as a verifying reader. The
// lengths come from a list made beforehand, so that it does no parsing.
func hashFloor(path string, marks []mark) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return err
	}
	h := &hasher{buf: make([]byte, 64<<10)}
	for _, m := range marks {
		if err := h.record(z, m); err != nil {
			return err
		}
	}
	return nil
}

// mark says how long the parts of a record are.
type mark struct {
	header, head, body int64
	block, payload     bool // digests to be taken
}

type hasher struct{ buf []byte }

func (h *hasher) record(r io.Reader, m mark) error {
	if _, err := io.CopyN(io.Discard, r, m.header); err != nil {
		return err
	}
	block, payload := sha1.New(), sha1.New()
	for at, total := int64(0), m.head+m.body; at < total; {
		n, err := r.Read(h.buf[:min(int64(len(h.buf)), total-at)])
		if m.block {
			block.Write(h.buf[:n])
		}
		if skip := max(0, m.head-at); m.payload && skip < int64(n) {
			payload.Write(h.buf[skip:n])
		}
		at += int64(n)
		if err != nil && at < total {
			return err
		}
	}
	block.Sum(h.buf[:0])
	payload.Sum(h.buf[:0])
	_, err := io.CopyN(io.Discard, r, 4)
	return err
}

// readRecords reads all records in sequence.
func readRecords(path string, verify bool) (records int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: path, Verify: verify})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records++
	}
}

// scanRecords reads all records on all cores.
func scanRecords(path string) (records int64, err error) {
	f, err := warc.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	err = warc.Scan(context.Background(), f, warc.Options{}, runtime.GOMAXPROCS(0),
		func(*warc.Record) (struct{}, error) { return struct{}{}, nil },
		func(struct{}) error { records++; return nil })
	return records, err
}

// marksOf lists the parts of all records of a file.
func marksOf(path string) ([]mark, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: path})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out []mark
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		m := mark{header: int64(len(rec.Raw)), block: rec.Header.Has(warc.FieldBlockDigest), payload: rec.Header.Has(warc.FieldPayloadDigest)}
		if h, err := rec.HTTP(); err == nil {
			m.head = int64(h.Size)
		}
		m.body = rec.Length() - m.head
		out = append(out, m)
	}
}
