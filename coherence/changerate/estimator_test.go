package changerate

import (
	"math"
	"strings"
	"testing"
	"time"
)

// fixed forecasts the same rate for every page.
type fixed float64

func (f fixed) Forecast(Subject) Rate { return Rate{Value: float64(f), Source: FromPredictor} }

func TestEstimator(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	days := func(n int) time.Time { return t0.AddDate(0, 0, n) }
	var visits []Observation
	for i := range 11 {
		visits = append(visits, Observation{At: days(i), Compared: i > 0, Changed: i > 0 && i <= 4})
	}
	dated := []Observation{{At: days(1), Modified: days(0)}}
	for _, c := range []struct {
		name  string
		e     Estimator
		f     Facts
		from  Source
		daily float64
	}{
		{"visits alone", Estimator{}, Facts{Visits: visits}, FromVisits, 0.4795731},
		{"counts alone", Estimator{}, Facts{Older: Folded(10, 4, 240*time.Hour)}, FromVisits, 0.4795731},
		{"the word", Estimator{}, Facts{Hint: Hint{Changefreq: " Weekly"}}, FromChangefreq, 1.0 / 7},
		{"an age", Estimator{}, Facts{Visits: dated}, FromDates, math.Ln2},
		{"lastmods", Estimator{}, Facts{Hint: Hint{Changefreq: "weekly", Lastmods: []Lastmod{{days(1), days(0)}}}}, FromLastmod, math.Ln2},
		{"a lastmod of the future", Estimator{}, Facts{Hint: Hint{Changefreq: "weekly", Lastmods: []Lastmod{{days(1), days(3)}}}}, FromChangefreq, 1.0 / 7},
		{"learnt", Estimator{Forecaster: fixed(2 / day)}, Facts{Hint: Hint{Changefreq: "weekly"}}, FromPredictor, 2},
		{"no prior wanted", Estimator{Forecaster: fixed(2 / day), Weight: -1}, Facts{Visits: visits}, FromVisits, 0.4795731},
	} {
		r := c.e.Rate(c.f)
		if r.Source != c.from || math.Abs(r.Value*day-c.daily) > 1e-6 {
			t.Errorf("%s: %v per day from %q, want %v from %q", c.name, r.Value*day, r.Source, c.daily, c.from)
		}
		if !(r.Low <= r.Value && r.Value <= r.High) && r.Source != FromPredictor {
			t.Errorf("%s: %v is not within [%v, %v]", c.name, r.Value, r.Low, r.High)
		}
	}
	none := Facts{Visits: visits[5:8]}
	none.Visits[0].Compared = false
	low, high := (&Estimator{Forecaster: fixed(0.01 / day)}).Rate(none), (&Estimator{Forecaster: fixed(10 / day)}).Rate(none)
	if !(low.Value < high.Value && low.Value > 0.005/day && high.Value < 2/day && low.Source == FromVisits) {
		t.Errorf("two quiet days: %v with a slow prior, %v with a fast one", low.Value*day, high.Value*day)
	}
}

func TestChangefreqOrder(t *testing.T) {
	last := math.Inf(1)
	for _, w := range strings.Fields("always hourly daily weekly monthly yearly never") {
		r := Changefreq(w)
		if !(r.Value < last && r.Low < r.Value && r.Value < r.High) {
			t.Errorf("%s: %+v after %v", w, r, last)
		}
		last = r.Value
	}
}

func TestNext(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := Rate{Value: math.Ln2 / hour, Source: FromVisits}
	if got := r.Next(t0, 0.5).Sub(t0); got.Round(time.Millisecond) != time.Hour {
		t.Errorf("half of the pages should have changed after %v, got %v", time.Hour, got)
	}
	if got := (Rate{Value: 1e-300, Source: FromVisits}).Next(t0, 0.5); got.Before(t0) {
		t.Errorf("a rate near 0 gives %v", got)
	}
	if p := r.Within(2 * time.Hour); math.Abs(p-0.75) > 1e-12 {
		t.Errorf("changed within two hours: %v, want 0.75", p)
	}
}

func TestSplit(t *testing.T) {
	u := split("https://WWW.Example.org:8080/~Anna/news_2024/index.php?id=3;x#top")
	want := url{domain: "example.org:8080", depth: 3, length: 65, words: [3]string{"anna", "news", "2024"}, has: [7]bool{true, true, true, true}}
	if u != want {
		t.Errorf("got  %+v\nwant %+v", u, want)
	}
	for _, odd := range []string{"", "://", "http://", "a", "?", "http://h?q:,%", "\xff/\xfe"} {
		split(odd)
	}
}
