package smallgz

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
)

// sample is a metadata record with n outlinks.
func sample(n int) []byte {
	var b strings.Builder
	b.WriteString("WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:3b0c8a0e-5f0f-4c44-9a54-6f3f5a3c9e10>\r\n" +
		"WARC-Date: 2026-11-15T05:21:13.930412Z\r\nContent-Length: 2116\r\nWARC-Target-URI: http://flat.sim.test/pages/17\r\n" +
		"Content-Type: application/warc-fields\r\nWARC-Concurrent-To: <urn:uuid:0d6e4f3a-1c59-4f3a-8f6e-02a1b8f6a1aa>\r\n\r\n" +
		"via: http://flat.sim.test/\r\nhopsFromSeed: L\r\nfetchTimeMs: 1\r\n")
	for i := range n {
		fmt.Fprintf(&b, "outlink: http://flat.sim.test/section%d/%x L a-href %q\r\n", i%7, i*7919%65521, "Some words "+fmt.Sprint(i*31%97))
	}
	return []byte(b.String() + "\r\n\r\n")
}

// check packs a text and reads it back with the standard library.
func check(t *testing.T, p *Packer, text []byte) {
	t.Helper()
	out, ok := p.Append([]byte("before"), text)
	if !ok {
		if string(out) != "before" {
			t.Fatal("refused, and appended")
		}
		if len(text) <= MaxSize && plain(text) {
			t.Fatal("refused a plain text")
		}
		return
	}
	src := bytes.NewReader(out[len("before"):])
	r, err := gzip.NewReader(src)
	if err != nil {
		t.Fatal(err)
	}
	r.Multistream(false)
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, text) || src.Len() != 0 {
		t.Fatalf("%d bytes came back of %d, %d left over: %v", len(got), len(text), src.Len(), err)
	}
}

func TestAppend(t *testing.T) {
	var p Packer
	for n := range 80 {
		check(t, &p, sample(n))
	}
	for n := range 600 {
		check(t, &p, bytes.Repeat([]byte("a"), n))
	}
	check(t, &p, bytes.Repeat([]byte("abcd\r\n"), MaxSize/6))
	check(t, &p, bytes.Repeat([]byte("x"), MaxSize+1))
	check(t, &p, []byte("nicht schön"))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 { // every byte, every length, every distance
		text := make([]byte, rng.IntN(MaxSize))
		for i := range text {
			text[i] = byte(' ' + rng.IntN(95))
		}
		for range rng.IntN(30) {
			if n := rng.IntN(300); 2*n < len(text) {
				copy(text[rng.IntN(len(text)-n):], text[:n])
			}
		}
		check(t, &p, text)
	}
}

func FuzzAppend(f *testing.F) {
	f.Add(sample(3))
	f.Add([]byte("aaaaaaaaaaaaaaaa"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var p Packer
		check(t, &p, text)
	})
}

// The size is about that of the general compressor.
func TestSize(t *testing.T) {
	var p Packer
	for _, n := range []int{0, 2, 5, 8, 20, 40} {
		text := sample(n)
		ours, _ := p.Append(nil, text)
		var theirs bytes.Buffer
		z, _ := kgzip.NewWriterLevel(&theirs, 6)
		_, _ = z.Write(text)
		_ = z.Close()
		t.Logf("%d bytes: %d, general %d", len(text), len(ours), theirs.Len())
		if len(ours) > theirs.Len()*5/4 {
			t.Errorf("%d bytes of %d; the general compressor needs %d", len(ours), len(text), theirs.Len())
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{0, 25} {
		text := sample(n)
		b.Run(fmt.Sprintf("small/%d", len(text)), func(b *testing.B) {
			var p Packer
			var out []byte
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				out, _ = p.Append(out[:0], text)
			}
		})
		b.Run(fmt.Sprintf("general/%d", len(text)), func(b *testing.B) {
			var out bytes.Buffer
			z, _ := kgzip.NewWriterLevel(&out, 6)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				out.Reset()
				z.Reset(&out)
				_, _ = z.Write(text)
				_ = z.Close()
			}
		})
	}
}
