package cdxtest

import (
	"testing"

	"varve/index/cdx"
)

// TestEmbedded runs the suite on the index of one machine.
func TestEmbedded(t *testing.T) {
	Run(t, func(t *testing.T, dir string) cdx.Captures {
		ix, err := cdx.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	})
}
