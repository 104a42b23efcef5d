package fulltext

import (
	"path/filepath"
	"testing"
)

// Labels change without a shard being built anew, and stay when another shard is.
func TestRelabel(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "v.parquet"), filepath.Join(dir, "ix")
	list := library(300, 3)
	writeVersions(t, table, list)
	if _, err := Build(t.Context(), at, table, nil); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	spam := func(name string, want int64) {
		t.Helper()
		if err := ix.Refresh(); err != nil {
			t.Fatal(err)
		}
		a, err := ix.Search(t.Context(), Query{Filters: map[string][]string{"spam": {name}}})
		if err != nil || a.Total != want {
			t.Fatalf("%q: %d, want %d: %v", name, a.Total, want, err)
		}
	}
	of := func(host string) (n int64) {
		for i := range list {
			if list[i].Host == host {
				n++
			}
		}
		return n
	}
	spam("", 300)
	label := func(host string) {
		t.Helper()
		for range 2 { // the second time nothing changes
			if err := Relabel(t.Context(), at, Labels{Spam: func(h string) string {
				if h == host {
					return "spam"
				}
				return "normal"
			}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	label("a.test")
	spam("spam", of("a.test"))
	label("b.test")
	spam("spam", of("b.test"))
	if files, err := filepath.Glob(filepath.Join(at, "*", "labels-*")); err != nil || len(files) != 4 {
		t.Errorf("%v, %v", files, err)
	}
	more := list[0]
	more.SURT, more.Host = "zz", "b.test"
	list = append(list, more)
	writeVersions(t, table, list)
	if rep, err := Build(t.Context(), at, table, nil); err != nil || rep.Built != 1 {
		t.Fatal(rep, err)
	}
	if err := ix.Refresh(); err != nil {
		t.Fatal(err)
	}
	if a, err := ix.Search(t.Context(), Query{Facets: []string{"spam"}}); err != nil || len(a.Facets["spam"]) != 3 {
		t.Errorf("%+v, %v", a.Facets, err)
	}
}

func FuzzLabels(f *testing.F) {
	b := newColumnsBuilder()
	for _, v := range library(5, 1) {
		b.add(&v)
	}
	f.Add(b.finish([]uint32{3, 0, 4, 1, 2}).label(Labels{Coherence: coherenceOf, Spam: spamOf}))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = parseLabels(b, 5) })
}
