package serve

import (
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/search"
)

// What one visitor may see is remembered for those who may see the same, and for nobody else: not for one whose ticket is for another
// collection, nor for one whose role counts for captures of some days only.
func TestViewsOfVisitors(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Press(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	archive := catalog.Open(dir)
	x := &texts{archive: archive, background: t.Context(), open: map[string]*openText{}, damaged: map[string]*damagedText{}}
	x.seen = seen{indexes: newIndexes(archive, nil), rules: rules, now: time.Now}
	defer func() { x.work.Wait(); _ = x.close() }()
	all, err := search.Ask(access.With(t.Context(), access.Visitor{Role: access.Viewer}), x, "press", fulltext.Query{Limit: 1})
	if err != nil || len(all.Hits) == 0 {
		t.Fatal(all, err)
	}
	if _, err := rules.Add(access.Rule{Prefix: all.Hits[0].URL, Exact: true, Level: access.Curators, Reason: "x"}, "test", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	of := func(v access.Visitor) int64 {
		t.Helper()
		a, err := search.Ask(access.With(t.Context(), v), x, "press", fulltext.Query{Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		return a.Of
	}
	day := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	visitors := []access.Visitor{
		{Role: access.Curator},
		{Role: access.Curator, Only: []string{"other"}},
		{Role: access.Curator, From: day.AddDate(1, 0, 0), Till: day.AddDate(2, 0, 0)},
		{Role: access.Viewer},
		{Role: access.Viewer, Only: []string{"other"}},
	}
	var alone []int64
	for _, v := range visitors {
		fresh := &texts{archive: archive, background: t.Context(), open: map[string]*openText{}, damaged: map[string]*damagedText{}, seen: x.seen}
		kept := x
		x = fresh
		alone = append(alone, of(v))
		x = kept
		if err := fresh.close(); err != nil {
			t.Fatal(err)
		}
	}
	if alone[1] != 0 || alone[2] == 0 || alone[2] >= alone[0] || alone[3] != alone[2] || alone[4] != 0 {
		t.Fatalf("each alone sees %d documents", alone)
	}
	for range 2 {
		for i, v := range visitors {
			if n := of(v); n != alone[i] {
				t.Errorf("%+v sees %d documents among others, %d alone", v, n, alone[i])
			}
		}
	}
}
