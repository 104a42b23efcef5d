package spamfilter

import "math"

// Free lets a host in for good: a seed, or one that people know. It tells whether that changes anything.
func (r *Record) Free(why string) bool {
	switch r.State {
	case Rejected:
		r.State = GivenBack
	case Archiving, GivenBack:
		if r.Sample == nil && r.Why != "" {
			return false
		}
		r.State = max(r.State, Archiving)
	default:
		r.State = Archiving
	}
	r.Why, r.Sample, r.Content = why, nil, math.NaN()
	return true
}

// Bar rejects a host because people said so. It tells whether that changes anything.
func (r *Record) Bar(why string) bool {
	if r.State == Rejected {
		return false
	}
	r.State, r.Why, r.Sample, r.Spamicity, r.Content = Rejected, why, nil, math.NaN(), math.NaN()
	return true
}

// Wants tells whether the pages of a host go into its sample.
func (c Config) Wants(r *Record) bool {
	switch r.State {
	case Rejected, GivenBack:
		return false
	case Archiving:
		return r.Sample != nil && r.Pages < MaxSample
	}
	return true
}

// Grow notes pages that came into the sample.
func (c Config) Grow(r *Record, sample []byte, pages int) {
	r.Sample = sample
	r.Pages += pages
	switch {
	case r.State > Sampled:
	case r.Pages >= c.limit(r):
		r.State = Sampled
	default:
		r.State = Sampling
	}
}

// limit is how many pages a host may have before its verdict: those of a sample, and twice as many where the first assessment
// left doubt.
func (c Config) limit(r *Record) int {
	if r.Assessed >= c.Sample {
		return min(2*c.Sample, MaxSample)
	}
	return c.Sample
}

// Due tells whether a host is to be assessed now: a checkpoint was reached since the last time.
func (c Config) Due(r *Record) bool {
	if r.Sample == nil || r.State >= Rejected {
		return false
	}
	if r.State <= Sampled {
		return r.Pages >= c.limit(r) && r.Assessed < c.limit(r)
	}
	next, ok := c.Next(r.Assessed)
	return ok && r.Pages >= next
}

// margin is how far above the threshold, in log-odds, a first assessment is beyond doubt.
const margin = 0.5

// Judge draws the conclusion of an assessment of a host that so many others support. What is spam by a small margin is looked at
// once more, with as many pages again: nothing is lost by that but some pages of spam.
func (c Config) Judge(r *Record, spamicity float64, supporters int, why string) {
	first := r.Assessed < c.Sample
	r.Content, r.Spamicity, r.Assessed, r.Why = spamicity, Temper(spamicity, supporters), r.Pages, why
	switch {
	case r.Spamicity < c.Threshold:
		c.archive(r)
	case first && r.State <= Sampled && r.Pages < min(2*c.Sample, MaxSample) && logit(r.Spamicity) < logit(c.Threshold)+margin:
		r.State = Sampling
	default:
		r.State, r.Sample = Rejected, nil
	}
}

// Suspect tells whether a host would be rejected if nobody supported it: its verdict may change with its support.
func (c Config) Suspect(r *Record) bool { return r.State > Sampled && r.Content >= c.Threshold }

// Reconsider draws the conclusion again for a suspect whose support changed, and tells whether that is another one.
func (c Config) Reconsider(r *Record, supporters int) bool {
	if !c.Suspect(r) {
		return false
	}
	r.Spamicity = Temper(r.Content, supporters)
	spam := r.Spamicity >= c.Threshold
	switch {
	case spam && r.State == Archiving:
		r.State, r.Sample = Rejected, nil
	case !spam && r.State == Rejected:
		r.State = Archiving
	default:
		return false
	}
	return true
}

// logit is the logarithm of the odds, bounded.
func logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// Unknown lets a host in that could not be assessed: no page is lost to a failure of ours.
func (c Config) Unknown(r *Record, why string) {
	r.Assessed, r.Why = r.Pages, why
	c.archive(r)
}

// archive lets a host in, and drops its sample behind the last checkpoint.
func (c Config) archive(r *Record) {
	r.State = Archiving
	if _, more := c.Next(r.Assessed); !more {
		r.Sample = nil
	}
}
