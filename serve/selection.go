package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"varve"
	"varve/archive/wacz"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/extract"
	"varve/serve/holdings"
)

// exportSelection copies the captures of an address prefix into a new WARC file and packs that.
func (x *packages) exportSelection(ctx context.Context, sel api.Selection, cfg wacz.Config, begin func(string) io.Writer) error {
	match, target := holdings.Typed(sel.URL)
	src := source{seen{x.p.indexes, x.p.rules, x.p.cfg.Now}, x.p.contents, x.p.archive}
	captures := src.Captures(ctx, holdings.Query{Collection: sel.Collection, URL: target, Match: match, From: sel.From, To: sel.To})
	cfg.Title = fmt.Sprintf("%s: %s", cfg.Title, sel.URL)
	prov := extract.Provenance{
		Software: cfg.Software, Description: "records copied byte for byte from the collection " + sel.Collection, Collections: []string{sel.Collection},
		Asked: fmt.Sprintf("url %s from %s to %s", sel.URL, sel.From.UTC(), sel.To.UTC()), By: access.From(ctx).Label(), Now: x.p.cfg.Now(), Random: rand.Reader, Parts: !sel.Bare,
	}
	sum, err := extract.File(ctx, "wacz", sel.Collection+"-selection", cfg, func(w io.Writer) (extract.Summary, error) {
		return extract.WriteCaptures(ctx, w, src, prov, sel.Collection, captures)
	}, begin)
	if err == nil && sum.Records == 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "pack " + sel.URL, Msg: "there is no capture of it that you may see"}
	}
	return err
}
