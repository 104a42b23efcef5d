package name_test

import (
	"reflect"
	"testing"

	"varve/evolution"
	"varve/evolution/name"
)

// TestHistories finds for every name what Former finds for it.
func TestHistories(t *testing.T) {
	names, err := name.Read(evolution.Of(talk()), name.Default())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]name.History{}
	for h := range names.Histories(3) {
		found[h.Key] = h
		want := names.Former(h.Key)
		want = want[:min(3, len(want))]
		if len(want) != len(h.Former) || len(want) > 0 && !reflect.DeepEqual(want, h.Former) {
			t.Errorf("%s: %+v, want %+v", h.Key, h.Former, want)
		}
	}
	if len(found["sri lanka"].Former) == 0 || found["sri lanka"].Years[0] != (name.YearCount{Year: 1972, Documents: 4}) || found["ceylon"].Years == nil {
		t.Errorf("%+v", found)
	}
}
