package entities

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/entity/emerging"
)

// A look is used again for who sees the same of the same tables, and for nobody else; it is not changed by what is decided.
func TestSurveysAreKept(t *testing.T) {
	var list []emerging.Occurrence
	for _, o := range texts {
		o.Document += " state" // a text is named by its page and its state
		list = append(list, o)
	}
	but := func(surt string) May {
		return func(s string, _ time.Time) bool { return s != surt }
	}
	one, other := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("other"))
	var k Surveys
	l, err := newLooked(t.Context(), slices.Clone(list), but("d"))
	if err != nil {
		t.Fatal(err)
	}
	l.collection, l.state = "news", one
	if k.get("news", one, nil) != nil {
		t.Error("something is kept of nothing")
	}
	k.put(l)
	for _, c := range []struct {
		what       string
		collection string
		state      [sha256.Size]byte
		may        May
		kept       bool
	}{
		{"the same", "news", one, but("d"), true},
		{"what is withheld has no names", "news", one, func(s string, _ time.Time) bool { return s != "d" && s != "z" }, true},
		{"all may be seen", "news", one, nil, false},
		{"another text is withheld", "news", one, but("b"), false},
		{"more is withheld", "news", one, func(s string, _ time.Time) bool { return s > "d" }, false},
		{"tables changed", "news", other, but("d"), false},
		{"another collection", "press", one, but("d"), false},
	} {
		if got := k.get(c.collection, c.state, c.may); (got != nil) != c.kept {
			t.Errorf("%s: kept %v, want %v", c.what, got != nil, c.kept)
		}
	}
	for _, c := range l.clusters {
		if c.Name == "Ada Lovefox" {
			t.Error("what may not be seen has a name")
		}
	}
	all, err := newLooked(t.Context(), slices.Clone(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := Apply(all.clusters, nil)
	fox, love := find(t, entries, "Ada Fox"), find(t, entries, "Ada Lovefox")
	decided := Apply(all.clusters, []Decision{
		{Do: Merge, ID: love.ID, Anchor: love.Anchor(), Into: fox.Anchor(), IntoID: fox.ID}, {Do: Name, ID: fox.ID, Anchor: fox.Anchor(), Label: "Ada"},
	})
	if len(decided) != len(entries)-1 || find(t, decided, "Ada").Documents != 3 {
		t.Errorf("%+v", decided)
	}
	again := Apply(all.clusters, nil)
	if len(again) != len(entries) || find(t, again, "Ada Fox").Documents != 2 || len(find(t, again, "Ada Fox").Phrases) == 0 {
		t.Errorf("decisions changed what was put together: %+v", again)
	}
}

// What a look reads has another sum when one of it changes.
func TestStateOfTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := []catalog.File{{Name: "a.warc.gz"}}
	met := map[[sha256.Size]byte]string{}
	step := func(what string) {
		t.Helper()
		sum, err := stateOf(files, dir, filepath.Join(dir, "base.kb"))
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := met[sum]; ok {
			t.Errorf("%s: the same as %s", what, before)
		}
		met[sum] = what
	}
	step("nothing")
	write("mentions/a.parquet", "x")
	step("a table")
	write("mentions/a.parquet", "xy")
	step("it grew")
	if err := os.Chtimes(filepath.Join(dir, "mentions/a.parquet"), time.Time{}, time.Unix(7, 0)); err != nil {
		t.Fatal(err)
	}
	step("it was written anew")
	write("pages/a.parquet", "x")
	step("texts")
	write("base.kb", "x")
	step("a base")
	files = append(files, catalog.File{Name: "b.warc.gz"})
	step("a file without tables")
}
