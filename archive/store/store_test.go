package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"varve/archive/store"
	"varve/archive/store/storetest"
)

func TestDirectory(t *testing.T) {
	storetest.Run(t, 3<<20, func(t *testing.T) store.Store { return store.NewDirectory(t.TempDir()) })
}

// The suite holds for any store behind a cache, also one that is far too small.
func TestCached(t *testing.T) {
	storetest.Run(t, 5<<20+77, func(t *testing.T) store.Store {
		return store.NewCached(store.NewDirectory(t.TempDir()), store.CacheConfig{Dir: t.TempDir(), Disk: 3 << 20})
	})
}

// A file whose writer was killed is no object, and goes with the next sweep; one that is being written stays.
func TestDirectorySweep(t *testing.T) {
	dir := t.TempDir()
	d := store.NewDirectory(dir)
	storetest.Put(t, d, "c/a", []byte("a"))
	left := filepath.Join(dir, "c", ".put-123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Keys(t, d, ""); len(got) != 1 {
		t.Errorf("listed: %v", got)
	}
	for _, step := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 1}} {
		if n, err := d.Sweep(t.Context(), step.before); err != nil || n != step.want {
			t.Errorf("swept %d, %v; want %d", n, err, step.want)
		}
	}
}

// counting counts reads of a store, and can lie.
type counting struct {
	store.Store
	mu    sync.Mutex
	reads [][2]int64
	short int // reads that return too little
}

func (c *counting) Open(ctx context.Context, key string) (store.Object, error) {
	o, err := c.Store.Open(ctx, key)
	return &countingObject{o, c}, err
}

type countingObject struct {
	store.Object
	c *counting
}

func (o *countingObject) ReadAt(p []byte, off int64) (int, error) {
	o.c.mu.Lock()
	defer o.c.mu.Unlock()
	o.c.reads = append(o.c.reads, [2]int64{off, int64(len(p))})
	if o.c.short > 0 {
		o.c.short--
		return o.Object.ReadAt(p[:len(p)/2], off)
	}
	return o.Object.ReadAt(p, off)
}

// Worked example: a reader in order asks for 1, 2, 4, 8, 8... blocks with a request; one that jumps makes one; the disk saves the
// requests of a second process.
func TestCacheRequests(t *testing.T) {
	content := storetest.Bytes(1, 20<<20)
	far := &counting{Store: store.NewDirectory(t.TempDir())}
	info := storetest.Put(t, far, "x", content)
	dir := t.TempDir()
	cfg := store.CacheConfig{Memory: 4 << 20, Dir: dir, Disk: 64 << 20}
	read := func(c *store.Cached, off, n int64) {
		t.Helper()
		o, err := c.OpenKnown(info)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		got := make([]byte, n)
		for at := int64(0); at < n; at += 300_000 { // as a scan reads
			part := got[at:min(at+300_000, n)]
			if _, err := o.ReadAt(part, off+at); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, content[off:off+n]) {
			t.Fatalf("%d bytes at %d are others", n, off)
		}
	}
	c := store.NewCached(far, cfg)
	read(c, 0, int64(len(content)))
	var blocks []int64
	for _, r := range far.reads {
		blocks = append(blocks, r[1]>>20)
	}
	if want := []int64{1, 2, 4, 8, 5}; !equal(blocks, want) {
		t.Errorf("blocks of requests in order: %v, want %v", blocks, want)
	}
	if m, _, fault := c.Usage(); m > cfg.Memory || fault != nil {
		t.Errorf("memory %d, %v", m, fault)
	}
	far.reads = nil
	read(store.NewCached(far, cfg), 0, int64(len(content))) // another process
	if len(far.reads) > 0 {
		t.Errorf("with the blocks on disk: %v", far.reads)
	}
	jumping := store.NewCached(far, store.CacheConfig{Memory: 4 << 20})
	read(jumping, 15<<20, 10)
	read(jumping, 3<<20, 10)
	if want := [][2]int64{{15 << 20, 1 << 20}, {3 << 20, 1 << 20}}; len(far.reads) != 2 || far.reads[0] != want[0] || far.reads[1] != want[1] {
		t.Errorf("jumps: %v", far.reads)
	}
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Bytes that are missing are an error and are not kept; a block that was spoilt on disk is fetched again.
func TestCacheFaults(t *testing.T) {
	content := storetest.Bytes(2, 2<<20)
	far := &counting{Store: store.NewDirectory(t.TempDir()), short: 1}
	info := storetest.Put(t, far, "x", content)
	dir := t.TempDir()
	c := store.NewCached(far, store.CacheConfig{Memory: 2 << 20, Dir: dir, Disk: 8 << 20})
	o, err := c.OpenKnown(info)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1000)
	if n, err := o.ReadAt(b, 5); err == nil || n != 0 {
		t.Errorf("a short answer: %d, %v", n, err)
	}
	if _, err := o.ReadAt(b, 5); err != nil || !bytes.Equal(b, content[5:1005]) {
		t.Errorf("the next one: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.block"))
	if err != nil || len(files) == 0 {
		t.Fatal("nothing on disk", err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, bytes.Repeat([]byte("x"), 1<<20+32), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, err := store.NewCached(far, store.CacheConfig{Dir: dir, Disk: 8 << 20}).OpenKnown(info)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.ReadAt(b, 5); err != nil || !bytes.Equal(b, content[5:1005]) {
		t.Errorf("from a spoilt block: %v", err)
	}
}

// What is deleted leaves nothing in the cache: not in memory, not on disk, not of another process.
func TestCacheForgets(t *testing.T) {
	far := store.NewDirectory(t.TempDir())
	dir := t.TempDir()
	cfg := store.CacheConfig{Memory: 8 << 20, Dir: dir, Disk: 8 << 20}
	mine, other := store.NewCached(far, cfg), store.NewCached(far, cfg)
	storetest.Put(t, far, "secret", storetest.Bytes(3, 1000))
	storetest.Put(t, far, "secret2", storetest.Bytes(4, 1000))
	storetest.Read(t, other, "secret")
	storetest.Read(t, other, "secret2")
	storetest.Read(t, mine, "secret")
	if err := mine.Delete(t.Context(), "secret"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("on disk: %v, %v", files, err)
	}
	if m, _, _ := mine.Usage(); m != 0 {
		t.Errorf("%d bytes in memory", m)
	}
	if _, err := mine.Open(t.Context(), "secret"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Many readers of one object make one request for a block.
func TestCacheConcurrent(t *testing.T) {
	content := storetest.Bytes(5, 6<<20)
	far := &counting{Store: store.NewDirectory(t.TempDir())}
	info := storetest.Put(t, far, "x", content)
	c := store.NewCached(far, store.CacheConfig{Memory: 64 << 20})
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			o, err := c.OpenKnown(info)
			if err != nil {
				t.Error(err)
				return
			}
			defer o.Close()
			for i := range 60 {
				off := int64((i*w*104_729 + i*7919) % (len(content) - 5000))
				b := make([]byte, 5000)
				if _, err := o.ReadAt(b, off); err != nil || !bytes.Equal(b, content[off:off+5000]) {
					t.Errorf("at %d: %v", off, err)
					return
				}
			}
		})
	}
	wg.Wait()
	seen := map[int64]bool{}
	for _, r := range far.reads {
		for at := r[0] >> 20; at < (r[0]+r[1])>>20; at++ {
			if seen[at] {
				t.Errorf("block %d was fetched twice", at)
			}
			seen[at] = true
		}
	}
}
