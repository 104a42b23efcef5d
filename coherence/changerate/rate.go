package changerate

import (
	"encoding/json"
	"math"
	"time"
)

// Level is the confidence of intervals unless another one is asked for.
const Level = 0.95

// Source tells what a rate was made from.
type Source string

// The sources, best first. Unknown is the zero value.
const (
	FromOracle     Source = "oracle"     // the full history of changes
	FromDates      Source = "dates"      // visits, with trusted dates of changes
	FromCrawl      Source = "crawl"      // pages like it that the same crawl met
	FromVisits     Source = "visits"     // visits that were compared
	FromLastmod    Source = "lastmod"    // lastmod of sitemaps
	FromPredictor  Source = "predictor"  // learnt from other pages
	FromChangefreq Source = "changefreq" // the word in a sitemap
	Unknown        Source = ""
)

// Rate is how often a page changes, per second. The true rate lies in [Low, High] with probability Confidence; High
// may be infinite. Confidence 0 says that the interval is a convention, not a calculation.
type Rate struct {
	Value      float64
	Low, High  float64
	Source     Source
	Confidence float64
	Compared   int // comparisons of visits behind it (n)
	Changed    int // of Compared: found a change (X)
}

// Known tells whether the rate says anything.
func (r Rate) Known() bool { return r.Source != Unknown }

// Within gives the probability of a change within d: 1-exp(-l*d), the specification's l_slot for a slot of length d.
func (r Rate) Within(d time.Duration) float64 { return -math.Expm1(-r.Value * d.Seconds()) }

// Per gives the expected number of changes in d.
func (r Rate) Per(d time.Duration) float64 { return r.Value * d.Seconds() }

// wire is a Rate in JSON, where infinity cannot be written.
type wire struct {
	Value      float64  `json:"value"`
	Low        float64  `json:"low"`
	High       *float64 `json:"high"`
	Source     Source   `json:"source"`
	Confidence float64  `json:"confidence"`
	Compared   int      `json:"compared"`
	Changed    int      `json:"changed"`
}

// MarshalJSON writes the rate; an infinite upper end is null.
func (r Rate) MarshalJSON() ([]byte, error) {
	w := wire{r.Value, r.Low, nil, r.Source, r.Confidence, r.Compared, r.Changed}
	if !math.IsInf(r.High, 1) {
		w.High = &r.High
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Rate) UnmarshalJSON(b []byte) error {
	var w wire
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	*r = Rate{w.Value, w.Low, math.Inf(1), w.Source, w.Confidence, w.Compared, w.Changed}
	if w.High != nil {
		r.High = *w.High
	}
	return nil
}
