// Package changerate tells how often a page changes, and how sure that is. It is pure: what is known of a page goes
// in, a rate per second with an interval comes out. Changes are taken for a Poisson process.
//
// # Terms and symbols (the specification's, l being lambda)
//
//	l           changes per second                I, tau  time between two visits that were compared
//	n           comparisons (n+1 visits)          X       comparisons that found a change
//	T           time watched                      a       time from the last change to the visit that dates it
//
// A visit sees that a page changed, not how often: several changes between two visits look like one. So X/T is
// too low, and the more so the rarer the visits. A trusted date (Last-Modified, lastmod) tells when the last of them
// was, and so gives an unbiased view of a part of the interval.
//
// # Estimators
//
//	Oracle      full history known: l = X/T                                      interval: exact Poisson (Garwood)
//	Regular     visits every I: l = -log((n-X+0.5)/(n+0.5))/I                    interval: exact binomial (Clopper-Pearson)
//	Dated       Cho and Garcia-Molina, from dates: l = X'/T                      interval: likelihood ratio
//	Likelihood  any visits, any mixture of dates: maximum likelihood             interval: likelihood ratio
//	Corrected   the same with the bias of first order taken out                  interval: likelihood ratio
//
// Corrected is the one to use: it equals Regular for equal intervals (corrected.go shows why), needs no dates and uses
// them where they are. When no comparison found a change, or all did and none is dated, the interval has one side: a
// rate of 0 or of infinity is never claimed. estimate_test.go checks every estimator against a grid search, the
// coverage of the intervals and the bias by simulation; docs/algorithms/changerate.md has the figures.
//
// # Pages with little history
//
// A sitemap (Hint) or a Predictor trained on other pages of the site gives a prior, which counts as much as Weight
// changes that were seen. Estimator.Rate joins prior and history:
//
//	comparisons := visits compared, dates where trusted
//	prior       := dates in sitemaps, else predictor, else changefreq
//	no comparisons: the prior; no prior: Corrected; both: the maximum of likelihood x prior
//
// # Cost
//
// Closed forms are O(1); the others about 40 passes over the comparisons of the page, 30 to 60 microseconds for ten
// of them. Nothing is kept.
package changerate
