package cdxj

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestConformanceWACZ reads the index of a WACZ that others made. VARVE_SAMPLES names its folder.
func TestConformanceWACZ(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: it names a folder that holds valid_example_1.wacz")
	}
	for _, name := range []string{"valid_example_1.wacz", "valid_signed_example_1.wacz"} {
		z, err := zip.OpenReader(filepath.Join(dir, name))
		if err != nil {
			t.Skipf("no sample: %v", err)
		}
		read := func(name string) []byte {
			f, err := z.Open("indexes/" + name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			b, err := io.ReadAll(f)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		idx := read("index.idx")
		zn, err := OpenZipNum(bytes.NewReader(idx), int64(len(idx)), func(name string) (io.ReaderAt, error) {
			return bytes.NewReader(read(name)), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r, err := range zn.Records("", "") {
			if err != nil {
				t.Fatal(err)
			}
			if r.URL == "" || r.Filename == "" || r.Offset < 0 || r.Length <= 0 || NormalDigest(r.Digest) == r.Digest && r.Digest[:4] != "sha1" && r.Digest[:6] != "sha256" {
				t.Errorf("%s: odd record %+v", name, r)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%s: no records", name)
		}
		t.Logf("%s: %d records", name, n)
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}
}
