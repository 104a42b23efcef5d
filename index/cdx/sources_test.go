package cdx

import (
	"reflect"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Readers see the sources that the builder knows, also after one was dropped.
func TestSources(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	if got, err := SourcesIn(fsys, "ix"); err != nil || len(got) != 0 {
		t.Fatalf("not built: %v, %v", got, err)
	}
	b, err := NewBuilder("ix", Config{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	one, two := site(t, dir, "1.warc.gz", "a", "b"), site(t, dir, "2.warc.gz", "c")
	for _, files := range [][]File{{two}, {one, two}, {one}} {
		refresh(t, b, files...)
		got, err := SourcesIn(fsys, "ix")
		if err != nil || len(got) != len(files) || !reflect.DeepEqual(got, b.Sources()) {
			t.Errorf("%v: %v, %v", files, got, err)
		}
	}
}
