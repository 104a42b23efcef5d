package serve

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
					var ix *fulltext.Index
					if ix, err = x.text("press"); err == nil {
						_, err = ix.Search(t.Context(), fulltext.Query{Text: "election", Limit: 5})
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
