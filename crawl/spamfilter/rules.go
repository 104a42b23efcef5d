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

// Recall takes over what an earlier crawl found: the spamicity that it came to, with the support of then, and what the assessor had
// said. Nothing of the host is looked at; its support in this crawl can free it.
func (c Config) Recall(r *Record, spamicity, content float64, supporters int, why string) {
	r.Content, r.Spamicity, r.Why, r.Sample = content, min(spamicity, Temper(content, supporters)), why, nil
	r.State = Archiving
	if r.Spamicity >= c.Threshold {
		r.State = Rejected
	}
}

// Wants tells whether the pages of a host, of which so many documents were fetched, go into its sample.
func (c Config) Wants(r *Record, documents int64) bool {
	switch r.State {
	case Rejected, GivenBack:
		return false
	case Archiving:
		return r.Sample != nil && documents >= c.Late
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

// limit is how many pages a host may have before its verdict: those of the first assessment, and all of a sample where
// that left doubt.
func (c Config) limit(r *Record) int {
	if r.Assessed >= c.First {
		return c.Sample
	}
	return c.First
}

// Due tells whether a host is to be assessed now: it has the pages that its verdict waits for, or those of the late look.
func (c Config) Due(r *Record) bool {
	switch {
	case r.Sample == nil || r.State >= Rejected:
		return false
	case r.State == Archiving:
		return r.Pages >= r.Assessed+c.First
	}
	return r.Pages >= c.limit(r) && r.Assessed < c.limit(r)
}

// How far from the threshold, in log-odds, a first assessment is beyond doubt: above it, and below.
const (
	surelySpam   = 0.5
	surelyNormal = 2
)

// Judge draws the conclusion of an assessment of a host that so many others support. What a first assessment leaves in doubt is
// sampled further: nothing is lost by that but some pages of spam.
func (c Config) Judge(r *Record, spamicity float64, supporters int, why string) {
	first := r.State <= Sampled && r.Assessed < c.First && r.Pages < c.Sample
	r.Content, r.Spamicity, r.Assessed, r.Why = spamicity, Temper(spamicity, supporters), r.Pages, why
	switch {
	case first && c.doubtful(r):
		r.State = Sampling
	case r.Spamicity < c.Threshold:
		c.archive(r)
	default:
		r.State, r.Sample = Rejected, nil
	}
}

// doubtful tells whether more pages may change the verdict. Support does not end a doubt about the pages, for it can go. What an
// earlier verdict says as well is no doubt.
func (c Config) doubtful(r *Record) bool {
	at := logit(c.Threshold)
	if r.Spamicity >= c.Threshold {
		return r.Prior != PriorSpam && logit(r.Spamicity) < at+surelySpam
	}
	return r.Prior != PriorNormal && logit(r.Content) >= at-surelyNormal
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

// archive lets a host in. Its sample is kept for the late look, and dropped behind it.
func (c Config) archive(r *Record) {
	if r.State == Archiving {
		r.Sample = nil
	}
	r.State = Archiving
}
