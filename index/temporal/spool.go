package temporal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// spool keeps the intervals of a tree on disk until all are known: only one tree at a time is sorted
// in memory.
type spool struct {
	f   *os.File
	buf *bufio.Writer
	n   int
}

const intervalSize = 12

func newSpool(name string) (*spool, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &spool{f: f, buf: bufio.NewWriterSize(f, 256<<10)}, nil
}

func (s *spool) add(v interval) error {
	var b [intervalSize]byte
	binary.LittleEndian.PutUint32(b[:], v.lo)
	binary.LittleEndian.PutUint32(b[4:], v.hi)
	binary.LittleEndian.PutUint32(b[8:], v.id)
	s.n++
	_, err := s.buf.Write(b[:])
	return err
}

// take gives all intervals and removes the file.
func (s *spool) take() (list []interval, err error) {
	defer func() { err = errors.Join(err, s.f.Close(), os.Remove(s.f.Name())) }()
	if err := s.buf.Flush(); err != nil {
		return nil, err
	}
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	list = make([]interval, s.n)
	r := bufio.NewReaderSize(s.f, 256<<10)
	var b [intervalSize]byte
	for i := range list {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return nil, fmt.Errorf("read %s: %w", s.f.Name(), err)
		}
		list[i] = interval{binary.LittleEndian.Uint32(b[:]), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
	}
	return list, nil
}
