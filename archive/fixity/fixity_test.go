package fixity

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
)

// shelf is a collection with files of given contents.
func shelf(t *testing.T, files map[string]string) *catalog.Collection {
	t.Helper()
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, col, name, text)
	}
	return col
}

func write(t *testing.T, col *catalog.Collection, name, text string) {
	t.Helper()
	path := filepath.Join(col.Dir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// look audits at an hour of a made-up day.
func look(t *testing.T, col *catalog.Collection, hour int, cfg Config) *Report {
	t.Helper()
	cfg.Now = func() time.Time { return time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC) }
	r, err := Audit(context.Background(), col, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func found(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.File+" "+string(f.Outcome))
	}
	return strings.Join(out, ", ")
}

func TestAudit(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa", "warc/b.warc.gz": "bb", "warc/c.warc.gz.open": "not yet", "labels/spam.jsonl": "{}\n", "labels/empty.jsonl": ""})
	if r := look(t, col, 1, Config{}); r.Outcomes[Recorded] != 4 || r.Bad() || r.Bytes != 9 {
		t.Fatalf("first audit: %+v", r)
	}
	if r := look(t, col, 2, Config{}); r.Outcomes[OK] != 4 || r.Bad() {
		t.Fatalf("second audit: %+v", r)
	}
	write(t, col, "labels/spam.jsonl", "{}\n{}\n")
	write(t, col, "labels/empty.jsonl", "{}\n")
	if r := look(t, col, 3, Config{}); r.Outcomes[Grown] != 2 || r.Bad() {
		t.Fatalf("grown journals: %+v", r)
	}
	write(t, col, "warc/a.warc.gz", "aaab")
	write(t, col, "labels/spam.jsonl", "[]\n{}\n{}\n")
	if err := os.Remove(filepath.Join(col.WarcDir(), "b.warc.gz")); err != nil {
		t.Fatal(err)
	}
	const want = "labels/spam.jsonl changed, warc/a.warc.gz changed, warc/b.warc.gz missing"
	for hour := 4; hour < 6; hour++ { // a finding stays one until somebody decides
		if r := look(t, col, hour, Config{}); found(r) != want {
			t.Fatalf("found %s", found(r))
		}
	}
	for _, file := range []string{"warc/a.warc.gz", "warc/b.warc.gz", "labels/spam.jsonl"} {
		if _, err := Accept(context.Background(), col, file, "ada", "restored from tape", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if r := look(t, col, 6, Config{}); r.Bad() || r.Files != 3 {
		t.Fatalf("after the decision: %+v", r)
	}
	if _, err := Accept(context.Background(), col, "warc/never.warc.gz", "ada", "", time.Now()); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// A share of the collection a day goes round all of it.
func TestRolling(t *testing.T) {
	files := map[string]string{}
	for _, n := range "abcdefghij" {
		files["warc/"+string(n)+".warc.gz"] = "ten bytes!"
	}
	col := shelf(t, files)
	look(t, col, 1, Config{})
	for hour := 2; hour < 7; hour++ {
		if r := look(t, col, hour, Config{Share: 0.2}); r.Checked != 2 {
			t.Fatalf("hour %d: %d files", hour, r.Checked)
		}
	}
	if r := look(t, col, 7, Config{NewOnly: true}); r.Checked != 0 || r.Oldest.Hour() != 2 {
		t.Fatalf("after five shares: %+v", r)
	}
}

func TestUnreadable(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa"})
	look(t, col, 1, Config{})
	path := filepath.Join(col.WarcDir(), "a.warc.gz")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	if r := look(t, col, 2, Config{}); found(r) != "warc/a.warc.gz unreadable" {
		t.Fatal(found(r))
	}
}

// A ledger from elsewhere must not make us read outside of the collection by a relative path.
func TestPathsStayInside(t *testing.T) {
	col := shelf(t, nil)
	for _, file := range []string{"../x", "warc/../../x", "", ".", `warc\x`} {
		if path, err := pathOf(col, file); err == nil && file != "." {
			t.Errorf("%q: %s", file, path)
		}
	}
}

// The manifest is what sha256sum reads.
func TestManifest(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa", "warc/b.warc.gz": "b"})
	look(t, col, 1, Config{})
	f, err := os.Open(ManifestFile(col))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := ReadManifest(f, "m")
	if err != nil || len(lines) != 2 || lines[0].Path != "warc/a.warc.gz" || !strings.HasPrefix(lines[0].Digest, "61be55a8") {
		t.Fatal(lines, err)
	}
	if program, err := exec.LookPath("sha256sum"); err == nil {
		cmd := exec.Command(program, "-c", "--quiet", ManifestFile(col))
		cmd.Dir = col.Dir()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("sha256sum: %v: %s", err, out)
		}
	}
}

func TestReadManifest(t *testing.T) {
	lines, err := ReadManifest(strings.NewReader("\ufeffAB12  a%0Ab%25\r\n\ncd *x y\nef\tz\n"), "m")
	if err != nil || len(lines) != 3 || lines[0] != (Line{"ab12", "a\nb%"}) || lines[1] != (Line{"cd", "x y"}) || lines[2] != (Line{"ef", "z"}) {
		t.Fatalf("%q %v", lines, err)
	}
	for _, bad := range []string{"xyz  a", "ab", "ab  "} {
		if _, err := ReadManifest(strings.NewReader(bad), "m"); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	f.Add("ab12  a%0Ab\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := ReadManifest(strings.NewReader(text), "m")
		if err != nil {
			return
		}
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l.Digest + "  " + EscapePath(l.Path) + "\n")
		}
		again, err := ReadManifest(strings.NewReader(b.String()), "m")
		if err != nil || len(again) != len(lines) {
			t.Fatalf("%q: %v", b.String(), err)
		}
	})
}
