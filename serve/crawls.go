package serve

import (
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
	})
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
