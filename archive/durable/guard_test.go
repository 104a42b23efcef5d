package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// small are options by which a few hundred commits make new logs, tables and compactions.
func small(fs vfs.FS) *pebble.Options {
	return &pebble.Options{
		FS: fs, Logger: Logger(nil, "test"), FormatMajorVersion: pebble.FormatTableFormatV6,
		MemTableSize: 16 << 10, L0CompactionThreshold: 2, MaxManifestFileSize: 1,
	}
}

func key(i int) []byte { return fmt.Appendf(nil, "key %06d", i*7919%1000000) }

// fill commits values until one is not acknowledged, and tells how many were.
func fill(s *Store, from, most int) (int, error) {
	value := []byte(strings.Repeat("v", 200))
	for i := from; i < most; i++ {
		b := s.NewBatch()
		if err := b.Set(key(i), value, nil); err != nil {
			return i, err
		}
		if err := s.ApplyNoSyncWait(b, pebble.Sync); err != nil {
			return i, err
		}
		if err := s.Wait(b); err != nil {
			return i, err
		}
		if err := b.Close(); err != nil {
			return i, err
		}
	}
	return most, nil
}

// check opens what is on the disk, after a power cut, and looks for all that was acknowledged.
func check(t *testing.T, disk *vfs.MemFS, acknowledged int) {
	t.Helper()
	s, err := Open("d", small(disk.CrashClone(vfs.CrashCloneCfg{})))
	if err != nil {
		t.Fatalf("open again: %v", err)
	}
	defer s.Close()
	for i := range acknowledged {
		if v, err := Get(s, key(i)); err != nil || v == nil {
			t.Fatalf("value %d of %d that were acknowledged: %v", i, acknowledged, err)
		}
	}
}

// Whatever write fails, once or from then on: no panic, an error, and all that was acknowledged is there.
func TestFailingDisk(t *testing.T) {
	const commits = 250
	count := func(limit int64, ever bool) (*vfs.MemFS, errorfs.Injector, *atomic.Int64) {
		var n atomic.Int64
		return vfs.NewCrashableMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() != errorfs.OpIsWrite || op.Kind == errorfs.OpFilePreallocate {
				return nil
			}
			if at := n.Add(1); at == limit || ever && at > limit {
				return fmt.Errorf("%w (injected into %s)", syscall.ENOSPC, op.Path)
			}
			return nil
		}), &n
	}
	disk, none, writes := count(1<<40, false)
	s, err := Open("d", small(errorfs.Wrap(disk, none)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fill(s, 0, commits); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all, stopped := writes.Load(), 0
	step := max(1, all/120)
	for limit := int64(1); limit <= all; limit += step {
		disk, fails, _ := count(limit, limit%2 == 0)
		s, err := Open("d", small(errorfs.Wrap(disk, fails)))
		if err != nil {
			continue // it failed while it was opened, and said so
		}
		n, err := fill(s, 0, commits)
		closed := s.Close()
		if err != nil && (!errors.Is(err, syscall.ENOSPC) || closed == nil) {
			t.Fatalf("write %d of %d: %v, closing: %v", limit, all, err, closed)
		}
		if err != nil {
			stopped++
		}
		check(t, disk, n)
	}
	if stopped < 60 {
		t.Errorf("only %d faults stopped the store: the test does not reach its writes", stopped)
	}
}

// A folder that somebody deletes under an open store ends the store, with a message, and not the process.
func TestDeletedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Open(dir, small(vfs.Default))
	if err != nil {
		t.Fatal(err)
	}
	n, err := fill(s, 0, 500)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // a flush under way may put a file into the folder while it is emptied
		if err = os.RemoveAll(dir); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = fill(s, n, 5000)
	if err == nil || !strings.Contains(err.Error(), "deleted") {
		t.Errorf("after its folder was deleted: %v", err)
	}
	for i := range n { // reading, too, must not end the process
		_, _ = Get(s, key(i))
	}
	if err := s.Close(); err == nil {
		t.Error("closing said that all is well")
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the deleted folder is back: %v", err)
	}
}

// A table that is damaged on disk stops the store, and not the process.
func TestDamagedTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Open(dir, small(vfs.Default))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fill(s, 0, 500); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Flush(), s.Close()); err != nil {
		t.Fatal(err)
	}
	tables, _ := filepath.Glob(filepath.Join(dir, "*.sst"))
	for _, name := range tables {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(b) / 2 {
			b[i] ^= 0x55
		}
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = Open(dir, small(vfs.Default)); err != nil {
		return // seen at once: as good
	}
	failed := 0
	for i := range 500 {
		if _, err := Get(s, key(i)); err != nil {
			failed++
		}
	}
	if failed == 0 || s.Err() == nil {
		t.Errorf("%d of 500 reads failed; the store says %v", failed, s.Err())
	}
	_ = s.Close()
}
