package renew_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/index/renew"
)

func TestReads(t *testing.T) {
	for have, ok := range map[int]bool{0: false, 1: false, 2: true, 3: true, 4: false} {
		if err := renew.Reads(have, 3); (err == nil) != ok || err != nil && !errors.Is(err, renew.ErrFormat) {
			t.Errorf("format %d: %v", have, err)
		}
	}
	if err := renew.Reads(0, 1); err == nil {
		t.Error("there is no format 0")
	}
}

func TestWork(t *testing.T) {
	began := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		done, before int64
		took         time.Duration
		want         string
	}{
		{0, 0, time.Minute, "0% done, 1000 bytes to go; the older one answers until then"},
		{250, 0, time.Minute, "25% done, about 3 minutes left; the older one answers until then"},
		{500, 250, time.Minute, "50% done, about 2 minutes left"}, // of a process that went on where another was
		{990, 0, time.Minute, "99% done, less than a minute left"},
		{1, 0, time.Hour, "about 42 days left"},
		{1000, 0, time.Hour, "100% done"},
	} {
		now := began.Add(c.took)
		w := renew.Work{Index: "captures", From: 1, To: 2, Unit: "bytes", Done: c.done, Before: c.before, Total: 1000, Began: began, Touched: now}
		if got := w.Line(now); !strings.Contains(got, c.want) {
			t.Errorf("%d of 1000 in %s: %q, want %q", c.done, c.took, got, c.want)
		}
		if got := w.Line(now.Add(time.Hour)); !strings.Contains(got, "'varve index' goes on") {
			t.Errorf("nobody works on it: %q", got)
		}
	}
}

func TestNote(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cdx") // not there yet
	now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	if _, ok := renew.Read(dir); ok {
		t.Error("there is no work")
	}
	told := 0
	r, err := renew.Begin(dir, renew.Work{Index: "captures", From: 1, To: 2, Unit: "bytes", Done: 10, Total: 100}, func() time.Time { return now }, func(renew.Work) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		now = now.Add(100 * time.Millisecond)
		r.At(50, 100)
	}
	w, ok := renew.Read(dir)
	if !ok || w.Done != 50 || w.Before != 10 || told != 3 {
		t.Errorf("note %+v %v, told %d times", w, ok, told)
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	if w, ok := renew.Read(dir); ok {
		t.Errorf("the note stays: %+v", w)
	}
	if err := renew.Forget(dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(dir+".renewing", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := renew.Read(dir); ok {
		t.Error("half a note is none")
	}
}
