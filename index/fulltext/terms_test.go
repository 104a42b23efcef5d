package fulltext

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

func fuzzTerms(f *testing.F, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "ix", "*", "terms"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, 25)
	}
	path := filepath.Join(dir, "fuzzed")
	f.Fuzz(func(t *testing.T, b []byte, docs int) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		docs = min(max(docs, 0), 10_000)
		r, err := openTerms(path, docs)
		if err != nil {
			t.Fatal(err)
		}
		defer r.close()
		if r.load() != nil {
			return
		}
		some := roaring.New()
		some.AddRange(0, uint64(docs))
		_, _ = r.count(t.Context(), some)
	})
}
