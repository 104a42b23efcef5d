package frontier

import (
	"context"
	"hash/maphash"

	"github.com/cockroachdb/pebble/v2"
)

// rebuildStep is how many keys go into the filter at a time, so that other calls get their turn.
const rebuildStep = 4096

// rebuild fills the filter with all keys that were in the store when it was opened. Keys that
// come later are added by those who queue them. If it is ended early or fails, the filter stays
// unused and every key is looked up: slower, never wrong.
func (f *Frontier) rebuild(ctx context.Context) {
	lower, upper := spaceBounds(spaceSeen)
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return
	}
	defer it.Close()
	hashes := make([]uint64, 0, rebuildStep)
	for ok := it.First(); ok; ok = it.Next() {
		hashes = append(hashes, maphash.Bytes(f.seed, it.Key()[1:]))
		if len(hashes) == rebuildStep {
			f.addHashes(hashes)
			hashes = hashes[:0]
			if ctx.Err() != nil {
				return
			}
		}
	}
	if it.Error() != nil {
		return
	}
	f.addHashes(hashes)
	f.mu.Lock()
	f.rebuilt = true
	f.mu.Unlock()
}

func (f *Frontier) addHashes(hashes []uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range hashes {
		f.filter.add(h)
	}
}
