package fulltext

import "testing"

// The versions of a page are found in all shards, in the order of time; other pages have none of them.
func TestVersions(t *testing.T) {
	list := library(60, 5)
	for i := range list {
		list[i].SURT = list[i/3*3].SURT // three versions a page
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
	}
	if got, err := ix.Versions("test,x)/none", nil, 10); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}
