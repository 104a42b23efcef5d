package crawl_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/catalog"
	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim/server"
	"varve/web/canon"
)

// crawlOnce crawls a simulated web into a collection with its history.
func crawlOnce(t *testing.T, s *server.Server, col *catalog.Collection) *crawl.Report {
	t.Helper()
	store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run, err := newEngine(t, s, noDelay()).Start(context.Background(), col, crawl.Definition{
		Seeds: s.Seeds(), Scope: scope.Definition{Mode: scope.Host}, MinDisk: -1,
	}, crawl.Options{History: store, Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := run.Wait()
	if err != nil || !rep.Complete {
		t.Fatal(rep, err)
	}
	return rep
}

// A second crawl asks conditionally, stores what did not change as revisits whose originals are
// found, and still reaches every page, also those behind pages that answered 304.
func TestSecondCrawlKnowsTheFirst(t *testing.T) {
	s := simulate(t, "blog", 3)
	s.Timeline().Advance(200 * 24 * time.Hour)
	col := collection(t, t.TempDir())
	first := crawlOnce(t, s, col)
	second := crawlOnce(t, s, col)
	if second.Revisits == 0 || second.Status[304] == 0 || second.Bytes >= first.Bytes/2 {
		t.Errorf("second crawl: %d revisits, %d times 304, %d bytes after %d", second.Revisits, second.Status[304], second.Bytes, first.Bytes)
	}
	if second.Pages != first.Pages || second.URLs != first.URLs {
		t.Errorf("second crawl reached %d pages and %d URLs, the first %d and %d", second.Pages, second.URLs, first.Pages, first.URLs)
	}
	s.Timeline().Advance(30 * 24 * time.Hour)
	third := crawlOnce(t, s, col)
	if third.Status[200] <= second.Status[200] || third.Revisits == 0 {
		t.Errorf("after a month: status %v, %d revisits", third.Status, third.Revisits)
	}
	checkRevisits(t, col.WarcDir(), second.Revisits+third.Revisits)
}

// checkRevisits resolves every revisit of a directory and compares the payload digest of the
// original.
func checkRevisits(t *testing.T, dir string, want int64) {
	t.Helper()
	in := warc.NewMemoryOriginals()
	var revisits []*warc.Record
	files, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.NewReader(f, warc.Options{Name: filepath.Base(path), Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch rec.Type() {
			case warc.TypeRevisit:
				revisits = append(revisits, rec.Clone())
			case warc.TypeResponse:
				at, _ := rec.Date()
				in.Add(warc.Ref{RecordID: rec.ID(), URI: rec.TargetURI(), Key: canon.SURT(rec.TargetURI()), Date: at, Digest: rec.Header.Get(warc.FieldPayloadDigest)})
			}
		}
		r.Close()
		f.Close()
	}
	if int64(len(revisits)) != want {
		t.Errorf("%d revisit records, the reports say %d", len(revisits), want)
	}
	for _, rec := range revisits {
		for _, name := range []string{warc.FieldRefersToURI, warc.FieldRefersToDate, warc.FieldPayloadDigest} {
			if !rec.Header.Has(name) {
				t.Fatalf("%s has no %s", rec.TargetURI(), name)
			}
		}
		ref, step, ok := warc.Resolve(rec, canon.SURT(rec.TargetURI()), in)
		if !ok || step != warc.StepRecordID || !warc.SameDigest(ref.Digest, rec.Header.Get(warc.FieldPayloadDigest)) {
			t.Fatalf("%s: original %v by %q", rec.TargetURI(), ref, step)
		}
	}
}
