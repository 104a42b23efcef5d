package simulate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// What the crawl engine finds is what the formula foretells, and what it reports is the truth.
func TestCrawlsAreAsForetold(t *testing.T) {
	r, err := Crawls(context.Background(), CrawlsConfig{Pages: 25, Seed: 2, Seeds: 1, Dir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, table := range r.Tables {
		for _, row := range table.Rows {
			v := row.Values
			// 4 standard deviations: with fixed seeds it is no matter of luck
			if d := math.Abs(float64(v[0] - v[2])); d > float64(v[1])*4/1.96 {
				t.Errorf("%v: foretold %v ± %v, found %v", row.Name, v[0], v[1], v[2])
			}
			if d := math.Abs(float64(v[4] - v[6])); d > float64(v[5])*4/1.96+1e-12 {
				t.Errorf("%v: margin foretold %v ± %v, found %v", row.Name, v[4], v[5], v[6])
			}
			if k == 0 && math.Abs(float64(v[2]-v[3])) > 1e-9 {
				t.Errorf("%v: the crawler reports %v, the truth is %v", row.Name, v[3], v[2])
			}
		}
	}
	again, err := Crawls(context.Background(), CrawlsConfig{Pages: 25, Seed: 2, Seeds: 1, Dir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var a, b strings.Builder
	if err := errors.Join(r.CSV(&a), again.CSV(&b)); err != nil || a.String() != b.String() {
		t.Errorf("the second run differs from the first (%v):\n%s\n%s", err, a.String(), b.String())
	}
	last := r.Tables[0].Rows[len(r.Tables[0].Rows)-1] // varve with a sitemap
	if last.Values[4] < 0.03 {
		t.Errorf("%v: the margin foretold is %v only", last.Name, last.Values[4])
	}
}

func TestCrawlsRefuseNonsense(t *testing.T) {
	for _, c := range []CrawlsConfig{{}, {Dir: "x", Pages: 3}, {Dir: "x", Seeds: -1}, {Dir: "x", Changes: -1}, {Dir: "x", Pace: 1}} {
		if _, err := Crawls(context.Background(), c, nil); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
