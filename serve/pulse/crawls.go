package pulse

import (
	"context"
	"time"

	"varve"
	"varve/serve/holdings"
)

// takeCrawls adds the crawls that run, and those that ended. Collections are kept
// between visitors, so that a crawl is copied before it is asked how far it is.
func (p *Pulse) takeCrawls(ctx context.Context, c *holdings.Collection, ask Ask, withheld bool) {
	ended := 0
	for i := len(c.Crawls) - 1; i >= 0; i-- {
		k := c.Crawls[i]
		if k.State == holdings.Live {
			live := *k
			live.Follow(ctx)
			k = &live
		}
		switch {
		case k.State == holdings.Live:
			p.Running = append(p.Running, seen(k, c.Title, withheld))
		case !ask.covers(k.Started):
		case ended < mostCrawls:
			ended++
			p.Last = append(p.Last, seen(k, c.Title, withheld))
		}
	}
}

// seen is a crawl as a visitor may know of it. Its figures count what is withheld, and its report names it.
func seen(k *holdings.Crawl, title string, withheld bool) Crawl {
	if withheld {
		k = &holdings.Crawl{ID: k.ID, Collection: k.Collection, Name: k.Name, State: k.State, Started: k.Started, Ended: k.Ended}
	}
	return Crawl{k, title, withheld}
}

// complete ends a time that has no end now.
func (a Ask) complete(now time.Time) (Ask, error) {
	if !a.From.IsZero() && a.To.IsZero() {
		a.To = now.UTC().Truncate(time.Hour).Add(time.Hour) // so that it is the same question for a while
	}
	if a.From.IsZero() && !a.To.IsZero() || a.To.Before(a.From) {
		return a, &varve.Error{Kind: varve.Invalid, Op: "take the pulse", Msg: "a time begins before it ends", Hint: "from=202505&to=202506 is May 2025"}
	}
	return a, nil
}

// covers tells whether an instant lies in the time that is asked for.
func (a Ask) covers(t time.Time) bool {
	return (a.From.IsZero() || !t.Before(a.From)) && (a.To.IsZero() || t.Before(a.To))
}

func monthOf(t time.Time) time.Time {
	y, m, _ := t.UTC().Date()
	return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
}
