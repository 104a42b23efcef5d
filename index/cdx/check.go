package cdx

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varve/archive/cdxj"
)

// Check reads every line of every run. A run that does not hold what it should is dropped, so that
// the next Refresh reads its sources again.
func (b *Builder) Check(ctx context.Context) error {
	b.adding.Lock()
	defer b.adding.Unlock()
	b.mu.Lock()
	runs := append([]runInfo{}, b.man.Runs...)
	b.mu.Unlock()
	for _, info := range runs {
		err := b.readRun(ctx, info)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		b.mu.Lock()
		at := -1
		for i, r := range b.man.Runs {
			if r.ID == info.ID {
				at = i
			}
		}
		if at >= 0 { // else a merge took it, and read all of it
			b.problem("%v: its files are indexed again", err)
			b.man.Runs = append(b.man.Runs[:at:at], b.man.Runs[at+1:]...)
			delete(b.sources, info.ID)
			err = b.commitLocked(true)
			removeRun(b.cfg.FS, b.dir, info.ID)
		}
		b.mu.Unlock()
		if at >= 0 && err != nil {
			return err
		}
	}
	return nil
}

// readRun reads all lines of a run and asks its filter for all keys.
func (b *Builder) readRun(ctx context.Context, info runInfo) error {
	r, err := openRun(b.cfg.FS, b.dir, info)
	if err != nil {
		return err
	}
	defer r.release()
	var n int64
	var rec cdxj.Record
	key := ""
	for c := r.table.Forward("", ""); ; n++ {
		line, err := c.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && n%checkEvery == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = rec.Parse(string(line))
		}
		if err == nil && rec.Key != key {
			key = rec.Key
			err = r.checkKey(key)
		}
		if err != nil {
			return fmt.Errorf("run %d, line %d: %w", info.ID, n+1, err)
		}
	}
	if n != info.Lines {
		return fmt.Errorf("run %d: %w: %d lines, want %d", info.ID, ErrDamaged, n, info.Lines)
	}
	return nil
}

func (r *run) checkKey(key string) error {
	ok, err := r.mayHave(key)
	if err == nil && !ok {
		err = fmt.Errorf("%w: the filter denies %q", ErrDamaged, key)
	}
	return err
}
