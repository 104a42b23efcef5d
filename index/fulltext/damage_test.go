package fulltext

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A byte flipped in whatever file of the index: the next build notices, tells, and the index answers as before.
func TestDamagedIndexIsBuiltAnew(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	writeVersions(t, table, library(20, 3))
	judge := Labels{Spam: func(host string) string { return "normal" }}
	build := func() Report {
		t.Helper()
		rep, err := Build(t.Context(), at, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Relabel(t.Context(), at, judge); err != nil {
			t.Fatal(err)
		}
		return rep
	}
	answers := func() string {
		t.Helper()
		ix, err := Open(at)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		a, err := ix.Search(t.Context(), Query{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(ix.Docs(), a.Total, a.Hits)
	}
	build()
	want := answers()
	if rep := build(); rep.Built != 0 || len(rep.Damaged) != 0 {
		t.Fatalf("a sound index is built anew: %+v", rep)
	}
	done := map[string]bool{}
	err := filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		kind := strings.TrimRight(filepath.Base(path), "0123456789abcdef") // one of each kind
		if err != nil || d.IsDir() || done[kind] {
			return err
		}
		done[kind] = true
		whole, err := os.ReadFile(path)
		if err != nil || len(whole) == 0 {
			return err
		}
		for _, i := range []int{0, len(whole) / 2, len(whole) - 1} {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b[min(i, len(b)-1)] ^= 0x41
			if err := os.WriteFile(path, b, 0o644); err != nil {
				return err
			}
			rep := build()
			if rep.Built == 0 && len(rep.Damaged) == 0 {
				t.Errorf("%s, byte %d: not noticed", path, i)
			}
			if got := answers(); got != want {
				t.Errorf("%s, byte %d: answers %.200s, want %.200s", path, i, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kinds of files", len(done))
}
