package fulltext

import (
	"slices"
	"testing"
	"time"

	"varve/derive"
)

// The versions of a page are found in all shards, in the order of time; other pages have none of them.
func TestVersions(t *testing.T) {
	list := library(60, 5)
	for i := range list {
		list[i].SURT = list[i/3*3].SURT // three versions a page
	}
	for page := range slices.Chunk(list, 3) { // as the table has them
		slices.SortFunc(page, func(a, b derive.VersionRow) int { return a.From.Compare(b.From) })
	}
	ix := build(t, list)
	for i := range list {
		got, err := ix.Versions(list[i].SURT, nil, 100)
		if err != nil || len(got) != 3 {
			t.Fatalf("%s: %d versions, %v", list[i].SURT, len(got), err)
		}
		if got[0].From.After(got[1].From) || got[1].From.After(got[2].From) || got[0].SURT != list[i].SURT {
			t.Errorf("%+v", got)
		}
		newest, ok, err := ix.Newest(list[i].SURT, nil)
		if err != nil || !ok || newest.URL != got[2].URL || !newest.From.Equal(got[2].From) {
			t.Errorf("newest: %+v, %v, %v, want %+v", newest, ok, err, got[2])
		}
		early := &View{May: func(_ string, at time.Time) bool { return at.Before(got[2].From) }}
		if newest, ok, err := ix.Newest(list[i].SURT, early); err != nil || !ok || !newest.From.Equal(got[1].From) {
			t.Errorf("newest that may be seen: %+v, %v, %v", newest, ok, err)
		}
	}
	if _, ok, err := ix.Newest("test,x)/none", nil); ok || err != nil {
		t.Error(ok, err)
	}
	if got, err := ix.Versions("test,x)/none", nil, 10); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}
