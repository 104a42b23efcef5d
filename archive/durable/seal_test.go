package durable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// dump gives all that a store answers, or the error of a part that cannot be read.
func dump(s *Store) (map[string]string, error) {
	it, err := s.NewIter(&pebble.IterOptions{LowerBound: []byte("key")})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for ok := it.First(); ok; ok = it.Next() {
		out[string(it.Key())] = string(it.Value())
	}
	return out, it.Close()
}

func contents(t *testing.T, disk vfs.FS, name string) []byte {
	t.Helper()
	f, err := disk.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func overwrite(t *testing.T, disk vfs.FS, name string, b []byte) {
	t.Helper()
	f, err := disk.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// alive is a copy of a disk with all that was written to it, as it is after the process was killed: the page cache survives.
func alive() vfs.CrashCloneCfg {
	return vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 2))}
}

// A byte flipped in whatever file of a store, stopped or killed: it answers as before, or says that it is damaged. It never goes back
// in silence.
func TestFlippedBytes(t *testing.T) {
	for _, stop := range []string{"stopped", "killed"} {
		disk := vfs.NewCrashableMem()
		s, err := Open("d", small(disk))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fill(s, 0, 400); err != nil {
			t.Fatal(err)
		}
		want, err := dump(s)
		if err != nil || len(want) != 400 {
			t.Fatalf("%d values, %v", len(want), err)
		}
		killed := disk.CrashClone(alive())
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if stop == "stopped" {
			killed = disk.CrashClone(alive())
		}
		names, err := killed.List("d")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, name := range names {
			path := "d/" + name
			whole := contents(t, killed, path)
			for at := 0; at < len(whole); at += max(1, len(whole)/60) {
				copied := killed.CrashClone(alive())
				flipped := append([]byte(nil), whole...)
				flipped[at] ^= 0x20
				overwrite(t, copied, path, flipped)
				seen[judge(t, fmt.Sprintf("%s, %s at %d of %d", stop, name, at, len(whole)), copied, want)]++
			}
		}
		t.Logf("%s: %d files, %v", stop, len(names), seen)
		if seen["error"] < 50 {
			t.Errorf("only %d flips were noticed: the test does not reach the files", seen["error"])
		}
	}
}

func judge(t *testing.T, what string, disk vfs.FS, want map[string]string) string {
	s, err := Open("d", small(disk))
	if err != nil {
		return "error"
	}
	defer s.Close()
	got, err := dump(s)
	if err != nil || s.Err() != nil {
		return "error"
	}
	lost := 0
	for k, v := range want {
		if got[k] != v {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%s: %d of %d values are lost, and nobody says so", what, lost, len(want))
		return "silence"
	}
	return "same"
}

// While Pebble makes a new manifest, a byte flipped in the one that is in use is noticed, too: when the new file is there and when it is sealed.
func TestFlippedBytesWhileManifestsChange(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		disk := vfs.NewCrashableMem()
		s, err := Open("d", small(disk))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fill(s, 0, 400); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		name, err := atomicfs.ReadMarker(disk, "d", "manifest")
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, disk, "d/MANIFEST-999999", []byte("half"))
		if sealed {
			x, err := openSeal(disk, "d")
			if err == nil {
				err = x.create(disk, "d")
			}
			if err == nil {
				err = x.synced(manifestMark{manifest: 999999, length: 4, sum: 1})
			}
			if err = errors.Join(err, x.close()); err != nil {
				t.Fatal(err)
			}
		}
		if s, err = Open("d", small(disk.CrashClone(alive()))); err != nil {
			t.Fatalf("sealed %v: %v", sealed, err) // nothing is damaged
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		whole := contents(t, disk, "d/"+name)
		whole[len(whole)-3] ^= 0x20
		overwrite(t, disk, "d/"+name, whole)
		if _, err := openSeal(disk, "d"); !errors.Is(err, ErrDamaged) {
			t.Errorf("sealed %v: %v", sealed, err)
		}
	}
}

// A seal of the form before is read, and its manifest held against it.
func TestFirstSeal(t *testing.T) {
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64([]byte(sealFirst), 7), 40)
	b = manifestMark{5, 100, 9}.append(b)
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	var s seal
	s.take(append(b, make([]byte, sealSlot-len(b))...))
	if s.turn != 7 || s.commit != 40 || s.manifestMark != (manifestMark{5, 100, 9}) || s.before != (manifestMark{}) {
		t.Errorf("%+v", &s)
	}
}

// A store whose seal somebody took away opens as it is.
func TestWithoutSeal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Open(dir, small(vfs.Default))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fill(s, 0, 100); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := vfs.Default.Remove(filepath.Join(dir, "sealed")); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, small(vfs.Default)); err != nil {
		t.Fatal(err)
	}
	if got, err := dump(s); err != nil || len(got) != 100 {
		t.Errorf("%d values, %v", len(got), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
