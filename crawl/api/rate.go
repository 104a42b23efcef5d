package api

import (
	"strconv"
	"strings"
	"time"

	"varve/crawl/polite"
	"varve/web/wire"
)

// rateLimit tells how long to wait after an answer, and whether its request was refused for a rate limit
// and may be made again then. Fields are Retry-After, and X-RateLimit-Remaining and -Reset with or without
// the X: seconds from now, seconds of Unix time, or a date.
func rateLimit(status int, h wire.Header, now time.Time) (wait time.Duration, limited bool) {
	limited = status == 429 || status == 503
	if d, ok := polite.ParseRetryAfter(h.Get("Retry-After"), now); ok {
		return d, limited
	}
	left := firstOf(h, "X-RateLimit-Remaining", "RateLimit-Remaining")
	if n, err := strconv.ParseFloat(strings.TrimSpace(left), 64); err == nil && n < 1 || limited {
		if d, ok := parseReset(firstOf(h, "X-RateLimit-Reset", "RateLimit-Reset"), now); ok {
			return d, limited
		}
	}
	if limited {
		return 10 * time.Second, true
	}
	return 0, false
}

func firstOf(h wire.Header, names ...string) string {
	for _, n := range names {
		if v := h.Get(n); v != "" {
			return v
		}
	}
	return ""
}

// parseReset reads when a limit ends.
func parseReset(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e11 {
		if n > 1e8 { // an instant
			n -= float64(now.Unix())
		}
		return time.Duration(max(0, n) * float64(time.Second)), true
	}
	for _, layout := range []string{time.RFC3339Nano, time.RFC1123} {
		if t, err := time.Parse(layout, s); err == nil {
			return max(0, t.Sub(now)), true
		}
	}
	return 0, false
}
