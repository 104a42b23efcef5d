package pulse

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// What was expensive is kept for longer; what did not change, for ten minutes; errors never.
func TestKept(t *testing.T) {
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	k := &kept{now: func() time.Time { return at }}
	made := 0
	find := func(cost time.Duration) func() (int, error) {
		return func() (int, error) { made++; at = at.Add(cost); return made, nil }
	}
	for i, step := range []struct {
		wait  time.Duration
		stamp any
		cost  time.Duration
		want  int
	}{
		{0, nil, time.Second, 1},
		{19 * time.Second, nil, 0, 1},   // within 20 times what it cost
		{2 * time.Second, nil, 0, 2},    // not any more
		{0, nil, 0, 3},                  // what costs nothing is always fresh
		{0, "a", 0, 4},                  //
		{9 * time.Minute, "a", 0, 4},    // nothing changed
		{0, "b", 0, 5},                  // now it did
		{11 * time.Minute, "b", 0, 6},   // nothing is kept for ever
		{-time.Hour, "b", 0, 7},         // the clock was set back
		{time.Second, "b", 0, 7},        //
		{0, "c", time.Second, 8},        //
		{10 * time.Second, "d", 0, 8},   // changed, but it was expensive
		{15 * time.Second, "e", 0, 9},   //
		{5 * time.Minute, nil, 0, 10},   // nobody says that nothing changed
		{time.Nanosecond, nil, 0, 11},   //
		{-time.Nanosecond, "e", 0, 12},  //
		{time.Nanosecond, "e", 0, 12},   //
		{599 * time.Second, "e", 0, 12}, //
	} {
		at = at.Add(step.wait)
		if got, err := keep(k, "key", step.stamp, find(step.cost)); err != nil || got != step.want {
			t.Errorf("step %d: %d, %v; want %d", i, got, err, step.want)
		}
	}
	broken := errors.New("broken")
	for range 2 {
		if _, err := keep(k, "other", "s", func() (int, error) { return 0, broken }); err != broken {
			t.Errorf("an error was kept: %v", err)
		}
	}
}

// Wait waits for a counting that goes on after its request.
func TestWaitForCounting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(Config{Now: time.Now})
		d.counts.begin(countKey{collection: "a"}, 1, func() visible { time.Sleep(time.Hour); return visible{} })
		begun := time.Now()
		d.Wait()
		if took := time.Since(begun); took != time.Hour {
			t.Errorf("it waited for %v", took)
		}
	})
}
