package serve

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/index/temporal"
	"varve/web/canon"
)

// openBelow counts the files below a directory that this process has open.
func openBelow(t *testing.T, dir string) (n int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("needs /proc:", err)
	}
	for _, f := range list {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", f.Name())); err == nil && strings.HasPrefix(to, dir) {
			n++
		}
	}
	return n
}

// A time index that was replaced is closed when the last who reads it is done, not when the server ends.
func TestReplacedVersionsAreClosed(t *testing.T) {
	dir := t.TempDir()
	archive := catalog.Open(dir)
	col, err := archive.Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	if err := col.Create(); err != nil {
		t.Fatal(err)
	}
	build := func(source uint64) {
		one := func(yield func(cdxj.Record, error) bool) {
			yield(cdxj.Record{Key: canon.SURT("http://e.example/"), Timestamp: "20200101000000", URL: "http://e.example/", MIME: "text/html", Digest: "A", Status: 200}, nil)
		}
		if _, err := temporal.Build(t.Context(), col.IndexDir("temporal"), one, temporal.Config{Source: source}); err != nil {
			t.Fatal(err)
		}
	}
	x := &versionIndexes{archive: archive, open: map[string]*lentIndex{}}
	lend := func(source uint64) (uint64, func()) {
		ix, giveBack, err := x.of("news", source)
		if err != nil {
			t.Fatal(err)
		}
		return ix.Stats().Source, giveBack
	}
	build(1)
	_, first := lend(1)
	one := openBelow(t, dir)
	for source := uint64(2); source < 10; source++ {
		build(source)
		got, giveBack := lend(source)
		if got != source {
			t.Errorf("the index of %d is lent for %d", got, source)
		}
		giveBack()
		giveBack() // twice is once
		if n := openBelow(t, dir); n != 2*one {
			t.Fatalf("%d files are open: the newest index has %d, the one that is read %d", n, one, one)
		}
	}
	if _, giveBack := lend(77); true { // one that nobody built: the newest there is
		giveBack()
	}
	first()
	if n := openBelow(t, dir); n != one {
		t.Errorf("%d files are open, %d of them of the newest index", n, one)
	}
	_, last := lend(9)
	if err := x.close(); err != nil {
		t.Error(err)
	}
	if n := openBelow(t, dir); n != one {
		t.Errorf("%d files are open while somebody reads, want %d", n, one)
	}
	last()
	if n := openBelow(t, dir); n != 0 {
		t.Errorf("%d files are open after the end", n)
	}
}

// An index by an older rule answers until the new one is there, which is taken although it is of the same captures.
func TestOlderRuleAnswersUntilReplaced(t *testing.T) {
	archive := catalog.Open(t.TempDir())
	col, err := archive.Collection("news")
	if err == nil {
		err = col.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := col.IndexDir("temporal")
	build := func() {
		one := func(yield func(cdxj.Record, error) bool) {
			yield(cdxj.Record{Key: canon.SURT("http://e.example/"), Timestamp: "20200101000000", URL: "http://e.example/", MIME: "text/html", Digest: "A", Status: 200}, nil)
		}
		if _, err := temporal.Build(t.Context(), dir, one, temporal.Config{Source: 1}); err != nil {
			t.Fatal(err)
		}
	}
	build()
	// A manifest as older programs wrote it.
	file := filepath.Join(dir, "MANIFEST")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	older := bytes.Replace(line, fmt.Appendf(nil, `"rule":%d,`, temporal.Rule), nil, 1)
	if len(older) == len(line) {
		t.Fatalf("no rule in %s", line)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, "%s\nsha256:%x\n", older, sha256.Sum256(older)), 0o644); err != nil {
		t.Fatal(err)
	}
	x := &versionIndexes{archive: archive, open: map[string]*lentIndex{}}
	for _, want := range []int{1, temporal.Rule} {
		ix, giveBack, err := x.of("news", 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := ix.Stats(); got.Rule != want || got.Versions != 1 {
			t.Errorf("%+v, want rule %d", got, want)
		}
		giveBack()
		build()
	}
	if err := x.close(); err != nil {
		t.Error(err)
	}
}
