// Package storetest is the suite that every implementation of store.Store passes.
package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/archive/store"
)

// Bytes makes content that does not repeat; the same seed makes the same.
func Bytes(seed uint64, size int) []byte {
	out := make([]byte, size)
	src := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), 7})
	_, _ = src.Read(out) // it never fails
	return out
}

// Info describes content.
func Info(key string, content []byte) store.Info {
	sum := sha256.Sum256(content)
	return store.Info{Key: key, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Changed: time.Date(2026, 3, 1, 6, 0, 0, 123456789, time.UTC)}
}

// Put stores content and fails the test if that fails.
func Put(t testing.TB, s store.Store, key string, content []byte) store.Info {
	t.Helper()
	info := Info(key, content)
	if err := s.Put(t.Context(), info, bytes.NewReader(content)); err != nil {
		t.Fatalf("put %s: %v", key, err)
	}
	return info
}

// Read reads an object to its end.
func Read(t testing.TB, s store.Store, key string) []byte {
	t.Helper()
	o, err := s.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("open %s: %v", key, err)
	}
	defer o.Close()
	b, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	return b
}

// Absent fails the test if there is an object of this key, or a listing has it.
func Absent(t testing.TB, s store.Store, key string) {
	t.Helper()
	if _, err := s.Stat(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s should not be there: %v", key, err)
	}
	if _, err := s.Open(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s should not be opened: %v", key, err)
	}
	if keys := Keys(t, s, key); len(keys) > 0 {
		t.Errorf("listed: %v", keys)
	}
}

// Keys lists keys, sorted.
func Keys(t testing.TB, s store.Store, prefix string) (out []string) {
	t.Helper()
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("list %s: %v", prefix, err)
		}
		out = append(out, info.Key)
	}
	slices.Sort(out)
	return out
}

// Run runs the suite. Open makes a store that is empty; large is a size that it does not take in one piece.
func Run(t *testing.T, large int, open func(t *testing.T) store.Store) {
	t.Run("round", func(t *testing.T) { round(t, open(t), large) })
	t.Run("ranges", func(t *testing.T) { ranges(t, open(t), large) })
	t.Run("digest", func(t *testing.T) { digest(t, open(t), large) })
	t.Run("never replaced", func(t *testing.T) { neverReplaced(t, open(t), large) })
	t.Run("keys", func(t *testing.T) { keys(t, open(t)) })
	t.Run("broken source", func(t *testing.T) { brokenSource(t, open(t), large) })
	t.Run("race", func(t *testing.T) { race(t, open(t)) })
	t.Run("delete", func(t *testing.T) { deleted(t, open(t)) })
}

func round(t *testing.T, s store.Store, large int) {
	for i, size := range []int{0, 1, 1000, 1 << 20, large} {
		key := fmt.Sprintf("collections/c/warc/%d.warc.gz", size)
		content := Bytes(uint64(i), size)
		want := Put(t, s, key, content)
		got, err := s.Stat(t.Context(), key)
		if err != nil || got.Key != want.Key || got.Size != want.Size || got.SHA256 != want.SHA256 || !got.Changed.Equal(want.Changed) {
			t.Errorf("stat: %+v, want %+v, %v", got, want, err)
		}
		if !bytes.Equal(Read(t, s, key), content) {
			t.Errorf("%d bytes came back as others", size)
		}
		if err := s.Put(t.Context(), want, bytes.NewReader(content)); err != nil {
			t.Errorf("the same again: %v", err)
		}
	}
}

func ranges(t *testing.T, s store.Store, large int) {
	content := Bytes(9, large)
	Put(t, s, "r", content)
	o, err := s.Open(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 40 {
		off, n := r.Int64N(int64(large)+10), r.IntN(300_000)
		b := make([]byte, n)
		got, err := o.ReadAt(b, off)
		want := content[min(off, int64(large)):min(off+int64(n), int64(large))]
		if !bytes.Equal(b[:got], want) {
			t.Fatalf("%d bytes at %d are others", n, off)
		}
		if short := len(want) < n; short != errors.Is(err, io.EOF) || !short && err != nil {
			t.Fatalf("%d bytes at %d of %d: %v", n, off, large, err)
		}
	}
	if _, err := o.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("read before the start")
	}
}

func digest(t *testing.T, s store.Store, large int) {
	for _, size := range []int{10, large} {
		content := Bytes(3, size)
		info := Info("d", content)
		content[size/2] ^= 1 // one bit
		if err := s.Put(t.Context(), info, bytes.NewReader(content)); !errors.Is(err, store.ErrDigest) {
			t.Errorf("%d bytes with one wrong bit: %v", size, err)
		}
		Absent(t, s, "d")
		if err := s.Put(t.Context(), info, bytes.NewReader(content[:size-1])); err == nil {
			t.Error("a byte is missing, and nobody says so")
		}
		Absent(t, s, "d")
	}
}

func neverReplaced(t *testing.T, s store.Store, large int) {
	for i, size := range []int{10, large} {
		key := fmt.Sprintf("n%d", i)
		first := Bytes(4, size)
		Put(t, s, key, first)
		second := Bytes(5, size)
		if err := s.Put(t.Context(), Info(key, second), bytes.NewReader(second)); !errors.Is(err, store.ErrExists) {
			t.Errorf("another object of %d bytes: %v", size, err)
		}
		if !bytes.Equal(Read(t, s, key), first) {
			t.Error("it was replaced")
		}
	}
}

func keys(t *testing.T, s store.Store) {
	for _, bad := range []string{"", ".", "..", "/x", "a//b", "a/../b", "../x", "a/", "a\\b", "a\x00b", strings.Repeat("a", 2000)} {
		if err := s.Put(t.Context(), Info(bad, []byte("x")), strings.NewReader("x")); err == nil {
			t.Errorf("%.20q is no key", bad)
		}
		if _, err := s.Open(t.Context(), bad); err == nil {
			t.Errorf("%.20q was opened", bad)
		}
	}
	good := []string{"a-b", "a/b", "a/b c", "a/c/ü ~'()&+%.warc.gz", "ab", "b"}
	for _, k := range good {
		Put(t, s, k, []byte(k))
	}
	for prefix, want := range map[string][]string{
		"": good, "a": good[:5], "a/": good[1:4], "a/c/": good[3:4], "x": nil,
	} {
		if got := Keys(t, s, prefix); !slices.Equal(got, want) {
			t.Errorf("list %q: %q, want %q", prefix, got, want)
		}
	}
	for _, k := range good {
		if got := Read(t, s, k); string(got) != k {
			t.Errorf("%s: %q", k, got)
		}
	}
}

// failing is a source that breaks in the middle.
type failing struct {
	*bytes.Reader
	at   int64
	stop func()
}

var errBroken = errors.New("the disk broke")

// ReadAt reads up to the place where it breaks.
func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.at {
		if f.stop != nil {
			f.stop()
		}
		return 0, errBroken
	}
	return f.Reader.ReadAt(p, off)
}

func brokenSource(t *testing.T, s store.Store, large int) {
	content := Bytes(6, large)
	info := Info("b", content)
	if err := s.Put(t.Context(), info, &failing{Reader: bytes.NewReader(content), at: int64(large) - 1000}); err == nil {
		t.Error("the source broke, and nobody says so")
	}
	Absent(t, s, "b")
	ctx, stop := context.WithCancel(t.Context())
	if err := s.Put(ctx, info, &failing{Reader: bytes.NewReader(content), at: int64(large) - 1000, stop: stop}); err == nil {
		t.Error("it was stopped, and nobody says so")
	}
	Absent(t, s, "b")
	Put(t, s, "b", content)
	if _, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Errorf("sweep: %v", err)
	}
	if !bytes.Equal(Read(t, s, "b"), content) {
		t.Error("the sweep took a part of it")
	}
}

// race lets several put different objects under one key: one of them is there, whole, and only its writer was told so.
func race(t *testing.T, s store.Store) {
	const writers = 6
	var wg sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		content := Bytes(uint64(20+i), 5000)
		wg.Go(func() { errs[i] = s.Put(t.Context(), Info("race", content), bytes.NewReader(content)) })
	}
	wg.Wait()
	got, won := Read(t, s, "race"), 0
	for i, err := range errs {
		switch {
		case err == nil && bytes.Equal(got, Bytes(uint64(20+i), 5000)):
			won++
		case err == nil:
			t.Errorf("writer %d was told that it is there", i)
		case !errors.Is(err, store.ErrExists):
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if won != 1 {
		t.Errorf("%d writers won", won)
	}
}

func deleted(t *testing.T, s store.Store) {
	Put(t, s, "x", []byte("x"))
	for range 2 { // the second time it is not there
		if err := s.Delete(t.Context(), "x"); err != nil {
			t.Error(err)
		}
	}
	Absent(t, s, "x")
	Put(t, s, "x", []byte("y"))
}
