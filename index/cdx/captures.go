package cdx

import (
	"context"
	"iter"
	"time"

	"varve/archive/cdxj"
)

// Captures is an index of captures as the CDX server, replay and holdings ask it. *Index is the embedded one; engines beyond one machine have their own
// (cluster/opensearch), and all pass the suite of index/cdx/cdxtest.
type Captures interface {
	Query(ctx context.Context, q Query) iter.Seq2[cdxj.Record, error]
	Nearest(ctx context.Context, q Query, at time.Time) iter.Seq2[cdxj.Record, error]
	Pages(q Query, size int64) (Pages, error)
	Page(q Query, n, size int64) (page Query, starts []string, err error)
	Stats() (Stats, error)
}

var _ Captures = (*Index)(nil)
