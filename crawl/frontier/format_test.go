package frontier

import (
	"flag"
	"os"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

var update = flag.Bool("update", false, "write the frontier of the current format version to testdata")

// TestFormat1 opens a frontier that was written when format version 1 was new.
func TestFormat1(t *testing.T) {
	if *update {
		writeFormat(t, "testdata/v1")
	}
	fs := vfs.NewMem()
	if ok, err := vfs.Clone(vfs.Default, fs, "testdata/v1", "f"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	f, err := Open(fs, "f", Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := f.Stats()
	if s.Queued != 3 || s.Late != 1 || s.Done != 1 || s.Dropped != 1 || s.Bytes != 77 || s.Hosts != 2 {
		t.Errorf("stats %+v", s)
	}
	if e, err := f.Lookup("https://a/1"); err != nil || e.State != Done || e.Outcome.Status != 200 {
		t.Errorf("lookup %+v (%v)", e, err)
	}
	if got := takeAll(t, f, "a", epoch); got != "4 3" {
		t.Errorf("taken %s", got)
	}
}

func writeFormat(t *testing.T, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	f, err := Open(vfs.Default, dir, Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	best := url("a", 4)
	best.Score = 0.75
	mustAdd(t, f, url("a", 1), url("b", 1), url("a", 2), url("a", 3), best)
	results := []Result{
		{Item: url("a", 1), Outcome: Outcome{Status: 200, Size: 77, At: epoch}},
		{Item: url("a", 2), Verdict: Refused, Reason: "robots"},
		{Item: url("b", 1), Verdict: Later, NotBefore: epoch},
	}
	if _, err := f.Finish(results...); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
