package api

import (
	"encoding/json"
	"testing"
	"time"
)

func TestWithLists(t *testing.T) {
	type leaf struct {
		Names []string `json:"names"`
		Raw   []byte   `json:"raw,omitempty"`
		Few   []int    `json:"few,omitempty"`
	}
	type Inner struct {
		Own []string `json:"own"`
	}
	type tree struct {
		Inner
		Leaf  *leaf            `json:"leaf"`
		Many  []leaf           `json:"many"`
		By    map[string]*leaf `json:"by"`
		Any   any              `json:"any"`
		At    time.Time        `json:"at"`
		Empty map[string]int   `json:"empty,omitempty"`
	}
	shared := &leaf{}
	v := tree{Leaf: shared, Many: []leaf{{Names: []string{"a"}}, {}}, By: map[string]*leaf{"x": shared}, Any: []leaf(nil)}
	got, err := json.Marshal(withLists(v))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"own":[],"leaf":{"names":[]},"many":[{"names":["a"]},{"names":[]}],"by":{"x":{"names":[]}},"any":[],"at":"0001-01-01T00:00:00Z"}`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if shared.Names != nil || v.Many[1].Names != nil {
		t.Error("the value itself was changed")
	}
	if b, _ := json.Marshal(withLists(nil)); string(b) != "null" {
		t.Errorf("nothing became %s", b)
	}
	if withLists(shared) == any(shared) {
		t.Error("a pointer to something that changes must be another one")
	}
}
