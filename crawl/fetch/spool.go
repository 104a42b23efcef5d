package fetch

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Spool holds the bytes of a response: in memory up to a bound, in a temporary file beyond. Bytes
// are read from the connection straight into its buffer.
//
// The file has no name while it is open (where the system allows that), so a killed process
// leaves nothing behind.
type Spool struct {
	buf    *buffer
	mem    []byte // of buf: the bytes in memory; once there is a file, the tail that is not yet in it
	bound  int
	pool   *bufferPool
	dir    string
	file   *os.File
	name   string // the file's name, if it still has one
	inFile int64
}

// ErrReleased is returned when a spool is read after its release.
var ErrReleased = errors.New("response was released")

// reset makes a closed spool ready for use.
func (s *Spool) reset() {
	s.buf = s.pool.get(1)
	s.mem = s.buf.space[:0]
}

// Size gives the number of bytes held.
func (s *Spool) Size() int64 { return s.inFile + int64(len(s.mem)) }

// Bytes gives the whole content if it is in memory. The slice is valid until the release.
func (s *Spool) Bytes() ([]byte, bool) { return s.mem, s.file == nil && s.mem != nil }

// ReadAt reads from the memory or the file.
func (s *Spool) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("read at %d", off)
	}
	if s.mem == nil {
		return 0, ErrReleased
	}
	n := 0
	if off < s.inFile {
		var err error
		if n, err = s.file.ReadAt(p[:min(int64(len(p)), s.inFile-off)], off); err != nil {
			return n, err
		}
	}
	if at := off + int64(n) - s.inFile; n < len(p) && at < int64(len(s.mem)) {
		n += copy(p[n:], s.mem[at:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// room gives space behind the bytes held, at least want bytes of it. What is held moves to a
// larger buffer, or to the file when the buffer has reached its bound.
func (s *Spool) room(want int) ([]byte, error) {
	for cap(s.mem)-len(s.mem) < want {
		if cap(s.mem) < s.bound {
			s.grow(len(s.mem) + want)
			continue
		}
		if err := s.flush(); err != nil {
			return nil, err
		}
		if cap(s.mem) < want {
			break
		}
	}
	return s.mem[len(s.mem):cap(s.mem)], nil
}

// grow moves the bytes held to a buffer with room for size bytes, as far as the bound allows. The one before is given back: slices of it are
// no longer ours.
func (s *Spool) grow(size int) {
	next := s.pool.get(min(max(size, 2*cap(s.mem)), s.bound))
	s.mem = next.space[:copy(next.space, s.mem)]
	s.pool.put(s.buf)
	s.buf = next
}

// added says that n bytes were put into the room.
func (s *Spool) added(n int) { s.mem = s.mem[:len(s.mem)+n] }

// write appends bytes that did not come through room.
func (s *Spool) write(p []byte) error {
	for len(p) > 0 {
		room, err := s.room(1)
		if err != nil {
			return err
		}
		n := copy(room, p)
		s.added(n)
		p = p[n:]
	}
	return nil
}

// dropFront forgets the first n bytes; they must still be in memory.
func (s *Spool) dropFront(n int) { s.mem = s.mem[:copy(s.mem, s.mem[n:])] }

// dropBack forgets the last n bytes; they must still be in memory.
func (s *Spool) dropBack(n int) { s.mem = s.mem[:len(s.mem)-n] }

// flush moves the memory to the file.
func (s *Spool) flush() error {
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	n, err := s.file.Write(s.mem)
	s.inFile += int64(n)
	s.mem = s.mem[:copy(s.mem, s.mem[n:])]
	if err != nil {
		return fmt.Errorf("spool response at byte %d: %w", s.inFile, err)
	}
	return nil
}

func (s *Spool) open() error {
	f, err := os.CreateTemp(s.dir, "varve-fetch-*")
	if err != nil {
		return fmt.Errorf("spool response: %w", err)
	}
	if s.file = f; os.Remove(f.Name()) != nil {
		s.name = f.Name()
	}
	return nil
}

// Close frees the memory and the file. It may be called more than once.
func (s *Spool) Close() error {
	s.pool.put(s.buf)
	s.buf, s.mem, s.inFile = nil, nil, 0
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	s.file = nil
	return err
}
