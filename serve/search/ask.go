package search

import (
	"context"
	"errors"

	"varve"
	"varve/index/fulltext"
)

// Texts gives the text index of a collection. Who asks may not see all of it: the implementation refuses
// collections, and Visible hides hits.
type Texts interface {
	Text(ctx context.Context, collection string) (*fulltext.Index, error)
	// Visible tells whether whoever asks may see what is found at an address.
	Visible(ctx context.Context, collection, url string) bool
}

// Ask answers a query of a collection; hits that must not be seen are taken out.
func Ask(ctx context.Context, t Texts, collection string, q fulltext.Query) (*fulltext.Answer, error) {
	ix, err := t.Text(ctx, collection)
	if err != nil {
		return nil, err
	}
	a, err := ix.Search(ctx, q)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var syntax *fulltext.SyntaxError
		if errors.As(err, &syntax) {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "search", Err: err, Hint: `words, "phrases", AND OR NOT, prefix*, "near words"~5, title:word`}
		}
		return nil, &varve.Error{Kind: varve.Invalid, Op: "search", Err: err}
	}
	a.Hits = seen(ctx, t, collection, a.Hits)
	return a, nil
}

func seen(ctx context.Context, t Texts, collection string, hits []fulltext.Hit) []fulltext.Hit {
	out := make([]fulltext.Hit, 0, len(hits))
	for _, h := range hits {
		if t.Visible(ctx, collection, h.URL) {
			h.Alike = seen(ctx, t, collection, h.Alike)
			if len(h.Alike) == 0 {
				h.Alike = nil
			}
			out = append(out, h)
		}
	}
	return out
}
