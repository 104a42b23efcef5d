package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/store"
)

func object(did Did, name string) Object {
	return Object{
		Time: time.Unix(0, 0).UTC(), Did: did, Name: name, Key: "collections/c/warc/" + name, Size: 3,
		SHA256: strings.Repeat("ab", 32), Changed: time.Unix(5, 7).UTC(), Store: "s3://b",
	}
}

func listed(t *testing.T, c *Collection) string {
	t.Helper()
	files, err := c.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		word := f.Name
		if f.Stored {
			word += "*"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// The last line about a name counts; a torn line does not, a bad one loses its own file and is named.
func TestObjectsList(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir).Collection("c")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.WarcDir(), "here.warc"), []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err := c.Find("here.warc"); err != nil || f.From != nil {
		t.Errorf("a directory archive opens its paths: %v, %v", f.From, err)
	}
	err = c.NoteObjects(object(DidStore, "a.warc"), object(DidStore, "b.warc"), object(DidStore, "c.warc"), object(DidStore, "here.warc"), object(DidRecall, "b.warc"), object(DidDelete, "c.warc"))
	if err != nil {
		t.Fatal(err)
	}
	if got := listed(t, c); got != "a.warc* here.warc" {
		t.Errorf("files: %s", got)
	}
	recalled, err := c.Recalled()
	if err != nil || len(recalled) != 1 || recalled["b.warc"].Size != 3 {
		t.Errorf("recalled: %v, %v", recalled, err)
	}
	if f, err := c.Find("archive/a.warc"); err != nil || !f.Stored || f.From == nil {
		t.Errorf("find: %+v, %v", f, err)
	}
	text, err := os.ReadFile(c.ObjectsFile())
	if err != nil {
		t.Fatal(err)
	}
	for name, c2 := range map[string]struct{ more, files string }{
		"torn":      {`{"did":"stored","name":"x.warc"`, "a.warc* here.warc"},
		"bad":       {"{nonsense\n" + `{"did":"stored","name":"../x","key":"k","sha256":""}` + "\n", "a.warc* here.warc"},
		"outside":   {`{"did":"stored","name":"x.warc","key":"../../etc/passwd","size":1,"sha256":"` + strings.Repeat("0", 64) + `"}` + "\n", "a.warc* here.warc"},
		"something": {`{"did":"eaten","name":"x.warc","key":"k","size":1,"sha256":"` + strings.Repeat("0", 64) + `"}` + "\n", "a.warc* here.warc"},
	} {
		if err := os.WriteFile(c.ObjectsFile(), append(text[:len(text):len(text)], c2.more...), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := listed(t, c); got != c2.files {
			t.Errorf("%s: %s", name, got)
		}
		if err := c.UnreadObjects(); (err == nil) != (name == "torn") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(c.ObjectsFile(), []byte(`{"format":"varve-objects","version":2}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Files(); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("of another version: %v", err)
	}
}

// Whatever stands in a list, the names and keys that come of it are safe.
func FuzzObjects(f *testing.F) {
	f.Add([]byte(objectsFormat + "\n" + `{"did":"stored","name":"a.warc","key":"k","size":1,"sha256":"` + strings.Repeat("0", 64) + `"}` + "\n"))
	f.Add([]byte("{}\n[]\nnull\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		stored, recalled, _ := parseObjects(text)
		for _, list := range []map[string]Object{stored, recalled} {
			for name, o := range list {
				if name != filepath.Base(name) || name == "" || name[0] == '.' || store.CheckKey(o.Key) != nil || o.Size < 0 {
					t.Errorf("%q: %+v", name, o)
				}
			}
		}
	})
}
