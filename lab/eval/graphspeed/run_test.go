package graphspeed

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Hosts: 2000, Edges: 10_000, Fingerprints: 8, Buffer: 500, Seed: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.Print(&b); err != nil || !strings.Contains(b.String(), "SimRank, inverted") || res.Edges < 8000 {
		t.Errorf("%v\n%s", err, b.String())
	}
	if _, err := Run(t.Context(), Config{}, io.Discard); err == nil {
		t.Error("nothing was measured without an error")
	}
}
