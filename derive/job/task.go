package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Task is one part under way in one job.
type Task struct {
	Part  Part
	Cores int // that it may keep busy

	runner *Runner
	job    *Job
	temp   string // folder of its temporary files
	files  []*tableFile
	pairs  *sorter
	items  atomic.Int64
	failed atomic.Int64
}

type tableFile struct {
	table string
	*os.File
}

// Create makes the part's file of a table. The runner closes, syncs and names it.
func (t *Task) Create(table string) (io.Writer, error) {
	f, err := os.Create(filepath.Join(t.temp, table))
	if err != nil {
		return nil, err
	}
	t.files = append(t.files, &tableFile{table, f})
	return f, nil
}

// Input is the path of the part's file of a table that another job made.
func (t *Task) Input(table string) string { return t.runner.tablePath(table, t.Part.Name) }

// Emit gives a pair to the reducer. It is not safe for concurrent use.
func (t *Task) Emit(key, value []byte) error { return t.pairs.add(key, value) }

// Why an item has no result.
var (
	ErrTime    = errors.New("took too long")
	ErrPanic   = errors.New("panic")
	ErrSkipped = errors.New("failed before")
)

// Do runs the work on one item within the limit of time. Its error is recorded, and given back for
// the caller to note in the output; it is no reason to stop. After ErrTime the work may still be
// running: it must not touch what others use. Do is safe for concurrent use.
func (t *Task) Do(ctx context.Context, item string, work func(ctx context.Context) error) error {
	t.items.Add(1)
	t.runner.count()
	key := failureKey{t.job.Name, t.job.Version, t.Part.Name, item}
	if why, bad := t.runner.failures.known(key); bad {
		t.failed.Add(1)
		return fmt.Errorf("%w: %s", ErrSkipped, why)
	}
	mark := t.runner.watch.begin(key)
	defer t.runner.watch.end(mark)
	err := t.within(ctx, work)
	if err != nil && ctx.Err() == nil {
		t.failed.Add(1)
		if keep := t.runner.failures.add(key, err.Error()); keep != nil {
			return keep
		}
	}
	return err
}

// within waits for the work, but not for ever.
func (t *Task) within(ctx context.Context, work func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, t.runner.cfg.Limit)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("%w: %v\n%.2000s", ErrPanic, p, debug.Stack())
			}
		}()
		done <- work(limited)
	}()
	select {
	case err := <-done:
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return fmt.Errorf("%w: more than %s", ErrTime, t.runner.cfg.Limit)
		}
		return err
	case <-limited.Done():
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case err := <-done: // it listened
		if err == nil {
			return nil
		}
	case <-time.After(t.runner.cfg.Limit / 10):
	}
	return fmt.Errorf("%w: more than %s", ErrTime, t.runner.cfg.Limit)
}
