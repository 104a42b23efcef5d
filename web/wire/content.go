package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxCodings bounds how many content codings may be stacked, against nested bombs.
const maxCodings = 4

// maxZstdWindow is what RFC 9659 lets a server demand of a client.
const maxZstdWindow = 8 << 20

// ErrCoding is returned for a content coding that nobody here knows.
var ErrCoding = errors.New("unknown content coding")

// Decode undoes content codings, given in the order they were applied. It streams: what comes out
// is bounded by how much the caller reads, so a bomb costs no more than the caller's limit.
// Decoders are opened at the first read, so an empty body is no error.
func Decode(r io.Reader, codings []string) (io.ReadCloser, error) {
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%d content codings stacked, at most %d are undone", len(codings), maxCodings)
	}
	out := io.NopCloser(r)
	for i := len(codings) - 1; i >= 0; i-- {
		open, err := opener(codings[i])
		if err != nil {
			return nil, err
		}
		if open != nil {
			out = &lazyDecoder{src: out, open: open}
		}
	}
	return out, nil
}

type openFunc func(*bufio.Reader) (io.ReadCloser, error)

func opener(coding string) (openFunc, error) {
	switch coding {
	case "", "identity", "none", "utf-8", "binary", "8bit", "7bit":
		return nil, nil // the last ones are common mistakes and mean nothing
	case "gzip", "x-gzip":
		return openGzip, nil
	case "deflate":
		return openDeflate, nil
	case "br":
		return func(r *bufio.Reader) (io.ReadCloser, error) { return io.NopCloser(brotli.NewReader(r)), nil }, nil
	case "zstd":
		return openZstd, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrCoding, clip(coding))
}

// openGzip passes the body through when it is no gzip: servers that say gzip and send plain text
// are common, and browsers show the text.
func openGzip(r *bufio.Reader) (io.ReadCloser, error) {
	if magic, err := r.Peek(2); err == nil && (magic[0] != 0x1f || magic[1] != 0x8b) {
		return io.NopCloser(r), nil
	}
	return gzip.NewReader(r)
}

// openDeflate takes zlib as the standard says, and raw deflate as some servers do.
func openDeflate(r *bufio.Reader) (io.ReadCloser, error) {
	head, err := r.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

func openZstd(r *bufio.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

type lazyDecoder struct {
	src  io.ReadCloser
	open openFunc
	dec  io.ReadCloser
	err  error
}

func (l *lazyDecoder) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	if l.dec == nil {
		br := bufio.NewReader(l.src)
		if _, err := br.Peek(1); err != nil {
			l.err = err
			return 0, err
		}
		dec, err := l.open(br)
		if err != nil { // dec may hold a typed nil: do not keep it
			l.err = err
			return 0, err
		}
		l.dec = dec
	}
	n, err := l.dec.Read(p)
	l.err = err
	if n > 0 {
		return n, nil
	}
	return n, err
}

func (l *lazyDecoder) Close() error {
	if l.dec != nil {
		_ = l.dec.Close() // decoders only free memory here
	}
	return l.src.Close()
}
