package fetch

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"varve/web/wire"
)

// ErrLimit is returned when content goes on beyond the limit of the reader.
var ErrLimit = errors.New("content over the limit")

// Body gives the raw body, as it crossed the wire.
func (x *Exchange) Body() io.Reader {
	if b, ok := x.Response.Bytes(); ok {
		return bytes.NewReader(b[x.HeadSize:])
	}
	return io.NewSectionReader(&x.Response, int64(x.HeadSize), x.BodySize)
}

// Payload gives the body without chunked framing.
func (x *Exchange) Payload() io.Reader {
	if x.chunks {
		return wire.NewChunkReader(x.Body())
	}
	return x.Body()
}

// PayloadBytes gives the payload without copying, if it is in memory in one piece. The slice is
// valid until Release.
func (x *Exchange) PayloadBytes() ([]byte, bool) {
	b, ok := x.Response.Bytes()
	if !ok || x.chunks {
		return nil, false
	}
	return b[x.HeadSize:], true
}

// Content gives the payload without content codings, at most limit bytes of it; beyond them comes
// ErrLimit. Decoding happens while reading, so a bomb costs no more than the limit.
func (x *Exchange) Content(limit int64) (io.ReadCloser, error) {
	r, err := wire.Decode(x.Payload(), x.Head.Codings())
	if err != nil {
		return nil, err
	}
	return &limitReader{r, limit}, nil
}

// AppendContent appends the content to dst, at most limit bytes of it, and gives what there was
// also with an error. It is the quick way when buffers are reused.
func (x *Exchange) AppendContent(dst []byte, limit int64) ([]byte, error) {
	if len(x.Head.Codings()) == 0 {
		if b, ok := x.Response.Bytes(); ok {
			return x.appendPayload(dst, b[x.HeadSize:], limit)
		}
		dst = slices.Grow(dst, int(min(limit, max(0, x.Response.Size()-int64(x.HeadSize))))+1) // the read that finds the end needs room, too
	}
	r, err := x.Content(limit)
	if err != nil {
		return dst, err
	}
	defer r.Close()
	return readAppend(dst, r)
}

// appendPayload is AppendContent for what lies in memory uncoded.
func (x *Exchange) appendPayload(dst, raw []byte, limit int64) ([]byte, error) {
	end := int64(len(dst)) + limit
	over := false
	add := func(span []byte) {
		if left := end - int64(len(dst)); int64(len(span)) > left {
			span, over = span[:left], true
		}
		dst = append(dst, span...)
	}
	var err error
	if x.chunks {
		var d wire.Dechunker
		if _, err = d.Feed(raw, add); err == nil && !d.Done() {
			err = wire.ErrChunkShort
		}
	} else {
		add(raw)
	}
	if over {
		err = ErrLimit
	}
	return dst, err
}

// readAppend reads r to its end into the free room of dst, growing it as needed.
func readAppend(dst []byte, r io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

type limitReader struct {
	io.ReadCloser
	left int64
}

func (l *limitReader) Read(p []byte) (int, error) {
	if l.left > 0 {
		n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left)])
		l.left -= int64(n)
		return n, err
	}
	var probe [1]byte
	if len(p) == 0 {
		return 0, nil
	}
	if n, err := l.ReadCloser.Read(probe[:]); n == 0 {
		return 0, err
	}
	return 0, ErrLimit
}
