package warc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

// seen is what both ways of reading must agree on.
func seen(rec *Record) (string, error) {
	block, err := io.ReadAll(rec.Block)
	s := fmt.Sprintf("%d+%d %s %x %v", rec.Offset, rec.Inner, rec.ID(), len(block), err)
	return s, nil
}

func sequential(t *testing.T, file []byte) []string {
	t.Helper()
	var out []string
	opts := Options{Name: "f", Policy: Lenient(), Verify: true, OnFinding: func(f Finding) { out = append(out, f.Error()) }}
	r, err := NewReader(bytes.NewReader(file), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		s, _ := seen(rec)
		out = append(out, s)
		if _, err := rec.Finish(); err != nil {
			t.Fatal(err)
		}
	}
}

func inParallel(t *testing.T, file []byte, size int64, workers int) []string {
	t.Helper()
	f, err := NewFile("f", bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	opts := Options{Name: "f", Policy: Lenient(), Verify: true, OnFinding: func(f Finding) { out = append(out, f.Error()) }}
	s := &scan[string]{file: f, opts: opts, each: seen, size: size, arc: isArc(f.src)}
	if err := s.run(context.Background(), workers, func(v string) error { out = append(out, v); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// Scanning in pieces gives what reading in sequence gives: for sound files of every packing and
// piece size, and for files with records larger than a piece.
func TestScanEqualsSequence(t *testing.T) {
	for name, p := range packings(t) {
		entries := randomEntries(rand.New(rand.NewPCG(21, 22)), 60)
		file, _ := pack(t, p, entries)
		want := sequential(t, file)
		for _, size := range []int64{500, 9000, 1 << 20} {
			if got := inParallel(t, file, size, 3); !slices.Equal(got, want) {
				t.Errorf("%s in pieces of %d: %d results, want %d", name, size, len(got), len(want))
			}
		}
	}
}

// A payload that is itself a packed WARC file, stored without further compression, holds member
// starts that are none: the scan must not be fooled.
func TestScanIsNotFooledByMembersInPayloads(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	inner, _ := pack(t, Packing{Kind: Gzip}, randomEntries(rng, 40))
	outer := randomEntries(rng, 20)
	for i := range outer {
		if i%3 == 0 {
			outer[i] = New(TypeResource, fmt.Sprintf("<urn:outer:%d>", i), testDate, Bytes(inner)).With(FieldTargetURI, "http://a/inner.warc.gz")
		}
	}
	file, _ := pack(t, Packing{Kind: Gzip, Level: 1}, outer)
	want := sequential(t, file)
	for _, size := range []int64{1000, 20_000} {
		if got := inParallel(t, file, size, 4); !slices.Equal(got, want) {
			t.Errorf("pieces of %d: %d results, want %d", size, len(got), len(want))
		}
	}
}

// Damaged files: the same records are found. (Where several members in a row are broken, the two
// ways may describe the same damage by different findings.)
func TestScanFindsTheSameRecordsInDamagedFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for trial := range 25 {
		entries := randomEntries(rng, 40)
		file, _ := pack(t, Packing{Kind: Gzip}, entries)
		for range 3 {
			file[rng.IntN(len(file))] ^= byte(1 + rng.IntN(255))
		}
		want, got := sequential(t, file), inParallel(t, file, 3000, 3)
		if !slices.Equal(want, got) {
			t.Fatalf("trial %d:\n%v\nwant\n%v", trial, got, want)
		}
	}
}

// The scan ends early when emit or each fails, or when it is cancelled.
func TestScanStops(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(27, 28)), 200)
	file, _ := pack(t, Packing{Kind: Gzip}, entries)
	f, _ := NewFile("f", bytes.NewReader(file), int64(len(file)))
	stop := errors.New("enough")
	n := 0
	s := &scan[int]{file: f, opts: Options{Policy: Silent()}, each: func(*Record) (int, error) { return 0, nil }, size: 500}
	err := s.run(context.Background(), 4, func(int) error {
		if n++; n == 20 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 20 {
		t.Errorf("emit error: %v after %d", err, n)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	if err := s.run(ctx, 4, func(int) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	bad := errors.New("bad record")
	s.each = func(*Record) (int, error) { return 0, bad }
	if err := s.run(context.Background(), 4, func(int) error { return nil }); !errors.Is(err, bad) {
		t.Errorf("error of each: %v", err)
	}
}
