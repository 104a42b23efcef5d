package search

import (
	"context"
	"errors"
	"iter"

	"varve"
	"varve/index/fulltext"
	"varve/serve/extract"
)

// errStop ends a walk whose caller has enough.
var errStop = errors.New("enough")

// Versions gives all hits of a query as versions to be copied, up to most. located adds where the record of the first capture
// lies, for whoever may read all files: it is copied where no index tells of the captures.
func Versions(ctx context.Context, t Texts, collections string, q fulltext.Query, most int, located bool) iter.Seq2[extract.Choice, error] {
	return func(yield func(extract.Choice, error) bool) {
		_, err := Each(ctx, t, collections, q, most, func(h *fulltext.Hit) error {
			v := extract.Choice{Collection: h.Collection, URL: h.URL, First: h.From, Last: h.Last}
			if located {
				v.Location, v.Digest = varve.Location{File: h.File, Offset: h.Offset}, h.Digest
			}
			if !yield(v, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(extract.Choice{}, err)
		}
	}
}
