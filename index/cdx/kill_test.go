package cdx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// killFiles lists the WARC files of the drill.
func killFiles(dir string) (out []File) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, n := range names {
		out = append(out, File{Name: filepath.Base(n), Path: n, Kind: KindWARC})
	}
	return out
}

// TestKillChild is the process that is killed: it builds an index in small batches, again and again
// from where it was.
func TestKillChild(t *testing.T) {
	dir := os.Getenv("VARVE_KILL_DIR")
	if dir == "" {
		t.Skip("run by TestKilledBuilders")
	}
	b, err := NewBuilder(filepath.Join(dir, "ix"), Config{BatchLines: 3})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := b.Refresh(context.Background(), killFiles(dir))
	if err == nil && len(rep.Failed) == 0 {
		err = b.Compact(context.Background())
	}
	if err != nil || len(rep.Failed) > 0 {
		t.Fatal(rep, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// A builder that is killed at any moment is continued by the next one, and readers meanwhile see
// whole files only.
func TestKilledBuilders(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("VARVE_KILLS"))
	if err != nil {
		kills = 6
	}
	dir := t.TempDir()
	for i := range 40 {
		site(t, dir, fmt.Sprintf("%02d.warc.gz", i), "a", fmt.Sprint("p", i))
	}
	rng := rand.New(rand.NewPCG(6, 6))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	last, killed := 0, 0
	for n := 0; n <= kills; n++ {
		c := exec.Command(self, "-test.run", "^TestKillChild$")
		c.Env = append(os.Environ(), "VARVE_KILL_DIR="+dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if n < kills {
			time.AfterFunc(time.Duration(20+rng.IntN(250))*time.Millisecond, func() { _ = c.Process.Kill() })
		}
		if c.Wait() != nil {
			killed++
		}
		if now := wholeFiles(t, dir); now < last {
			t.Fatalf("%d captures after a kill, %d before", now, last)
		} else {
			last = now
		}
		if last == 80 && n+1 < kills { // it was faster than the kill: from the beginning
			last = 0
			if err := os.RemoveAll(filepath.Join(dir, "ix")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if last != 80 {
		t.Errorf("%d captures at the end", last)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "ix", "*"))
	if len(left) != 1+len(runFiles) {
		t.Errorf("left behind: %v", left)
	}
	t.Logf("%d of %d builders were killed", killed, kills)
}

// wholeFiles counts the captures; each file must be there with both of its own or not at all.
func wholeFiles(t *testing.T, dir string) int {
	t.Helper()
	ix, err := Open(filepath.Join(dir, "ix"))
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	count, n := map[string]int{}, 0
	for r, err := range ix.Query(t.Context(), Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		count[r.Filename]++
		n++
	}
	for name, c := range count {
		if c != 2 {
			t.Fatalf("%s has %d captures", name, c)
		}
	}
	return n
}
