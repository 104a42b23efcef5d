package warc

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// drain reads a file by every depth there is and bounds the work: each record must get further.
func drain(t *testing.T, file []byte, policy Policy) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), Options{Policy: policy, Verify: true, MaxHeader: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n := 0; ; n++ {
		if n > 2*len(file)+10 {
			t.Fatalf("%d steps through %d bytes", n, len(file))
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			if _, ok := errors.AsType[*Finding](err); !ok {
				t.Fatalf("reading memory failed: %v", err)
			}
			continue
		}
		if rec.Offset < 0 || rec.Offset > int64(len(file)) {
			t.Fatalf("record at %d of %d", rec.Offset, len(file))
		}
		if n%2 == 0 {
			if c, err := rec.Content(); err == nil {
				_, _ = io.Copy(io.Discard, io.LimitReader(c, 1<<20))
				c.Close()
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	entries := randomEntries(rand.New(rand.NewPCG(41, 42)), 3)
	for _, e := range entries {
		e.Block = Bytes(e.Block.(Bytes)[:min(64, len(e.Block.(Bytes)))])
		e.Header.Set(FieldContentLength, "64")
	}
	entries = append(entries, responseWith("5\r\nhello\r\n0\r\n\r\n", "hello", true))
	for _, p := range packings(f) {
		file, _ := pack(f, p, entries)
		f.Add(file)
	}
	f.Add([]byte("WARC/1.0\nContent-Length: 3\n\nabcWARC/1.0\r\nWARC-Type: x"))
	f.Fuzz(func(t *testing.T, file []byte) {
		drain(t, file, Lenient())
		drain(t, file, Policy{})
	})
}

func FuzzArc(f *testing.F) {
	f.Add([]byte(arcFile([2]string{"http://a.org/1 192.0.2.1 20080430204826 text/html", "HTTP/1.0 200 OK\r\n\r\nx"})))
	f.Add([]byte(arcFile([2]string{"x", "y"})))
	f.Add([]byte("filedesc://x 0.0.0.0 20080430204825 text/plain 999999999999\n"))
	f.Fuzz(func(t *testing.T, file []byte) { drain(t, append([]byte("filedesc:"), file...), Lenient()) })
}

// FuzzHeader: what the reader takes as a sound record, the encoder writes back to the same bytes.
func FuzzHeader(f *testing.F) {
	f.Add("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n")
	f.Add("WARC/1.0\r\nA:b\r\n c\r\nContent-Length:0\r\n\r\n\r\n\r\n")
	f.Fuzz(func(t *testing.T, file string) {
		strict := Policy{Spec: Ignore, Digest: Ignore}
		r, err := NewReader(strings.NewReader(file), Options{Policy: strict, MaxHeader: 64 << 10})
		if err != nil || r.Compression() != Plain {
			return
		}
		enc, _ := NewEncoder(Packing{Kind: Plain})
		var out bytes.Buffer
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || rec.Version[:5] != "WARC/" {
				return // not a sound file
			}
			block, _ := io.ReadAll(rec.Block)
			if err := enc.Encode(&out, &Entry{Raw: rec.Raw, Block: Bytes(block)}); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != file && out.Len() > 0 {
			t.Errorf("got %q\nwant %q", out.String(), file)
		}
	})
}
