package serve

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/serve/coherence"
	"varve/serve/holdings"
)

// preparation is the work on one collection beyond the index of captures: tables, text index, coherence of new
// crawls. It may be given up at any time and goes on later.
type preparation struct {
	mu         sync.Mutex
	collection string
	cancel     context.CancelFunc
}

// begin notes what is worked on.
func (w *preparation) begin(ctx context.Context, collection string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.collection, w.cancel = collection, cancel
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.collection, w.cancel = "", nil
		cancel()
	}
}

// giveWay ends the work on a collection: somebody wants to crawl into it.
func (w *preparation) giveWay(collection string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil && w.collection == collection {
		w.cancel()
	}
}

// prepareNew prepares collections whose files are indexed and were not prepared yet. indexed and ready hold the
// files of each collection at that time.
func (p *parts) prepareNew(ctx context.Context, indexed, ready map[string]string) {
	for name, files := range indexed {
		if ready[name] == files || ctx.Err() != nil {
			continue
		}
		err := p.prepare(ctx, name)
		switch {
		case err == nil:
			ready[name] = files
		case varve.KindOf(err) == varve.Conflict || ctx.Err() != nil:
			p.cfg.Log.Debug("prepare later", "collection", name, "why", err)
		default:
			ready[name] = files // it is not tried again until something changes
			p.cfg.Log.Error("prepare", "collection", name, "error", err)
		}
	}
}

// prepare makes what search and the screens show of a collection, if it is not too large for that.
func (p *parts) prepare(ctx context.Context, name string) error {
	c, err := p.holdings.Collection(ctx, name)
	if err != nil {
		return err
	}
	if c.Bytes > p.cfg.PrepareUpTo {
		p.cfg.Log.Info("too large to be prepared in the background", "collection", name, "bytes", c.Bytes, "do", "varve derive, varve index, varve coherence report")
		return nil
	}
	col, err := p.archive.Collection(name)
	if err != nil {
		return err
	}
	inside, end := p.preparing.begin(ctx, name)
	defer end()
	began := p.cfg.Now()
	if err := p.cfg.Prepare(inside, col); err != nil {
		if inside.Err() != nil {
			return &varve.Error{Kind: varve.Conflict, Op: "prepare " + name, Msg: "a crawl is about to begin"}
		}
		return err
	}
	crawls, err := unmeasured(ctx, col, c)
	if err != nil {
		return err
	}
	if len(crawls) > 0 {
		if err := p.desk.Measure(inside, name, crawls...); err != nil && inside.Err() == nil {
			return err
		}
	}
	p.cfg.Log.Info("prepared", "collection", name, "measured", len(crawls), "took", p.cfg.Now().Sub(began).Round(time.Millisecond))
	return nil
}

// unmeasured lists crawls that ended, visited pages twice, and have no coherence report of that time.
func unmeasured(ctx context.Context, col *catalog.Collection, c *holdings.Collection) (ids []string, err error) {
	for k, err := range c.All(ctx) {
		if err != nil {
			return nil, err
		}
		if !k.HasReport() || k.State == holdings.Live || k.Revisited == 0 {
			continue
		}
		dir, err := col.CrawlDir(k.ID)
		if err != nil {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, coherence.File))
		if err == nil {
			if report, err := os.Stat(filepath.Join(dir, "report.json")); err != nil || !report.ModTime().After(info.ModTime()) {
				continue
			}
		}
		ids = append(ids, k.ID)
	}
	slices.Reverse(ids)
	return ids, nil
}
