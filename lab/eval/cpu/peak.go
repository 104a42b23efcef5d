package cpu

import (
	"os"
	"strconv"
	"strings"
)

// ResetPeak sets the high-water mark of resident memory back (Linux; elsewhere nothing happens).
func ResetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // best effort: the mark then only grows
}

// Peak reads the high-water mark in bytes.
func Peak() int64 {
	if peak := PeakOf(os.Getpid()); peak > 0 {
		return peak
	}
	return MaxRSS()
}

// PeakOf reads the high-water mark of a process in bytes; 0 if there is no such process any more, or no way to know.
func PeakOf(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
