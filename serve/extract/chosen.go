package extract

import (
	"context"
	"errors"
	"iter"

	"varve"
	"varve/curate/selection"
)

// errStop ends a walk whose caller has enough.
var errStop = errors.New("enough")

// Chosen gives the versions that a selection of a collection chose; dir is the folder of the collection. undecided takes what is
// proposed and undecided too; located is as in search.Versions.
func Chosen(ctx context.Context, dir, collection, name string, undecided, located bool) iter.Seq2[Choice, error] {
	return func(yield func(Choice, error) bool) {
		_, _, err := selection.Each(ctx, dir, name, nil, func(it selection.Item) (bool, error) {
			if it.State != selection.Included && !(undecided && it.State == selection.Proposed) {
				return true, nil
			}
			v := Choice{Collection: collection, URL: it.URL, First: it.From, Last: it.Last}
			if located {
				v.Location, v.Digest = varve.Location{File: it.File, Offset: it.Offset}, it.Digest
			}
			if !yield(v, nil) {
				return false, errStop
			}
			return true, nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Choice{}, err)
		}
	}
}
