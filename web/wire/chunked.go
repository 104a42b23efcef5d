package wire

import (
	"errors"
	"fmt"
	"io"
)

// Errors of chunked framing.
var (
	ErrChunk      = errors.New("malformed chunk")
	ErrChunkShort = fmt.Errorf("chunked body ends early: %w", io.ErrUnexpectedEOF)
)

// maxChunkLine bounds a chunk-size line with its extensions, and all trailers together.
const (
	maxChunkLine = 4 << 10
	maxTrailers  = 64 << 10
)

// Dechunker undoes chunked framing as a push machine: bytes in, spans of payload out. It keeps no
// data, only its place in the grammar, so the same machine serves streams and hash functions.
//
//	chunk-size [ ext ] CRLF  data CRLF  ...  0 CRLF  trailers CRLF
type Dechunker struct {
	state    chunkState
	left     uint64 // bytes of data still to come in this chunk
	line     int    // bytes seen of the current size line
	digits   int    // digits seen of the size
	started  bool   // a size line was complete: this really is chunked
	trailer  []byte // raw trailer lines
	lineFeed bool   // the last trailer byte was LF
}

type chunkState uint8

const (
	inSize chunkState = iota
	inExt
	inData
	afterData
	inTrailer
	chunkDone
)

// Feed takes the next bytes of the raw body. It calls out with each span of payload (sub-slices
// of p) and gives the number of bytes used: less than len(p) once the final chunk is through.
func (d *Dechunker) Feed(p []byte, out func([]byte)) (used int, err error) {
	i := 0
	for i < len(p) && d.state != chunkDone {
		if d.state == inData {
			n := len(p) - i
			if uint64(n) > d.left {
				n = int(d.left)
			}
			out(p[i : i+n])
			i += n
			if d.left -= uint64(n); d.left == 0 {
				d.state = afterData
			}
			continue
		}
		if err := d.step(p[i]); err != nil {
			return i, err
		}
		i++
	}
	return i, nil
}

// step takes one byte of framing.
func (d *Dechunker) step(c byte) error {
	switch d.state {
	case inSize:
		return d.stepSize(c)
	case inExt:
		if d.line++; d.line > maxChunkLine {
			return fmt.Errorf("%w: size line over %d bytes", ErrChunk, maxChunkLine)
		}
		if c == '\n' {
			d.endSizeLine()
		}
	case afterData:
		switch c {
		case '\r':
		case '\n':
			d.state, d.line, d.digits, d.left = inSize, 0, 0, 0
		default:
			return fmt.Errorf("%w: %q after chunk data", ErrChunk, c)
		}
	case inTrailer:
		return d.stepTrailer(c)
	}
	return nil
}

func (d *Dechunker) stepSize(c byte) error {
	if v, ok := hexValue(c); ok {
		if d.digits++; d.digits > 15 {
			return fmt.Errorf("%w: size of more than 15 digits", ErrChunk)
		}
		d.left = d.left<<4 | uint64(v)
		return nil
	}
	switch {
	case d.digits == 0:
		return fmt.Errorf("%w: %q where a size was expected", ErrChunk, c)
	case c == '\n':
		d.endSizeLine()
	case c == '\r' || c == ';' || c == ' ' || c == '\t':
		d.state = inExt
	default:
		return fmt.Errorf("%w: %q in a size", ErrChunk, c)
	}
	return nil
}

func (d *Dechunker) endSizeLine() {
	d.started = true
	if d.left == 0 {
		d.state, d.lineFeed = inTrailer, true
		return
	}
	d.state = inData
}

func (d *Dechunker) stepTrailer(c byte) error {
	if c == '\n' && d.lineFeed {
		d.state = chunkDone
		return nil
	}
	if c == '\r' && d.lineFeed {
		return nil
	}
	d.lineFeed = c == '\n'
	if d.trailer = append(d.trailer, c); len(d.trailer) > maxTrailers {
		return fmt.Errorf("%w: trailers over %d bytes", ErrChunk, maxTrailers)
	}
	return nil
}

// Done tells whether the final chunk and its trailers are through.
func (d *Dechunker) Done() bool { return d.state == chunkDone }

// Started tells whether at least one chunk-size line was well formed.
func (d *Dechunker) Started() bool { return d.started }

// Trailers gives the header fields after the final chunk.
func (d *Dechunker) Trailers() Header {
	h, _ := ParseFields(nil, string(d.trailer), 1)
	return h
}

func hexValue(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
