package wacz

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"varve/archive/warc"
)

// Files of the caller are listed under names of their own; those in the way of the format are
// refused, and the package goes on without them.
func TestAddFile(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Config{Dir: t.TempDir(), Created: testTime, GivenPages: true, Seeds: []string{"http://example.com/"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, p := range []string{"logs/a.log", "coherence/a.log", "coherence/Über uns.json", "notes.md", "logs/old.gz"} {
		if err := w.AddFile(p, strings.NewReader(p)); err != nil {
			t.Error(err)
		}
	}
	for _, p := range []string{"archive/x", "indexes/x", "pages/x", "datapackage.json", "../x", "/x", "", "logs/a.log", "a\\b", "a\nb"} {
		if err := w.AddFile(p, strings.NewReader("x")); err == nil {
			t.Errorf("%q was taken", p)
		}
	}
	data := site(t, warc.Packing{})
	if err := w.AddWARC(context.Background(), "x/a.warc.gz", bytes.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	for _, p := range []PageEntry{{URL: "http://example.com/", TS: "2026-03-04T05:06:10Z", Seed: true}, {URL: "http://example.com/2", TS: "2026-03-04T05:06:10Z"}} {
		if err := w.AddPage(p); err != nil {
			t.Error(err)
		}
	}
	if err := w.AddPage(PageEntry{URL: "u", TS: "now"}); err == nil {
		t.Error("a page without a time was taken")
	}
	sum, err := w.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, r := range sum.Manifest.Resources {
		if names[r.Name] || r.Name != strings.ToLower(r.Name) {
			t.Errorf("name %q", r.Name)
		}
		names[r.Name] = true
	}
	rep := mustBeValid(t, out.Bytes())
	if len(rep.Extras) != 5 || rep.Pages != 2 || sum.Pages != 1 || sum.Extra != 1 || sum.Manifest.MainPageURL != "http://example.com/" {
		t.Errorf("%+v, %+v", rep, sum)
	}
	if _, err := w.Finish(context.Background()); err == nil {
		t.Error("finished twice")
	}
}

// Records that share a member cannot be pointed to.
func TestSharedMember(t *testing.T) {
	var whole bytes.Buffer
	z := gzip.NewWriter(&whole)
	_, _ = z.Write(site(t, warc.Packing{Kind: warc.Plain}))
	_ = z.Close()
	w, err := NewWriter(io.Discard, Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	err = w.AddWARC(context.Background(), "a.warc.gz", bytes.NewReader(whole.Bytes()), int64(whole.Len()))
	if !errors.Is(err, ErrSharedMember) {
		t.Errorf("got %v", err)
	}
}

// full is a disk with little room.
type full struct{ room int }

var errFull = errors.New("no space left")

// Write takes what there is room for.
func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.room {
		return 0, errFull
	}
	f.room -= len(b)
	return len(b), nil
}

// Wherever the disk gets full or the work is stopped, the cause is told and nothing is left behind.
func TestWriteFails(t *testing.T) {
	data := site(t, warc.Packing{})
	whole, _ := build(t, Config{}, packed{"a.warc.gz", data})
	for room := 0; room < len(whole); room += len(whole)/23 + 1 {
		if err := attempt(t, context.Background(), &full{room}, data); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := attempt(t, stopped, io.Discard, data); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func attempt(t *testing.T, ctx context.Context, out io.Writer, data []byte) error {
	dir := t.TempDir()
	w, err := NewWriter(out, Config{Dir: dir, Created: testTime})
	if err != nil {
		t.Fatal(err)
	}
	err = w.AddWARC(ctx, "a.warc.gz", bytes.NewReader(data), int64(len(data)))
	if err == nil {
		_, err = w.Finish(ctx)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Error("temporary files were left")
	}
	return err
}

// changing is a file of which one reading of the end gives another byte.
type changing struct {
	data []byte
	odd  int // which reading
}

// ReadAt counts the readings of the end.
func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	n, err := bytes.NewReader(c.data).ReadAt(p, off)
	if off+int64(n) == int64(len(c.data)) && n > 1000 {
		if c.odd--; c.odd == 0 {
			p[n-1] ^= 1
		}
	}
	return n, err
}

// The CRC stands before the bytes: if they are others when they are copied, it is noticed.
func TestChangingFile(t *testing.T) {
	data := site(t, warc.Packing{})
	noticed := 0
	for odd := range 8 {
		w, err := NewWriter(io.Discard, Config{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		err = w.AddWARC(context.Background(), "a.warc.gz", &changing{data, odd}, int64(len(data)))
		if err != nil && strings.Contains(err.Error(), "changed") {
			noticed++
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if noticed != 2 { // once in the reading for the CRC, once in that for the copy
		t.Errorf("noticed %d times, want 2", noticed)
	}
}

// Revisits by which a server said that nothing changed are in the file and not in the index, unless asked for.
func TestNotModified(t *testing.T) {
	m := newMaker(t, warc.Packing{})
	m.response("http://example.com/", 200, htmlType, htmlDoc("Start", ""))
	m.add(warc.TypeRevisit, "http://example.com/", warc.ContentTypeResponse, "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n", warc.FieldProfile, warc.ProfileNotModified)
	m.add(warc.TypeRevisit, "http://example.com/", "", "", warc.FieldProfile, warc.ProfileNotModified) // some write no head
	m.add(warc.TypeRevisit, "http://example.com/", warc.ContentTypeResponse, "HTTP/1.1 200 OK\r\n"+htmlType+"\r\n", warc.FieldProfile, warc.ProfileIdentical,
		warc.FieldPayloadDigest, digestOf(t, htmlDoc("Start", "")))
	for _, keep := range []bool{false, true} {
		pkg, sum := build(t, Config{NotModified: keep}, packed{"a.warc.gz", m.buf.Bytes()})
		want, left := int64(2), int64(2)
		if keep {
			want, left = 4, 0
		}
		if sum.Captures != want || sum.NotModified != left {
			t.Errorf("kept %v: %+v", keep, sum)
		}
		rep, err := Check(t.Context(), open(t, pkg), CheckOptions{Deep: true})
		if err != nil || len(rep.Findings) > 0 {
			t.Errorf("kept %v: %+v, %v", keep, rep, err)
		}
	}
}
