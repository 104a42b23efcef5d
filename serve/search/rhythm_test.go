package search_test

import (
	"math"
	"testing"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
)

// crawled returns the months in which crawls that are so many days apart saw something, without those of a pause.
func crawled(every, crawls int, pauseFrom, pauseTo int) (out []search.TrendPoint) {
	for i := range crawls {
		at := time.Date(2023, 1, 9, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i*every)
		month := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
		if n := len(out); i >= pauseFrom && i < pauseTo || n > 0 && out[n-1].At.Equal(month) {
			continue
		}
		out = append(out, search.TrendPoint{At: month, Hits: 1, Of: 4, Share: 0.25})
	}
	return out
}

func TestRhythm(t *testing.T) {
	for name, c := range map[string]struct {
		points []search.TrendPoint
		want   int
	}{
		"daily":                         {crawled(1, 400, 0, 0), 1},
		"every week":                    {crawled(7, 60, 0, 0), 1},
		"every month":                   {crawled(30, 36, 0, 0), 1},
		"every 55 days, as in the demo": {crawled(55, 20, 0, 0), 3},
		"with a pause of a year":        {crawled(55, 30, 10, 17), 3},
		"every half year":               {crawled(183, 10, 0, 0), 6},
		"every year":                    {crawled(365, 10, 0, 0), 12},
		"nothing":                       {nil, 1},
		"one crawl":                     {crawled(55, 1, 0, 0), 1},
	} {
		if got := search.Rhythm(c.points); got != c.want {
			t.Errorf("%s: %d months, want %d", name, got, c.want)
		}
	}
}

func TestMerged(t *testing.T) {
	all := &search.Trends{Bucket: fulltext.ByMonth, Series: []search.Series{{Term: "a", Total: 20, Points: crawled(55, 20, 0, 0)}}}
	got := all.Merged(3)
	var hits, of int64
	for i, p := range got.Series[0].Points {
		if int(p.At.Month())%3 != 1 || p.At.Day() != 1 || i > 0 && !p.At.Equal(got.Series[0].Points[i-1].At.AddDate(0, 3, 0)) {
			t.Errorf("point %d is of %v", i, p.At)
		}
		hits, of = hits+p.Hits, of+p.Of
	}
	if want := int64(len(all.Series[0].Points)); hits != want || of != 4*want {
		t.Errorf("%d of %d", hits, of)
	}
}

// The example of Brown, Cai and DasGupta (2001), and the ends.
func TestLikely(t *testing.T) {
	for _, c := range []struct {
		hits, of  int64
		low, high float64
	}{{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {1, 4, 0.0456, 0.6994}, {50, 100, 0.4038, 0.5962}, {0, 0, 0, 1}} {
		low, high := search.Likely(c.hits, c.of)
		if math.Abs(low-c.low) > 5e-4 || math.Abs(high-c.high) > 5e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.hits, c.of, low, high, c.low, c.high)
		}
	}
}
