package warc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"varve"
	"varve/archive/warc"
)

var when = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func numbered(n int) string { return fmt.Sprintf("test-%05d", n) }

func info(name string) (*warc.Entry, error) {
	block := warc.Bytes("software: test\r\n")
	return warc.New(warc.TypeWarcinfo, "<urn:info:"+name+">", when, block).With(warc.FieldFilename, name).
		With(warc.FieldContentType, warc.ContentTypeFields), nil
}

// group makes the records of capture i: a response with a size that depends on i, and a request.
func group(i int) []*warc.Entry {
	body := bytes.Repeat(fmt.Appendf(nil, "line %d\n", i), 1+i*37%200)
	sums, _ := warc.Sum(warc.Bytes(body), 0, false)
	uri := fmt.Sprintf("http://example.org/%d", i)
	return []*warc.Entry{
		warc.New(warc.TypeResource, fmt.Sprintf("<urn:res:%d>", i), when, warc.Bytes(body)).
			With(warc.FieldTargetURI, uri).With(warc.FieldBlockDigest, sums.Block),
		warc.New(warc.TypeMetadata, fmt.Sprintf("<urn:meta:%d>", i), when, warc.Bytes("x")).With(warc.FieldTargetURI, uri),
	}
}

// readIDs reads a directory strictly and gives the record ids with the location of each.
func readIDs(t testing.TB, dir string) map[string]varve.Location {
	t.Helper()
	out := map[string]varve.Location{}
	files, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		addIDs(t, out, f, filepath.Base(path))
		f.Close()
	}
	return out
}

func addIDs(t testing.TB, out map[string]varve.Location, src io.Reader, name string) {
	t.Helper()
	r, err := warc.NewReader(src, warc.Options{Name: name, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		id := rec.ID()
		size, err := rec.Finish()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[id] = varve.Location{File: name, Offset: rec.Offset, Length: size}
	}
}

func TestWriterConcurrent(t *testing.T) {
	for _, kind := range []warc.Compression{warc.Gzip, warc.Zstd, warc.Plain} {
		dir := t.TempDir()
		var finished []string
		w, err := warc.NewWriter(warc.WriterConfig{
			Dir: dir, Name: numbered, Info: info, MaxSize: 20_000, Packing: warc.Packing{Kind: kind},
			Finished: func(name string) { finished = append(finished, name) },
		})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]varve.Location{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for worker := range 8 {
			wg.Go(func() {
				for i := worker; i < 200; i += 8 {
					at, err := w.Write(group(i)...)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					want[fmt.Sprintf("<urn:res:%d>", i)], want[fmt.Sprintf("<urn:meta:%d>", i)] = at[0], at[1]
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		checkLocations(t, readIDs(t, dir), want)
		if len(finished) < 3 {
			t.Errorf("%s: files %v, want several", kind, finished)
		}
		if _, err := w.Write(group(1)...); err == nil {
			t.Error("a closed writer wrote")
		}
	}
}

func checkLocations(t *testing.T, got, want map[string]varve.Location) {
	t.Helper()
	for id, at := range want {
		if got[id] != at {
			t.Errorf("%s: acknowledged at %v, found at %v", id, at, got[id])
		}
	}
}

// A record that does not fit into memory is streamed to the file.
func TestWriterStreamsLargeRecords(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, bytes.Repeat([]byte("0123456789abcdef"), 1<<19), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(big)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := warc.NewWriter(warc.WriterConfig{Dir: filepath.Join(dir, "w"), Name: numbered, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	block := io.NewSectionReader(f, 0, 8<<20)
	sums, err := warc.Sum(block, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	e := warc.New(warc.TypeResource, "<urn:big>", when, block).With(warc.FieldTargetURI, "http://a/").With(warc.FieldBlockDigest, sums.Block)
	at, err := w.Write(append(group(1), e)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkLocations(t, readIDs(t, filepath.Join(dir, "w")), map[string]varve.Location{"<urn:res:1>": at[0], "<urn:big>": at[2]})
}

// faultyDisk is the real disk with a fault that can be switched on.
type faultyDisk struct {
	warc.Disk
	writeErr, syncErr error
	room              int // bytes that still fit when writeErr is set
}

type faultyFile struct {
	warc.Handle
	disk *faultyDisk
}

func (d *faultyDisk) Create(name string) (warc.Handle, error) {
	h, err := d.Disk.Create(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{h, d}, nil
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if f.disk.writeErr == nil {
		return f.Handle.Write(p)
	}
	n, err := f.Handle.Write(p[:min(len(p), f.disk.room)])
	return n, errors.Join(f.disk.writeErr, err)
}

func (f *faultyFile) Sync() error { return errors.Join(f.disk.syncErr, f.Handle.Sync()) }

// On a full disk the torn write is cut, the error tells, and writing goes on when there is room.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	disk := &faultyDisk{}
	w, err := warc.NewWriter(warc.WriterConfig{Dir: dir, FS: disk, Name: numbered, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(group(1)...); err != nil {
		t.Fatal(err)
	}
	disk.writeErr, disk.room = syscall.ENOSPC, 100
	if _, err := w.Write(group(2)...); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("full disk: %v", err)
	}
	disk.writeErr = nil
	if _, err := w.Write(group(3)...); err != nil {
		t.Errorf("after there was room: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := readIDs(t, dir)
	if len(got) != 5 || got["<urn:res:2>"].Length != 0 {
		t.Errorf("records %v", got)
	}
}

// After a failed sync nothing more is promised.
func TestFailedSyncIsFinal(t *testing.T) {
	disk := &faultyDisk{syncErr: syscall.EIO}
	w, err := warc.NewWriter(warc.WriterConfig{Dir: t.TempDir(), FS: disk, Name: numbered, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(group(1)...); !errors.Is(err, syscall.EIO) {
		t.Errorf("failed sync: %v", err)
	}
	disk.syncErr = nil
	if _, err := w.Write(group(2)...); !errors.Is(err, syscall.EIO) {
		t.Errorf("after a failed sync: %v", err)
	}
}

func TestRecoverOnDisk(t *testing.T) {
	dir := t.TempDir()
	w, err := warc.NewWriter(warc.WriterConfig{Dir: dir, Name: numbered, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if _, err := w.Write(group(i)...); err != nil {
			t.Fatal(err)
		}
	}
	open := filepath.Join(dir, "test-00000.warc.gz.open")
	whole, err := os.ReadFile(open)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		cut := rng.IntN(len(whole) + 1)
		where := t.TempDir()
		if err := os.WriteFile(filepath.Join(where, "x.warc.gz.open"), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		cuts, err := warc.Recover(warc.Disk{}, where, nil, nil)
		if err != nil || len(cuts) != 1 || cuts[0].Kept+cuts[0].Lost != int64(cut) {
			t.Fatalf("cut at %d: %+v, %v", cut, cuts, err)
		}
		if n := int64(len(readIDs(t, where))); cuts[0].File != "" && n != cuts[0].Records {
			t.Errorf("cut at %d: %d records read, %d told", cut, n, cuts[0].Records)
		}
		if cuts[0].Lost > 0 && cuts[0].Kept > 0 && cuts[0].Cause == "" {
			t.Errorf("cut at %d without a cause: %+v", cut, cuts[0])
		}
	}
}

// Readers get at an acknowledged record while the file is still being written.
func TestReadWhileWriting(t *testing.T) {
	dir := t.TempDir()
	w, err := warc.NewWriter(warc.WriterConfig{Dir: dir, Name: numbered, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	at, err := w.Write(group(7)...)
	if err != nil {
		t.Fatal(err)
	}
	f, err := warc.Open(filepath.Join(dir, at[0].File+warc.OpenSuffix))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := f.ReaderAt(at[0].Offset, warc.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Next()
	if err != nil || rec.ID() != "<urn:res:7>" {
		t.Errorf("%v, %v", rec, err)
	}
	n := 0
	err = warc.Scan(context.Background(), f, warc.Options{}, 2, func(*warc.Record) (int, error) { return 1, nil }, func(i int) error { n += i; return nil })
	if err != nil || n != 3 {
		t.Errorf("scan of an open file: %d records, %v", n, err)
	}
}

func TestTemplateNameIsSafe(t *testing.T) {
	name := warc.TemplateName("a/../b", "h\\x", when)(3)
	if strings.ContainsAny(name, "/\\") || !strings.Contains(name, "-00003-") {
		t.Errorf("name %q", name)
	}
}
