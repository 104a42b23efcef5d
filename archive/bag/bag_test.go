package bag

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
)

// packed makes a bag of three files.
func packed(t *testing.T) string {
	t.Helper()
	src := t.TempDir()
	var items []Item
	for name, text := range map[string]string{"warc/a.warc.gz": "aaaa", "warc/b\n.warc.gz": "bb", "labels/spam.jsonl": "{}\n"} {
		full := filepath.Join(src, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		items = append(items, Item{Name: name, Path: full, Size: int64(len(text))})
	}
	dir := filepath.Join(t.TempDir(), "bag")
	sum, err := Write(context.Background(), dir, items, Config{
		Info: []Field{{"Source-Organization", "A\nlibrary"}}, Date: time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC),
		Tags: []Tag{{"metadata/dc.xml", []byte("<dc/>")}},
	})
	if err != nil || sum.Files != 3 || sum.Bytes != 9 {
		t.Fatal(sum, err)
	}
	return dir
}

func check(t *testing.T, dir string) *Report {
	t.Helper()
	r, err := Check(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	dir := packed(t)
	r := check(t, dir)
	if len(r.Findings) > 0 || r.Files != 3 || r.Version != "1.0" || r.Info[0].Value != "A library" {
		t.Fatalf("%+v", r)
	}
	if _, err := Write(context.Background(), dir, nil, Config{}); err == nil {
		t.Fatal("a bag was written over another")
	}
}

// Every kind of damage is found, and names its file.
func TestDamage(t *testing.T) {
	tally := attack.Count(t)
	write := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
	}
	remove := func(name string) func(string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, name)) }
	}
	for _, c := range []struct {
		name string
		do   func(dir string) error
		want string
	}{
		{"byte flipped", write("data/warc/a.warc.gz", "aaab"), "digest data/warc/a.warc.gz"},
		{"file gone", remove("data/warc/a.warc.gz"), "oxum bag-info.txt, missing data/warc/a.warc.gz"},
		{"file added", write("data/x", "1"), "oxum bag-info.txt, unlisted data/x"},
		{"tag file changed", write("metadata/dc.xml", "<x/>"), "digest metadata/dc.xml"},
		{"no declaration", remove("bagit.txt"), "declaration bagit.txt, missing bagit.txt"},
		{"manifest that leads out", write("manifest-sha512.txt", "00  ../../etc/passwd\n"), "path ../../etc/passwd"},
		{"manifest that is none", write("manifest-sha512.txt", "hello\n"), "manifest manifest-sha512.txt"},
		{"unknown algorithm", write("manifest-xx.txt", "00  data/a\n"), "manifest manifest-xx.txt"},
		{"link out of the bag", func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "data/link")) }, "path data/link"},
		{"to be fetched", write("fetch.txt", "http://x 1 data/y\n"), "fetch fetch.txt"},
	} {
		tally.Try(1)
		t.Run(c.name, func(t *testing.T) {
			dir := packed(t)
			if err := c.do(dir); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range check(t, dir).Findings {
				got = append(got, string(f.Rule)+" "+f.File)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, items := range map[string][]Item{
		"a path that leads out": {{Name: "../f", Path: file}},
		"a name twice":          {{Name: "f", Path: file}, {Name: "f", Path: file}},
		"a file that is gone":   {{Name: "g", Path: file + "g"}},
	} {
		if _, err := Write(context.Background(), filepath.Join(dir, "bag"), items, Config{}); err == nil {
			t.Errorf("%s was packed", name)
		}
	}
	cfg := Config{Expect: map[string]string{"f": "00"}}
	if _, err := Write(context.Background(), filepath.Join(dir, "bag"), []Item{{Name: "f", Path: file}}, cfg); err == nil {
		t.Error("a file that is not what was recorded was packed")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "bag*")); len(left) > 0 {
		t.Error("left behind:", left)
	}
}

// The reference implementation agrees, where it is installed (pip install bagit).
func TestOtherTool(t *testing.T) {
	if err := exec.Command("python3", "-c", "import bagit").Run(); err != nil {
		t.Skip("python3 with the module bagit is not installed")
	}
	dir := packed(t)
	if out, err := exec.Command("python3", "-m", "bagit", "--validate", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	src := t.TempDir()
	if err := os.WriteFile(filepath.Join(src, "page ä.warc"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("python3", "-m", "bagit", src).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r := check(t, src); len(r.Findings) > 0 || r.Files != 1 {
		t.Fatalf("%+v", r)
	}
}
