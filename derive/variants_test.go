package derive_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/derive"
	"varve/language/variant"
)

// What was written is read again; a file that is not ours says which line, and what to do.
func TestReadVariants(t *testing.T) {
	dir := t.TempDir()
	if got, err := derive.ReadVariants(dir); err != nil || got != nil {
		t.Errorf("nobody wrote any: %v %v", got, err)
	}
	want := []variant.Pair{{Old: "to-day", New: "today", Turn: 1960, Before: variant.Use{Old: 8, New: 2}, After: variant.Use{New: 9}}, {Old: "a<b", New: "ab", Turn: 1}}
	if err := derive.WriteVariants(dir, want); err != nil {
		t.Fatal(err)
	}
	if got, err := derive.ReadVariants(dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "variants.jsonl"), []byte("{}\n{\"old\":7}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := derive.ReadVariants(dir); err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "varve text variants") {
		t.Errorf("%v", err)
	}
}
