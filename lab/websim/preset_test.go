package websim_test

import (
	"slices"
	"strings"
	"testing"

	"varve/lab/websim"
)

func TestPresets(t *testing.T) {
	want := []string{"bad", "blog", "flat5000", "hosts50", "layers", "ministry", "news", "polite", "redirects", "shop", "tiny", "university"}
	if got := websim.Presets(); !slices.Equal(got, want) {
		t.Fatalf("presets %v, want %v", got, want)
	}
	for _, name := range websim.Presets() {
		text, err := websim.PresetText(name)
		if err != nil || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s: %v; the first line must say what it is", name, err)
		}
		w := load(t, 3, name)
		for _, h := range w.Hosts() {
			a := w.Get(h.Seed, w.Epoch())
			if a.Status != 200 || len(a.Body) == 0 {
				t.Errorf("%s: home page of %s: %d", name, h.Name, a.Status)
			}
		}
	}
	if _, err := websim.Preset("no such"); err == nil || !strings.Contains(err.Error(), "flat5000") {
		t.Errorf("%v: want a list of what there is", err)
	}
}

// All kinds of faults are in the preset for bad servers.
func TestBadHasAllFaults(t *testing.T) {
	text, err := websim.PresetText("bad")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range websim.Faults() {
		if !strings.Contains(string(text), "kind = \""+k+"\"") {
			t.Errorf("no %s", k)
		}
	}
}
