package access_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/retention"
)

func records(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "collections", "aachen", "warc", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	out := map[string]string{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.NewReader(f, warc.Options{Name: path, Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			out[rec.ID()] = rec.Type() + " " + rec.TargetURI() + " " + rec.Header.Get("Content-Type")
		}
		r.Close()
		f.Close()
	}
	return out
}

func TestPurge(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Small(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	col, err := catalog.Open(dir).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	before := records(t, dir)
	const prefix = "http://aachen.sim.test/culture/"
	audit := access.OpenAudit(filepath.Join(dir, "access"))
	order := access.PurgeOrder{
		Collection: col, Prefix: prefix, Reason: "court order", By: "eva", Now: time.Now(),
		Rules: access.OpenDecisions(filepath.Join(dir, "access"), audit), Holds: retention.Open(dir, audit, rand.Reader, time.Now), Audit: audit, Software: "test",
	}
	rep, err := access.Purge(context.Background(), order)
	if err != nil || rep.Records == 0 || len(rep.Files) == 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	after := records(t, dir)
	tombs, gone := 0, 0
	for id, was := range before {
		hit := strings.Contains(was, " "+prefix)
		_, still := after[id]
		if hit {
			gone++
		}
		if hit == still {
			t.Errorf("%s: of the prefix %v, still there %v", was, hit, still)
		}
	}
	for _, is := range after {
		if strings.HasSuffix(is, "tombstone") {
			tombs++
		}
	}
	if tombs != gone || int64(gone) != rep.Records || len(after) != len(before) {
		t.Errorf("%d gone, %d tombstones, %d reported; %d records before, %d after", gone, tombs, rep.Records, len(before), len(after))
	}
	for _, derived := range []string{col.HistoryDir(), filepath.Join(col.Dir(), "index")} {
		if _, err := os.Stat(derived); err == nil {
			t.Errorf("%s is still there", derived)
		}
	}
	set, err := order.Rules.InForce()
	if err != nil || set.Check(access.Visitor{Role: access.Admin}, "aachen", "test,sim,aachen)/culture/x", time.Now(), time.Now()).Allowed {
		t.Errorf("the prefix is not blocked: %v", err)
	}
	again, err := access.Purge(context.Background(), order)
	if err != nil || again.Records != 0 {
		t.Errorf("purged again: %+v, %v", again, err)
	}
	if again := records(t, dir); len(again) != len(after) {
		t.Error("the second purge changed files")
	}
	order.Prefix = ""
	if _, err := access.Purge(context.Background(), order); varve.KindOf(err) != varve.Invalid {
		t.Errorf("an empty prefix: %v", err)
	}
}
