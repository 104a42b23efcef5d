package clock

import (
	"context"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	// Now is the present instant.
	Now() time.Time
	// NewTimer starts a timer that sends the time once, d from now.
	NewTimer(d time.Duration) *Timer
	// Sleep waits for d, or until the context ends; then it returns the context's error.
	Sleep(ctx context.Context, d time.Duration) error
}

// Timer sends the time on C once. It behaves like time.Timer: after Stop or Reset no value of an
// earlier setting is received.
type Timer struct {
	C   <-chan time.Time
	ctl control
}

// control is what time.Timer and a virtual wait have in common.
type control interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// Stop ends the timer and tells whether it was still to fire.
func (t *Timer) Stop() bool { return t.ctl.Stop() }

// Reset sets the timer to fire d from now and tells whether it was still to fire.
func (t *Timer) Reset(d time.Duration) bool { return t.ctl.Reset(d) }

// After gives a channel that receives the time once, d from now. The wait cannot be given up: use
// NewTimer where it may have to be.
func After(c Clock, d time.Duration) <-chan time.Time { return c.NewTimer(d).C }

// Since is the time that has gone by on c since t.
func Since(c Clock, t time.Time) time.Duration { return c.Now().Sub(t) }

// WithTimeout is context.WithTimeout measured on c. Its cause is context.DeadlineExceeded. The
// cancel function must be called; it ends the goroutine that waits.
func WithTimeout(parent context.Context, c Clock, d time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := c.(realClock); ok {
		return context.WithTimeout(parent, d)
	}
	ctx, cancel := context.WithCancelCause(parent)
	t := c.NewTimer(d)
	go func() {
		defer t.Stop()
		select {
		case <-t.C:
			cancel(context.DeadlineExceeded)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// Real is the clock of this machine.
func Real() Clock { return realClock{} }

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) NewTimer(d time.Duration) *Timer {
	t := time.NewTimer(d)
	return &Timer{C: t.C, ctl: t}
}

func (realClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
