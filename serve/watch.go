package serve

import (
	"context"
	"fmt"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/index/cdx"
)

// watch indexes files that appeared in collections, until the context ends. A collection that
// another process writes to is left to that process and looked at again later.
func (p *parts) watch(ctx context.Context) {
	if p.cfg.NoIndex {
		return
	}
	known := map[string]string{} // what was indexed last, by collection
	tick := time.NewTicker(p.cfg.Every)
	defer tick.Stop()
	for {
		p.indexNew(ctx, known)
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
		files, err := c.Files()
		if err != nil {
			p.cfg.Log.Warn("look for new files", "collection", c.Name, "error", err)
			continue
		}
		now := fmt.Sprint(len(files))
		for _, f := range files {
			now += "\n" + f.Name
		}
		if len(files) == 0 && known[c.Name] == "" || known[c.Name] == now || ctx.Err() != nil {
			continue
		}
		err = p.refresh(ctx, c, files)
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

// refresh brings the index of a collection up to its files, under the collection's lock.
func (p *parts) refresh(ctx context.Context, c *catalog.Collection, files []catalog.File) (err error) {
	lock, err := c.Lock("varve serve, " + p.url)
	if err != nil {
		return err
	}
	defer func() {
		if e := lock.Unlock(); err == nil {
			err = e
		}
	}()
	b, err := cdx.NewBuilder(c.IndexDir("cdx"), cdx.Config{
		SortMemory: 32 << 20, OnProblem: func(s string) { p.cfg.Log.Warn("index", "collection", c.Name, "problem", s) },
	})
	if err != nil {
		return err
	}
	defer func() {
		if e := b.Close(); err == nil {
			err = e
		}
	}()
	var all []cdx.File
	for _, f := range files {
		all = append(all, cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind)})
	}
	began := p.cfg.Now()
	rep, err := b.Refresh(ctx, all)
	if err != nil {
		return err
	}
	for _, f := range rep.Failed {
		p.cfg.Log.Warn("index: a file could not be read", "collection", c.Name, "file", f.Name, "error", f.Err)
	}
	p.metrics.indexed(rep.Added, rep.Lines)
	p.cfg.Log.Info("indexed", "collection", c.Name, "files", rep.Added, "captures", rep.Lines, "took", p.cfg.Now().Sub(began).Round(time.Millisecond))
	return nil
}
