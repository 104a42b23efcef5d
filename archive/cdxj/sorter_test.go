package cdxj

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSorter(t *testing.T) {
	for _, c := range []struct {
		lines, memory int
		unique        bool
		runs          int // at least
	}{
		{0, 0, false, 0},
		{1, 0, true, 0},
		{3000, 0, false, 0},
		{3000, minSortMemory, false, 5},
		{3000, minSortMemory, true, 5},
	} {
		lines := randomLines(c.lines, 5)
		lines = append(lines, lines[:c.lines/10]...) // some twice
		if c.lines > 1 {
			lines = append(lines, "", "a\r", "a", "\x00", "é", strings.Repeat("z", 100000))
		}
		dir := t.TempDir()
		s := NewSorter(dir, SortOptions{Memory: c.memory, Unique: c.unique})
		for _, l := range lines {
			if err := s.Add([]byte(l)); err != nil {
				t.Fatal(err)
			}
		}
		if len(s.runs) < c.runs {
			t.Errorf("%d runs, want at least %d", len(s.runs), c.runs)
		}
		slices.Sort(lines)
		if c.unique {
			lines = slices.Compact(lines)
		}
		for range 2 {
			if got := collect(t, s.Sorted()); !slices.Equal(got, lines) {
				t.Fatalf("%+v: %d lines, want %d", c, len(got), len(lines))
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("files left: %v", left)
		}
	}
}

func TestSorterManyRuns(t *testing.T) {
	s := NewSorter(t.TempDir(), SortOptions{Memory: minSortMemory})
	rnd := rand.New(rand.NewPCG(1, 1))
	var want []string
	for range 3 * maxFanIn {
		l := []byte{byte('a' + rnd.IntN(26)), byte('a' + rnd.IntN(26))}
		want = append(want, string(l))
		if err := s.Add(l); err != nil {
			t.Fatal(err)
		}
		if err := s.spill(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	for i := range 2 { // the first stops early
		n := 0
		for l, err := range s.Sorted() {
			if err != nil || string(l) != want[n] {
				t.Fatalf("line %d: %q, %v", n, l, err)
			}
			if n++; i == 0 && n == 5 {
				break
			}
		}
	}
	if len(s.runs) > maxFanIn {
		t.Errorf("%d runs after merging", len(s.runs))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestSorterErrors(t *testing.T) {
	s := NewSorter(filepath.Join(t.TempDir(), "missing"), SortOptions{Memory: minSortMemory})
	if err := s.Add([]byte("a\nb")); err == nil {
		t.Error("line end: want an error")
	}
	if err := s.Add(make([]byte, MaxLine+1)); err == nil {
		t.Error("long line: want an error")
	}
	var err error
	for range 10 {
		if err = s.Add(make([]byte, minSortMemory/2)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("missing folder: %v", err)
	}
	s = NewSorter(t.TempDir(), SortOptions{})
	if err := s.Add([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.spill(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.runs[0]); err != nil {
		t.Fatal(err)
	}
	for _, err = range s.Sorted() {
	}
	if err == nil {
		t.Error("lost run: want an error")
	}
	if err := s.Add([]byte("y")); err == nil {
		t.Error("add after the end: want an error")
	}
}

// TestSorterFeedsZipWriter is the way of an index: lines in any order, sorted, into ZipNum.
func TestSorterFeedsZipWriter(t *testing.T) {
	lines := randomLines(2000, 9)
	s := NewSorter(t.TempDir(), SortOptions{Memory: minSortMemory, Unique: true})
	for _, l := range lines {
		if err := s.Add([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	var data, idx bytes.Buffer
	w := NewZipWriter(&data, &idx, ZipOptions{Lines: 100, Name: "index.cdx.gz", WACZ: true})
	for l, err := range s.Sorted() {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteLine(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	got := collect(t, openZip(t, data.Bytes(), idx.Bytes(), "index.cdx.gz").Range("", ""))
	if !slices.Equal(got, slices.Compact(lines)) {
		t.Errorf("%d lines, want %d", len(got), len(lines))
	}
}
