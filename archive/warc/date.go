package warc

import (
	"fmt"
	"strings"
	"time"
)

// dateLayouts are the granularities of W3C-DTF that WARC 1.1 allows, and the same without a zone,
// which some writers leave out: then it is UTC, as all dates of the standard.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z07:00", // also takes any number of fraction digits
	"2006-01-02T15:04Z07:00",
	"2006-01-02",
	"2006-01",
	"2006",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04",
	"2006-01-02T15",
}

// ParseDate reads a WARC-Date: any granularity of W3C-DTF from the year to nanoseconds, with or
// without zone. A Reader tells dates without one as findings.
func ParseDate(s string) (time.Time, error) {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("date %q is not in W3C-DTF (2006-01-02T15:04:05Z)", clip(s))
}

// FormatDate writes a WARC-Date in UTC with as many fraction digits as the instant has, at most
// microseconds: what tools of the field read.
func FormatDate(t time.Time) string {
	return t.UTC().Truncate(time.Microsecond).Format("2006-01-02T15:04:05.999999Z")
}

// Timestamp gives the 14-digit form used by indexes and replay addresses.
func Timestamp(t time.Time) string { return t.UTC().Format("20060102150405") }

// parseArcDate reads the date of an ARC line: 14 digits, or a leading part of them.
func parseArcDate(s string) (time.Time, error) {
	const full = "20060102150405"
	if len(s) < 4 || len(s) > 17 || strings.Trim(s, "0123456789") != "" {
		return time.Time{}, fmt.Errorf("date %q is not of 14 digits", clip(s))
	}
	if len(s) > 14 {
		s = s[:14]
	}
	return time.Parse(full[:len(s)], s)
}

// clip shortens hostile text for messages.
func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
