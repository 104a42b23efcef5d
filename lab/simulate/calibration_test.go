package simulate

import (
	"context"
	"math"
	"slices"
	"testing"
)

// TestCalibration: the forecast of sites whose pages say when they changed is near what comes, better than a blind one, and hardly worse than what full knowledge of the rates gives.
func TestCalibration(t *testing.T) {
	r, err := Calibration(context.Background(), SitesConfig{Sites: []string{"blog"}, Seed: 3, Seeds: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	columns := r.Tables[1].Columns
	for _, row := range r.Tables[1].Rows {
		at := func(name string) float64 { return float64(row.Values[slices.Index(columns, name)]) }
		if at("Brier forecast") > at("Brier blind") || at("Brier forecast") > at("Brier oracle")+0.01 {
			t.Errorf("%v: Brier score %v, blind %v, oracle %v", row.Name, at("Brier forecast"), at("Brier blind"), at("Brier oracle"))
		}
		if math.Abs(at("stood")-at("forecast")) > 0.03 {
			t.Errorf("%v: %v stood, %v foretold", row.Name, at("stood"), at("forecast"))
		}
		if at("in interval") < at("captures")-1 {
			t.Errorf("%v: %v of %v captures in the interval", row.Name, at("in interval"), at("captures"))
		}
	}
}

// TestQualities: with no revisit planned both qualities are shares, and what pages say of themselves is what is, where all say it.
func TestQualities(t *testing.T) {
	r, err := Qualities(context.Background(), SitesConfig{Sites: []string{"blog"}, Seed: 3, Seeds: 2, Pages: 60}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Tables[0].Rows {
		measurable, byDates, dated, lifo, planned := row.Values[0], row.Values[3], row.Values[4], row.Values[5], row.Values[8]
		if dated < 0.95 || math.Abs(float64(measurable-byDates)) > 0.02 {
			t.Errorf("%v: measurable %v, by dates of %v of the pages %v", row.Name, measurable, dated, byDates)
		}
		if lifo < 0 || lifo > 1 || planned > lifo+0.05 {
			t.Errorf("%v: inducible %v, planned %v", row.Name, lifo, planned)
		}
	}
}

// TestCosts: every step is measured.
func TestCosts(t *testing.T) {
	r, err := Costs(context.Background(), SitesConfig{Pages: 300}, nil)
	if err != nil || len(r.Tables[0].Rows) != 1 || len(r.Tables[0].Rows[0].Values) != len(r.Tables[0].Columns) {
		t.Fatal(r, err)
	}
}
