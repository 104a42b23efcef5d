package serve

import (
	"context"

	"varve/clock"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/crawls"
)

// newLauncher makes what starts crawls, if there is a program for it.
func (p *parts) newLauncher(audit *access.Audit) {
	if p.cfg.Program == "" {
		return
	}
	p.crawls = crawls.New(crawls.Config{
		Program: p.cfg.Program, Archive: p.cfg.Archive, Audit: audit, Clock: clock.Real(), Log: p.cfg.Log.With("part", "crawls"),
		GiveWay: p.preparing.giveWay,
	})
}

// newSchedule makes what starts crawls that are due, if it is asked for.
func (p *parts) newSchedule() {
	if p.crawls == nil || !p.cfg.RunDue {
		return
	}
	p.schedule = &crawls.Schedule{Starter: p.crawls, Stock: p.holdings, Clock: clock.Real(), Log: p.cfg.Log.With("part", "schedule")}
}

// runDue starts what is due until the context ends.
func (p *parts) runDue(ctx context.Context) {
	if p.schedule != nil {
		p.schedule.Run(ctx)
	}
}

// starter is what screens and API start crawls with; nil without a program.
func (p *parts) starter() api.Crawls {
	if p.crawls == nil {
		return nil
	}
	return p.crawls
}

// endCrawls lets the crawls that were started here end in good order.
func (p *parts) endCrawls() error {
	if p.crawls == nil {
		return nil
	}
	return p.crawls.Close()
}
