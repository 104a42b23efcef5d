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
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return MaxRSS()
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kb << 10
			}
		}
	}
	return MaxRSS()
}
