package replay_test

import (
	"os"
	"strings"
	"testing"

	"varve/serve/replay"
	"varve/serve/replay/address"
	"varve/serve/replay/replaytest"
)

// Files of other projects: every capture in them is shown in every form, or the page says why not.
func TestConformanceReplayOfSamples(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: files of other projects are not replayed")
	}
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	h := replaytest.Handler(t, x, nil)
	shown, refused := 0, 0
	for c := range x.Captures(t.Context(), "n", replay.Query{Prefix: true}) {
		for _, mod := range []address.Mod{address.Page, address.Identity, address.Script, address.Style, address.Framed} {
			r := get(h, "GET", address.At("n", c.Time, mod, c.URL))
			switch {
			case r.StatusCode == 404 && r.Header.Get("Memento-Datetime") == "":
				refused++
				if mod == address.Page {
					t.Logf("%s at %s: %s", c.URL, c.Time, reason(text(t, r)))
				}
			case r.StatusCode == 400: // a target that is no URL
				refused++
			case r.StatusCode >= 500 && r.StatusCode != c.Status:
				t.Errorf("%s at %s as %s: %d", c.URL, c.Time, mod, r.StatusCode)
			default:
				shown++
			}
			text(t, r)
		}
	}
	t.Logf("%d answers shown, %d refused with a reason", shown, refused)
	if shown == 0 {
		t.Error("nothing could be shown")
	}
}

// reason takes the sentence that says why out of a 404 page.
func reason(page string) string {
	_, rest, _ := strings.Cut(page, "</p>")
	_, rest, _ = strings.Cut(rest, "<p>")
	sentence, _, _ := strings.Cut(rest, "</p>")
	return sentence
}
