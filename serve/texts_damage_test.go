package serve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/index/fulltext"
	"varve/lab/servetest"
)

// A served text index in which bytes are turned over says so, is built anew, and answers as before.
func TestDamagedTextIsBuiltAnew(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Press(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	archive := catalog.Open(dir)
	col, err := archive.Collection("press")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"columns", "docs", "terms", "frequent", "bleve/store/root.bolt", "bleve/store/*.zap", "manifest.json"} {
		t.Run(name, func(t *testing.T) {
			gate := make(chan struct{})
			ctx, stop := context.WithCancel(t.Context())
			x := &texts{archive: archive, background: ctx, open: map[string]*openText{}, damaged: map[string]*damagedText{}}
			x.reindex = func(ctx context.Context, collection string) error {
				<-gate
				_, err := fulltext.Build(ctx, col.IndexDir("fulltext"), filepath.Join(col.Dir(), "derived", "versions.parquet"), nil)
				return err
			}
			defer func() { stop(); _ = x.close() }()
			files, err := filepath.Glob(filepath.Join(col.IndexDir("fulltext"), "*", name))
			if name == "manifest.json" {
				files = []string{filepath.Join(col.IndexDir("fulltext"), name)}
			}
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			b, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			for i := len(b) / 2; i < min(len(b), len(b)/2+16); i++ {
				b[i] ^= 0xff
			}
			if err := os.WriteFile(files[0], b, 0o644); err != nil {
				t.Fatal(err)
			}
			wait := func(what string, until func(error) bool) {
				t.Helper()
				var err error
				for range 3000 {
					var ix fulltext.Text
					if ix, err = x.text(t.Context(), "press"); err == nil {
						_, err = fulltext.Search(t.Context(), []fulltext.Source{{Index: ix}}, fulltext.Query{Text: "election", Limit: 5})
					}
					if until(err) {
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
				t.Fatalf("%s: %v", what, err)
			}
			wait("the damage is not told", func(err error) bool { return err != nil && strings.Contains(err.Error(), "search in press") })
			close(gate)
			wait("it is not built anew", func(err error) bool { return err == nil })
			x.work.Wait()
			wait("what was built is damaged", func(err error) bool { return err == nil })
		})
	}
}

// An index that the machine cannot read just now is told of and left as it is: it may be sound.
func TestUnreadableTextIsNotBuiltAnew(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Press(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	archive := catalog.Open(dir)
	col, err := archive.Collection("press")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(col.IndexDir("fulltext"), "*", "columns"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if _, err := os.ReadFile("/proc/self/mem"); !errors.Is(err, syscall.EIO) {
		t.Skip("no file on this system that cannot be read:", err)
	}
	if err := errors.Join(os.Rename(files[0], files[0]+".sound"), os.Symlink("/proc/self/mem", files[0])); err != nil { // a failing disk, also for root
		t.Fatal(err)
	}
	built := 0
	x := &texts{archive: archive, background: t.Context(), open: map[string]*openText{}, damaged: map[string]*damagedText{}}
	x.reindex = func(context.Context, string) error { built++; return nil }
	for range 3 {
		if _, err := x.text(t.Context(), "press"); varve.KindOf(err) != varve.Unavailable || !errors.Is(err, syscall.EIO) || !strings.Contains(varve.HintOf(err), "nothing is built anew") {
			t.Errorf("%v (%s)", err, varve.HintOf(err))
		}
	}
	x.work.Wait()
	if err := fulltext.Verify(t.Context(), col.IndexDir("fulltext")); err == nil || errors.Is(err, fulltext.ErrDamaged) {
		t.Errorf("verified: %v", err)
	}
	if gone, err := fulltext.Check(t.Context(), col.IndexDir("fulltext")); len(gone) > 0 || !errors.Is(err, syscall.EIO) {
		t.Errorf("taken out of the index: %q, %v", gone, err)
	}
	if err := os.Rename(files[0]+".sound", files[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := x.text(t.Context(), "press"); err != nil || built > 0 {
		t.Errorf("when it can be read again: %v; built anew %d times", err, built)
	}
	if err := x.close(); err != nil {
		t.Error(err)
	}
}
