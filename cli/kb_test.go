package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"varve/kb/rdf"
)

// Files are read however they are packed, and whatever they are called.
func TestKBReadPacked(t *testing.T) {
	const line = "<http://example.org/a> <http://example.org/b> \"c\" .\n"
	dir := t.TempDir()
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{g, z} {
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	bz, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWanm3r4AAAjZgAAQUAGAFTrG1EAgAECVBMTam0amaFA00MjJiTt5FKHx6YLn4lVWjkcMSODCFhhzg5Ic2dF3JFOFCQqebevg")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.nt": []byte(line), "a.nt.gz": gz.Bytes(), "a.NT.gz": gz.Bytes(), "a.nt.bz2": bz, "a.nt.zst": zst.Bytes(), "-": zst.Bytes()} {
		o := kbReadOptions{}
		if name == "-" {
			o.format = "nt"
		} else if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		} else {
			name = filepath.Join(dir, name)
		}
		var got []rdf.Quad
		for q, err := range o.read([]string{name}, bytes.NewReader(content), "s", nil) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			got = append(got, q)
		}
		if len(got) != 1 || got[0].String()+"\n" != line {
			t.Errorf("%s: %v", name, got)
		}
	}
}
