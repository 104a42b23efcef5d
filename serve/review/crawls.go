package review

import (
	"fmt"
	"strings"

	"varve/crawl"
	"varve/serve/holdings"
)

// Limits of what counts as a drop between two crawls of a series.
const (
	fewPages    = 10   // crawls smaller than this drop by chance
	pagesLeft   = 0.5  // share of pages that is left
	coherentGap = 0.10 // the share of coherent pages fell by
)

// ended tells of a crawl that broke, was killed, or left something.
func (s series) ended() []Alert {
	k := s.last()
	resume := "varve crawl --resume --collection " + k.Collection
	a := Alert{Kind: CrawlFailed, Subject: k.ID, Crawl: k.ID, Since: k.Ended, occasion: k.ID, Act: "find the cause, then go on with it", Command: resume}
	switch {
	case k.State == holdings.Interrupted && k.Problem == "":
		a.Weight, a.Since = 80, k.Started
		a.What = "ended without a report: its process was killed, or the machine went down"
		a.Act = "go on with it; what was captured is safe"
	case k.State == holdings.Stopped && strings.HasPrefix(k.Why, "failed"):
		a.Weight, a.What = 80, k.Why
	case k.State == holdings.Stopped && strings.HasSuffix(k.Why, "reached"):
		a.Kind, a.Weight = CrawlStopped, 20
		a.What = fmt.Sprintf("%s, with %d addresses left", k.Why, k.Queued)
		a.Act = "raise the limit, or narrow the scope, if that was not meant"
	case k.State == holdings.Stopped:
		a.Kind, a.Weight = CrawlStopped, 40
		a.What = fmt.Sprintf("stopped (%s), with %d addresses left", k.Why, k.Queued)
		a.Act = "go on with it, if the rest is wanted"
	case k.State == holdings.Finished:
		a.Kind, a.Weight, a.Command = CrawlGaps, 30, ""
		a.What, a.Act = gapText(k.Full()), "see its report; what was out of reach may be there for the next crawl"
	default:
		return nil
	}
	return []Alert{a}
}

// gapText says in a line what a crawl could not have.
func gapText(rep *crawl.Report) string {
	const named = 3
	var words []string
	gaps := crawl.Missing(rep.Gaps)
	for i, g := range gaps {
		if i == named {
			words = append(words, fmt.Sprintf("%d more causes", len(gaps)-named))
			break
		}
		words = append(words, fmt.Sprintf("%d × %s", g.Count, g.Cause))
	}
	return "is not complete: " + strings.Join(words, "; ")
}

// drops compares the last crawl of the series with the one before it.
func (s series) drops() []Alert {
	if len(s) < 2 {
		return nil
	}
	was, is := s[len(s)-2], s.last()
	a := Alert{Subject: is.ID, Crawl: is.ID, Since: is.Ended, occasion: is.ID, Act: "compare the two reports: a moved site, a block, a login, or a change of scope"}
	var out []Alert
	if was.Pages >= fewPages && float64(is.Pages) <= pagesLeft*float64(was.Pages) {
		p := a
		p.Kind, p.Weight = PagesDropped, 65
		p.What = fmt.Sprintf("%d pages, the crawl before (%s) had %d", is.Pages, was.ID, was.Pages)
		if changed(was, is) {
			p.What += "; the definition was changed in between"
			p.Weight = 30
		}
		out = append(out, p)
	}
	if before, now, ok := coherence(was, is); ok && before-now > coherentGap {
		a.Kind, a.Weight = CoherenceDropped, 50
		a.What = fmt.Sprintf("%.0f %% of its pages of which it is known are coherent, of the crawl before (%s) %.0f %%", 100*now, was.ID, 100*before)
		a.Act = "see which sections changed while they were crawled; an order of visits or a smaller group may help"
		a.Command = "varve coherence report --collection " + is.Collection
		out = append(out, a)
	}
	return out
}

// changed tells whether the definitions of two crawls differ.
func changed(a, b *holdings.Crawl) bool {
	return !a.SameDefinition(b)
}

// coherence gives the shares of coherent pages among those of which it is known, if both were measured on enough. A crawl that was
// interrupted before its revisits has many of which it is not: they hang together no less than others.
func coherence(was, is *holdings.Crawl) (before, now float64, ok bool) {
	known := func(t *holdings.Tally) int64 { return t.Total() - t.Unknown }
	if was.Coherence == nil || is.Coherence == nil || known(was.Coherence) < fewPages || known(is.Coherence) < fewPages {
		return 0, 0, false
	}
	share := func(t *holdings.Tally) float64 { return float64(t.Coherent) / float64(known(t)) }
	return share(was.Coherence), share(is.Coherence), true
}
