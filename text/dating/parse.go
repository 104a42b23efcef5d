package dating

import (
	"strings"
	"time"
)

// span is the time that a stamp covers: an instant, or a day somewhere on earth.
type span struct {
	at, from, to time.Time
	day          time.Time // the day by the calendar of who wrote it, at midnight of UTC: of 23:30-05:00 that day, not the next
	other        time.Time // the same if the first number is the month, zero if it cannot be
	exact        bool      // an instant
	utc          bool      // it is stated in UTC, which need not be the zone of the page
}

// Zones of the earth go from 14 hours ahead of UTC to 12 behind it.
const (
	zonesAhead  = 14 * time.Hour
	zonesBehind = 12 * time.Hour
)

func instant(t time.Time, grain time.Duration) span {
	_, offset := t.Zone()
	day := midnight(t)
	t = t.UTC()
	return span{at: t, from: t, to: t.Add(grain), day: day, exact: true, utc: offset == 0}
}

// local is a time of day whose zone is not said.
func local(t time.Time, grain time.Duration) span {
	return span{at: t, from: t.Add(-zonesAhead), to: t.Add(zonesBehind + grain), day: midnight(t)}
}

// day is a date without a time of day; the estimate is noon.
func day(t time.Time) span {
	t = midnight(t)
	return span{at: t.Add(12 * time.Hour), from: t.Add(-zonesAhead), to: t.Add(24*time.Hour + zonesBehind), day: t}
}

// midnight is the day of a time where it was written, in UTC.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// either is a date that can be read in two ways.
func either(dayFirst, monthFirst span) span {
	a, b := dayFirst, monthFirst
	if b.at.Before(a.at) {
		a, b = b, a
	}
	return span{at: a.at, from: a.from, to: b.to, day: dayFirst.day, other: monthFirst.day}
}

// zoned and zoneless are the layouts with a time of day, by the length of what they say.
var (
	zoned = []string{
		time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05.999Z0700", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST", "2006-01-02 15:04 MST", time.RFC1123, time.RFC1123Z, time.RFC850, "Mon, 2 Jan 2006 15:04:05 MST",
		"Mon, 2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST", "Mon Jan 2 15:04:05 MST 2006", "Mon Jan 2 15:04:05 -0700 2006",
	}
	zoneless = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "20060102150405", "2006/01/02 15:04:05", "Mon Jan _2 15:04:05 2006"}
)

// parseStamp reads a stamp as machines write it, and as people do if that fails. Words before and after a date do no harm.
func parseStamp(s string) (span, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 200 {
		s = s[:200]
	}
	for _, layout := range zoned {
		if t, err := time.Parse(layout, s); err == nil {
			if t.Location() == time.UTC || knownZone(t) {
				return instant(t, time.Second), true
			}
			return local(t.UTC(), time.Second), true
		}
	}
	for _, layout := range zoneless {
		if t, err := time.Parse(layout, s); err == nil {
			return local(t, time.Second), true
		}
	}
	return hand{}.parseWords(s)
}

// knownZone tells whether the zone of t was understood: Go reads any three letters as a zone, at offset 0.
func knownZone(t time.Time) bool {
	name, offset := t.Zone()
	return offset != 0 || name == "" || name == "UTC" || name == "GMT" || name == "Z"
}

// ParseStamp reads when something was written, as the page says it: 2025-06-03T10:00:00+02:00, 3 June 2025, Tue Jun 3, 2025 10:00 am. Where
// no time of day can be read it is noon.
func ParseStamp(s string) (at time.Time, ok bool) {
	if s == "" {
		return at, false
	}
	p, ok := parseStamp(s)
	return p.at, ok
}
