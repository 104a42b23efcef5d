package clock

import (
	"context"
	"time"
)

// Go registers fn as a worker. It begins when Run reaches it, at the present virtual instant and
// after the workers registered before it. The worker must wait by Sleep of the clock it is handed
// and by nothing else, or Run waits for it for ever.
func (v *Virtual) Go(fn func(Clock)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.workers++
	w := v.newWait(func() { v.awake++ })
	v.start(w, 0)
	go func() {
		<-w.ch
		defer v.end()
		fn(worker{v})
	}()
}

func (v *Virtual) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.workers--
	v.awake--
	v.notify()
}

// Run moves the clock from deadline to deadline, waking one worker at a time, until all workers
// have ended. When the context ends first, Run returns its error and the workers stay asleep:
// end the context of their sleeps too.
func (v *Virtual) Run(ctx context.Context) error {
	for {
		if err := v.until(ctx, func() bool { return v.awake == 0 }); err != nil {
			return err
		}
		if v.step() {
			return nil
		}
	}
}

// step fires the next wait, unless all workers have ended. Every sleeping worker has a wait, so
// there is always one to fire; a worker whose context ended may have taken its own back.
func (v *Virtual) step() (done bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.workers == 0 {
		return true
	}
	if v.awake == 0 && len(v.waits) > 0 {
		v.fireNext()
	}
	return false
}

// worker is the clock as a worker sees it: a worker that sleeps does not hold Run up.
type worker struct{ v *Virtual }

var _ Clock = worker{}

func (w worker) Now() time.Time                  { return w.v.Now() }
func (w worker) NewTimer(d time.Duration) *Timer { return w.v.NewTimer(d) }

func (w worker) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	v := w.v
	s := v.newWait(func() { v.awake++ })
	v.mu.Lock()
	v.start(s, d)
	v.awake--
	v.notify()
	v.mu.Unlock()
	select {
	case <-s.ch:
		return nil
	case <-ctx.Done():
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if s.stop() { // else it was woken in the same moment, and counts as awake already
		v.awake++
	}
	return ctx.Err()
}
