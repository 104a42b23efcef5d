package pulse

import (
	"context"
	"time"

	"varve"
	"varve/serve/holdings"
)

// takeCrawls adds the crawls that run, and the newest of those that ended.
func (d *Desk) takeCrawls(ctx context.Context, p *Pulse, class class, titles map[string]string, ask Ask) error {
	live, err := d.cfg.Holdings.Crawls(ctx, holdings.CrawlQuery{Collection: ask.Collection, State: holdings.Live, Limit: mostRunning})
	if err != nil {
		return err
	}
	for _, k := range live.Items {
		if k.Follow(ctx); k.State == holdings.Live {
			p.Running = append(p.Running, seen(k, titles[k.Collection], class.withheld(k.Collection)))
		}
	}
	newest, err := d.cfg.Holdings.Crawls(ctx, holdings.CrawlQuery{Collection: ask.Collection, From: ask.From, To: ask.To, Limit: mostCrawls + len(live.Items)})
	if err != nil {
		return err
	}
	for _, k := range newest.Items {
		if k.Follow(ctx); k.State != holdings.Live {
			p.Last = append(p.Last, seen(k, titles[k.Collection], class.withheld(k.Collection)))
		}
	}
	return nil
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
