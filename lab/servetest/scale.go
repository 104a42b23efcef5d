package servetest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Scale returns the sizes of the archives of a drill, collections and crawls in each: those of VARVE_SCALE, such as
// 1x100000,5000x1, else the given ones.
func Scale(t *testing.T, sizes ...[2]int) [][2]int {
	t.Helper()
	given := os.Getenv("VARVE_SCALE")
	if given == "" {
		return sizes
	}
	var out [][2]int
	for one := range strings.SplitSeq(given, ",") {
		var s [2]int
		if n, err := fmt.Sscanf(one, "%dx%d", &s[0], &s[1]); n != 2 || err != nil || s[0] < 1 || s[1] < 1 {
			t.Fatalf("VARVE_SCALE: %q is not COLLECTIONSxCRAWLS", one)
		}
		out = append(out, s)
	}
	return out
}

// CPU is the processor time of this process so far.
func CPU() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// RSS is the memory that the process has.
func RSS() string {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "VmRSS") {
			return strings.Join(strings.Fields(line)[1:], " ")
		}
	}
	return "unknown"
}
