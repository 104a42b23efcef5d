package scan

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime calls f and returns the CPU time that it took in its goroutine.
func CPUTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun := clock(unix.CLOCK_THREAD_CPUTIME_ID)
	f()
	return clock(unix.CLOCK_THREAD_CPUTIME_ID) - begun
}

// processTime returns the CPU time of this process.
func processTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
