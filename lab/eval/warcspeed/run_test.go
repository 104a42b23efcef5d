package warcspeed

import (
	"io"
	"testing"
)

// The measuring itself works on a small file; the figures are for `make bench`.
func TestRun(t *testing.T) {
	res, err := Run(Config{Dir: t.TempDir(), RawMB: 2, Rounds: 1, Seed: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if res.Records < 100 || len(res.Lines) < 7 || res.PackedBytes*2 > res.RawBytes {
		t.Errorf("implausible: %+v", res)
	}
}
