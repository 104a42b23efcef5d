package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.txt")
	if err := Bytes(path, 0o600, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := File(path, 0o600, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of the n")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	look := func(want string) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil || string(b) != want {
			t.Errorf("%q, %v; want %q", b, err, want)
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
			t.Errorf("left behind: %v, %v", names, err)
		}
	}
	look("old")
	if err := JSON(path, 0o640, map[string]string{"a": "<b>"}); err != nil {
		t.Fatal(err)
	}
	look("{\n  \"a\": \"<b>\"\n}\n")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
	if err := JSON(path, 0o640, func() {}); err == nil {
		t.Error("a function was written as JSON")
	}
	look("{\n  \"a\": \"<b>\"\n}\n")
}

// What a killed writer left is written over by the next one, and many writers of one name leave one whole content.
func TestLeftOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.txt")
	if err := os.WriteFile(filepath.Join(dir, ".b.txt.new"), []byte(strings.Repeat("left", 9000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				if err := Bytes(path, 0o644, []byte(strings.Repeat(string(rune('a'+i)), 1+i*1000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	b, err := os.ReadFile(path)
	if err != nil || len(b) != 1+int(b[0]-'a')*1000 || strings.Trim(string(b), string(b[:1])) != "" {
		t.Errorf("%d bytes %.20q, %v", len(b), b, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// A scratch file has no name from the beginning, so that no kill can leave it.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	f, err := Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("x"); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("%v, %v", names, err)
	}
}

// A name that is taken by a folder is no file: nothing is left behind.
func TestCannot(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "x", "y"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Bytes(filepath.Join(dir, "x"), 0o644, nil); err == nil {
		t.Error("a folder was replaced")
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
	if err := SyncDir(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there was synced")
	}
}
