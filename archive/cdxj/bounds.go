package cdxj

import (
	"fmt"
	"strings"
	"time"
)

// EarliestTimestamp gives the first 14-digit timestamp that begins with the given digits: "2014"
// gives 20140101000000. Of 17 digits the last three are dropped.
func EarliestTimestamp(digits string) (string, error) { return pad(digits, "00000101000000") }

// LatestTimestamp gives the last one: "201402" gives 20140228235959.
func LatestTimestamp(digits string) (string, error) {
	s, err := pad(digits, "99991231235959")
	if err != nil || len(digits) >= 8 {
		return s, err
	}
	// The last day of the month: the day before the first of the next one.
	t, err := time.Parse("200601", s[:6])
	if err != nil {
		return "", fmt.Errorf("timestamp %q is no date", clip(digits))
	}
	last := t.AddDate(0, 1, -1).Format("20060102")
	if len(digits) == 7 { // the first digit of a day: 3 means at most the last
		last = min(last, s[:7]+"9")
	}
	return last + "235959", nil
}

// pad completes digits by those of a pattern and checks that the outcome is a date.
func pad(digits, pattern string) (string, error) {
	if digits == "" || len(digits) > 17 || strings.Trim(digits, "0123456789") != "" {
		return "", fmt.Errorf("timestamp %q is not 1 to 14 digits", clip(digits))
	}
	if len(digits) >= len(pattern) {
		digits = digits[:len(pattern)]
	}
	s := digits + pattern[len(digits):]
	if len(digits) == 5 || len(digits) == 7 { // half a month or day
		s = fixHalf(s, digits, pattern)
	}
	check := s
	if len(digits) < 8 {
		check = s[:6] + "01" + s[8:]
	}
	if _, err := time.Parse("20060102150405", check); err != nil {
		return "", fmt.Errorf("timestamp %q is no date", clip(digits))
	}
	return s, nil
}

// fixHalf completes the second digit of a month or day so that it is one: 0 to 01 or 09, 1 to 10 or
// 12 (19 for days), 3 to 30.
func fixHalf(s, digits, pattern string) string {
	i := len(digits)
	low := pattern[0] == '0'
	first := digits[i-1]
	var c byte
	switch {
	case low && first == '0':
		c = '1'
	case low:
		c = '0'
	case i == 5 && first == '1':
		c = '2'
	case i == 7 && first == '3':
		c = '1'
	default:
		c = '9'
	}
	return s[:i] + string(c) + s[i+1:]
}
