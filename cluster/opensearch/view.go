package opensearch

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"varve/index/fulltext"
)

// views is how many views of a collection are remembered.
const views = 8

// seenShard is what a view lets through of a shard.
type seenShard struct {
	docs  *roaring.Bitmap // by number; nil: all
	mixed *roaring.Bitmap // whose anchors are not searched; nil: none
	count int64

	only, mixes object // as filters; made once
}

// seenState is what a view lets through of all shards of a state.
type seenState struct {
	key   any
	state *state
	of    []*seenShard
}

// seen returns what a view lets through of the shards of a state. The keys of all documents are read once for each kind of visitor.
func (t *Text) seen(ctx context.Context, st *state, v *fulltext.View) ([]*seenShard, error) {
	if v == nil || v.Key == nil {
		out := make([]*seenShard, len(st.shards))
		for i, s := range st.shards {
			out[i] = &seenShard{count: int64(s.Docs)}
		}
		return out, nil
	}
	t.viewsMu.Lock()
	defer t.viewsMu.Unlock()
	for _, have := range t.views {
		if have.key == v.Key && have.state == st {
			return have.of, nil
		}
	}
	of, err := t.look(ctx, st, v)
	if err != nil {
		return nil, err
	}
	t.views = append(t.views, seenState{v.Key, st, of})
	if len(t.views) > views {
		t.views = t.views[1:]
	}
	return of, nil
}

// look asks the view about every document, and then which pages are mixed: links decide, and a page of which something is hidden may link to itself there.
func (t *Text) look(ctx context.Context, st *state, v *fulltext.View) (out []*seenShard, err error) {
	hidden := map[string]bool{}
	for _, s := range st.shards {
		seen := &seenShard{docs: roaring.New()}
		err := t.keys(ctx, s, func(number uint32, surt string, first, last time.Time) {
			may := !cutKey(surt) && v.May(surt, first)
			if may {
				seen.docs.Add(number)
			}
			if !may || !v.May(surt, last) {
				hidden[surt] = true
			}
		})
		if err != nil {
			return nil, err
		}
		if seen.count = int64(seen.docs.GetCardinality()); seen.count == int64(s.Docs) {
			seen.docs = nil
		}
		out = append(out, seen)
	}
	links := func(string) bool { return false }
	if v.Mixed != nil {
		links = v.Mixed()
	}
	for i, s := range st.shards {
		mixed := roaring.New()
		err := t.keys(ctx, s, func(number uint32, surt string, _, _ time.Time) {
			if hidden[surt] || links(surt) {
				mixed.Add(number)
			}
		})
		if err != nil {
			return nil, err
		}
		if !mixed.IsEmpty() {
			out[i].mixed = mixed
			if out[i].mixes, err = among(s.index, mixed); err != nil {
				return nil, err
			}
		}
		if out[i].docs != nil {
			if out[i].only, err = among(s.index, out[i].docs); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// among is the documents of an index with some numbers.
func among(index string, numbers *roaring.Bitmap) (object, error) {
	numbers.RunOptimize()
	b, err := numbers.ToBytes()
	if err != nil {
		return nil, err
	}
	return both(object{"term": object{"_index": index}}, object{"terms": object{"number": []string{base64.StdEncoding.EncodeToString(b)}, "value_type": "bitmap"}}), nil
}

// keys calls fn with the key and times of every document of a shard.
func (t *Text) keys(ctx context.Context, s *shard, fn func(number uint32, surt string, first, last time.Time)) error {
	var after []any
	for n := 0; ; {
		body := object{
			"size": pageSize, "_source": false, "track_total_hits": false, "sort": []any{object{"number": "asc"}},
			"docvalue_fields": []string{"number", "surt", "from", "last"},
		}
		if after != nil {
			body["search_after"] = after
		}
		found, err := t.client.search(ctx, []string{s.index}, body)
		if err != nil {
			return err
		}
		for _, h := range found.Hits.Hits {
			var number, first, last []int64
			var surt []string
			if err := h.fields(map[string]any{"number": &number, "surt": &surt, "from": &first, "last": &last}); err != nil {
				return err
			}
			fn(uint32(number[0]), surt[0], time.UnixMicro(first[0]).UTC(), time.UnixMicro(last[0]).UTC())
			after = []any{number[0]}
		}
		n += len(found.Hits.Hits)
		if len(found.Hits.Hits) < pageSize {
			if n != s.Docs {
				return damaged(s.index, n, s.Docs)
			}
			return nil
		}
	}
}
