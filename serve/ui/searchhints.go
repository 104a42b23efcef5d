package ui

import (
	"context"

	"varve/index/fulltext"
	"varve/serve/search"
)

// hint is a way on from nothing: a question that is a little wider, with how much it finds.
type hint struct {
	Label string
	Count int64
	Href  string
}

// hints gives the addresses of wider questions for whoever found nothing.
func (d *searchData) hints(ctx context.Context, u *UI, q fulltext.Query) (out []hint) {
	for _, w := range search.Widen(ctx, u.cfg.Texts, d.Q.Get("collection"), q) {
		h := hint{Label: w.Label, Count: w.Count}
		switch w.Free {
		case search.OfTime:
			h.Href = address(d.Path, d.copy("cursor", "from", "to", "asof", "relation"))
		case search.OfConditions:
			h.Href = address(d.Path, values("q", w.Text))
		default:
			h.Href = d.with("q", w.Text)
		}
		out = append(out, h)
	}
	return out
}
