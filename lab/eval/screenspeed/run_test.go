package screenspeed

import (
	"bytes"
	"strings"
	"testing"
)

// A small archive: every screen answers, and each is in the table. What it costs is printed, not asserted.
func TestRun(t *testing.T) {
	var log bytes.Buffer
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Captures: 2_000, Crawls: 20, Docs: 200, Log: &log})
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, s := range res.Screens {
		want := 200
		switch {
		case s.Address == "/no/such/screen":
			want = 404
		case s.Address == "/find?q=council", strings.HasSuffix(s.Address, "/edit"): // a plan of collection.toml is not edited here
			want = 303
		case s.Address == "/opinions", s.Address == "/facts": // no such tables were made
			want = 503
		}
		if s.Status != want || s.Bytes == 0 && want == 200 {
			t.Errorf("%s: %d, %d bytes", s.Address, s.Status, s.Bytes)
		}
	}
	var out bytes.Buffer
	res.Print(&out)
	if n := strings.Count(out.String(), "\n"); n != len(res.Screens)+3 {
		t.Errorf("%d lines for %d screens", n, len(res.Screens))
	}
	t.Log("\n" + out.String())
}
