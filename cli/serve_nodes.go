package cli

import (
	"cmp"
	"context"
	"os"
	"sync"

	"varve/cluster/nats"
	"varve/crawl/nodes"
)

// fleets are the crawls of several nodes that an engine has, for the screens.
type fleets struct {
	cfg nats.Config

	mu   sync.Mutex
	open map[string]*nats.Engine // by crawl
}

// fleets returns where to look for crawls of several nodes; nil where no engine is given.
func (n *nodeOptions) fleets() *fleets {
	url := cmp.Or(n.url, os.Getenv("VARVE_NATS"))
	if url == "" {
		return nil
	}
	return &fleets{cfg: nats.Config{URL: url, Creds: n.creds, Name: "serve"}, open: map[string]*nats.Engine{}}
}

// Fleets is part of health.Source.
func (f *fleets) Fleets(ctx context.Context) (list []nodes.Overview, server string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	names, server, err := nats.Crawls(ctx, f.cfg)
	if err != nil {
		return nil, server, err
	}
	for _, name := range names {
		e := f.open[name]
		if e == nil {
			cfg := f.cfg
			cfg.Crawl = name
			if e, err = nats.Open(ctx, cfg); err != nil {
				return list, server, err
			}
			f.open[name] = e
		}
		o, err := nodes.Look(ctx, e, name)
		if err != nil {
			return list, server, err
		}
		list = append(list, o)
	}
	return list, server, nil
}

func (f *fleets) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.open {
		e.Close()
	}
}
