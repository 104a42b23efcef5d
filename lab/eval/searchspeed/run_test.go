package searchspeed

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
)

// TestRun runs the bench small: every kind of question must find something, and its peer about as much.
func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Docs: 2000, Pages: 50, Queries: 10, Rounds: 1, Seed: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Sizes) != 2 || res.Derive.PerCPU <= 0 {
		t.Fatalf("%+v", res)
	}
	for _, k := range res.Sizes[1].Kinds {
		if k.Hits < 2 || math.Abs(k.Found-k.Hits) > 0.3*k.Hits+2 {
			t.Errorf("%s: %.1f hits, beside %.1f", k.Name, k.Hits, k.Found)
		}
	}
	var out bytes.Buffer
	res.Print(&out)
	if !strings.Contains(out.String(), "phrase") {
		t.Error(out.String())
	}
}
