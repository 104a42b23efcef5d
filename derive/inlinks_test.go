package derive_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/derive"
	"varve/derive/job"
	"varve/web/canon"
)

// Every target of the table of links is found with all pages that link to it.
func TestInlinks(t *testing.T) {
	files := collection(t, 3, 40)
	dir := t.TempDir()
	if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, files, derive.Options{}); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]bool{}
	for _, f := range files {
		for _, l := range all[derive.Link](t, filepath.Join(dir, "links", f.Name+".parquet")) {
			key := canon.SURT(l.Target)
			if l.Hop != "link" || key == canon.SURT(l.Source) {
				continue
			}
			if want[key] == nil {
				want[key] = map[string]bool{}
			}
			want[key][l.Source] = true
		}
	}
	table := filepath.Join(dir, "inlinks.parquet")
	for key, sources := range want {
		got, err := derive.InlinksOf(table, key, 1000)
		if err != nil || len(got) != len(sources) {
			t.Fatalf("%s: %d pages, want %d: %v", key, len(got), len(sources), err)
		}
		for _, l := range got {
			if !sources[l.Source] || l.SURT != key || l.Times < 1 || l.First.After(l.Last) || l.Other != strings.HasPrefix(key, "test,other") {
				t.Errorf("%s: %+v", key, l)
			}
		}
	}
	if len(want) < 40 {
		t.Errorf("%d targets", len(want))
	}
	if got, err := derive.InlinksOf(table, "test,other)/x1", 2); err != nil || len(got) != 2 {
		t.Error(got, err)
	}
	for _, none := range []string{"", "zz", "test,other)/x1zz"} {
		if got, err := derive.InlinksOf(table, none, 10); err != nil || len(got) != 0 {
			t.Error(none, got, err)
		}
	}
	rows := all[derive.Inlink](t, table)
	if !slices.IsSortedFunc(rows, func(a, b derive.Inlink) int {
		if a.SURT < b.SURT {
			return -1
		} else if a.SURT > b.SURT {
			return 1
		}
		return 0
	}) {
		t.Error("not sorted by target")
	}
}
