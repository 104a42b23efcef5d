package temporalspeed

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRun runs the bench small: the answers must be about as many as the workload promises.
func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Versions: 20_000, Rounds: 20, Alive: 200}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if k := res.Kinds[0]; k.Hits < 100 || k.Hits > 400 {
		t.Errorf("an instant meets %.0f versions, want about 200", k.Hits)
	}
	var out bytes.Buffer
	res.Print(&out)
	if !strings.Contains(out.String(), "alive") {
		t.Error(out.String())
	}
}
