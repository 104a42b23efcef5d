package ui_test

import (
	"net/url"
	"strings"
	"testing"

	"varve/serve/access"
)

// Any text can be typed: its names are shown with their kinds, and one of them with the tree.
func TestTypesOnScreen(t *testing.T) {
	p := newPlanning(t)
	if _, body, _ := p.get(t, access.Viewer, "/types"); !strings.Contains(body, "an example") || strings.Contains(body, `id="tree"`) {
		t.Error("the empty screen does not show the way")
	}
	here := "/types?" + url.Values{"text": {"Angela Merkel met Barack Obama in Berlin. <b>She</b> was glad."}}.Encode()
	status, body, _ := p.get(t, access.Viewer, here)
	for _, want := range []string{"Angela Merkel", "Barack Obama", `id="tree"`, ">person<", "accepted", "rejected", "untested", "&lt;b&gt;She"} {
		if !strings.Contains(body, want) {
			t.Errorf("%d: it lacks %q", status, want)
		}
	}
	harmless(t, here, body)
	if _, second, _ := p.get(t, access.Viewer, here+"&name=1"); second == body || !strings.Contains(second, `id="tree"`) {
		t.Error("another name has the same tree")
	}
	if _, none, _ := p.get(t, access.Viewer, "/types?text=nothing"); !strings.Contains(none, "No names were found") {
		t.Error("a text without names says nothing")
	}
	if status, _, _ := p.get(t, access.Viewer, here+"&name=99&taxonomy=figer"); status != 200 {
		t.Errorf("a name that is not there: %d", status)
	}
}

// A collection without tables of names says what to do; readers have no business there.
func TestEmergingOnScreen(t *testing.T) {
	p := newPlanning(t)
	const here = "/collections/news/emerging"
	if status, body, _ := p.get(t, access.Curator, here); status != 200 || !strings.Contains(body, "varve derive --units mentions") {
		t.Errorf("%d: it does not show the way: %.2000s", status, body)
	}
	if status, _, _ := p.get(t, access.Viewer, here); status != 403 {
		t.Errorf("a reader: %d", status)
	}
	if status, _ := p.post(t, access.Curator, here, url.Values{"do": {"promote"}, "id": {"new:1"}}); status != 404 {
		t.Errorf("promoted without a table: %d", status)
	}
}
