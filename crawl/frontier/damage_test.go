package frontier

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// state is all that a frontier answers to the one who resumes a crawl.
func state(f *Frontier) (string, error) {
	n := f.Stats()
	out := fmt.Sprint(n.Queued, n.Late, n.Done, n.Dropped, n.Bytes, n.Hosts)
	for cursor := ""; ; {
		page, next, err := f.List("", cursor, 100)
		if err != nil {
			return "", err
		}
		for _, l := range page {
			out += fmt.Sprintf("\n%+v", l)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	for i := range 120 {
		e, err := f.Lookup(url("a", i).Key)
		if err != nil {
			return "", err
		}
		out += fmt.Sprintf("\n%+v", e)
	}
	return out, nil
}

// A byte flipped in whatever file of a stopped frontier: it is as it was, or it says that it is damaged. It never goes back in silence,
// which would fetch again what was fetched.
func TestFlippedFrontier(t *testing.T) {
	copied := func(fs *vfs.MemFS) *vfs.MemFS {
		return fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 2))})
	}
	disk := vfs.NewCrashableMem()
	f, err := Open(disk, "f", Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 120 {
		mustAdd(t, f, url("a", i), url(fmt.Sprintf("h%d", i%20), i))
		if i%2 == 0 {
			if _, err := f.Finish(Result{Item: url("a", i), Outcome: Outcome{Status: 200, Size: int64(i), At: epoch}}); err != nil {
				t.Fatal(err)
			}
		}
		if i == 40 || i == 80 {
			if err := f.db.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := state(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := disk.List("f")
	if err != nil {
		t.Fatal(err)
	}
	same, told := 0, 0
	for _, name := range names {
		src, err := disk.Open("f/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(src)
		src.Close()
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += max(1, len(whole)/15) {
			fs := copied(disk)
			w, err := fs.OpenReadWrite("f/"+name, vfs.WriteCategoryUnspecified)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.WriteAt([]byte{whole[at] ^ 0x04}, int64(at)); err != nil {
				t.Fatal(err)
			}
			w.Close()
			f, err := Open(fs, "f", Config{}, nil)
			if err != nil {
				told++
				continue
			}
			got, err := state(f)
			switch {
			case err != nil || f.db.Err() != nil:
				told++
			case got != want:
				t.Errorf("%s, byte %d of %d: another state, and nobody says so", name, at, len(whole))
			default:
				same++
			}
			_ = f.Close()
		}
	}
	t.Logf("%d files: %d flips without effect, %d told", len(names), same, told)
	if told < 50 {
		t.Errorf("only %d flips were told: the test does not reach the files", told)
	}
}
