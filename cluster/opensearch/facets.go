package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/index/fulltext"
)

// bucket is one of an aggregation.
type bucket struct {
	Key   json.RawMessage `json:"key"`
	Count int64           `json:"doc_count"`
	Error int64           `json:"doc_count_error_upper_bound"`
}

// terms is the answer of a terms aggregation.
type terms struct {
	Error   int64    `json:"doc_count_error_upper_bound"` // that a name which is not among the buckets may have
	Rest    int64    `json:"sum_other_doc_count"`
	Buckets []bucket `json:"buckets"`
}

func (f *found) aggregation(name string, into any) error {
	if err := json.Unmarshal(f.Aggregations[name], into); err != nil {
		return fmt.Errorf("OpenSearch did not count %s: %w", name, err)
	}
	return nil
}

// aggregations are what is counted.
func (s *searching) aggregations() object {
	out := object{}
	for _, f := range s.q.Facets {
		out["f."+f] = s.facet(f, s.sizeOf(f), 0)
	}
	if s.q.Trend != fulltext.NoTrend {
		out["trend"] = s.histogram()
		all := object{"match_all": object{}}
		if v := s.visible(); v != nil {
			all = v
		}
		out["all"] = object{"global": object{}, "aggs": object{"seen": object{"filter": all, "aggs": object{"trend": s.histogram()}}}}
	}
	return out
}

func (s *searching) histogram() object {
	return object{"date_histogram": object{"field": "seen", "calendar_interval": string(s.q.Trend), "time_zone": "UTC", "min_doc_count": 1, "format": "epoch_millis"}}
}

// Sizes of what is counted.
const (
	firstShare = 200    // names that each shard gives at first
	mostNames  = 60_000 // names of an answer; OpenSearch gives 65,535
)

// sizeOf is how many names of a facet are asked for at first.
func (s *searching) sizeOf(facet string) int {
	switch {
	case facet == fulltext.CollectionFacet:
		return len(s.indexes)
	case s.q.Prefix != "":
		return min(10*s.q.Top, mostNames) // among equal counts the order is another
	}
	return min(s.q.Top, mostNames)
}

// facet counts the names of a facet; share is how many names each shard gives, 0 for some more than asked for.
func (s *searching) facet(name string, size, share int) object {
	if share == 0 {
		share = max(firstShare, 2*size)
	}
	t := object{"field": "v." + name, "size": size, "shard_size": share, "show_term_doc_count_error": true, "order": []any{object{"_count": "desc"}, object{"_key": "asc"}}}
	switch {
	case name == fulltext.CollectionFacet:
		t["field"] = "_index"
	case s.q.Prefix != "":
		// Not just ".*": OpenSearch 2.19 looks for a plain prefix in another way, and fails where no name comes behind it.
		t["field"], t["include"] = "w."+name, literal(fulltext.Fold(s.q.Prefix))+"[^"+sep+"]*"+sep+".*"
	case s.many(name):
		t["exclude"] = []string{""} // a number of the whole document is about nothing
	}
	return object{"terms": t}
}

// many reports whether a facet is one of analyses.
func (s *searching) many(name string) bool { return !slices.Contains(fulltext.Facets(), name) }

// facets reads the counts. Those that are not certain, since names are spread over shards, are asked for again with more names of each shard.
func (s *searching) facets(ctx context.Context, body object, first *found) (map[string][]fulltext.Count, error) {
	if len(s.q.Facets) == 0 {
		return nil, nil
	}
	out := map[string][]fulltext.Count{}
	left := slices.Clone(s.q.Facets)
	sizes, shares := map[string]int{}, map[string]int{}
	for _, f := range left {
		sizes[f], shares[f] = s.sizeOf(f), max(firstShare, 2*s.sizeOf(f))
	}
	for answer := first; len(left) > 0; {
		var again []string
		for _, f := range left {
			var t terms
			if err := answer.aggregation("f."+f, &t); err != nil {
				return nil, err
			}
			names, err := s.names(f, t.Buckets)
			if err != nil {
				return nil, err
			}
			exact, whole := s.certain(f, &t, sizes[f])
			if exact && whole {
				out[f] = names
				continue
			}
			if !whole && sizes[f] < mostNames {
				sizes[f] = min(8*sizes[f], mostNames)
			}
			shares[f] = max(8*shares[f], 2*sizes[f])
			again = append(again, f)
		}
		if left = again; len(left) == 0 {
			break
		}
		aggs := object{}
		for _, f := range left {
			aggs["f."+f] = s.facet(f, sizes[f], shares[f])
		}
		var err error
		if answer, err = s.client.search(ctx, s.indexes, object{"size": 0, "track_total_hits": false, "query": counted(body), "aggs": aggs}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// counted is the query of a question without what scores it.
func counted(body object) any {
	q := body["query"].(object)
	if f, ok := q["function_score"].(object); ok {
		return both(f["query"].(object)["bool"].(object)["filter"].([]any)...)
	}
	return q
}

// certain reports whether no other name can be among the commonest and their counts are right, and whether all names that have the last of these counts were given
// where their order must be made here.
func (s *searching) certain(facet string, t *terms, size int) (exact, whole bool) {
	last := int64(0)
	n := min(len(t.Buckets), s.q.Top)
	for _, b := range t.Buckets {
		if b.Error > 0 {
			return false, true
		}
	}
	if n > 0 && n == s.q.Top {
		last = t.Buckets[n-1].Count
	}
	exact = t.Error == 0 || t.Error < last
	if s.q.Prefix == "" || facet == fulltext.CollectionFacet {
		return exact, true
	}
	end := len(t.Buckets)
	return exact, end < size || end == 0 || t.Buckets[end-1].Count < last || size >= mostNames
}

// names makes counts of buckets: the commonest, equal ones in the order of their names.
func (s *searching) names(facet string, list []bucket) ([]fulltext.Count, error) {
	out := []fulltext.Count{}
	sources := map[string]int64{}
	for _, b := range list {
		var name string
		if err := json.Unmarshal(b.Key, &name); err != nil {
			return nil, err
		}
		switch {
		case facet == fulltext.CollectionFacet:
			if p := s.byIndex[name]; p != nil {
				sources[p.source] += b.Count
			}
			continue
		case s.q.Prefix != "":
			_, name, _ = strings.Cut(name, sep)
		}
		out = append(out, fulltext.Count{Name: name, Count: b.Count})
	}
	for name, n := range sources {
		if strings.HasPrefix(fulltext.Fold(name), fulltext.Fold(s.q.Prefix)) {
			out = append(out, fulltext.Count{Name: name, Count: n})
		}
	}
	slices.SortFunc(out, func(a, b fulltext.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), s.q.Top)], nil
}

// trend reads the buckets of time: those in which something may be seen, with how much of it fits.
func (s *searching) trend(f *found) ([]fulltext.Point, error) {
	if s.q.Trend == fulltext.NoTrend {
		return nil, nil
	}
	type histogram struct {
		Buckets []struct {
			Key   int64 `json:"key"`
			Count int64 `json:"doc_count"`
		} `json:"buckets"`
	}
	var fit histogram
	var all struct {
		Seen struct {
			Trend histogram `json:"trend"`
		} `json:"seen"`
	}
	if err := f.aggregation("trend", &fit); err != nil {
		return nil, err
	}
	if err := f.aggregation("all", &all); err != nil {
		return nil, err
	}
	counts := map[int64]int64{}
	for _, b := range fit.Buckets {
		counts[b.Key] = b.Count
	}
	var out []fulltext.Point
	for _, b := range all.Seen.Trend.Buckets {
		out = append(out, fulltext.Point{At: time.UnixMilli(b.Key).UTC(), Count: counts[b.Key], Of: b.Count})
	}
	return out, nil
}
