package tool

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"varve/archive/warc"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func testID(n int) string { return fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n) }

// testResponse makes a response with right digests.
func testResponse(n int, uri string, body []byte) *warc.Entry {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	block := append([]byte(head), body...)
	sums, _ := warc.Sum(warc.Bytes(block), int64(len(head)), false)
	return warc.New(warc.TypeResponse, testID(n), start.Add(time.Duration(n)*time.Minute), warc.Bytes(block)).
		With(warc.FieldTargetURI, uri).With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldBlockDigest, sums.Block).With(warc.FieldPayloadDigest, sums.Payload)
}

// testRevisit refers to an original by address and date.
func testRevisit(n int, original *warc.Entry) *warc.Entry {
	return warc.New(warc.TypeRevisit, testID(n), start.Add(time.Duration(n)*time.Minute), warc.Bytes("HTTP/1.1 200 OK\r\n\r\n")).
		With(warc.FieldTargetURI, original.Header.Get(warc.FieldTargetURI)).With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldProfile, warc.ProfileIdentical).With(warc.FieldPayloadDigest, original.Header.Get(warc.FieldPayloadDigest)).
		With(warc.FieldRefersToURI, original.Header.Get(warc.FieldTargetURI)).With(warc.FieldRefersToDate, original.Header.Get(warc.FieldDate))
}

// packed encodes entries and gives the ends of the records.
func packed(t testing.TB, p warc.Packing, entries ...*warc.Entry) (file []byte, ends []int64) {
	t.Helper()
	enc, err := warc.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.Write(enc.Preamble())
	for _, e := range entries {
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int64(b.Len()))
	}
	return b.Bytes(), ends
}

func input(t testing.TB, name string, file []byte) *Input {
	t.Helper()
	in, err := NewInput(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// noise does not compress, so that a few records make a large file.
func noise(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, rng.Uint64())
	}
	return b[:n]
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}
