package spamfilter

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
	r.Why, r.Sample = why, nil
	return true
}

// Bar rejects a host because people said so. It tells whether that changes anything.
func (r *Record) Bar(why string) bool {
	if r.State == Rejected {
		return false
	}
	r.State, r.Why, r.Sample = Rejected, why, nil
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
	case r.Pages >= c.Sample:
		r.State = Sampled
	default:
		r.State = Sampling
	}
}

// Due tells whether a host is to be assessed now: a checkpoint was reached since the last time.
func (c Config) Due(r *Record) bool {
	next, ok := c.Next(r.Assessed)
	return ok && r.Sample != nil && r.Pages >= next && r.State < Rejected
}

// Judge draws the conclusion of an assessment.
func (c Config) Judge(r *Record, spamicity float64, why string) {
	r.Spamicity, r.Assessed, r.Why = spamicity, r.Pages, why
	if spamicity >= c.Threshold {
		r.State, r.Sample = Rejected, nil
		return
	}
	c.archive(r)
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
