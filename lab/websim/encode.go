package websim

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// accepts tells whether an Accept-Encoding header allows an encoding (RFC 9110 12.5.3). Without the
// header nothing but identity is sent.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.TrimSpace(name)
		if !strings.EqualFold(name, encoding) && name != "*" {
			continue
		}
		q, given := strings.CutPrefix(strings.TrimSpace(params), "q=")
		if !given {
			return true
		}
		x, err := strconv.ParseFloat(q, 64)
		return err != nil || x > 0
	}
	return false
}

// encode compresses a body. Writing to memory does not fail.
func encode(b []byte, encoding string) []byte {
	var out bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "br":
		w = brotli.NewWriterLevel(&out, 4)
	default:
		return b
	}
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}
