package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// fields makes a header of name and value pairs.
func fields(pairs ...string) Header {
	var h Header
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

// The four steps, each the first that can succeed.
func TestResolve(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC) }
	in := NewMemoryOriginals()
	digest := "sha1:" + strings.Repeat("A", 32)
	for i, d := range []int{1, 5, 9} {
		in.Add(Ref{RecordID: fmt.Sprintf("<urn:o:%d>", i), URI: "http://a/", Key: "a)/", Date: day(d), Digest: digest})
	}
	in.Add(Ref{RecordID: "<urn:other>", URI: "http://b/", Key: "b)/", Date: day(2), Digest: "sha1:" + strings.Repeat("B", 32)})
	tests := []struct {
		name   string
		fields Header
		id     string
		step   Step
	}{
		{"by record id", fields(FieldRefersTo, "<urn:o:2>", FieldRefersToURI, "http://a/", FieldRefersToDate, "2026-01-01"), "<urn:o:2>", StepRecordID},
		{"id is gone, by URI and date", fields(FieldRefersTo, "<urn:gone>", FieldRefersToURI, "http://a/", FieldRefersToDate, "2026-01-05T00:00:00Z"), "<urn:o:1>", StepURIDate},
		{"date only", fields(FieldRefersToDate, "2026-01-05T00:00:00Z"), "<urn:o:1>", StepURIDate},
		{"nearest earlier with the digest", fields(FieldPayloadDigest, "sha1:"+strings.Repeat("a", 32)), "<urn:o:1>", StepKeyDigest},
		{"any URI with the digest", fields(FieldPayloadDigest, "sha1:"+strings.Repeat("B", 32)), "<urn:other>", StepDigest},
		{"nothing fits", fields(FieldPayloadDigest, "sha1:"+strings.Repeat("C", 32)), "", ""},
		{"nothing to go by", fields(), "", ""},
	}
	for _, tt := range tests {
		rec := &Record{Header: append(fields(FieldType, TypeRevisit, FieldTargetURI, "http://a/", FieldDate, "2026-01-08"), tt.fields...)}
		ref, step, ok := Resolve(rec, "a)/", in)
		if ref.RecordID != tt.id || step != tt.step || ok != (tt.id != "") {
			t.Errorf("%s: %s by %q, want %s by %q", tt.name, ref.RecordID, step, tt.id, tt.step)
		}
	}
}

func TestSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	whole := randomEntries(rng, 1)[0]
	block := bytes.Repeat([]byte("0123456789"), 1000)
	whole.Block = Bytes(block)
	whole.Header.Set(FieldContentLength, fmt.Sprint(len(block)))
	segs, err := Split(whole, 999, func() (string, error) { return NewID(source{rng}) })
	if err != nil || len(segs) != 11 {
		t.Fatalf("%d segments, %v", len(segs), err)
	}
	file, offsets := pack(t, Packing{Kind: Gzip}, segs)
	if _, findings := readAll(t, bytes.NewReader(file), Options{Policy: Lenient()}); len(findings) > 0 {
		t.Errorf("findings in segments: %v", findings)
	}
	f, _ := NewFile("f", bytes.NewReader(file), int64(len(file)))
	open := func(n int) (*Record, error) {
		if n > len(offsets) {
			return nil, io.ErrUnexpectedEOF
		}
		r, err := f.ReaderAt(offsets[n-1], Options{})
		if err != nil {
			return nil, err
		}
		return r.Next()
	}
	got, err := io.ReadAll(Join(open))
	if err != nil || !bytes.Equal(got, block) {
		t.Errorf("joined %d bytes, %v", len(got), err)
	}
	missing := func(n int) (*Record, error) { return open(n + n/3) } // the third is skipped
	if _, err := io.ReadAll(Join(missing)); err == nil || !strings.Contains(err.Error(), "segment 3") {
		t.Errorf("a gap gave %v", err)
	}
}

func TestHTTPLayer(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a\r\nset-cookie: b\r\n\r\n"
	e := New(TypeResponse, "<urn:x:1>", testDate, Bytes(head+"3\r\nabc\r\n0\r\n\r\n")).With(FieldTargetURI, "http://a/").With(FieldContentType, ContentTypeResponse)
	file, _ := pack(t, Packing{}, []*Entry{e})
	r, err := NewReader(bytes.NewReader(file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	h, err := rec.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	c, err := h.Content()
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(c)
	if h.Status != 200 || h.MediaType() != "text/html" || len(h.Header.Values("Set-Cookie")) != 2 || string(body) != "abc" || err != nil {
		t.Errorf("%+v %q %v", h.Head, body, err)
	}
}
