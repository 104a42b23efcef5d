// Package coherence measures how well a capture hangs together in time, and plans captures so that
// they do.
//
// # Terms
//
// A *capture* of a site fetches its pages once (single visit), or visits all and then revisits
// them. t(p) is the visit, r(p) the revisit, mu(p) the last change at or before the visit and
// mu*(p) the first after it. The *invariance interval* of what was captured is [mu, mu*). What can
// be shown of it is the *proven interval*: [t, r] when the revisit found the same content, [mu, t]
// when a date is trusted, [t, t] always. Evidence has a [Level], a judgement is a [Verdict]. The
// *reference point* is the instant that a capture is to stand for: its start where dates are
// trusted (measurable), the end of the visits where pages are revisited (inducible).
//
// # Measuring
//
// model.go has intervals and captured pages, judge.go the verdict on a page or an embedded
// resource at an instant, metrics.go, blur.go and quality.go the measures with their formulas,
// history.go the intervals of one page over many crawls, sweep.go the pages that hold at an instant
// ([AsOf]) and the instants at which most hold ([Best]).
//
// # Planning
//
// A [Planner] has the pages of one group (a host, a prefix, a sitemap) that wait, and says which to
// visit next. It does not know URLs, clocks or hosts: pages have numbers of the caller's, change
// rates and costs in any unit of time that is the same throughout. A crawler uses it so:
//
//	p, err := coherence.NewPlanner(coherence.Varve, coherence.Options{Revisit: true, Pace: 1.2, Expected: 5000})
//	p.Discover(coherence.Page{ID: 7, Rate: changesPerSecond})  for every link found, in order
//	p.Expect(n); p.SetPace(seconds)                            when the estimates move
//	p.SetRate(id, rate); p.Remove(id)                          when more is known
//	page, ok := p.Next()                                       when politeness lets the group go on
//	...
//	order := coherence.RevisitOrder(visited, coherence.Revisits{Order: coherence.Plan, Pace: 1.2})
//
// Next never waits for pages that are not yet found: of those that wait it takes the one that the
// plan has first, and it plans anew when a sixteenth of what it planned for has changed (pages
// found, gone, of another rate) or the pace or the expected size is off by as much. [Order] is the
// same with all pages known. Politeness is the caller's; a caller that cannot keep the order (a
// host is slow, a page fails) need not tell the planner, since RevisitOrder starts from the visits
// as they were.
//
// # The plan
//
// Visits from the outside in and revisits from the inside out make nested intervals of length
// 0, 2, 4, ..., 2(n-1) paces. Which page gets which is an assignment that maximises the expected
// coherence, the sum of exp(-l*L):
//
//	n <= 400   the assignment, solved exactly (assign.go)
//	above      sort by rate; the h hottest get the h longest intervals, hottest longest; the rest
//	           hottest to shortest; with and without the hottest page at interval 0; h by a coarse
//	           scan, refined (split.go); the same problem for 200 blocks of neighbouring pages and
//	           positions, solved exactly; the seed's threshold rule on a grid of eta; the best of all
//
// docs/algorithms/coherence.md says why. Without revisits the plan is the organ pipe of SHARC:
// hottest pages in the middle.
//
// Cost: Discover, Next, SetRate and Remove are O(log n), and planning is O(n log n) amortised over
// the pages that changed (exact for n <= 400: O(n^3), some milliseconds). 50,000 pages are planned
// in about a tenth of a second of CPU. Memory is up to 200 bytes per waiting page.
package coherence
