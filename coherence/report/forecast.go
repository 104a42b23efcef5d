package report

import (
	"varve/coherence"
	"varve/coherence/changerate"
	"varve/coherence/evidence"
	"varve/text/layer"
)

// Forecast is what the change rates of the pages let expect. Rates come from all captures of a page
// in the files; pages with fewer than three captures and
// no trusted date have none, and are left out.
type Forecast struct {
	Pages    int64   `json:"pages"`    // with a known rate
	Blur     float64 `json:"blur"`     // expected changes between a capture and any instant of the visits, added up
	Mean     float64 `json:"mean"`     // the same per page
	Pairs    int64   `json:"pairs"`    // of Pages: revisited
	Coherent float64 `json:"coherent"` // expected share of Pairs that do not change between visit and revisit
}

// forecast adds up a Forecast.
type forecast struct {
	out  Forecast
	hold float64 // sum of exp(-l*(r-t))
}

func (f *forecast) add(p *Judged, frame *Frame) {
	if !p.Rate.Known() {
		return
	}
	window := frame.Visited.Sub(frame.Start).Seconds()
	f.out.Pages++
	if window > 0 {
		f.out.Blur += coherence.Blur(p.Rate.Value, p.Visit.Time.Sub(frame.Start).Seconds(), window)
	}
	if p.Revisit != nil {
		f.out.Pairs++
		f.hold += coherence.Expected([]float64{p.Rate.Value}, []float64{p.Revisit.Time.Sub(p.Visit.Time).Seconds()})
	}
}

func (f *forecast) forecast() Forecast {
	if f.out.Pages > 0 {
		f.out.Mean = f.out.Blur / float64(f.out.Pages)
	}
	if f.out.Pairs > 0 {
		f.out.Coherent = f.hold / float64(f.out.Pairs)
	}
	return f.out
}

// rateOf estimates how often the visible text of a page changes, from all its captures in the files.
func rateOf(page *evidence.History, dates *Dates) changerate.Rate {
	var facts changerate.Facts
	var last *evidence.Observation
	for i := range page.Captures {
		c := &page.Captures[i]
		if !c.Plain() || !c.OK() || c.IsProbe() { // a page that was asked for twice at once did not stay the same for long
			continue
		}
		o := changerate.Observation{At: c.Time, Modified: dates.Of(c, last).Trusted(layer.Text)}
		if last != nil && last.Layers != nil && c.Layers != nil {
			cmp := layer.Compare(last.Layers, c.Layers, layer.Config{})
			same, known := cmp.Same(layer.Text)
			o.Compared, o.Changed = known, !same
		}
		facts.Visits = append(facts.Visits, o)
		last = c
	}
	rate := new(changerate.Estimator).Rate(facts)
	if rate.Source == changerate.FromVisits && rate.Compared < minCompared {
		return changerate.Rate{} // one comparison would only foretell itself
	}
	return rate
}

// minCompared is how many comparisons a rate needs that rests on nothing else.
const minCompared = 2
