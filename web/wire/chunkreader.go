package wire

import (
	"errors"
	"io"
)

// ChunkReader gives the payload of a chunked raw body.
//
// Many archives store a body that was already dechunked under a header that still says chunked.
// So if the very first bytes are no chunk size, the body is passed through as it is and Framed
// tells so.
type ChunkReader struct {
	src     io.Reader
	d       Dechunker
	buf     []byte // raw bytes read from src
	spans   [][]byte
	pending []byte // raw bytes to pass through, or not yet fed
	plain   bool
	err     error
}

// NewChunkReader undoes chunked framing of r.
func NewChunkReader(r io.Reader) *ChunkReader {
	return &ChunkReader{src: r, buf: make([]byte, 16<<10)}
}

// Framed tells whether the body really was chunked; known after the first Read.
func (c *ChunkReader) Framed() bool { return !c.plain }

// Trailers gives the header fields after the final chunk; complete at io.EOF.
func (c *ChunkReader) Trailers() Header { return c.d.Trailers() }

// Read gives payload bytes; io.EOF after the final chunk, ErrChunkShort if it never comes.
func (c *ChunkReader) Read(p []byte) (int, error) {
	for {
		if n := c.drain(p); n > 0 || len(p) == 0 {
			return n, nil
		}
		if c.err != nil {
			return 0, c.err
		}
		if c.plain {
			n, err := c.src.Read(p)
			if err != nil {
				c.err = err
			}
			return n, nil
		}
		c.fill()
	}
}

func (c *ChunkReader) drain(p []byte) int {
	n := 0
	for len(c.spans) > 0 && n < len(p) {
		m := copy(p[n:], c.spans[0])
		n += m
		if c.spans[0] = c.spans[0][m:]; len(c.spans[0]) == 0 {
			c.spans = c.spans[1:]
		}
	}
	return n
}

// fill reads raw bytes and feeds them to the machine.
func (c *ChunkReader) fill() {
	n, err := c.src.Read(c.buf)
	raw := c.buf[:n]
	c.spans = c.spans[:0]
	_, bad := c.d.Feed(raw, func(span []byte) { c.spans = append(c.spans, span) })
	switch {
	case bad != nil && !c.d.Started():
		c.plain = true
		c.spans = append(c.spans[:0], append(c.pending, raw...))
		c.pending = nil
	case bad != nil:
		c.err = bad
	case c.d.Done():
		c.err = io.EOF
	}
	if !c.d.Started() && !c.plain {
		c.pending = append(c.pending, raw...)
	}
	if err != nil && c.err == nil {
		c.err = c.endOfSource(err)
	}
}

// endOfSource turns the end of the raw body before the final chunk into the error it is.
func (c *ChunkReader) endOfSource(err error) error {
	if !errors.Is(err, io.EOF) || c.plain {
		return err
	}
	if !c.d.Started() {
		c.spans, c.plain = append(c.spans[:0], c.pending), true
		return io.EOF
	}
	return ErrChunkShort
}
