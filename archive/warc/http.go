package warc

import (
	"bytes"
	"fmt"
	"io"

	"varve/web/wire"
)

// HTTP is the HTTP message in a block: its head, and its body in three depths.
type HTTP struct {
	wire.Head
	raw io.Reader
}

// HTTP parses the head of the HTTP message in the block and leaves the body to be streamed. If
// the block holds none, the error is ErrNoHTTP and Block still gives all bytes.
func (r *Record) HTTP() (*HTTP, error) {
	head, rest, err := readHead(r.Block, r.length)
	if err != nil {
		r.Block = io.MultiReader(bytes.NewReader(rest), r.Block)
		return nil, err
	}
	return &HTTP{Head: head, raw: io.MultiReader(bytes.NewReader(rest), r.Block)}, nil
}

// readHead reads from the block until the head is complete. rest is what it read beyond the
// head, or all it read if there is no head. length is that of the block, 0 if it is not known.
func readHead(block io.Reader, length int64) (head wire.Head, rest []byte, err error) {
	size := int64(4 << 10)
	if length > 0 {
		size = min(size, length+1) // most requests are short; one more, so that the end is seen
	}
	buf := make([]byte, 0, size)
	for {
		if len(buf) == cap(buf) {
			if len(buf) >= maxHTTPHead {
				return wire.Head{}, buf, fmt.Errorf("%w: head over %d bytes", ErrNoHTTP, maxHTTPHead)
			}
			buf = append(buf, make([]byte, len(buf))...)[:len(buf)]
		}
		n, readErr := block.Read(buf[len(buf):cap(buf)])
		from := max(0, len(buf)-3)
		buf = buf[:len(buf)+n]
		if len(buf) > 0 && !startsHTTP(buf) {
			return wire.Head{}, buf, ErrNoHTTP
		}
		if readErr != nil || wire.HeadEnd(buf[from:]) >= 0 {
			head, err := wire.ParseHead(buf)
			if err != nil {
				return wire.Head{}, buf, fmt.Errorf("%w: %w", ErrNoHTTP, err)
			}
			return head, buf[head.Size:], nil
		}
	}
}

// Body gives the body as it crossed the wire, chunk framing included.
func (h *HTTP) Body() io.Reader { return h.raw }

// Payload gives the body without transfer coding. Many files hold bodies that were dechunked
// under a header that still says chunked: these are passed through.
func (h *HTTP) Payload() io.Reader {
	if h.Chunked() {
		return wire.NewChunkReader(h.raw)
	}
	return h.raw
}

// Content gives the payload without content codings (gzip, deflate, br, zstd). It streams: limit
// what you read, since a small payload can unpack to a huge content.
func (h *HTTP) Content() (io.ReadCloser, error) { return wire.Decode(h.Payload(), h.Codings()) }

// Content gives what a record is about, with all codings removed: the content of its HTTP
// message, or its block if it holds none.
func (r *Record) Content() (io.ReadCloser, error) {
	if !r.IsHTTP() {
		return io.NopCloser(r.Block), nil
	}
	h, err := r.HTTP()
	if err != nil {
		return io.NopCloser(r.Block), nil //nolint:nilerr // the block is the content then
	}
	return h.Content()
}
