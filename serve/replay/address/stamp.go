package address

import (
	"fmt"
	"time"
)

// The digits that the missing end of a time stamp is filled with.
const (
	padHigh = "99991231235959999"
	padLow  = "00000101000000000"
)

// Stamp writes an instant as 14 digits, in UTC.
func Stamp(t time.Time) string { return t.UTC().Format("20060102150405") }

// StampWithin writes an instant as 17 digits: to the second, and the digits behind it. It names the captures of a second
// beside the first one, which the second names.
func StampWithin(t time.Time, within string) string { return Stamp(t) + (within + "000")[:3] }

// Latest reads a time stamp of 1 to 17 digits as the last instant it may mean: 2009 is the end of that year.
func Latest(s string) (time.Time, error) { return read(s, padHigh) }

// Earliest reads a time stamp of 1 to 17 digits as the first instant it may mean.
func Earliest(s string) (time.Time, error) { return read(s, padLow) }

// read fills the stamp up and repairs what the filling made impossible, such as 31 February.
func read(s, pad string) (time.Time, error) {
	if !isStamp(s) {
		return time.Time{}, fmt.Errorf("time %q: want 1 to 17 digits", s)
	}
	full := s + pad[len(s):]
	n := func(from, to int) (v int) {
		for _, c := range full[from:to] {
			v = v*10 + int(c-'0')
		}
		return v
	}
	year, month, day := n(0, 4), min(max(n(4, 6), 1), 12), max(n(6, 8), 1)
	if last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day(); day > last {
		day = last
	}
	hour, minute, second := min(n(8, 10), 23), min(n(10, 12), 59), min(n(12, 14), 59)
	nanos := n(14, 17) * int(time.Millisecond)
	if pad == padHigh && len(s) <= 14 {
		nanos = 0 // index times have whole seconds
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC), nil
}

func isStamp(s string) bool { return len(s) >= 1 && len(s) <= 17 && isDigits(s) }

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
