package nodescale

import (
	"math"
	"testing"
)

// Only what must moves, and what travels is what arithmetic says.
func TestRun(t *testing.T) {
	r := Run(Config{Nodes: 20, URLs: 400_000, Domains: 50_000, Skew: 0.8, Elsewhere: 0.1, Batch: 20, Seed: 1}, 1024)[0]
	if r.Joined.Wrong+r.Died.Wrong > 0 {
		t.Errorf("partitions moved between nodes that stayed: %+v %+v", r.Joined, r.Died)
	}
	if math.Abs(r.Joined.Share-r.Joined.Ideal) > 1e-9 || math.Abs(r.Died.Share-r.Died.Ideal) > 1e-9 {
		t.Errorf("moved %+v %+v", r.Joined, r.Died)
	}
	if math.Abs(r.Travelled-r.Expected) > 0.02 {
		t.Errorf("%.3f travelled, want about %.3f", r.Travelled, r.Expected)
	}
	if r.Load < 1 || r.Load > 2 {
		t.Errorf("the fullest node has %.2f of the mean", r.Load)
	}
	if again := Run(r.Config, 1024)[0]; again != r {
		t.Errorf("another time: %+v, not %+v", again, r)
	}
}
