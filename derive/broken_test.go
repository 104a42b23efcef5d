package derive_test

import (
	"os"
	"path/filepath"
	"testing"

	"varve/derive"
)

// A file that is no table is an error, whatever is in it.
func TestNoTable(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "words": "no table at all", "half": "PAR1\x00\x00\x00PAR1"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := derive.Rows(path, func(*derive.CrawlDay) (bool, error) { return true, nil }); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
