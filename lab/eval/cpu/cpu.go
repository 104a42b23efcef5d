// Package cpu measures the processor time of a piece of work: the figure that stays meaningful on
// shared and noisy machines, where wall time does not.
package cpu

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Usage is what a piece of work cost.
type Usage struct {
	CPU  time.Duration // user and system time of all threads
	Wall time.Duration
}

// Cores tells how many cores were busy on average.
func (u Usage) Cores() float64 {
	if u.Wall <= 0 {
		return 0
	}
	return u.CPU.Seconds() / u.Wall.Seconds()
}

// Measure runs fn in this process. Other work of the process is counted, too: keep it quiet.
func Measure(fn func() error) (Usage, error) {
	before, start := self(), time.Now()
	err := fn()
	return Usage{CPU: self() - before, Wall: time.Since(start)}, err
}

func self() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// MeasureCommand runs a program to its end.
func MeasureCommand(c *exec.Cmd) (Usage, error) {
	start := time.Now()
	if err := c.Run(); err != nil {
		return Usage{}, fmt.Errorf("run %s: %w", c.Path, err)
	}
	s := c.ProcessState
	return Usage{CPU: s.UserTime() + s.SystemTime(), Wall: time.Since(start)}, nil
}

// MaxRSS gives the largest resident memory of this process so far, in bytes.
func MaxRSS() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return r.Maxrss << 10
}

// Thread gives the processor time of the calling thread so far; lock the goroutine to it. It is zero
// where the system does not tell.
func Thread() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// Used gives the processor time of this process so far.
func Used() Usage { return Usage{CPU: self()} }
