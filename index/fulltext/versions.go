package fulltext

import (
	"slices"
	"time"

	"varve/derive"
)

// Versions gives the versions of a page by its index key that a view lets through, oldest first, at most so many.
func (ix *Index) Versions(surt string, view *View, most int) ([]derive.VersionRow, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var out []derive.VersionRow
	mixes := ix.mixed(view)
	for _, s := range ix.shards {
		mixed := mixes[s]
		for n, key := range s.cols.keys.from(s.cols.keys.find(surt)) {
			if string(key) != surt || len(out) >= most {
				break
			}
			v, err := s.docs.get(uint64(n))
			if err != nil {
				return nil, err
			}
			if view != nil && !view.May(surt, v.From) {
				continue
			}
			if mixed != nil && mixed.numbers.Contains(uint32(n)) {
				if err := view.clear(v); err != nil {
					return nil, err
				}
			}
			out = append(out, *v)
		}
	}
	slices.SortStableFunc(out, func(a, b derive.VersionRow) int { return a.From.Compare(b.From) })
	return out, nil
}

// Newest gives the newest version of a page by its index key that a view lets through; false if there is none. It costs one
// look into each part of the index, however many versions there are.
func (ix *Index) Newest(surt string, view *View) (newest derive.VersionRow, ok bool, err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	mixes := ix.mixed(view)
	for _, s := range ix.shards {
		var numbers []int
		for n, key := range s.cols.keys.from(s.cols.keys.find(surt)) {
			if string(key) != surt {
				break
			}
			numbers = append(numbers, n)
		}
		for _, n := range slices.Backward(numbers) { // of a page the oldest comes first
			v, err := s.docs.get(uint64(n))
			if err != nil {
				return newest, false, err
			}
			if view != nil && !view.May(surt, v.From) {
				continue
			}
			if mixed := mixes[s]; mixed != nil && mixed.numbers.Contains(uint32(n)) {
				if err := view.clear(v); err != nil {
					return newest, false, err
				}
			}
			if !ok || v.From.After(newest.From) {
				newest, ok = *v, true
			}
			break
		}
	}
	return newest, ok, nil
}

// At gives the version that was valid at an instant: the last one that began before, or the first one.
func At(list []derive.VersionRow, at time.Time) (i int) {
	for i = len(list) - 1; i > 0 && list[i].From.After(at); i-- {
	}
	return max(i, 0)
}
