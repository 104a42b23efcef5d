package changerate

import (
	"math"
	"slices"
	"time"
)

// Forecaster foretells the rate of a page from what it looks like; a Predictor does. An unknown rate is no forecast.
type Forecaster interface {
	Forecast(Subject) Rate
}

// Facts are what is known of one page. Every part may be missing.
type Facts struct {
	Page   Subject       // for the forecaster
	Visits []Observation // oldest first; failed visits left out
	Older  []Comparison  // before the first of Visits: see Folded
	Hint   Hint          // from sitemaps
}

// Estimator is the way from facts to a rate. The zero value works: history and sitemap alone.
type Estimator struct {
	Forecaster Forecaster // for pages with little history; may be nil
	Confidence float64    // of intervals; 0 means Level
	Weight     float64    // a prior counts as so many changes seen; 0 means 1, negative means that it is not used beside visits
}

// Rate gives the rate of a page. Visits that were compared, and trusted dates, are the evidence; a sitemap or the
// forecaster is the prior, whose say fades as evidence grows: after n changes seen it has Weight/(n+Weight)
// of it. With nothing known at all the rate is unknown.
func (e *Estimator) Rate(f Facts) Rate {
	conf, weight := e.Confidence, e.Weight
	if conf == 0 {
		conf = Level
	}
	if weight == 0 {
		weight = 1
	}
	prior := e.prior(f, conf)
	cs := Compare(f.Visits)
	if len(f.Older) > 0 {
		cs = slices.Concat(f.Older, cs)
	}
	switch {
	case len(cs) == 0:
		return prior
	case !prior.Known() || weight < 0:
		return Corrected(cs, conf)
	}
	return (&evidence{cs: cs, k: weight, l0: prior.Value}).corrected(conf)
}

// prior prefers dates to learning and learning to words: a changefreq is what somebody once wrote into a template.
func (e *Estimator) prior(f Facts, conf float64) Rate {
	if r := Lastmods(f.Hint.Lastmods, conf); r.Known() {
		return r
	}
	if e.Forecaster != nil {
		if r := e.Forecaster.Forecast(f.Page); r.Known() && r.Value > 0 {
			return r
		}
	}
	return Changefreq(f.Hint.Changefreq)
}

// Next gives when a page should be seen again so that it has changed since at with probability p: -log(1-p)/l later.
// An unknown rate gives the zero time.
func (r Rate) Next(at time.Time, p float64) time.Time {
	if !r.Known() || r.Value <= 0 {
		return time.Time{}
	}
	const most = float64(1<<62) / float64(time.Second)
	return at.Add(time.Duration(min(-math.Log1p(-p)/r.Value, most) * float64(time.Second)))
}
