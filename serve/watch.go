package serve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
)

// Indexed tells what indexing a collection came to.
type Indexed struct {
	Files    int
	Captures int64
	Failed   []string // files that could not be read
	Anew     []string // indexes that were built by an older rule, which answered until they were built anew
}

// watch has files indexed that appeared in collections, until the context ends. A collection that
// another process writes to is left to that process and looked at again later.
func (p *parts) watch(ctx context.Context) {
	if p.cfg.Index == nil {
		return
	}
	known := map[string]string{} // the files that were there when it was last indexed, by collection
	ready := map[string]string{} // and when it was last prepared
	renewed := map[string]bool{} // its indexes are of today's format, or cannot be
	tick := time.NewTicker(p.cfg.Every)
	defer tick.Stop()
	for {
		p.indexNew(ctx, known)
		if p.cfg.Renew != nil {
			p.renewOld(ctx, known, renewed)
		}
		if p.cfg.Prepare != nil {
			p.prepareNew(ctx, known, ready)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (p *parts) indexNew(ctx context.Context, known map[string]string) {
	list, err := p.archive.Collections()
	if err != nil {
		p.cfg.Log.Warn("look for new files", "error", err)
		return
	}
	for _, c := range list {
		now, err := filesOf(c)
		if err != nil {
			p.cfg.Log.Warn("look for new files", "collection", c.Name, "error", err)
			continue
		}
		if now == known[c.Name] || ctx.Err() != nil {
			continue
		}
		err = p.index(ctx, c)
		switch {
		case err == nil:
			known[c.Name] = now
		case varve.KindOf(err) == varve.Conflict:
			p.cfg.Log.Debug("index later", "collection", c.Name, "why", err)
		case ctx.Err() == nil:
			known[c.Name] = now // it is not tried again until something changes
			p.cfg.Log.Error("index", "collection", c.Name, "error", err)
		}
	}
}

// renewOld replaces indexes of an earlier format of collections that are indexed. It gives way to crawls.
func (p *parts) renewOld(ctx context.Context, indexed map[string]string, renewed map[string]bool) {
	for name := range indexed {
		if renewed[name] || ctx.Err() != nil {
			continue
		}
		col, err := p.archive.Collection(name)
		if err == nil {
			inside, end := p.preparing.begin(ctx, name)
			err = p.cfg.Renew(inside, col)
			if inside.Err() != nil {
				err = &varve.Error{Kind: varve.Conflict, Op: "renew the index of " + name, Msg: "a crawl is about to begin"}
			}
			end()
		}
		if varve.KindOf(err) == varve.Conflict || ctx.Err() != nil {
			p.cfg.Log.Debug("renew the index later", "collection", name, "why", err)
			continue
		}
		if renewed[name] = true; err != nil { // it is not tried again before the server is started again: the older one answers
			p.cfg.Log.Error("renew the index", "collection", name, "error", err)
		}
	}
}

// filesOf names the files of a collection; empty if there are none.
func filesOf(c *catalog.Collection) (string, error) {
	files, err := c.Files()
	var out strings.Builder
	for _, f := range files {
		fmt.Fprintln(&out, f.Name)
	}
	return out.String(), err
}

func (p *parts) index(ctx context.Context, c *catalog.Collection) error {
	began := p.cfg.Now()
	done, err := p.cfg.Index(ctx, c)
	if err != nil {
		return err
	}
	for _, f := range done.Failed {
		p.cfg.Log.Warn("index: a file could not be read", "collection", c.Name, "file", f)
	}
	p.metrics.indexed(done.Files, done.Captures)
	if len(done.Anew) > 0 {
		p.cfg.Log.Info("built anew by the rules of this version", "collection", c.Name, "indexes", strings.Join(done.Anew, ", "), "took", p.cfg.Now().Sub(began).Round(time.Millisecond))
	}
	if done.Files > 0 {
		p.cfg.Log.Info("indexed", "collection", c.Name, "files", done.Files, "captures", done.Captures, "took", p.cfg.Now().Sub(began).Round(time.Millisecond))
	}
	return nil
}
