package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/scan"
	"varve/archive/warc"
)

// data gives the lines of an index of one run.
func data(t testing.TB, fsys vfs.FS) []byte {
	t.Helper()
	names, err := fsys.List("ix")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasSuffix(n, extData) {
			b, err := readFile(fsys, "ix/"+n, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	return nil
}

// Files that somebody else reads, side by side, give the same index, and are not read again: they are gone by then.
func TestShared(t *testing.T) {
	for _, batch := range []int64{1, 100} {
		dir := t.TempDir()
		var files []File
		for i := range 6 {
			files = append(files, site(t, dir, fmt.Sprintf("%d.warc.gz", i), "a", fmt.Sprint("p", i), "b"))
		}
		alone, together := vfs.NewMem(), vfs.NewMem()
		b := builder(t, alone, Config{})
		refresh(t, b, files...)
		if err := errors.Join(b.Compact(t.Context()), b.Close()); err != nil {
			t.Fatal(err)
		}
		b = builder(t, together, Config{BatchLines: batch})
		refresh(t, b, files[0])
		s, err := b.Share(files)
		if err != nil {
			t.Fatal(err)
		}
		if s.Due(files[0].Name) {
			t.Error("a file that is in the index is not due")
		}
		var all sync.WaitGroup
		for i, f := range files[1:] {
			all.Go(func() {
				if !s.Due(f.Name) {
					t.Errorf("%s is not due", f.Name)
				}
				k, err := s.Sink(f.Name)
				if err != nil {
					t.Error(err)
					return
				}
				err = scan.File(t.Context(), f.Path, scan.Options{Name: f.Name, Policy: warc.Lenient()}, &scan.Task{Sink: k})
				if i != 3 { // one is given up at its end
					err = errors.Join(err, k.Close(), os.Rename(f.Path, f.Path+".away"))
				}
				if err = errors.Join(err, k.Drop()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		rep, err := s.Finish(t.Context())
		if err != nil || rep.Added != 5 || rep.Lines != 15 || len(rep.Failed) > 0 || rep.Unchanged != 1 {
			t.Errorf("%+v %v", rep, err)
		}
		if err := errors.Join(b.Compact(t.Context()), b.Close()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data(t, alone), data(t, together)) {
			t.Error("the two are not the same")
		}
	}
}
