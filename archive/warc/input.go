package warc

import (
	"bufio"
	"errors"
	"io"
)

const inputBuffer = 64 << 10

// input is the packed side of a file: buffered, counted, and seekable where the source is.
type input struct {
	src    io.Reader
	seeker io.Seeker // nil for pipes
	br     *bufio.Reader
	read   int64 // offset in the file of the byte after those in br
	fault  error // what the source failed with, other than io.EOF
	end    int64 // offset of the end when the file was opened; 0 for pipes
}

func newInput(src io.Reader, offset int64) *input {
	in := &input{src: src, read: offset}
	if s, ok := src.(io.Seeker); ok {
		in.useSeeker(s, offset)
	}
	in.br = bufio.NewReaderSize((*counter)(in), inputBuffer)
	return in
}

// useSeeker keeps the seeker if it really seeks (a pipe has the method, too) and notes the end.
func (in *input) useSeeker(s io.Seeker, offset int64) {
	here, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return
	}
	if _, err := s.Seek(here, io.SeekStart); err != nil {
		return
	}
	in.seeker, in.end = s, offset+end-here
}

// counter counts what bufio reads. It is a type of its own so that input has no Read to misuse.
type counter input

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.fault = err
	}
	return n, err
}

// offset is the place in the file of the next byte that br gives.
func (in *input) offset() int64 { return in.read - int64(in.br.Buffered()) }

// seek goes to an offset; it tells whether it could.
func (in *input) seek(to int64) bool {
	if delta := to - in.offset(); delta >= 0 && delta <= int64(in.br.Buffered()) {
		_, err := in.br.Discard(int(delta))
		return err == nil
	}
	if in.seeker == nil {
		return false
	}
	if _, err := in.seeker.Seek(to-in.read, io.SeekCurrent); err != nil {
		return false
	}
	in.read = to
	in.br.Reset((*counter)(in))
	return true
}

// skip passes over n bytes, by seeking where that saves reading. Like Read it may do less.
func (in *input) skip(n int64) (int64, error) {
	start := in.offset()
	if n > inputBuffer && in.seeker != nil && start < in.end {
		if to := min(start+n, in.end); in.seek(to) {
			return to - start, nil
		}
	}
	m, err := in.br.Discard(int(min(n, 1<<30)))
	return int64(m), err
}

// skipAll passes over exactly n bytes.
func (in *input) skipAll(n int64) error {
	for n > 0 {
		m, err := in.skip(n)
		n -= m
		if err != nil && n > 0 {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}
