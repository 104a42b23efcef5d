package annotate_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/language"
)

// Each name stands in the table with its types, the general ones first, and versions are found by what kinds of things they name.
func TestTypes(t *testing.T) {
	in := files(t, []capture{
		{path: "/a", body: page("home", english)},
		{path: "/a", body: page("start", english)}, // the same version
		{path: "/b", body: page("home", german)},   // which no model of ours knows
	})
	dir := t.TempDir()
	var o derive.Options
	o.More, o.Facets = annotate.Jobs([]language.Unit{language.Mentions})
	j, facets := annotate.TypesJob()
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	run(t, job.Config{Dir: dir}, in, o)
	mentions := all[annotate.MentionRow](t, filepath.Join(dir, "mentions", in[0].Name+".parquet"))
	rows := all[annotate.TypeRow](t, filepath.Join(dir, "types", in[0].Name+".parquet"))
	if len(rows) != len(mentions) || len(rows) == 0 {
		t.Fatalf("%d rows of %d mentions", len(rows), len(mentions))
	}
	roots := map[string]string{}
	for i, r := range rows {
		if m := mentions[i]; r.Version != m.Version || r.Start != m.Start || r.End != m.End || r.Text != m.Text {
			t.Errorf("%+v is not %+v", r, m)
		}
		if len(r.Types) != len(r.Labels) || len(r.Types) != len(r.Confidence) {
			t.Errorf("%d types, %d labels, %d confidences", len(r.Types), len(r.Labels), len(r.Confidence))
		}
		if len(r.Labels) > 0 {
			roots[r.Text] = r.Labels[0]
		}
	}
	for name, root := range map[string]string{"Angela Merkel": "person", "Barack Obama": "person", "Berlin": "location", "Germany": "location"} {
		if roots[name] != root {
			t.Errorf("%s is a %q, want %q", name, roots[name], root)
		}
	}
	found := map[int64]map[string]int32{}
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if v.Facet == annotate.TypeFacet {
			if found[v.Version] == nil {
				found[v.Version] = map[string]int32{}
			}
			found[v.Version][v.Value] = v.Count
		}
	}
	if versions := slices.Collect(maps.Keys(found)); len(versions) != 1 || found[versions[0]]["person"] != 3 || found[versions[0]]["location"] < 2 {
		t.Errorf("%v", found)
	}
	// Nothing is made twice.
	for _, j := range run(t, job.Config{Dir: dir}, in, o).Jobs {
		if j.Job == annotate.Types && j.Done != 0 {
			t.Errorf("%d files again", j.Done)
		}
	}
}
