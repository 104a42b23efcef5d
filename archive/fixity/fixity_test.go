package fixity

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/journal"
	"varve/lab/attack"
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
	tally := attack.Count(t)
	col := shelf(t, nil)
	for _, file := range []string{"../x", "warc/../../x", "", ".", `warc\x`, "..", "warc/..", "warc//../../x", "./../x", "warc/./../../x", `..\x`} {
		tally.Try(1)
		if path, err := pathOf(col, file); err == nil && file != "." {
			t.Errorf("%q: %s", file, path)
		}
	}
}

// A forged ledger does not lead an audit, or who accepts its findings, to a file outside of the collection that was never imported.
func TestForgedLedgerOpensNothing(t *testing.T) {
	tally := attack.Count(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte("hunter2")))
	for _, guess := range []string{digest, strings.Repeat("0", 64)} { // whether a guess is right must not be told either
		col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa"})
		if err := journal.Append(LedgerFile(col), Look{Time: time.Unix(1, 0), File: secret, Outcome: Recorded, SHA256: guess, Size: 7}); err != nil {
			t.Fatal(err)
		}
		tally.Try(2)
		rep := look(t, col, 2, Config{})
		if len(rep.Findings) != 1 || rep.Findings[0].Outcome != Missing || rep.Findings[0].SHA256 != "" || rep.Findings[0].Size != 0 || !strings.Contains(rep.Findings[0].Why, "references.jsonl") {
			tally.Through(1)
			t.Errorf("%.8s: %+v", guess, rep.Findings)
		}
		if got, err := Accept(t.Context(), col, secret, "eva", "it never was ours", time.Unix(3, 0)); err != nil || got.Outcome != Removed || got.SHA256 != "" {
			tally.Through(1)
			t.Errorf("%.8s: accepted: %+v, %v", guess, got, err)
		}
		if rep := look(t, col, 4, Config{}); len(rep.Findings) > 0 {
			t.Errorf("what was accepted is told again: %+v", rep.Findings)
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

// spoiled gives damaged versions of a file: every third byte flipped, every line lost, every tail cut off, all of it gone.
func spoiled(b []byte) map[string][]byte {
	out := map[string][]byte{"gone": nil}
	for i := 0; i < len(b); i += 3 {
		flipped := append([]byte(nil), b...)
		flipped[i] ^= 0x11
		out[fmt.Sprintf("byte %d flipped", i)] = flipped
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	at := 0
	for i, line := range lines {
		out[fmt.Sprintf("line %d lost", i+1)] = append(append([]byte(nil), b[:at]...), b[at+len(line):]...)
		out[fmt.Sprintf("cut behind line %d", i)] = b[:at]
		out[fmt.Sprintf("cut in line %d", i+1)] = b[:at+len(line)/2]
		at += len(line)
	}
	return out
}

// A ledger that was damaged is never healed by believing the files: whatever happened to it, a file that changed is found, stays
// found, and its new digest never gets into the manifest.
func TestDamagedLedgerBelievesNoFile(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa", "warc/b.warc.gz": "bb", "labels/spam.jsonl": "{}\n"})
	look(t, col, 1, Config{})
	look(t, col, 2, Config{})
	ledger, manifest := read(t, LedgerFile(col)), read(t, ManifestFile(col))
	write(t, col, "warc/a.warc.gz", "aaab")
	changed := fmt.Sprintf("%x", sha256.Sum256([]byte("aaab")))
	for name, damaged := range spoiled(ledger) {
		write(t, col, "fixity.jsonl", string(damaged))
		write(t, col, "manifest-sha256.txt", string(manifest))
		for hour := 3; hour < 5; hour++ {
			r := look(t, col, hour, Config{})
			if !strings.Contains(found(r), "warc/a.warc.gz ") {
				t.Errorf("%s, audit %d: found %q, outcomes %v, lines %q", name, hour, found(r), r.Outcomes, r.BadLines)
			}
		}
		if m := read(t, ManifestFile(col)); bytes.Contains(m, []byte(changed)) {
			t.Errorf("%s: the manifest believes the file:\n%s", name, m)
		}
	}
}

// The same with the manifest damaged: what the ledger knows is not forgotten, and a sound file is not accused.
func TestDamagedManifest(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa", "warc/b.warc.gz": "bb"})
	look(t, col, 1, Config{})
	ledger, manifest := read(t, LedgerFile(col)), read(t, ManifestFile(col))
	for name, damaged := range spoiled(manifest) {
		for _, text := range []string{"aaaa", "aaab"} {
			write(t, col, "warc/a.warc.gz", text)
			write(t, col, "fixity.jsonl", string(ledger))
			write(t, col, "manifest-sha256.txt", string(damaged))
			r := look(t, col, 2, Config{})
			if text == "aaab" && !strings.Contains(found(r), "warc/a.warc.gz changed") || text == "aaaa" && strings.Contains(found(r), "warc/a.warc.gz") {
				t.Errorf("%s, file %s: found %q", name, text, found(r))
			}
			if text == "aaaa" {
				if m := read(t, ManifestFile(col)); !bytes.Contains(m, manifest[:40]) {
					t.Errorf("%s: not mended from the ledger:\n%s", name, m)
				}
			}
		}
	}
}

// A person closes the hole: file by file, then the ledger itself. New files are recorded again afterwards.
func TestHoleIsClosedByAPerson(t *testing.T) {
	col := shelf(t, map[string]string{"warc/a.warc.gz": "aaaa", "labels/spam.jsonl": "{}\n"})
	look(t, col, 1, Config{})
	ledger := read(t, LedgerFile(col))
	write(t, col, "fixity.jsonl", strings.Replace(string(ledger), `{"time"`, `["time"`, 2))
	write(t, col, "warc/new.warc.gz", "came in while nobody knew")
	r := look(t, col, 2, Config{})
	if got := found(r); got != "labels/spam.jsonl disputed, warc/new.warc.gz disputed" || len(r.BadLines) != 3 {
		t.Fatalf("found %q, lines %q", got, r.BadLines)
	}
	if r.Outcomes[Recorded] != 1 { // warc/a.warc.gz, by the manifest
		t.Fatalf("%v", r.Outcomes)
	}
	accept := func(file string) error {
		_, err := Accept(context.Background(), col, file, "ada", "compared with the second copy", time.Now())
		return err
	}
	if err := accept("fixity.jsonl"); err == nil || !strings.Contains(err.Error(), "labels/spam.jsonl") {
		t.Fatalf("the ledger was accepted before its files: %v", err)
	}
	for _, file := range []string{"labels/spam.jsonl", "warc/new.warc.gz", "fixity.jsonl"} {
		if err := accept(file); err != nil {
			t.Fatal(err)
		}
	}
	if r := look(t, col, 3, Config{}); r.Bad() || r.Outcomes[OK] != 3 {
		t.Fatalf("after the decision: %+v", r)
	}
	write(t, col, "warc/newer.warc.gz", "x")
	if r := look(t, col, 4, Config{}); r.Bad() || r.Outcomes[Recorded] != 1 {
		t.Fatalf("a new file: %+v", r)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
