package websim

import (
	"fmt"
	"strconv"
	"time"
)

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// Duration is a length of time in a site description: as in Go ("90s", "1h30m"), or a whole or
// decimal number of days, weeks or years ("30d", "2w", "1.5y").
type Duration time.Duration

// UnmarshalText reads a duration. Negative ones are refused.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// MarshalText writes the duration as Go does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// ms is the duration in milliseconds.
func (d Duration) ms() int64 { return time.Duration(d).Milliseconds() }

// ParseDuration reads a duration as in site descriptions.
func ParseDuration(s string) (time.Duration, error) {
	units := map[byte]time.Duration{'d': day, 'w': 7 * day, 'y': year}
	if n := len(s); n > 1 && units[s[n-1]] != 0 {
		x, err := strconv.ParseFloat(s[:n-1], 64)
		if err != nil || !(x >= 0 && x <= float64(maxSpan/units[s[n-1]])) {
			return 0, fmt.Errorf("duration %q: want a number from 0 to 100 years before the unit", s)
		}
		return time.Duration(x * float64(units[s[n-1]])), nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("duration %q: want something like 90s, 6h, 30d, 2w or 1y", s)
	}
	if v < 0 || v > maxSpan {
		return 0, fmt.Errorf("duration %q: want 0 to 100 years", s)
	}
	return v, nil
}
