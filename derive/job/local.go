package job

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// local is the embedded engine: goroutines of this process.
type local struct {
	maker
}

func (r *run) newLocal() (*local, error) {
	l := &local{maker{cfg: r.cfg, dir: r.dir, jobs: r.jobs, failures: r.failures, items: &r.items, watch: newWatch(underWayPath(r.dir))}}
	for _, f := range l.watch.last() {
		if err := r.failures.write(f); err != nil {
			return nil, err
		}
	}
	var err error
	if l.workers, err = startWorkers(&r.cfg, r.jobs); err != nil {
		return nil, err
	}
	go l.watch.run()
	return l, nil
}

// started counts the processes in which mappers ran.
func (l *local) started() int {
	if l.workers == nil {
		return 0
	}
	return l.workers.Started()
}

func (l *local) close() {
	l.watch.close()
	if l.workers != nil {
		_ = l.workers.Close() // processes that have nothing to do any more
	}
}

// Do does steps side by side, as many as there are cores; reductions, which hold much, one after another.
func (l *local) Do(ctx context.Context, steps []Step, take func(Step, Outcome) error) error {
	side := min(l.cfg.Cores, len(steps))
	if steps[0].Kind == ReduceStep {
		side = 1
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(side)
	var mu sync.Mutex
	for _, s := range steps {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			o := l.do(ctx, &s, max(1, l.cfg.Cores/side))
			mu.Lock()
			defer mu.Unlock()
			if err := take(s, o); err != nil {
				return err
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}
