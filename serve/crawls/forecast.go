package crawls

import (
	"context"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/control"
	"varve/serve/holdings"
)

// Forecast is what the coherence of a running crawl may come to.
type Forecast struct {
	Foretold
	Host     string   `json:"host,omitempty"`     // the largest one, whose pace and pages were taken
	Rated    int      `json:"rated"`              // pages of the collection whose rate of change is known
	Revisits string   `json:"revisits,omitempty"` // of the crawl; empty: it visits each page once
	Unknown  string   `json:"unknown,omitempty"`  // why nothing can be foretold
	Share    *float64 `json:"share,omitempty"`    // expected of its pages, with revisits in the order of plan or fifo
}

// Forecaster foretells how well running crawls will hang together. What it read of the history of a collection holds
// for a minute, since those who watch ask again and again.
type Forecaster struct {
	Index holdings.Index
	Now   func() time.Time

	mu    sync.Mutex
	known map[string]rated
}

type rated struct {
	history History
	read    time.Time
}

// historyHolds is how long rates of change are taken for new.
const historyHolds = time.Minute

func (f *Forecaster) history(ctx context.Context, collection string) (History, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, ok := f.known[collection]; ok && f.Now().Sub(r.read) < historyHolds {
		return r.history, nil
	}
	h, err := ReadHistory(f.Index.Captures(ctx, holdings.Query{Collection: collection}))
	if err != nil {
		return h, err
	}
	if f.known == nil || len(f.known) > 1000 {
		f.known = map[string]rated{}
	}
	f.known[collection] = rated{h, f.Now()}
	return h, nil
}

// Of foretells from how the crawl goes now: the pages of its largest host, done and queued, within its limit, at the
// pace it had so far.
func (f *Forecaster) Of(ctx context.Context, k *holdings.Crawl, w *control.Watch) (Forecast, error) {
	out := Forecast{}
	if k.Definition != nil && k.Definition.Revisit != crawl.NoRevisit {
		out.Revisits = string(k.Definition.Revisit)
	}
	if f.Index == nil {
		out.Unknown = "the archive has no index yet"
		return out, nil
	}
	h, err := f.history(ctx, k.Collection)
	if err != nil {
		return out, err
	}
	out.Rated = len(h.Rates)
	pages, pace := 0, time.Duration(0)
	for _, host := range w.TopHosts {
		if n := int(host.Done + host.Queued); n > pages && host.Done > 0 {
			pages, out.Host = n, host.Host
			pace = w.Elapsed / time.Duration(host.Done)
		}
	}
	if m := int(w.Limits.MaxPages); m > 0 && pages > m {
		pages = m
	}
	switch {
	case len(h.Rates) == 0:
		out.Unknown = "no page of the collection was captured twice yet, so nothing is known of how often its pages change"
	case pages == 0:
		out.Unknown = "nothing was captured yet"
	}
	if out.Unknown != "" {
		return out, nil
	}
	out.Foretold = h.Foretell(pages, pace)
	switch out.Revisits {
	case "plan":
		out.Share = &out.Planned
	case "fifo":
		out.Share = &out.Plain
	}
	return out, nil
}
