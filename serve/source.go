package serve

import (
	"context"
	"time"

	"varve/archive/catalog"
	"varve/serve/access"
	"varve/serve/extract"
	"varve/serve/holdings"
)

// source is an archive as a visitor may see it, for copies of records.
type source struct {
	seen
	*holdings.Files
	archive *catalog.Archive
}

var _ extract.Source = source{}

// File finds a WARC file.
func (s source) File(collection, file string) (catalog.File, error) {
	col, err := s.archive.Collection(collection)
	if err != nil {
		return catalog.File{}, err
	}
	return col.Find(file)
}

// Local is an archive as whoever can read its files sees it: without access rules.
type Local struct {
	source
	indexes *indexes
}

// OpenLocal gives an archive. Its indexes are opened when they are first asked.
func OpenLocal(archive *catalog.Archive) *Local {
	ix := newIndexes(archive, nil)
	all := seen{ix, nil, time.Now}
	return &Local{source{all, holdings.NewFiles(archive, all), archive}, ix}
}

// Effect returns what an access rule would change beside the rules in force.
func (l *Local) Effect(ctx context.Context, rules *access.Decisions, r access.Rule, now time.Time) (access.Effect, error) {
	return effects{l.source.archive, l.source, rules, func() time.Time { return now }}.Effect(ctx, r)
}

// Close closes the indexes.
func (l *Local) Close() error { return l.indexes.close() }
