package evidence

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"
)

// batchPages is how many pages a worker takes at a time.
const batchPages = 64

// Map calls each for every page, on several goroutines, and hands the results to emit in the order
// of the pages, from one goroutine. At most a few batches are held at once. The first error ends it.
func Map[T any](ctx context.Context, pages iter.Seq2[*History, error], workers int, each func(*History) (T, error), emit func(T) error) error {
	workers = max(workers, 1)
	g, ctx := errgroup.WithContext(ctx)
	jobs, order := make(chan *batch[T]), make(chan *batch[T], 2*workers)
	g.Go(func() error {
		defer close(jobs)
		defer close(order)
		return hand(ctx, pages, jobs, order)
	})
	for range workers {
		g.Go(func() error {
			for b := range jobs {
				if err := b.work(each); err != nil {
					return err
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		for b := range order {
			select {
			case <-b.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			for _, v := range b.out {
				if err := emit(v); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
	return g.Wait()
}

type batch[T any] struct {
	pages []*History
	out   []T
	done  chan struct{}
}

func (b *batch[T]) work(each func(*History) (T, error)) error {
	b.out = make([]T, 0, len(b.pages))
	for _, p := range b.pages {
		v, err := each(p)
		if err != nil {
			return err
		}
		b.out = append(b.out, v)
	}
	close(b.done)
	return nil
}

// hand cuts the pages into batches.
func hand[T any](ctx context.Context, pages iter.Seq2[*History, error], jobs, order chan<- *batch[T]) error {
	b := &batch[T]{done: make(chan struct{})}
	send := func() error {
		for _, to := range []chan<- *batch[T]{order, jobs} {
			select {
			case to <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		b = &batch[T]{done: make(chan struct{})}
		return nil
	}
	for p, err := range pages {
		if err != nil {
			return err
		}
		if b.pages = append(b.pages, p); len(b.pages) == batchPages {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(b.pages) > 0 {
		return send()
	}
	return nil
}
