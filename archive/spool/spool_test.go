package spool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/spool"
	"varve/archive/store"
	"varve/archive/store/storetest"
	"varve/cluster/s3"
	"varve/lab/s3server"
)

func now() time.Time { return time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) }

// archive makes a collection with files of these sizes: 0.warc, 1.warc, ...
func archive(t testing.TB, dir string, sizes ...int) *catalog.Collection {
	t.Helper()
	col := collection(t, dir, nil)
	if err := col.Create(); err != nil {
		t.Fatal(err)
	}
	for i, size := range sizes {
		path := filepath.Join(col.WarcDir(), fmt.Sprintf("%d.warc", i))
		if err := os.WriteFile(path, storetest.Bytes(uint64(i), size), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Date(2026, 1, 1+i, 0, 0, 0, 5, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	return col
}

func collection(t testing.TB, dir string, objects store.Opener) *catalog.Collection {
	t.Helper()
	col, err := catalog.OpenWith(dir, objects).Collection("c")
	if err != nil {
		t.Fatal(err)
	}
	return col
}

// check fails the test unless all files can be read, wherever they lie, as they were.
func check(t testing.TB, col *catalog.Collection, sizes ...int) {
	t.Helper()
	files, err := col.WARCs()
	if err != nil || len(files) != len(sizes) {
		t.Fatalf("%d files, %v; want %d", len(files), err, len(sizes))
	}
	for i, size := range sizes {
		f, err := col.Find(fmt.Sprintf("%d.warc", i))
		if err != nil {
			t.Fatal(err)
		}
		o, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
		if err = errors.Join(err, o.Close()); err != nil || !bytes.Equal(got, storetest.Bytes(uint64(i), size)) {
			t.Fatalf("%s has other bytes: %v", f.Name, err)
		}
		info, err := f.Stat()
		if err != nil || info.Size != int64(size) || !info.Changed.Equal(time.Date(2026, 1, 1+i, 0, 0, 0, 5, time.UTC)) {
			t.Fatalf("%s: %+v, %v", f.Name, info, err)
		}
	}
}

func onDisk(t testing.TB, col *catalog.Collection) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(col.WarcDir(), "*.warc"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// There and back: the files are readable at each moment, their times are kept, and in the end nothing is left in the store.
func TestThereAndBack(t *testing.T) {
	sizes := []int{0, 10, 3 << 20}
	far := store.NewDirectory(t.TempDir())
	dir := t.TempDir()
	archive(t, dir, sizes...)
	objects := store.NewCached(far, store.CacheConfig{})
	col := collection(t, dir, objects)
	check(t, col, sizes...)

	rep, err := spool.Push(t.Context(), col, spool.Config{Store: objects, KeepLocal: true, Now: now})
	if err != nil || rep.Files != 3 || rep.Bytes != 10+3<<20 || onDisk(t, col) != 3 {
		t.Fatalf("%+v, %v", rep, err)
	}
	check(t, col, sizes...)
	rep, err = spool.Push(t.Context(), col, spool.Config{Store: objects, Now: now, ReadBack: true})
	if err != nil || rep.Files != 0 || rep.Removed != 3 || onDisk(t, col) != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	check(t, col, sizes...)

	bare := collection(t, dir, nil) // varve.toml is gone: listed, and told why they cannot be opened
	files, err := bare.WARCs()
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if _, err := files[0].Open(); varve.KindOf(err) != varve.Unavailable || !strings.Contains(err.Error(), "varve.toml") {
		t.Errorf("without a store: %v", err)
	}

	rep, err = spool.Recall(t.Context(), col, spool.Config{Store: objects, Now: now})
	if err != nil || rep.Files != 3 || rep.Removed != 3 || onDisk(t, col) != 3 {
		t.Fatalf("%+v, %v", rep, err)
	}
	check(t, col, sizes...)
	check(t, collection(t, dir, nil), sizes...)
	if keys := storetest.Keys(t, far, ""); len(keys) > 0 {
		t.Errorf("left in the store: %v", keys)
	}
}

// A file that is not what the ledger recorded is not spread, and its copy stays; the others are sent.
func TestRotIsNotSpread(t *testing.T) {
	far := store.NewDirectory(t.TempDir())
	dir := t.TempDir()
	col := archive(t, dir, 10, 20, 30)
	if _, err := fixity.Audit(t.Context(), col, fixity.Config{Now: now}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(col.WarcDir(), "1.warc")
	if err := os.WriteFile(path, storetest.Bytes(99, 20), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now})
	if err != nil || rep.Files != 2 || len(rep.Refused) != 1 || !strings.Contains(rep.Refused[0], "1.warc") {
		t.Fatalf("%+v, %v", rep, err)
	}
	if onDisk(t, col) != 1 {
		t.Error("the copy of the refused file did not stay alone")
	}
}

// Another object of the same name is not replaced, and the copy here stays; so does one that changed after it was stored.
func TestNothingIsLostToOthers(t *testing.T) {
	far := store.NewDirectory(t.TempDir())
	dir := t.TempDir()
	col := archive(t, dir, 10, 20)
	storetest.Put(t, far, col.ObjectKey("0.warc"), []byte("of another machine"))
	rep, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now, KeepLocal: true})
	if err != nil || rep.Files != 1 || len(rep.Refused) != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	if err := os.WriteFile(filepath.Join(col.WarcDir(), "1.warc"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now}); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("a changed copy: %v", err)
	}
	if onDisk(t, col) != 2 {
		t.Error("a copy is gone")
	}
	if err := far.Delete(t.Context(), col.ObjectKey("1.warc")); err != nil {
		t.Fatal(err)
	}
	if _, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is gone: %v", err)
	}
	if onDisk(t, col) != 2 {
		t.Error("a copy is gone")
	}
}

// Files of a crawl that can be resumed stay.
func TestFilesOfResumableCrawlsStay(t *testing.T) {
	far := store.NewDirectory(t.TempDir())
	col := archive(t, t.TempDir(), 10)
	for _, name := range []string{"20260301T060000Z-20260301060000000-1.warc", "20260301T060000Z-2-20260301060000000-1.warc"} {
		if err := os.WriteFile(filepath.Join(col.WarcDir(), name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(col.Dir(), "crawls", "20260301T060000Z-2", "frontier"), 0o755); err != nil {
		t.Fatal(err)
	}
	rep, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now})
	if err != nil || rep.Files != 3 || rep.Removed != 2 || onDisk(t, col) != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// flaky fails some times, as a server that is not to be had.
type flaky struct {
	store.Store
	fails int
}

func (f *flaky) Put(ctx context.Context, info store.Info, src io.ReaderAt) error {
	if f.fails--; f.fails >= 0 {
		return &varve.Error{Kind: varve.Unavailable, Msg: "not now"}
	}
	return f.Store.Put(ctx, info, src)
}

func TestAttempts(t *testing.T) {
	col := archive(t, t.TempDir(), 10)
	var waits []time.Duration
	cfg := spool.Config{
		Store: &flaky{store.NewDirectory(t.TempDir()), 4}, Now: now, Attempts: 3,
		Sleep: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
	}
	if _, err := spool.Push(t.Context(), col, cfg); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("three attempts of five: %v", err)
	}
	if rep, err := spool.Push(t.Context(), col, cfg); err != nil || rep.Files != 1 {
		t.Errorf("the others: %+v, %v", rep, err)
	}
	if fmt.Sprint(waits) != "[1s 2s 1s]" {
		t.Errorf("waited %v", waits)
	}
}

// A list that was lost is made again from the store.
func TestRescan(t *testing.T) {
	sizes := []int{10, 20}
	far := store.NewDirectory(t.TempDir())
	dir := t.TempDir()
	archive(t, dir, sizes...)
	col := collection(t, dir, store.NewCached(far, store.CacheConfig{}))
	if _, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(col.ObjectsFile()); err != nil {
		t.Fatal(err)
	}
	rep, missing, err := spool.Rescan(t.Context(), col, spool.Config{Store: far, Now: now})
	if err != nil || rep.Files != 2 || len(missing) > 0 {
		t.Fatalf("%+v, %v, %v", rep, missing, err)
	}
	check(t, col, sizes...)
	if err := far.Delete(t.Context(), col.ObjectKey("1.warc")); err != nil {
		t.Fatal(err)
	}
	if _, missing, err = spool.Rescan(t.Context(), col, spool.Config{Store: far, Now: now}); err != nil || fmt.Sprint(missing) != "[1.warc]" {
		t.Errorf("missing %v, %v", missing, err)
	}
}

// TestMain lets this program be the child that is killed.
func TestMain(m *testing.M) {
	if os.Getenv("SPOOL_CHILD") != "" {
		child()
	}
	os.Exit(m.Run())
}

// child moves the files of an archive and kills itself at the n-th step.
func child() {
	left, _ := strconv.Atoi(os.Getenv("SPOOL_KILL_AT"))
	cfg := spool.Config{Store: childStore(), Now: now, Step: func(string, string) {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}}
	col, err := catalog.OpenWith(os.Getenv("SPOOL_CHILD"), store.NewCached(cfg.Store, store.CacheConfig{})).Collection("c")
	if err == nil && os.Getenv("SPOOL_WAY") == "push" {
		_, err = spool.Push(context.Background(), col, cfg)
	} else if err == nil {
		_, err = spool.Recall(context.Background(), col, cfg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childStore is the store that the environment names.
func childStore() store.Store {
	if endpoint := os.Getenv("SPOOL_S3"); endpoint != "" {
		s, err := s3.New(s3.Config{
			Endpoint: endpoint, Region: s3server.Region, Bucket: s3server.Bucket, AccessKey: s3server.AccessKey, SecretKey: s3server.SecretKey, PartSize: 5 << 20,
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return s
	}
	return store.NewDirectory(os.Getenv("SPOOL_DIRECTORY"))
}

// A real SIGKILL between each two steps of both ways: nothing is lost, nothing is acknowledged that is not there, and the next run
// comes to the end.
func TestKilledAtEachStep(t *testing.T) {
	sizes := []int{1000, 5<<20 + 10}
	t.Run("directory", func(t *testing.T) {
		killed(t, sizes, func(t *testing.T) (store.Store, string) {
			dir := t.TempDir()
			return store.NewDirectory(dir), "SPOOL_DIRECTORY=" + dir
		})
	})
	t.Run("s3", func(t *testing.T) {
		server := s3server.Start(t)
		killed(t, sizes, func(t *testing.T) (store.Store, string) {
			t.Setenv("SPOOL_S3", server.Endpoint)
			s := childStore()
			for _, key := range storetest.Keys(t, s, "") {
				if err := s.Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
			}
			return s, "SPOOL_S3=" + server.Endpoint
		})
	})
}

func killed(t *testing.T, sizes []int, open func(t *testing.T) (store.Store, string)) {
	for _, way := range []string{"push", "recall"} {
		steps := 0
		for at := 1; ; at++ {
			far, env := open(t)
			dir := t.TempDir()
			archive(t, dir, sizes...)
			col := collection(t, dir, store.NewCached(far, store.CacheConfig{}))
			if way == "recall" {
				if _, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now}); err != nil {
					t.Fatal(err)
				}
			}
			run := func(at int) *os.ProcessState {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "SPOOL_CHILD="+dir, "SPOOL_WAY="+way, "SPOOL_KILL_AT="+strconv.Itoa(at), env)
				out, err := cmd.CombinedOutput()
				if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 0 {
					t.Fatalf("%s: %v\n%s", way, err, out)
				}
				return cmd.ProcessState
			}
			if run(at).ExitCode() == 0 {
				break // it has no further step
			}
			steps++
			check(t, col, sizes...) // right after the kill: all is there, whole
			run(0)
			check(t, col, sizes...)
			want := map[string]int{"push": 0, "recall": len(sizes)}[way]
			if n, keys := onDisk(t, col), storetest.Keys(t, far, ""); n != want || len(keys) != len(sizes)-want {
				t.Errorf("%s, killed at step %d: %d files here, %v there", way, at, n, keys)
			}
		}
		if least := 3 * len(sizes); steps < least {
			t.Errorf("%s was killed at %d steps, there are at least %d", way, steps, least)
		}
		t.Logf("%s: killed at %d steps", way, steps)
	}
}

// Two processes do not move files of one collection at once.
func TestOneMover(t *testing.T) {
	far := store.NewDirectory(t.TempDir())
	col := archive(t, t.TempDir(), 10)
	_, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now, Step: func(step, _ string) {
		if step != "put" {
			return
		}
		if _, err := spool.Recall(t.Context(), col, spool.Config{Store: far, Now: now}); varve.KindOf(err) != varve.Conflict {
			t.Errorf("a second mover: %v", err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
}
