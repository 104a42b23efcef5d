package frontier

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// Metric is a counter by which hosts are ranked.
type Metric uint8

// The metrics.
const (
	ByQueued Metric = iota
	ByDone
	ByFailed
	ByBytes
	metrics
)

func (m Metric) of(t *tally) int64 {
	return [...]int64{t.queued, t.done, t.failed, t.bytes}[m]
}

// topScan bounds how many hosts of the last step TopHosts reads.
const topScan = 10000

// topBucket is the step of a number: zero for zero, then four steps for each doubling, so that a
// host changes its place in the ranking list only when its number has grown by a fifth or so.
func topBucket(v int64) uint8 {
	if v <= 0 {
		return 0
	}
	u := uint64(v)
	e := bits.Len64(u) - 1
	quarter := u << 2 >> e & 3
	if e > 61 {
		quarter = u >> (e - 2) & 3
	}
	return uint8(1 + 4*e + int(quarter))
}

// writeTop keeps the ranking lists.
func (t *tx) writeTop(h *host, before *tally) error {
	for m := range metrics {
		old, now := topBucket(m.of(before)), topBucket(m.of(&h.tally))
		if old == now {
			continue
		}
		if old > 0 {
			t.keyBuf = topKey(t.keyBuf[:0], m, old, h.id)
			if err := t.batch.Delete(t.keyBuf, nil); err != nil {
				return err
			}
		}
		if now > 0 {
			t.keyBuf = topKey(t.keyBuf[:0], m, now, h.id)
			if err := t.batch.Set(t.keyBuf, []byte(h.name), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// TopHosts gives the n hosts with the highest metric, highest first, without those that have
// none. It reads the ranking list from its top until n hosts and the rest of their step are
// found: exact, unless more than 10000 hosts lie in that last step (within a fifth of each other).
func (f *Frontier) TopHosts(by Metric, n int) ([]HostStats, error) {
	if by >= metrics {
		return nil, fmt.Errorf("frontier: metric %d is not known", by)
	}
	n = max(n, 0)
	if err := f.enter(); err != nil {
		return nil, err
	}
	defer f.leave()
	names, err := f.topNames(by, n)
	if err != nil {
		return nil, err
	}
	out := make([]HostStats, 0, len(names))
	for _, name := range names {
		s, err := f.HostStats(name)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b HostStats) int {
		return cmp.Or(cmp.Compare(b.metric(by), a.metric(by)), cmp.Compare(a.Host, b.Host))
	})
	return out[:min(n, len(out))], nil
}

func (f *Frontier) topNames(by Metric, n int) ([]string, error) {
	it, err := f.db.NewIter(&pebble.IterOptions{
		LowerBound: []byte{spaceTop, byte(by)}, UpperBound: []byte{spaceTop, byte(by) + 1},
	})
	if err != nil {
		return nil, fmt.Errorf("rank hosts: %w", err)
	}
	var names []string
	last, start := byte(0), 0
	for ok := it.First(); ok; ok = it.Next() {
		step := it.Key()[2]
		if step != last {
			if len(names) >= n {
				break
			}
			last, start = step, len(names)
		}
		if len(names)-start >= topScan && len(names) >= n {
			break
		}
		names = append(names, string(it.Value()))
	}
	return names, it.Close()
}
