package job

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// maxPair bounds a key or a value; a longer one is a mistake of the job.
const maxPair = 64 << 20

// pair lies in the sorter's buffer.
type pair struct{ at, key, end int }

// sorter gathers the pairs of a part and writes them as one run: sorted by key, then by value, so that
// the order in which they came does not matter.
type sorter struct {
	dir     string
	limit   int
	combine func(key, a, b []byte) []byte
	buf     []byte
	pairs   []pair
	spills  []string
}

// pairOverhead is what a pair takes beside its bytes.
const pairOverhead = 24

func newSorter(dir string, limit int, combine func(key, a, b []byte) []byte) *sorter {
	return &sorter{dir: dir, limit: limit, combine: combine}
}

func (s *sorter) add(key, value []byte) error {
	if len(key) > maxPair || len(value) > maxPair {
		return fmt.Errorf("pair of %d and %d bytes; %d are allowed", len(key), len(value), maxPair)
	}
	if n := len(s.buf) + len(s.pairs)*pairOverhead + len(key) + len(value); n > s.limit && len(s.pairs) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	at := len(s.buf)
	s.buf = append(append(s.buf, key...), value...)
	s.pairs = append(s.pairs, pair{at, at + len(key), len(s.buf)})
	return nil
}

func (s *sorter) key(p pair) []byte   { return s.buf[p.at:p.key] }
func (s *sorter) value(p pair) []byte { return s.buf[p.key:p.end] }

// spill writes what is in memory as a sorted piece.
func (s *sorter) spill() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(s.dir, strconv.Itoa(len(s.spills)))
	if err := s.write(path); err != nil {
		return err
	}
	s.spills = append(s.spills, path)
	s.buf, s.pairs = s.buf[:0], s.pairs[:0]
	return nil
}

func (s *sorter) write(path string) (err error) {
	slices.SortFunc(s.pairs, func(a, b pair) int {
		if c := bytes.Compare(s.key(a), s.key(b)); c != 0 {
			return c
		}
		return bytes.Compare(s.value(a), s.value(b))
	})
	w, err := createRun(path, s.combine)
	if err != nil {
		return err
	}
	for _, p := range s.pairs {
		if err := w.add(s.key(p), s.value(p)); err != nil {
			return errors.Join(err, w.close())
		}
	}
	return w.close()
}

// finish writes the one run of the part.
func (s *sorter) finish(path string) error {
	if len(s.spills) == 0 {
		return s.write(path)
	}
	if err := s.spill(); err != nil {
		return err
	}
	w, err := createRun(path, s.combine)
	if err != nil {
		return err
	}
	err = merge(s.spills, w.add)
	return errors.Join(err, w.close())
}

// runWriter writes sorted pairs and combines equal keys.
type runWriter struct {
	f       *os.File
	w       *bufio.Writer
	combine func(key, a, b []byte) []byte
	key     []byte
	value   []byte
	held    bool
	head    []byte
}

func createRun(path string, combine func(key, a, b []byte) []byte) (*runWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &runWriter{f: f, w: bufio.NewWriterSize(f, 256<<10), combine: combine}, nil
}

func (w *runWriter) add(key, value []byte) error {
	if w.combine == nil {
		return w.put(key, value)
	}
	if w.held && bytes.Equal(w.key, key) {
		w.value = append(w.value[:0], w.combine(key, w.value, value)...)
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	w.key, w.value, w.held = append(w.key[:0], key...), append(w.value[:0], value...), true
	return nil
}

func (w *runWriter) flush() error {
	if !w.held {
		return nil
	}
	w.held = false
	return w.put(w.key, w.value)
}

func (w *runWriter) put(key, value []byte) error {
	w.head = binary.AppendUvarint(w.head[:0], uint64(len(key)))
	w.head = binary.AppendUvarint(w.head, uint64(len(value)))
	for _, b := range [...][]byte{w.head, key, value} {
		if _, err := w.w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (w *runWriter) close() error {
	return errors.Join(w.flush(), w.w.Flush(), w.f.Close())
}

// runReader reads a run.
type runReader struct {
	f     *os.File
	r     *bufio.Reader
	key   []byte
	value []byte
}

func openRun(path string) (*runReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &runReader{f: f, r: bufio.NewReaderSize(f, 64<<10)}, nil
}

// next reads the next pair; io.EOF after the last.
func (r *runReader) next() error {
	k, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err // io.EOF between pairs
	}
	v, err := binary.ReadUvarint(r.r)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.f.Name(), noEOF(err))
	}
	if k > maxPair || v > maxPair {
		return fmt.Errorf("run %s: pair of %d and %d bytes", r.f.Name(), k, v)
	}
	r.key = slices.Grow(r.key[:0], int(k))[:k]
	r.value = slices.Grow(r.value[:0], int(v))[:v]
	if _, err := io.ReadFull(r.r, r.key); err != nil {
		return fmt.Errorf("run %s: %w", r.f.Name(), noEOF(err))
	}
	if _, err := io.ReadFull(r.r, r.value); err != nil {
		return fmt.Errorf("run %s: %w", r.f.Name(), noEOF(err))
	}
	return nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
