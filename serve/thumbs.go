package serve

import (
	"context"
	"path/filepath"
	"time"

	"varve/serve/access"
	"varve/serve/thumb"
	"varve/serve/ui"
	"varve/web/canon"
)

// newThumbs makes the desk that draws small pictures of pages; nil if none are drawn.
func (p *parts) newThumbs(index seen) ui.Thumbs {
	if p.cfg.Draw == nil {
		return nil
	}
	p.thumbs = thumb.New(thumb.Config{
		Archive: p.replay, Start: p.cfg.Draw, Background: p.streams, Log: p.cfg.Log.With("part", "thumbnails"),
		Dir: func(collection string) (string, error) {
			col, err := p.archive.Collection(collection)
			if err != nil {
				return "", err
			}
			return filepath.Join(col.Dir(), "derived", "thumbs"), nil
		},
		Sees: func(ctx context.Context, collection string, parts ...thumb.Part) (bool, error) {
			may, err := index.may(ctx)
			if err != nil {
				return false, err
			}
			for _, c := range parts {
				if !may(collection, canon.SURT(c.URL), c.Time) {
					return false, nil
				}
			}
			return true, nil
		},
		Taken: func(ctx context.Context, collection, url string, at time.Time) ([]byte, error) {
			return thumb.Taken(ctx, index, p.contents, collection, url, at)
		},
		Whole: func(ctx context.Context, collection string) (bool, error) {
			set, err := p.rules.InForce()
			return err == nil && !set.Withholds(access.From(ctx), collection), err
		},
	})
	return p.thumbs
}
