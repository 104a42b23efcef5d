package coherence_test

import (
	"fmt"
	"time"

	"varve/coherence"
)

// A crawler visits the pages of a site and then revisits them. Rates are in changes per second.
func ExamplePlanner() {
	const hour = 3600.0
	p, err := coherence.NewPlanner(coherence.Varve, coherence.Options{Revisit: true, Pace: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Discover(coherence.Candidate{ID: 1, Rate: 1 / (6 * hour)})    // the home page
	p.Discover(coherence.Candidate{ID: 2, Rate: 1 / (8760 * hour)}) // the imprint
	p.Discover(coherence.Candidate{ID: 3, Rate: 1 / (0.1 * hour)})  // a ticker
	p.Discover(coherence.Candidate{ID: 4, Rate: 1 / (24 * hour)})   // an article

	now := 0.0
	var visited []coherence.Visited
	for page, ok := p.Next(); ok; page, ok = p.Next() {
		fmt.Print("visit ", page.ID, ", ")
		visited = append(visited, coherence.Visited{ID: page.ID, Rate: page.Rate, At: now})
		now += 10
	}
	for _, r := range coherence.RevisitOrder(visited, coherence.Revisits{Kind: coherence.Plan, Pace: 10}) {
		fmt.Printf("revisit %d (%.3f), ", r.ID, r.Chance)
	}
	// Output: visit 2, visit 4, visit 1, visit 3, revisit 1 (0.999), revisit 4 (1.000), revisit 2 (1.000),
}

// A picture that was captured after its page is coherent with it if it had not changed since.
func ExampleCaptured_At() {
	page := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	picture := coherence.Captured{Visit: page.Add(time.Minute), Modified: page.AddDate(0, -2, 0)}
	fmt.Println(picture.At(page))
	picture.Modified = time.Time{} // the server did not say
	fmt.Println(picture.At(page))
	// Output:
	// {coherent asserted captured later, last changed before}
	// {possible  captured later, without a date}
}
