package clock_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"varve/clock"
)

var start = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAdvanceFiresInOrder(t *testing.T) {
	v := clock.NewVirtual(start)
	var timers []*clock.Timer
	for _, d := range []time.Duration{3, 1, 2, 5, 0} {
		timers = append(timers, v.NewTimer(d*time.Second))
	}
	if got := v.Waiters(); got != 4 {
		t.Fatalf("%d waits, want 4: a timer of 0 fires at once", got)
	}
	v.Advance(3 * time.Second)
	for i, want := range []time.Duration{3, 1, 2, -1, 0} {
		select {
		case at := <-timers[i].C:
			if at.Sub(start) != want*time.Second {
				t.Errorf("timer %d fired at %v, want %v s", i, at.Sub(start), int(want))
			}
		default:
			if want >= 0 {
				t.Errorf("timer %d did not fire", i)
			}
		}
	}
	if next, ok := v.Next(); !ok || next.Sub(start) != 5*time.Second {
		t.Errorf("next deadline %v %v", next, ok)
	}
	if !v.AdvanceNext() || v.AdvanceNext() || v.Now().Sub(start) != 5*time.Second {
		t.Errorf("AdvanceNext went to %v", v.Now())
	}
	v.AdvanceTo(start)
	if v.Now().Sub(start) != 5*time.Second {
		t.Error("the clock went back")
	}
}

func TestStopAndReset(t *testing.T) {
	v := clock.NewVirtual(start)
	a, b := v.NewTimer(time.Second), v.NewTimer(time.Second)
	if !a.Stop() || a.Stop() {
		t.Error("Stop must tell whether the timer was to fire")
	}
	v.Advance(time.Second)
	if b.Reset(time.Minute) {
		t.Error("b had fired")
	}
	select {
	case <-b.C:
		t.Error("a value from before Reset")
	default:
	}
	v.Advance(time.Minute)
	if at := <-b.C; at.Sub(start) != 61*time.Second {
		t.Errorf("fired at %v", at)
	}
}

func TestBlockUntilAndSleep(t *testing.T) {
	v := clock.NewVirtual(start)
	ctx := t.Context()
	done := make(chan time.Time)
	for i := 1; i <= 3; i++ {
		go func() {
			if err := v.Sleep(ctx, time.Duration(i)*time.Hour); err != nil {
				t.Error(err)
			}
			done <- v.Now()
		}()
	}
	if err := v.BlockUntil(ctx, 3); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		v.AdvanceNext()
		if at := <-done; at.Sub(start) != time.Duration(i)*time.Hour {
			t.Errorf("sleep %d ended at %v", i, at)
		}
	}
}

func TestEndedContext(t *testing.T) {
	v := clock.NewVirtual(start)
	for name, c := range map[string]clock.Clock{"real": clock.Real(), "virtual": v} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Sleep(t.Context(), -1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan error)
	go func() { end <- v.Sleep(ctx, time.Hour) }()
	if err := v.BlockUntil(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-end; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if v.Waiters() != 0 {
		t.Error("a given-up sleep is still counted")
	}
	if err := v.BlockUntil(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWithTimeout(t *testing.T) {
	v := clock.NewVirtual(start)
	ctx, cancel := clock.WithTimeout(t.Context(), v, time.Minute)
	defer cancel()
	v.Advance(time.Minute)
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		t.Error(context.Cause(ctx))
	}
	ctx, cancel = clock.WithTimeout(t.Context(), v, time.Minute)
	cancel()
	<-ctx.Done()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := clock.WithTimeout(t.Context(), clock.Real(), time.Minute)
		defer cancel()
		<-ctx.Done()
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error(ctx.Err())
		}
	})
}

func TestRealInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Real()
		before := c.Now()
		if err := c.Sleep(t.Context(), time.Hour); err != nil {
			t.Error(err)
		}
		<-clock.After(c, time.Hour)
		if got := clock.Since(c, before); got != 2*time.Hour {
			t.Error(got)
		}
		tm := c.NewTimer(time.Hour)
		if !tm.Reset(time.Minute) || !tm.Stop() {
			t.Error("a real timer must tell whether it was to fire")
		}
	})
}

// run lets three workers step at their own pace and notes who ran when.
func run(t *testing.T) []string {
	v := clock.NewVirtual(start)
	var order []string // no lock: only one worker runs at a time
	for w, step := range []time.Duration{2, 3, 2} {
		v.Go(func(c clock.Clock) {
			for range 4 {
				order = append(order, fmt.Sprintf("%d@%d", w, c.Now().Sub(start)/time.Second))
				if err := c.Sleep(t.Context(), step*time.Second); err != nil {
					t.Error(err)
				}
			}
			if w == 0 {
				v.Go(func(c clock.Clock) { order = append(order, "late@"+c.Now().Sub(start).String()) })
			}
		})
	}
	if err := v.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v.Now().Sub(start) != 12*time.Second {
		t.Errorf("ended at %v", v.Now())
	}
	return order
}

func TestRunIsDeterministic(t *testing.T) {
	want := []string{"0@0", "1@0", "2@0", "0@2", "2@2", "1@3", "0@4", "2@4", "1@6", "0@6", "2@6", "late@8s", "1@9"}
	for range 50 {
		if got := run(t); !slices.Equal(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	}
}

func TestRunStopsWithContext(t *testing.T) {
	v := clock.NewVirtual(start)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	v.Go(func(c clock.Clock) {
		cancel()
		ended <- c.Sleep(ctx, time.Hour)
	})
	v.Go(func(c clock.Clock) {
		ended <- c.Sleep(t.Context(), time.Second)
	})
	if err := v.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want the end of the context: the second worker still sleeps", err)
	}
	if err := v.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-ended
	<-ended
}

func BenchmarkRun(b *testing.B) {
	v := clock.NewVirtual(start)
	for range 10 {
		v.Go(func(c clock.Clock) {
			for range b.N / 10 {
				_ = c.Sleep(b.Context(), time.Second)
			}
		})
	}
	if err := v.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
}
