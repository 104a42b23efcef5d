package fulltext

import (
	"context"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Source is an index that is asked together with others, under the name that its hits bear, as far as a view of it goes.
type Source struct {
	Name  string
	Index Text
	View  *View // nil: all of it
}

// part is a shard in a search.
type part struct {
	*shard
	number int
	source string

	ordinals *ordinals // of its index; nil: it has no facets of analyses
	place    int       // among the shards of its index

	view  *View // nil: all
	seen  *seenSet
	mixed *mixedDocs // documents whose anchors are not searched; nil: none
	asked bool       // some document may fit the time; the words of others are not looked up
	time  *box       // that documents must fit; nil if all do
}

// allowed are the documents that may be seen and fit the facets; nil means all.
func (p *part) allowed(q *Query) *roaring.Bitmap {
	switch out := p.shard.allowed(q); {
	case out == nil:
		return p.seen.docs
	case p.seen.docs == nil:
		return out
	default:
		return roaring.And(out, p.seen.docs)
	}
}

// reach locks the indexes of a search for reading and gives their shards. Shards of sources that the facet
// collection leaves out are left out.
func reach(sources []Source, q *Query) (parts []*part, done func()) {
	var locked []*Index
	time := boxOf(q)
	for _, src := range sources {
		if names := q.Filters[collectionFacet]; len(names) > 0 && !slices.Contains(names, src.Name) || slices.Contains(q.Without[collectionFacet], src.Name) {
			continue
		}
		ix := src.own()
		ix.mu.RLock()
		locked = append(locked, ix)
		mixed := ix.mixed(src.View)
		for i, s := range ix.shards {
			p := &part{shard: s, number: len(parts), source: src.Name, ordinals: ix.ordinals, place: i, view: src.View, seen: s.seen(src.View), mixed: mixed[s], asked: time.meets(&s.times)}
			if !time.covers(&s.times) {
				p.time = &time
			}
			parts = append(parts, p)
		}
	}
	return parts, func() {
		for _, ix := range locked {
			ix.mu.RUnlock()
		}
	}
}

// spareOf gives what a search of some sources may use, and takes it back.
func spareOf(sources []Source) (_ *spare, giveBack func()) {
	if len(sources) == 0 {
		return &spare{}, func() {}
	}
	return sources[0].own().spare()
}

// Search answers a query of this index alone.
func (ix *Index) Search(ctx context.Context, q Query) (*Answer, error) {
	return Search(ctx, []Source{{Index: ix}}, q)
}

// Ask answers a query of embedded indexes.
func (ix *Index) Ask(ctx context.Context, sources []Source, q Query) (_ *Answer, err error) {
	defer func() {
		if p := recover(); p != nil { // Bleve trusts its files: bytes that were changed can lead it anywhere
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	if err := embedded(sources); err != nil {
		return nil, err
	}
	declared := Declared(sources) // before the indexes are locked
	if err := q.check(declared); err != nil {
		return nil, err
	}
	after, err := parseCursor(q.Cursor)
	if err != nil {
		return nil, err
	}
	parts, done := reach(sources, &q)
	defer done()
	n, err := understood(q.Text, declared, parts)
	if err != nil {
		return nil, err
	}
	spare, giveBack := spareOf(sources)
	defer giveBack()
	c := &collector{q: &q, after: after, keep: q.Limit + 1, sources: map[string]int64{}, tallies: map[string][]tally{}, few: fewValues}
	if q.Group {
		c.keep = q.Limit*alikeReach + 1
	}
	w, err := weigh(parts, n, spare)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		c.of += p.seen.count
		if err := c.part(ctx, w, n, i, p); err != nil {
			return nil, fmt.Errorf("search %s: %w", p.info.Year, err)
		}
	}
	out := &Answer{Total: c.total, Of: c.of, Facets: c.facets(spare), Trend: c.trend()}
	return out, fill(out, parts, w, n, &q, c.ranked())
}
