package cdx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
)

// tenths writes a WARC file with captures of one page, at tenths of one second, each with its tenth as content.
func tenths(t testing.TB, dir, name string, which ...int) File {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, n := range which {
		at := time.Date(2020, 1, 1, 0, 0, 0, n*int(100*time.Millisecond), time.UTC)
		block := fmt.Sprintf("HTTP/1.1 %d OK\r\nContent-Type: text/html\r\n\r\n%d", 299-n, n) // by their text, lines would stand in the opposite order
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:%s-%d>", name, n), at, warc.Bytes(block)).
			With(warc.FieldTargetURI, "http://example.com/").With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return File{Name: name, Path: path, Kind: KindWARC}
}

// order gives the tenths of captures as a query has them.
func order(t testing.TB, fsys vfs.FS, q Query, near *time.Time) (out []int) {
	t.Helper()
	ix, err := OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	list := ix.Query(t.Context(), q)
	if near != nil {
		list = ix.Nearest(t.Context(), q, *near)
	}
	for r, err := range list {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, 299-r.Status)
	}
	return out
}

// Captures of one second stand in the order of their fractions, wherever they lie and in whatever order they were written.
func TestOrderWithinASecond(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	b := builder(t, fsys, Config{NoMerge: true})
	defer b.Close()
	refresh(t, b, tenths(t, dir, "a.warc.gz", 9, 7, 5, 3, 1))
	refresh(t, b, File{Name: "a.warc.gz", Path: filepath.Join(dir, "a.warc.gz"), Kind: KindWARC}, tenths(t, dir, "b.warc.gz", 8, 6, 4, 2, 0))
	for range 2 {
		q := Query{URL: "http://example.com/"}
		if got := order(t, fsys, q, nil); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("in time: %v", got)
		}
		q.Reverse = true
		if got := order(t, fsys, q, nil); !slices.Equal(got, []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}) {
			t.Errorf("back: %v", got)
		}
		q.Reverse = false
		second := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		for at, want := range map[time.Duration][]int{
			0:                       {0, 1, 2, 3},
			time.Hour:               {9, 8, 7, 6},
			-time.Hour:              {0, 1, 2, 3},
			420 * time.Millisecond:  {4, 5, 3, 6},
			999 * time.Millisecond:  {9, 8, 7, 6},
			1999 * time.Millisecond: {9, 8, 7, 6},
		} {
			near := second.Add(at)
			q.Limit = 4
			if got := order(t, fsys, q, &near); !slices.Equal(got, want) {
				t.Errorf("nearest to %s: %v, want %v", at, got, want)
			}
		}
		if err := b.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// older makes an index of the format before that of today.
func older(t testing.TB, fsys vfs.FS, cfg Config) *Builder {
	t.Helper()
	b := builder(t, fsys, cfg)
	b.man.Version = FormatVersion - 1
	if err := b.commitLocked(true); err != nil {
		t.Fatal(err)
	}
	return b
}

// An index of the format before answers and takes new files, until the new one is whole; then that is what one makes from nothing.
func TestRenew(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	one, two, three := tenths(t, dir, "a.warc.gz", 9, 7, 5, 3, 1), tenths(t, dir, "b.warc.gz", 8, 6), tenths(t, dir, "c.warc.gz", 4, 2, 0)
	b := older(t, fsys, Config{BatchLines: 1})
	refresh(t, b, one)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = builder(t, fsys, Config{BatchLines: 1})
	refresh(t, b, one, two)
	ix, err := OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	state := func() (lines int64, format int) {
		s, err := ix.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return s.Lines, s.Format
	}
	if lines, format := state(); lines != 7 || format != FormatVersion-1 || !b.Older() {
		t.Fatalf("%d lines of format %d", lines, format)
	}
	for line := range ix.Lines(t.Context(), Query{}) {
		if strings.Contains(string(line), "within") {
			t.Errorf("a line of the older format knows what it cannot: %s", line)
		}
	}
	// It is stopped in the middle: the old one answers, and what was done is not done again.
	ctx, stop := context.WithCancel(t.Context())
	seen := int64(0)
	rep, err := b.Renew(ctx, []File{one, two, three}, func(done, total int64) {
		if lines, format := state(); lines != 7 || format != FormatVersion-1 {
			t.Errorf("while it is renewed: %d lines of format %d", lines, format)
		}
		if seen = done; done >= size(t, one)+size(t, two) {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || seen == 0 || rep.Added == 0 {
		t.Fatalf("stopped: %+v %v after %d", rep, err, seen)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = builder(t, fsys, Config{BatchLines: 1})
	if lines, format := state(); lines != 7 || format != FormatVersion-1 || !b.Older() {
		t.Fatalf("%d lines of format %d", lines, format)
	}
	refresh(t, b, one, two, three)
	rep, err = b.Renew(t.Context(), []File{one, two, three}, nil)
	if err != nil || rep.Unchanged < 1 || rep.Added > 2 {
		t.Fatalf("gone on with: %+v %v", rep, err)
	}
	if lines, format := state(); lines != 10 || format != FormatVersion || b.Older() {
		t.Fatalf("%d lines of format %d", lines, format)
	}
	if got := order(t, fsys, Query{URL: "http://example.com/"}, nil); !slices.IsSorted(got) || len(got) != 10 {
		t.Errorf("order %v", got)
	}
	if rep := refresh(t, b, one, two, three); rep.Unchanged != 3 {
		t.Errorf("after it: %+v", rep)
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := fsys.List("ix")
	if err != nil || len(names) != 1+len(runFiles) {
		t.Errorf("left behind: %v %v", names, err)
	}
}

func size(t testing.TB, f File) int64 {
	t.Helper()
	info, err := os.Stat(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// A file that cannot be read now and whose captures the older index has keeps the new one from taking its place.
func TestRenewKeepsCaptures(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	one, two := tenths(t, dir, "a.warc.gz", 1), tenths(t, dir, "b.warc.gz", 2)
	b := older(t, fsys, Config{})
	defer b.Close()
	refresh(t, b, one, two)
	if err := os.Rename(two.Path, two.Path+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Renew(t.Context(), []File{one, two}, nil); err == nil || !strings.Contains(err.Error(), "b.warc.gz") || !b.Older() {
		t.Errorf("%v", err)
	}
	if got := order(t, fsys, Query{}, nil); len(got) != 2 {
		t.Errorf("the older one has %v", got)
	}
	if err := os.Rename(two.Path+".away", two.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Renew(t.Context(), []File{one, two}, nil); err != nil || b.Older() {
		t.Error(err)
	}
}

// Formats that are neither today's nor the one before are refused by readers, and built anew by builders.
func TestOtherFormats(t *testing.T) {
	for _, version := range []int{0, FormatVersion + 1} {
		dir, fsys := t.TempDir(), vfs.NewMem()
		one := tenths(t, dir, "a.warc.gz", 1)
		b := builder(t, fsys, Config{})
		refresh(t, b, one)
		b.man.Version = version
		if err := errors.Join(b.commitLocked(true), b.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenIn(fsys, "ix"); !errors.Is(err, ErrVersion) {
			t.Errorf("format %d: %v", version, err)
		}
		told := ""
		b = builder(t, fsys, Config{OnProblem: func(s string) { told += s }})
		if rep := refresh(t, b, one); rep.Added != 1 || !strings.Contains(told, "built anew") {
			t.Errorf("format %d: %+v %q", version, rep, told)
		}
		b.Close()
	}
}
