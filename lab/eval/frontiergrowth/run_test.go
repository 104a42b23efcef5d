package frontiergrowth

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// TestRun runs the whole bench small: it checks that every operation does what it says.
func TestRun(t *testing.T) {
	res, err := Run(context.Background(), Config{Dir: t.TempDir(), Sizes: []int{1600, 3200}, Sample: 160, Hosts: 50, Workers: 2}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Rows) != 2 || res.Rows[1].Disk == 0 || res.Rows[1].Insert <= 0 || res.Rows[1].Pop <= 0 {
		t.Errorf("result %+v", res)
	}
	var out bytes.Buffer
	res.Print(&out)
	if !strings.Contains(out.String(), "3200") {
		t.Error(out.String())
	}
}
