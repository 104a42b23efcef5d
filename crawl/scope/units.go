package scope

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written "500", "64KiB", "100MB" or "2 GB".
type Size int64

var sizeUnits = []struct {
	suffix string
	factor float64
}{
	{"kib", 1 << 10},
	{"mib", 1 << 20},
	{"gib", 1 << 30},
	{"tib", 1 << 40},
	{"kb", 1e3},
	{"mb", 1e6},
	{"gb", 1e9},
	{"tb", 1e12},
	{"b", 1},
	{"", 1},
}

// ParseSize reads a size.
func ParseSize(s string) (Size, error) {
	low := strings.ToLower(strings.TrimSpace(s))
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(low, u.suffix)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(f >= 0) || f*u.factor >= math.MaxInt64 {
			break
		}
		return Size(f * u.factor), nil
	}
	return 0, fmt.Errorf("%q is not a size such as 500, 64KiB or 100MB", s)
}

// UnmarshalTOML takes a number or a text.
func (s *Size) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case int64:
		if v < 0 {
			return fmt.Errorf("size %d is negative", v)
		}
		*s = Size(v)
		return nil
	case string:
		n, err := ParseSize(v)
		*s = n
		return err
	}
	return fmt.Errorf("size must be a number or a text such as \"100MB\"")
}

// Duration is a time.Duration written "500ms", "2s" or, as a number, in seconds.
type Duration time.Duration

// UnmarshalTOML takes a number of seconds or a text.
func (d *Duration) UnmarshalTOML(v any) error {
	var n time.Duration
	var err error
	switch v := v.(type) {
	case int64:
		if v < 0 || v > int64(math.MaxInt64/time.Second) {
			return fmt.Errorf("duration of %d seconds is out of range", v)
		}
		n = time.Duration(v) * time.Second
	case float64:
		if !(v >= 0 && v < 1e9) {
			return fmt.Errorf("duration of %g seconds is out of range", v)
		}
		n = time.Duration(v * float64(time.Second))
	case string:
		n, err = time.ParseDuration(v)
	default:
		return fmt.Errorf("duration must be seconds or a text such as \"500ms\"")
	}
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 500ms or 2s", v)
	}
	if n < 0 {
		return fmt.Errorf("duration %v is negative", n)
	}
	*d = Duration(n)
	return nil
}

// MarshalText writes the duration as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalJSON reads what MarshalText writes.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	return d.UnmarshalTOML(v)
}
