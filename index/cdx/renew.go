package cdx

import (
	"context"
	"fmt"

	"varve/archive/store"
)

// Older reports whether the index is of the format before that of today: it answers and is brought up to date, and Renew
// replaces it.
func (b *Builder) Older() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.man.Version < FormatVersion
}

// Format is the version of the files of the index.
func (b *Builder) Format() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.man.Version
}

// exact reports whether lines of the index know the time within the second.
func (b *Builder) exact() bool { return b.Format() >= 2 }

// Renew makes an index of the format of today beside an older one, from the same files, and puts it in its place when it is whole; until
// then the older one answers, whatever happens. A Renew that was stopped or killed is gone on with. told gets the bytes of
// files that are done, and of all. Nothing is done to an index that is not older.
func (b *Builder) Renew(ctx context.Context, files []File, told func(done, total int64)) (rep Report, err error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	if !b.Older() {
		return rep, nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("renew index %s: %w", b.dir, err)
		}
	}()
	b.stop() // merging: what it makes is thrown away
	b.wg.Wait()
	defer b.startMerging()
	next, err := b.beside()
	if err != nil {
		return rep, err
	}
	next.reads = progressOf(files, next.known(), told)
	rep, err = next.Refresh(ctx, files)
	if closed := next.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = b.covered(next, rep.Failed)
	}
	if err != nil {
		return rep, err
	}
	return rep, b.replaceBy(next)
}

// beside opens what is there of the index of today, for writing.
func (b *Builder) beside() (*Builder, error) {
	next := newBuilder(b.dir, besideName, b.cfg)
	if err := next.recover(); err != nil {
		return nil, err
	}
	if next.man.Version != FormatVersion {
		next.man, next.sources = newManifest(), map[uint64][]Source{}
	}
	b.mu.Lock()
	next.man.Next = max(next.man.Next, b.man.Next) // both have their files in one folder
	b.mu.Unlock()
	next.startMerging()
	return next, nil
}

// progressOf returns what is called with the places of captures that are read, and tells how many bytes of all files that makes.
func progressOf(files []File, known map[string]Source, told func(done, total int64)) func(string, int64) {
	if told == nil {
		return nil
	}
	sizes := map[string]int64{}
	var done, total int64
	for _, f := range files {
		if info, err := store.Stat(f.Path, f.From); err == nil {
			sizes[f.Name] = info.Size
			total += info.Size
			if s, ok := known[f.Name]; ok && s.unchanged(f) {
				done += info.Size
			}
		}
	}
	told(done, total)
	last := ""
	return func(file string, offset int64) {
		if file != last {
			done += sizes[last]
			last = file
		}
		told(done+min(max(0, offset), sizes[file]), total)
	}
}

// covered returns an error if the new index has less of a file that could not be read than this one.
func (b *Builder) covered(next *Builder, failed []FailedFile) error {
	have, here := next.known(), b.known()
	for _, f := range failed {
		if have[f.Name].Lines < here[f.Name].Lines {
			return fmt.Errorf("%s: %s: the older index, which has its captures, stays", f.Name, f.Err)
		}
	}
	return nil
}

// replaceBy makes the runs of next the index, and removes those of before.
func (b *Builder) replaceBy(next *Builder) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, sources := *b.man, b.sources
	man := *next.man
	man.Generation = max(before.Generation, man.Generation)
	*b.man, b.sources = man, next.sources
	if err := b.commitLocked(true); err != nil {
		*b.man, b.sources = before, sources
		return err
	}
	_ = b.cfg.FS.Remove(b.cfg.FS.PathJoin(b.dir, besideName)) // the next Builder removes what stays
	for _, info := range before.Runs {
		removeRun(b.cfg.FS, b.dir, info.ID)
	}
	return nil
}
