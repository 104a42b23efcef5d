package history

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"varve/archive/warc"
)

func foreign(t *testing.T, bodies ...string) *warc.File {
	t.Helper()
	var b bytes.Buffer
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	for i, body := range bodies {
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:%d>", i), epoch.Add(time.Duration(i)*time.Hour), warc.Bytes("HTTP/1.1 200 OK\r\nETag: \"x\"\r\n\r\n"+body)).
			With(warc.FieldTargetURI, fmt.Sprintf("http://a.test/%d", i)).With(warc.FieldContentType, warc.ContentTypeResponse).
			With(warc.FieldPayloadDigest, "sha1:"+strings.Repeat("A", 32)) // a lie
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	f, err := warc.NewFile("x.warc.gz", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func digest(body string) Digest {
	sum := sha1.Sum([]byte(body))
	return Digest{"sha1", string(sum[:])}
}

// A file is learned once, by what its bytes are and not by what it says; a crawl's own file is not read.
func TestLearn(t *testing.T) {
	s := open(t, Config{})
	bodies := make([]string, 3*learnBatch/2)
	for i := range bodies {
		bodies[i] = fmt.Sprint("body ", i)
	}
	f := foreign(t, bodies...)
	out, err := s.Learn(t.Context(), f, "x.warc.gz")
	if err != nil || out.Known || out.Captures != int64(len(bodies)) || s.Stats().URLs != int64(len(bodies)) {
		t.Fatalf("%+v, %v, %+v", out, err, s.Stats())
	}
	for i, body := range bodies {
		ref, ok, err := s.ByDigest(digest(body))
		if err != nil || !ok || ref.ID != fmt.Sprintf("<urn:%d>", i) || ref.Location.File != "x.warc.gz" {
			t.Fatalf("%d: %+v, %v, %v", i, ref, ok, err)
		}
		rec, r, err := f.Record(ref.Place(), warc.Options{Policy: warc.Silent()})
		if err != nil || rec.ID() != ref.ID {
			t.Fatalf("%d: %v", i, err)
		}
		r.Close()
	}
	if _, ok, err := s.ByDigest(Digest{"sha1", string(make([]byte, 20))}); ok || err != nil {
		t.Errorf("the digest that the file claims: %v, %v", ok, err)
	}
	for _, name := range []string{"x.warc.gz", "the-same-captures.warc.gz"} {
		if out, err := s.Learn(t.Context(), f, name); err != nil || !out.Known || out.Captures != 0 {
			t.Errorf("%s again: %+v, %v", name, out, err)
		}
	}
	if e, ok, err := s.Lookup("http://a.test/7"); err != nil || !ok || e.ETag != `"x"` || e.Visits != 1 || e.Original.ID != "<urn:7>" {
		t.Errorf("%+v, %v, %v", e, ok, err)
	}
}

// Originals in an ARC file whose records share one gzip member are found again.
func TestLearnShared(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 67\n1 0 Owner\nURL IP-address Archive-date Content-type Archive-length\n\n\n")
	for i := range 5 {
		block := fmt.Sprintf("HTTP/1.0 200 OK\r\n\r\nbody %d", i)
		fmt.Fprintf(z, "http://a.test/%d 192.0.2.7 2008043020482%d text/html %d\n%s\n", i, i, len(block), block)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := warc.NewFile("x.arc.gz", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, Config{})
	if out, err := s.Learn(t.Context(), f, "x.arc.gz"); err != nil || out.Captures != 5 {
		t.Fatalf("%+v, %v", out, err)
	}
	ref, ok, err := s.ByDigest(digest("body 3"))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	rec, r, err := f.Record(ref.Place(), warc.Options{Policy: warc.Silent()})
	if err != nil || rec.TargetURI() != "http://a.test/3" {
		t.Fatalf("%v, %v", rec, err)
	}
	r.Close()
}
