package wacz

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"

	"github.com/klauspost/compress/flate"
)

// spool is an entry whose size is not known before it is whole: it waits on disk, packed as it
// will stand in the ZIP.
type spool struct {
	f    *os.File
	buf  *bufio.Writer
	zip  *flate.Writer // nil if it is stored
	crc  hash.Hash32
	sum  hash.Hash
	size int64
}

func newSpool(dir string, deflate bool) (*spool, error) {
	f, err := os.CreateTemp(dir, "wacz-*.spool")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	s := &spool{f: f, buf: bufio.NewWriterSize(f, 64<<10), crc: crc32.NewIEEE(), sum: sha256.New()}
	if deflate {
		s.zip, err = flate.NewWriter(s.buf, flate.DefaultCompression)
	}
	return s, err
}

// Write takes content.
func (s *spool) Write(b []byte) (n int, err error) {
	s.crc.Write(b)
	s.sum.Write(b)
	s.size += int64(len(b))
	if s.zip != nil {
		return s.zip.Write(b)
	}
	return s.buf.Write(b)
}

// flush ends the content and gives the entry it makes, with the reader at its start.
func (s *spool) flush(name string) (zipEntry, io.Reader, error) {
	e := zipEntry{name: name, method: methodStore, crc: s.crc.Sum32(), size: s.size}
	if s.zip != nil {
		e.method = methodDeflate
		if err := s.zip.Close(); err != nil {
			return e, nil, err
		}
	}
	if err := s.buf.Flush(); err != nil {
		return e, nil, err
	}
	packed, err := s.f.Seek(0, io.SeekEnd)
	if err != nil {
		return e, nil, err
	}
	e.packed = packed
	_, err = s.f.Seek(0, io.SeekStart)
	return e, s.f, err
}

// close removes the file.
func (s *spool) close() error {
	if s == nil || s.f == nil {
		return nil
	}
	name := s.f.Name()
	err := s.f.Close()
	s.f = nil
	return errors.Join(err, os.Remove(name))
}
