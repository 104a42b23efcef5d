package crawls

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// days are what people write and time.ParseDuration does not know.
var days = map[string]time.Duration{
	"d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour,
	"w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour, "weeks": 7 * 24 * time.Hour,
	"hour": time.Hour, "hours": time.Hour, "min": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"sec": time.Second, "second": time.Second, "seconds": time.Second,
}

// maxSpan bounds what is typed as a length of time.
const maxSpan = 100 * 366 * 24 * time.Hour

// ParseSpan reads a length of time as people write it: "36h", "7 days", "2 weeks", "1.5 s".
func ParseSpan(s string) (time.Duration, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	at := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if at > 0 {
		if unit, ok := days[strings.TrimSpace(s[at:])]; ok {
			n, err := strconv.ParseFloat(s[:at], 64)
			if err != nil || n*float64(unit) > float64(maxSpan) {
				return 0, fmt.Errorf("%q is no length of time, or too long", s)
			}
			return time.Duration(n * float64(unit)), nil
		}
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	switch {
	case err != nil && at < 0:
		return 0, fmt.Errorf("%q has no unit: write %s s, %s h or %s days", s, s, s, s)
	case err != nil:
		return 0, fmt.Errorf("%q is no length of time: write 90 s, 36 h, 7 days", s)
	case d < 0 || d > maxSpan:
		return 0, errors.New("it lies between nothing and a hundred years")
	}
	return d, nil
}

// SpanText writes a length of time so that ParseSpan reads the same.
func SpanText(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d == 0:
		return ""
	case d == day:
		return "1 day"
	case d%day == 0:
		return strconv.FormatInt(int64(d/day), 10) + " days"
	case d%time.Hour == 0:
		return strconv.FormatInt(int64(d/time.Hour), 10) + " h"
	case d%time.Minute == 0:
		return strconv.FormatInt(int64(d/time.Minute), 10) + " min"
	case d%time.Second == 0 && d < time.Hour:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	}
	return d.String()
}

// sizeText writes a number of bytes so that scope.ParseSize reads the same.
func sizeText(n int64) string {
	if n == 0 {
		return ""
	}
	for _, u := range []struct {
		of   int64
		name string
	}{{1e12, "TB"}, {1 << 30, "GiB"}, {1e9, "GB"}, {1 << 20, "MiB"}, {1e6, "MB"}} {
		if n%u.of == 0 {
			return strconv.FormatInt(n/u.of, 10) + " " + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}
