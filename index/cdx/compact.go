package cdx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"

	"varve/archive/cdxj"
)

// Merging is tiered: runs are merged where the larger is no larger than the smaller ones together, so
// a line is written again only when the run it lies in has doubled at least: O(log n) times in all.
const (
	mergeLeast = 8  // runs that are worth merging
	mergeMost  = 16 // runs merged at once
	mostRuns   = 16 // more runs than this are merged whatever their size
)

// pick chooses the runs to be merged by their numbers of lines: indexes into sizes, nil for none.
// It is a pure function, so that its growth can be simulated.
func pick(sizes []int64) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return sizes[order[a]] < sizes[order[b]] })
	for start := range order {
		below, end := sizes[order[start]], start+1
		for end < len(order) && end-start < mergeMost && sizes[order[end]] <= below {
			below += sizes[order[end]]
			end++
		}
		if end-start >= mergeLeast {
			return order[start:end]
		}
	}
	if len(sizes) > mostRuns {
		return order[:len(sizes)-mostRuns+mergeLeast]
	}
	return nil
}

// nudge wakes the merging.
func (b *Builder) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// mergeLoop merges in the background until it is stopped.
func (b *Builder) mergeLoop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		for {
			more, err := b.mergeOnce(ctx)
			if err != nil && ctx.Err() == nil {
				b.mu.Lock()
				b.failed = errors.Join(b.failed, err)
				b.mu.Unlock()
				return
			}
			if !more || ctx.Err() != nil {
				break
			}
		}
	}
}

// mergeOnce merges the runs that pick chooses; false if there are none.
func (b *Builder) mergeOnce(ctx context.Context) (bool, error) {
	b.mu.Lock()
	sizes := make([]int64, len(b.man.Runs))
	for i, r := range b.man.Runs {
		sizes[i] = r.Lines
	}
	var chosen []runInfo
	for _, i := range pick(sizes) {
		chosen = append(chosen, b.man.Runs[i])
	}
	b.mu.Unlock()
	if len(chosen) == 0 {
		return false, nil
	}
	return true, b.merge(ctx, chosen)
}

// Compact merges all runs into one. Then the same sources give the same bytes, in whatever order
// they were added.
func (b *Builder) Compact(ctx context.Context) error {
	b.stop() // of the merging in the background
	b.wg.Wait()
	b.mu.Lock()
	runs := slices.Clone(b.man.Runs)
	b.mu.Unlock()
	if len(runs) == 0 || len(runs) == 1 && len(runs[0].Dropped) == 0 {
		return nil
	}
	return b.merge(ctx, runs)
}

// merge makes one run of several and commits it.
func (b *Builder) merge(ctx context.Context, infos []runInfo) error {
	var runs []*run
	defer func() {
		for _, r := range runs {
			r.release()
		}
	}()
	var most int64
	for _, info := range infos {
		r, err := openRun(b.cfg.FS, b.dir, info)
		if err != nil {
			return err
		}
		runs = append(runs, r)
		most += info.Lines
	}
	m, err := newMerged(runs, false, func(r *run) *cdxj.Cursor { return r.table.Forward("", "") })
	if err != nil {
		return err
	}
	sources := b.sourcesOf(infos)
	info, err := writeRun(b.cfg.FS, b.dir, b.newID(), most, sources, m.lines(ctx))
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	return b.replace(infos, info, sources)
}

// lines gives the merged lines until the context ends.
func (m *merged) lines(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for n := 0; ; n++ {
			line, err := m.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && n%checkEvery == 0 {
				err = ctx.Err()
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// sourcesOf gives the sources of runs, without those that were dropped, by name.
func (b *Builder) sourcesOf(infos []runInfo) []Source {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Source
	for _, info := range infos {
		for _, s := range b.sources[info.ID] {
			if !slices.Contains(info.Dropped, s.Name) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, c Source) int { return compareSources(&a, &c) })
	return out
}

// replace commits a merged run in place of those it was made of. What was dropped of them meanwhile
// is dropped of it too.
func (b *Builder) replace(old []runInfo, merged runInfo, sources []Source) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var kept []runInfo
	for _, now := range b.man.Runs {
		i := slices.IndexFunc(old, func(o runInfo) bool { return o.ID == now.ID })
		if i < 0 {
			kept = append(kept, now)
			continue
		}
		for _, name := range now.Dropped {
			if !slices.Contains(old[i].Dropped, name) {
				merged.Dropped = append(merged.Dropped, name)
			}
		}
	}
	before := b.man.Runs
	b.man.Runs = append(kept, merged)
	if err := b.commitLocked(false); err != nil {
		b.man.Runs = before
		return err
	}
	b.sources[merged.ID] = sources
	for _, o := range old {
		delete(b.sources, o.ID)
		removeRun(b.cfg.FS, b.dir, o.ID)
	}
	return nil
}
