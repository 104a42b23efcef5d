package scope

import (
	"fmt"
	"strings"
)

// repeats finds segments of a path that occur too often, or sequences that follow each other.
//
//	/a/b/a/b/a/b/x    the sequence a/b three times in a row
//	/a/x/a/y/a/z/a/q/a    the segment a five times
//
// Numbers alone do not count: /tiles/3/3/3.png is a map. Only the first 64 segments are looked at, so the
// quadratic search for sequences is bounded; deeper paths are suspicious anyway.
func repeats(path string, l TrapLimits) string {
	if strings.Count(path, "/") <= l.Runs-1 {
		return ""
	}
	var room [64]string
	segments := split(path, room[:0])
	for i, s := range segments {
		if hasLetter(s) && count(segments[i:], s) >= l.Same {
			return fmt.Sprintf("the segment %q occurs %d times", s, count(segments, s))
		}
	}
	for period := 1; period*l.Runs <= len(segments); period++ {
		if at := run(segments, period, l.Runs); at >= 0 {
			return fmt.Sprintf("%q stands %d times in a row", strings.Join(segments[at:at+period], "/"), l.Runs)
		}
	}
	return ""
}

// split gives the first 64 segments.
func split(path string, room []string) []string {
	path = strings.Trim(path, "/")
	for len(room) < cap(room) {
		segment, rest, more := strings.Cut(path, "/")
		room = append(room, segment)
		if !more {
			break
		}
		path = rest
	}
	return room
}

// run finds where a sequence of the given period stands the given number of times, or -1.
func run(segments []string, period, times int) int {
	same := 0 // how many segments in a row equal the one a period before
	for i := period; i < len(segments); i++ {
		if segments[i] != segments[i-period] {
			same = 0
			continue
		}
		same++
		if start := i - same - period + 1; same >= period*(times-1) && anyLetter(segments[start:start+period]) {
			return start
		}
	}
	return -1
}

func anyLetter(segments []string) bool {
	for _, s := range segments {
		if hasLetter(s) || s == "" {
			return true
		}
	}
	return false
}

func count(segments []string, s string) int {
	n := 0
	for _, x := range segments {
		if x == s {
			n++
		}
	}
	return n
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 127 })
}
