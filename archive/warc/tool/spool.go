package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"varve/archive/warc"
	"varve/archive/whole"
)

// spoolMemory is how much of a block is kept in memory; the rest goes to a temporary file.
const spoolMemory = 4 << 20

// spool holds one block at a time, so that its length and digests are known before its header is
// written. It is a warc.Block.
type spool struct {
	dir  string
	mem  bytes.Buffer
	file *os.File // made when first needed, removed by close
	size int64
}

var _ warc.Block = (*spool)(nil)

// fill reads a block. Damage in r only ends it: the reader tells it as a finding. The error is
// that of a failing disk under the spool.
func (s *spool) fill(r io.Reader) error {
	s.mem.Reset()
	n, readErr := s.mem.ReadFrom(io.LimitReader(r, spoolMemory))
	s.size = n
	if readErr != nil || n < spoolMemory {
		return nil //nolint:nilerr // the end, or damage
	}
	if err := s.openFile(); err != nil {
		return err
	}
	m, readErr := io.Copy(&strictWriter{s.file}, r)
	s.size += m
	if failed, ok := errors.AsType[*writeError](readErr); ok {
		return failed.err
	}
	return nil
}

func (s *spool) openFile() error {
	if s.file == nil {
		f, err := whole.Scratch(s.dir)
		if err != nil {
			return err
		}
		s.file = f
	}
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

// Size gives the length of the block.
func (s *spool) Size() int64 { return s.size }

// ReadAt reads from memory, then from the file.
func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= s.size {
		return 0, io.EOF
	}
	n := 0
	if off < int64(s.mem.Len()) {
		n = copy(p, s.mem.Bytes()[off:])
	}
	if n == len(p) {
		return n, nil
	}
	if s.size <= spoolMemory {
		return n, io.EOF
	}
	m, err := s.file.ReadAt(p[n:], off+int64(n)-spoolMemory)
	return n + m, err
}

// close removes the temporary file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// streamed is a warc.Block over a stream of known length, for writers that read it once, in order.
type streamed struct {
	r    io.Reader
	size int64
	at   int64
}

var _ warc.Block = (*streamed)(nil)

// Size gives the length that was announced.
func (s *streamed) Size() int64 { return s.size }

// ReadAt reads the next bytes; off must be where the last read ended.
func (s *streamed) ReadAt(p []byte, off int64) (int, error) {
	if off != s.at {
		return 0, fmt.Errorf("a stream at %d cannot be read at %d", s.at, off)
	}
	n, err := io.ReadFull(s.r, p)
	s.at += int64(n)
	if err == io.ErrUnexpectedEOF { //nolint:errorlint // ReadFull's own
		err = io.EOF
	}
	return n, err
}
