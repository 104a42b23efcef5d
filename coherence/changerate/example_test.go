package changerate_test

import (
	"fmt"
	"time"

	"varve/coherence/changerate"
)

// Ten daily comparisons, four of which found a change. The naive 0.4 a day is too low: a day may have had two changes.
func ExampleRegular() {
	r := changerate.Regular(10, 4, 24*time.Hour, changerate.Level)
	const day = 24 * time.Hour
	fmt.Printf("%.2f changes a day, %.2f to %.2f\n", r.Per(day), r.Low*day.Seconds(), r.High*day.Seconds())
	// Output: 0.48 changes a day, 0.13 to 1.34
}

// What a crawler does: visits as it has them, and whatever the sitemap said.
func ExampleEstimator_Rate() {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	page := changerate.Facts{
		Visits: []changerate.Observation{
			{At: start},
			{At: start.Add(24 * time.Hour), Compared: true},
			{At: start.Add(96 * time.Hour), Compared: true, Changed: true},
		},
		Hint: changerate.Hint{Changefreq: "weekly"},
	}
	var e changerate.Estimator
	r := e.Rate(page)
	fmt.Printf("%.2f changes a week from %s, %d of %d comparisons\n", r.Per(7*24*time.Hour), r.Source, r.Changed, r.Compared)
	// Output: 1.44 changes a week from visits, 1 of 2 comparisons
}
