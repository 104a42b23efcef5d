package cdxspeed

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRun runs the bench small and checks what does not depend on the machine.
func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Sizes: []int64{500, 20_000}, Lookups: 300, Hosts: 40}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range res.Rows {
		for name, l := range map[string]Lookup{"exact": r.Exact, "closest": r.Closest, "missing": r.Missing, "first": r.First} {
			if l.Blocks > 2 {
				t.Errorf("%d captures: %s lookup reads %d blocks", r.Lines, name, l.Blocks)
			}
		}
		if r.BytesALine > 150 || r.ScanRate <= 0 || r.BuildRate <= 0 {
			t.Errorf("%+v", r)
		}
	}
	var out bytes.Buffer
	res.Print(&out)
	if !strings.Contains(out.String(), "20000") {
		t.Error(out.String())
	}
}
