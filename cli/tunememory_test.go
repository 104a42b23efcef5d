package cli

import "testing"

// The collector keeps a crawl at the bound of its frontier, but a heap may always double, up to half a gigabyte.
func TestMemoryLimit(t *testing.T) {
	for _, tt := range []struct{ live, least, most int64 }{
		{0, 100, 128},
		{40, 100, 128},
		{70, 140, 160},
		{200, 400, 416},
		{400, 512, 512},
	} {
		if got := memoryLimit(uint64(tt.live)<<20) >> 20; got < tt.least || got > tt.most {
			t.Errorf("%d MiB live: the limit is %d MiB", tt.live, got)
		}
	}
}
