package wacz

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"testing"
)

// sparse is a file in which only small writes are kept; all else is zeros.
type sparse struct {
	size   int64
	pieces []piece
}

type piece struct {
	at int64
	b  []byte
}

// Write appends.
func (s *sparse) Write(b []byte) (int, error) {
	if len(b) < 4<<10 {
		s.pieces = append(s.pieces, piece{s.size, slices.Clone(b)})
	}
	s.size += int64(len(b))
	return len(b), nil
}

// ReadAt gives the pieces, and zeros between them.
func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	if off >= s.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), s.size-off))
	clear(p[:n])
	for _, x := range s.pieces {
		from, to := max(off, x.at), min(off+int64(n), x.at+int64(len(x.b)))
		if from < to {
			copy(p[from-off:to-off], x.b[from-x.at:to-x.at])
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// zeros is so many bytes, given in pieces that sparse does not keep.
type zeros int64

// Read is not used: io.Copy prefers WriteTo.
func (zeros) Read([]byte) (int, error) { return 0, io.ErrNoProgress }

// WriteTo writes all.
func (z zeros) WriteTo(w io.Writer) (n int64, err error) {
	buf := make([]byte, 1<<20)
	for left := int64(z); left > 0 && err == nil; left = int64(z) - n {
		var m int
		m, err = w.Write(buf[:min(left, int64(len(buf)))])
		n += int64(m)
	}
	return n, err
}

// Entries beyond 4 GiB, and small ones behind them, are found by archive/zip where they are.
func TestZip64(t *testing.T) {
	const large = 4<<30 + 8<<10 // the last piece must be large enough not to be kept
	out := &sparse{}
	z := newZipWriter(out, testTime)
	small := []byte("small")
	add := func(name string, size int64, r io.Reader) {
		if err := z.add(zipEntry{name: name, packed: size, size: size}, r); err != nil {
			t.Fatal(err)
		}
	}
	add("archive/first.warc", 5, bytes.NewReader(small))
	add("archive/large.warc", large, zeros(large))
	add("archive/last.warc", 5, bytes.NewReader(small))
	if err := z.finish(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(out, out.size)
	if err != nil {
		t.Fatal(err)
	}
	wantAt := []int64{30 + 18, 0, 0}
	wantAt[1] = wantAt[0] + 5 + 30 + 18 + 20
	wantAt[2] = wantAt[1] + large + 30 + 17
	for i, f := range r.File {
		at, err := f.DataOffset()
		if err != nil || at != wantAt[i] || f.UncompressedSize64 != f.CompressedSize64 || !f.Modified.Equal(testTime) {
			t.Errorf("%s: at %d (%v), want %d; %d bytes; %s", f.Name, at, err, wantAt[i], f.UncompressedSize64, f.Modified)
		}
	}
	p, err := Open("x", out, out.size, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	last, err := p.Section("archive/last.warc")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(last); err != nil || string(b) != "small" {
		t.Errorf("%q, %v", b, err)
	}
	if s, err := p.Section("archive/large.warc"); err != nil || s.Size() != large {
		t.Errorf("large: %v, %v", s, err)
	}
}

// More than 65535 entries need the larger directory too.
func TestZipManyEntries(t *testing.T) {
	var out bytes.Buffer
	z := newZipWriter(&out, testTime)
	for i := range 70_000 {
		name := "logs/" + string(rune('a'+i%26)) + "/é" // names need not differ here
		if err := z.add(zipEntry{name: name}, bytes.NewReader(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.finish(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(r.File) != 70_000 || r.File[0].NonUTF8 {
		t.Errorf("%v, %d entries", err, len(r.File))
	}
}
