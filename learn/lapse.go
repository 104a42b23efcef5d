package learn

import "math"

// Lapse turns scores into probabilities where some positives cannot be told at all: spam that reads like any blog, of which no score
// is right. With a share lapse of rows positive whatever their score,
//
//	p(score) = lapse + (1 − lapse) · 1/(1 + exp(−(slope·score + shift)))
//
// A plain logistic curve (Platt) goes flat for the sake of these, and says one half of everything; this one keeps its slope for the
// positives that can be told.
type Lapse struct {
	Slope, Shift, Lapse float64
}

// NewLapse fits one by expectation and maximisation: how likely each positive is one that cannot be told, and then a logistic curve to the rest,
// with a ridge on the slope (in units of the deviation of scores) so that scores that part perfectly give no infinite one. The slope is never
// below 0. O(n) for each of some hundred rounds.
func NewLapse(scores []float64, positive []bool) Lapse {
	if len(scores) == 0 {
		return Lapse{Slope: 1}
	}
	n := float64(len(scores))
	mean, sd := 0.0, 0.0
	for _, s := range scores {
		mean += s / n
	}
	for _, s := range scores {
		sd += (s - mean) * (s - mean) / n
	}
	if sd = math.Sqrt(sd); sd == 0 {
		sd = 1
	}
	f := lapseFit{x: make([]float64, len(scores)), positive: positive, told: make([]float64, len(scores)), slope: 1}
	for i, s := range scores {
		f.x[i], f.told[i] = (s-mean)/sd, 1
	}
	f.lapse = 0.1
	for range 100 {
		f.expect()
		f.maximise()
	}
	return Lapse{Slope: f.slope / sd, Shift: f.shift - f.slope*mean/sd, Lapse: f.lapse}
}

// Of gives the probability of a score.
func (l Lapse) Of(score float64) float64 {
	return l.Lapse + (1-l.Lapse)*sigmoid(l.Slope*score+l.Shift)
}

// lapseFit is a fit under way.
type lapseFit struct {
	x                   []float64
	positive            []bool
	told                []float64 // weight of each row in the curve: 1 less the probability that it is a lapse
	slope, shift, lapse float64
}

// expect weighs the positives by how likely the curve, and not a lapse, made them so.
func (f *lapseFit) expect() {
	sum := 0.0
	for i, x := range f.x {
		f.told[i] = 1
		if f.positive[i] {
			s := (1 - f.lapse) * sigmoid(f.slope*x+f.shift)
			f.told[i] = s / (s + f.lapse + 1e-12)
			sum += 1 - f.told[i]
		}
	}
	f.lapse = min(sum/float64(len(f.x)), 0.9)
}

// maximise fits the curve: some steps of Newton with a ridge.
func (f *lapseFit) maximise() {
	const ridge = 1
	for range 5 {
		ga, gb, haa, hab, hbb := ridge*f.slope, 0.0, ridge*1.0, 0.0, 1e-9
		for i, x := range f.x {
			p := sigmoid(f.slope*x + f.shift)
			d := p
			if f.positive[i] {
				d--
			}
			d, h := d*f.told[i], p*(1-p)*f.told[i]
			ga, gb = ga+d*x, gb+d
			haa, hab, hbb = haa+h*x*x, hab+h*x, hbb+h
		}
		det := haa*hbb - hab*hab
		if det <= 1e-12 {
			return
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		const most = 2
		f.slope = max(0, f.slope-min(max(da, -most), most))
		f.shift -= min(max(db, -most), most)
	}
}
