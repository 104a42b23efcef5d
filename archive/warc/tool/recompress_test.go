package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/klauspost/compress/zstd"

	"varve/archive/warc"
)

func recompressed(t *testing.T, in *Input, p warc.Packing) ([]byte, RecompressReport, error) {
	t.Helper()
	var out bytes.Buffer
	rep, err := Recompress(context.Background(), in, p, nil, &out)
	if err == nil {
		err = rep.Verify(bytes.NewReader(out.Bytes()))
	}
	return out.Bytes(), rep, err
}

// Every packing to every other and back to plain gives the bytes we started from.
func TestRecompressRoundTrip(t *testing.T) {
	entries := []*warc.Entry{
		testResponse(1, "http://example.com/", bytes.Repeat([]byte("hello "), 1000)),
		testResponse(2, "http://example.com/big", noise(2, 300_000)),
		testResponse(3, "http://example.com/empty", nil),
	}
	dict := testDictionary(t)
	plain, _ := packed(t, warc.Packing{Kind: warc.Plain}, entries...)
	packings := []warc.Packing{{Kind: warc.Plain}, {Kind: warc.Gzip, Level: 9}, {Kind: warc.Zstd}, {Kind: warc.Zstd, Dictionary: dict}}
	for i, from := range packings {
		first, _ := packed(t, from, entries...)
		for j, to := range packings {
			second, rep, err := recompressed(t, input(t, "a", first), to)
			if err != nil {
				t.Fatalf("%d to %d: %v", i, j, err)
			}
			back, _, err := recompressed(t, &Input{Name: "-", Stream: pipe{bytes.NewReader(second)}}, warc.Packing{Kind: warc.Plain})
			if err != nil || !bytes.Equal(back, plain) {
				t.Errorf("%d to %d and back: %v, the same: %v", i, j, err, bytes.Equal(back, plain))
			}
			if rep.Records != 3 || rep.Raw != int64(len(plain)) || rep.After != int64(len(second)) || rep.Before != int64(len(first)) {
				t.Errorf("%+v", rep)
			}
		}
	}
}

func testDictionary(t *testing.T) []byte {
	t.Helper()
	var samples [][]byte
	for i := range 20 {
		samples = append(samples, fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-%d: hello hello\r\n\r\nhello %d hello", i, i*i))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 1, Contents: samples, History: samples[0], Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return dict
}

func TestRecompressRefuses(t *testing.T) {
	good, _ := packed(t, warc.Packing{}, testResponse(1, "http://example.com/", []byte("hello")), testResponse(2, "http://example.com/", []byte("hello")))
	plain, _ := packed(t, warc.Packing{Kind: warc.Plain}, testResponse(1, "http://example.com/", []byte("hello")))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-30] ^= 0xff
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"cut off":     {good[:len(good)-20], ErrNotExact},
		"broken":      {flipped, ErrNotExact},
		"record end":  {plain[:len(plain)-2], ErrNotExact},
		"surplus end": {append(bytes.Clone(plain), "\r\n"...), ErrNotExact},
		"ARC":         {[]byte("filedesc://x 0.0.0.0 20080102030405 text/plain 3\nabc\n"), ErrArc},
		"text":        {[]byte("Dear archive"), ErrNotExact},
		"nothing":     {nil, ErrNotExact},
	} {
		if _, _, err := recompressed(t, input(t, name, c.file), warc.Packing{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A byte that changes between packing and reading again is found.
func TestVerifyFindsChange(t *testing.T) {
	plain, _ := packed(t, warc.Packing{Kind: warc.Plain}, testResponse(1, "http://example.com/", []byte("hello")))
	out, rep, err := recompressed(t, input(t, "a", plain), warc.Packing{Kind: warc.Plain})
	if err != nil {
		t.Fatal(err)
	}
	out[len(out)/2] ^= 1
	if err := rep.Verify(bytes.NewReader(out)); !errors.Is(err, ErrChanged) {
		t.Errorf("a changed byte was not found: %v", err)
	}
}

var errFull = errors.New("no space left")

type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A full disk is told as such, not as damage in the source.
func TestRecompressFullDisk(t *testing.T) {
	file, _ := packed(t, warc.Packing{}, testResponse(1, "http://example.com/", noise(1, 100_000)))
	for _, left := range []int{0, 50_000} {
		_, err := Recompress(context.Background(), input(t, "a", file), warc.Packing{}, nil, &fullDisk{left})
		if !errors.Is(err, errFull) || errors.Is(err, ErrNotExact) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
}
