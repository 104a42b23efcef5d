package simulate

import (
	"context"
	"os"
	"testing"
)

// Figure 9 in shape: what issue 4 demands, at any level and in expectation and simulation.
func TestFigure9(t *testing.T) { figure9InShape(t, 1000) }

func TestDrillFigure9(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("slow: run with VARVE_DRILL=1, or make drill")
	}
	figure9InShape(t, 10_000)
}

func figure9InShape(t *testing.T, pages int) {
	r, err := Figure9(context.Background(), Figure9Config{Pages: pages, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range DefaultLevels {
		expected, simulated := r.Tables[0].Rows[i].Values, r.Tables[1].Rows[i].Values
		ours := len(expected) - 1
		for j, v := range expected[:ours] {
			if v > expected[ours]+1e-9 {
				t.Errorf("m=%v: %s is expected to have %v, varve %v", m, r.Tables[0].Columns[j], v, expected[ours])
			}
		}
		optimum, worst := simulated[ours+1], simulated[ours+2]
		for j, v := range simulated[:ours+1] {
			if v > optimum+0.001 || v < worst-0.001 {
				t.Errorf("m=%v: %s has %v, outside of %v to %v", m, r.Tables[1].Columns[j], v, worst, optimum)
			}
			if d := v - expected[j]; d > 0.01 || d < -0.01 {
				t.Errorf("m=%v: %s has %v, expected %v", m, r.Tables[1].Columns[j], v, expected[j])
			}
		}
		paired := r.Tables[2].Rows[i].Values
		for j := 0; j < 6; j += 2 {
			if paired[j] < -2*paired[j+1] {
				t.Errorf("m=%v: varve %s is %v ± %v", m, r.Tables[2].Columns[j], paired[j], paired[j+1])
			}
		}
		if m >= 1 && m <= 50 && paired[4] < 3*paired[5] {
			t.Errorf("m=%v: varve is not clearly above the best threshold: %v ± %v", m, paired[4], paired[5])
		}
	}
}

func TestFigure9RefusesNonsense(t *testing.T) {
	for _, c := range []Figure9Config{{Pages: 1}, {Pages: -1}, {Seeds: -1}, {Rates: "best"}} {
		if _, err := Figure9(context.Background(), c, nil); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
