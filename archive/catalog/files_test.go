package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/journal"

	"varve"
)

func touch(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func collection(t *testing.T) *Collection {
	t.Helper()
	c, err := Open(t.TempDir()).Collection("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(); err != nil {
		t.Fatal(err)
	}
	return c
}

func reference(name, path string) Reference {
	return Reference{Name: name, Path: path, Kind: KindWARC, Size: 1, Added: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func names(t *testing.T, c *Collection) string {
	t.Helper()
	files, err := c.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		out = append(out, f.Name+":"+string(f.Kind))
	}
	return strings.Join(out, " ")
}

func TestFilesInAndOutOfTheArchive(t *testing.T) {
	c := collection(t)
	for _, n := range []string{"b.warc.gz", "a.warc", "open.warc.gz.open", "notes.txt", "c.arc.gz", "d.warc.zst"} {
		touch(t, filepath.Join(c.WarcDir(), n))
	}
	touch(t, filepath.Join(c.CDXDir(), "old.cdx"))
	far := touch(t, filepath.Join(t.TempDir(), "far.warc.gz"))
	if err := c.AddReferences(reference("far.warc.gz", far)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, c); got != "a.warc:warc b.warc.gz:warc c.arc.gz:warc d.warc.zst:warc far.warc.gz:warc old.cdx:cdx" {
		t.Errorf("files: %s", got)
	}
	for name, want := range map[string]string{
		"far.warc.gz": far, "a.warc": filepath.Join(c.WarcDir(), "a.warc"), "archive/a.warc": filepath.Join(c.WarcDir(), "a.warc"),
	} {
		if got, err := c.Find(name); err != nil || got.Path != want {
			t.Errorf("%s: %s, %v", name, got.Path, err)
		}
	}
	for _, bad := range []string{"", ".", "..", "../x.warc.gz", "nothing.warc.gz", "a\x00", "../../../etc/passwd"} {
		if f, err := c.Find(bad); varve.KindOf(err) != varve.NotFound {
			t.Errorf("%q: %q, %v", bad, f.Path, err)
		}
	}
	gone := reference("far.warc.gz", far)
	gone.Gone = true
	if err := c.AddReferences(gone); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(names(t, c), "far") {
		t.Error("a reference that was taken back is still listed")
	}
}

// A list that was cut off anywhere lists the references that are whole, and goes on behind them.
func TestTornReferences(t *testing.T) {
	c := collection(t)
	if err := c.AddReferences(reference("one.warc.gz", "/far/one.warc.gz"), reference("two.warc.gz", "/far/two.warc.gz")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(c.ReferencesFile())
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if err := os.WriteFile(c.ReferencesFile(), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		kept := max(0, strings.Count(string(whole[:cut]), "\n")-1)
		if strings.Contains(string(whole[:cut]), "\n") && whole[cut] == '\n' {
			kept++ // only the end of the line is missing
		}
		refs, err := c.References()
		if err != nil || len(refs) != kept {
			t.Fatalf("cut at %d: %v, %v", cut, refs, err)
		}
		if err := c.AddReferences(reference("new.warc.gz", "/far/new.warc.gz")); err != nil {
			t.Fatal(err)
		}
		if refs, err := c.References(); err != nil || len(refs) != kept+1 {
			t.Fatalf("cut at %d, appended: %v, %v", cut, refs, err)
		}
	}
	if err := os.WriteFile(c.ReferencesFile(), []byte("{\"format\":\"varve-references\",\"version\":2}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.References(); err == nil {
		t.Error("a later version was read")
	}
}

// A line of the list that cannot be read loses its own file, and is named.
func TestBadReference(t *testing.T) {
	c := collection(t)
	if err := c.AddReferences(reference("one.warc.gz", "/far/one.warc.gz"), reference("two.warc.gz", "/far/two.warc.gz"), reference("three.warc.gz", "/far/three.warc.gz")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(c.ReferencesFile())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for n, want := range map[int]string{1: "one three two", 2: "three two", 3: "one three", 4: "one two"} {
		for _, bad := range []string{"{\x00\n", "no JSON\n", `{"name":"x"}` + "\n", `["x"]` + "\n"} {
			text := slices.Clone(lines)
			text[n-1] = bad
			if err := os.WriteFile(c.ReferencesFile(), []byte(strings.Join(text, "")), 0o644); err != nil {
				t.Fatal(err)
			}
			var got []string
			refs, err := again(t, c).References()
			for _, r := range refs {
				got = append(got, strings.TrimSuffix(r.Name, ".warc.gz"))
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("line %d %q: %v, %v", n, bad, got, err)
			}
			if err := again(t, c).UnreadReferences(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("references.jsonl, line %d: ", n)) {
				t.Errorf("line %d %q is not named: %v", n, bad, err)
			}
		}
	}
}

// again opens a collection as another process would.
func again(t *testing.T, c *Collection) *Collection {
	t.Helper()
	c, err := Open(filepath.Dir(filepath.Dir(c.Dir()))).Collection(c.Name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func FuzzReferences(f *testing.F) {
	f.Add([]byte(referencesFormat + "\n" + `{"name":"a.warc","path":"/a.warc","kind":"warc"}` + "\n"))
	f.Add([]byte(referencesFormat + "\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		refs, err := parseReferences(text)
		for _, r := range refs {
			if _, unread := journal.Lost(err); unread != nil || r.Name == "" || r.Path == "" || r.Gone {
				t.Fatalf("%+v, %v", r, err)
			}
		}
	})
}
