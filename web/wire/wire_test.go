package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"varve/lab/attack"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

func TestParseHead(t *testing.T) {
	tests := []struct {
		name, in string
		want     Head
		err      error
	}{
		{
			name: "response", in: "HTTP/1.1 200 OK\r\nA: 1\r\na:  2 \r\n\r\nbody",
			want: Head{Proto: "HTTP/1.1", Status: 200, Reason: "OK", Header: Header{{"A", "1"}, {"a", "2"}}, Size: 33},
		},
		{
			name: "bare line feeds", in: "HTTP/1.0 404 Not Found\nX: y\n\nb",
			want: Head{Proto: "HTTP/1.0", Status: 404, Reason: "Not Found", Header: Header{{"X", "y"}}, Size: 29},
		},
		{
			name: "no reason", in: "HTTP/1.1 204\r\n\r\n",
			want: Head{Proto: "HTTP/1.1", Status: 204, Header: Header{}, Size: 16},
		},
		{
			name: "request with a space in its target", in: "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
			want: Head{Proto: "HTTP/1.1", Method: "GET", Target: "/a b", Header: Header{{"Host", "x"}}, Size: 30},
		},
		{
			name: "folded, no colon, space before colon", in: "HTTP/1.1 200 OK\r\nA: 1\r\n  2\r\njunk\r\nB : 3\r\n\r\n",
			want: Head{
				Proto: "HTTP/1.1", Status: 200, Reason: "OK", Header: Header{{"A", "1 2"}, {"B", "3"}}, Size: 43,
				Problems: []Problem{{3, "folded header line"}, {4, "header line without a name and colon"}, {5, "space before the colon"}},
			},
		},
		{
			name: "no blank line", in: "HTTP/1.1 200 OK\r\nA: 1\r\n",
			want: Head{
				Proto: "HTTP/1.1", Status: 200, Reason: "OK", Header: Header{{"A", "1"}}, Size: 23,
				Problems: []Problem{{1, "head without a blank line at its end"}},
			},
		},
		{name: "not HTTP", in: "<html>", err: ErrNoHead},
		{name: "bad status", in: "HTTP/1.1 abc OK\r\n\r\n", err: ErrNoHead},
		{name: "empty", in: "", err: ErrNoHead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseHead([]byte(tt.in))
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err == nil && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestHeaderSetKeepsPlaceAndDropsRepeats(t *testing.T) {
	h := Header{{"A", "1"}, {"B", "2"}, {"a", "3"}, {"C", "4"}}
	h.Set("A", "9")
	if want := (Header{{"A", "9"}, {"B", "2"}, {"C", "4"}}); !reflect.DeepEqual(h, want) {
		t.Errorf("got %v want %v", h, want)
	}
}

func TestChunkReader(t *testing.T) {
	tests := []struct {
		name, in, want string
		err            error
		framed         bool
	}{
		{"plain chunks", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", nil, true},
		{"extension, capital hex, LF only", "A;x=y\n0123456789\n0\n\n", "0123456789", nil, true},
		{"trailers", "1\r\na\r\n0\r\nT: v\r\n\r\n", "a", nil, true},
		{"empty", "0\r\n\r\n", "", nil, true},
		{"not chunked after all", "<html>hello</html>", "<html>hello</html>", nil, false},
		{"not chunked, starts like hex", "face the music", "face the music", nil, false},
		{"only digits", "abc", "abc", nil, false},
		{"ends early in data", "5\r\nab", "ab", ErrChunkShort, true},
		{"ends before the last chunk", "2\r\nab\r\n", "ab", ErrChunkShort, true},
		{"junk after data", "2\r\nabX", "ab", ErrChunk, true},
		{"nothing", "", "", nil, false},
	}
	for _, tt := range tests {
		for _, one := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/byByte=%v", tt.name, one), func(t *testing.T) {
				var src io.Reader = strings.NewReader(tt.in)
				if one {
					src = iotest.OneByteReader(src)
				}
				c := NewChunkReader(src)
				got, err := io.ReadAll(c)
				if string(got) != tt.want || !errors.Is(err, tt.err) || c.Framed() != tt.framed {
					t.Errorf("got %q, %v, framed %v; want %q, %v, %v", got, err, c.Framed(), tt.want, tt.err, tt.framed)
				}
			})
		}
	}
}

func TestTrailersAreKept(t *testing.T) {
	c := NewChunkReader(strings.NewReader("1\r\na\r\n0\r\nT: v\r\nU: w\r\n\r\nnext"))
	if _, err := io.ReadAll(c); err != nil {
		t.Fatal(err)
	}
	if got, want := c.Trailers(), (Header{{"T", "v"}, {"U", "w"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v want %v", got, want)
	}
}

// encode applies one coding, for the round trip.
func encode(t *testing.T, coding string, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&buf)
	case "deflate":
		w = zlib.NewWriter(&buf)
	case "rawdeflate":
		w, _ = flate.NewWriter(&buf, 6)
	case "br":
		w = brotli.NewWriter(&buf)
	case "zstd":
		w, _ = zstd.NewWriter(&buf)
	default:
		return b
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestDecode(t *testing.T) {
	text := []byte(strings.Repeat("the quick brown fox ", 500))
	for _, stack := range [][]string{{"gzip"}, {"deflate"}, {"br"}, {"zstd"}, {"identity"}, {"gzip", "br"}, {"zstd", "gzip", "deflate"}} {
		b := text
		for _, c := range stack {
			b = encode(t, c, b)
		}
		checkDecode(t, b, stack, text)
	}
	checkDecode(t, encode(t, "rawdeflate", text), []string{"deflate"}, text)
	checkDecode(t, text, []string{"gzip"}, text) // says gzip, is plain
	checkDecode(t, nil, []string{"gzip"}, nil)   // empty body
}

func checkDecode(t *testing.T, b []byte, stack []string, want []byte) {
	t.Helper()
	r, err := Decode(bytes.NewReader(b), stack)
	if err != nil {
		t.Fatalf("%v: %v", stack, err)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %d bytes, %v; want %d", stack, len(got), err, len(want))
	}
}

func TestDecodeRefuses(t *testing.T) {
	if _, err := Decode(nil, []string{"sdch"}); !errors.Is(err, ErrCoding) {
		t.Errorf("unknown coding: %v", err)
	}
	if _, err := Decode(nil, []string{"gzip", "gzip", "gzip", "gzip", "gzip"}); err == nil {
		t.Error("five codings: want an error")
	}
}

// A bomb of 100 MB costs what the caller reads and no more.
func TestDecodeBombIsBoundedByTheReader(t *testing.T) {
	tally := attack.Count(t)
	for _, codings := range [][]string{{"gzip"}, {"deflate"}, {"br"}, {"zstd"}, {"gzip", "gzip"}, {"deflate", "br"}, {"zstd", "gzip"}} {
		tally.Try(1)
		b := make([]byte, 16<<20)
		for _, c := range codings {
			b = encode(t, c, b)
		}
		r, err := Decode(bytes.NewReader(b), codings)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		if n != 1<<20 || err != nil {
			t.Errorf("%v: read %d, %v", codings, n, err)
		}
		_ = r.Close()
	}
}

func FuzzHead(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nA: 1\r\n b\r\n\r\nx"))
	f.Add([]byte("POST /a b HTTP/1.0\nA : 1\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHead(b)
		if err != nil {
			return
		}
		if h.Size > len(b) || h.IsResponse() && h.Target != "" || !h.IsResponse() && h.Status != 0 {
			t.Errorf("size %d of %d: %+v", h.Size, len(b), h)
		}
	})
}

// FuzzChunked: the pull reader and the push machine agree however the input is cut.
func FuzzChunked(f *testing.F) {
	f.Add([]byte("3\r\nabc\r\n0\r\n\r\n"))
	f.Add([]byte("fffffffffffffff\r\nabc"))
	f.Add([]byte("zz"))
	f.Fuzz(func(t *testing.T, b []byte) {
		whole, errWhole := io.ReadAll(NewChunkReader(bytes.NewReader(b)))
		parts, errParts := io.ReadAll(NewChunkReader(iotest.OneByteReader(bytes.NewReader(b))))
		if !bytes.Equal(whole, parts) || (errWhole == nil) != (errParts == nil) {
			t.Errorf("whole %q %v, by byte %q %v", whole, errWhole, parts, errParts)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x1f, 0x8b, 8, 0}, 0)
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0}, 3)
	f.Fuzz(func(t *testing.T, b []byte, which int) {
		coding := []string{"gzip", "deflate", "br", "zstd"}[uint(which)%4]
		r, err := Decode(bytes.NewReader(b), []string{coding})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	})
}
