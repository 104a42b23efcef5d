//go:build !linux

package scan

import "time"

// CPUTime calls f and returns the time it took: no other clock is to be had everywhere.
func CPUTime(f func()) time.Duration {
	begun := time.Now()
	f()
	return time.Since(begun)
}

// processTime returns a time whose differences bound the CPU time of this process.
func processTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
