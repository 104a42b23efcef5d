package fulltext

import (
	"slices"
	"sort"

	"varve/derive"
)

// Versions gives the versions of a page by its index key, oldest first, at most so many: documents lie in the order
// of their keys, so that each shard is bisected.
func (ix *Index) Versions(surt string, most int) ([]derive.Version, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var out []derive.Version
	for _, s := range ix.shards {
		var failed error
		at := sort.Search(s.info.Docs, func(i int) bool {
			v, err := s.docs.get(uint64(i))
			if err != nil {
				failed = err
				return true
			}
			return v.SURT >= surt
		})
		for ; failed == nil && at < s.info.Docs && len(out) < most; at++ {
			v, err := s.docs.get(uint64(at))
			if err != nil {
				return nil, err
			}
			if v.SURT != surt {
				break
			}
			out = append(out, *v)
		}
		if failed != nil {
			return nil, failed
		}
	}
	slices.SortStableFunc(out, func(a, b derive.Version) int { return a.From.Compare(b.From) })
	return out, nil
}
