package xsd

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DateTime is a point in time as xsd:dateTime and its relatives write it: with or without a zone.
type DateTime struct {
	time.Time      // in its zone; in UTC where it has none
	HasZone   bool // a zone is written
}

// ParseDateTime reads xsd:dateTime. Digits of a second behind the ninth are dropped.
func ParseDateTime(s string) (DateTime, bool) {
	date, clock, ok := strings.Cut(s, "T")
	if !ok {
		return DateTime{}, false
	}
	year, month, day, ok := parseDate(date)
	if !ok {
		return DateTime{}, false
	}
	clock, zone, hasZone, ok := cutZone(clock)
	hour, minute, second, nano, good := parseClock(clock)
	if !ok || !good {
		return DateTime{}, false
	}
	return DateTime{Time: time.Date(year, month, day, hour, minute, second, nano, zone), HasZone: hasZone}, true
}

// ParseDate reads xsd:date; the time is its first instant.
func ParseDate(s string) (DateTime, bool) {
	date, zone, hasZone, ok := cutZone(s)
	year, month, day, good := parseDate(date)
	if !ok || !good {
		return DateTime{}, false
	}
	return DateTime{Time: time.Date(year, month, day, 0, 0, 0, 0, zone), HasZone: hasZone}, true
}

// cutZone takes Z or ±hh:mm from the end.
func cutZone(s string) (rest string, zone *time.Location, has, ok bool) {
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		return rest, time.UTC, true, true
	}
	at := len(s) - len("+hh:mm")
	if at < 2 || s[at] != '+' && s[at] != '-' || s[at+3] != ':' {
		return s, time.UTC, false, true
	}
	h, ok1 := number(s[at+1:at+3], 2, 14)
	m, ok2 := number(s[at+4:], 2, 59)
	if !ok1 || !ok2 || h == 14 && m > 0 {
		return "", nil, false, false
	}
	seconds := (h*60 + m) * 60
	if s[at] == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return s[:at], time.UTC, true, true
	}
	return s[:at], time.FixedZone("", seconds), true, true
}

// number reads just so many digits, up to a limit.
func number(s string, digits, limit int) (int, bool) {
	if len(s) != digits || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n <= limit
}

func parseDate(s string) (year int, month time.Month, day int, ok bool) {
	digits, negative := strings.CutPrefix(s, "-")
	parts := strings.Split(digits, "-")
	if len(parts) != 3 || len(parts[0]) < 4 || len(parts[0]) > 7 || len(parts[0]) > 4 && parts[0][0] == '0' {
		return 0, 0, 0, false
	}
	year, ok1 := number(parts[0], len(parts[0]), 9999999)
	m, ok2 := number(parts[1], 2, 12)
	day, ok3 := number(parts[2], 2, 31)
	if negative {
		year = -year
	}
	month = time.Month(m)
	if !ok1 || !ok2 || !ok3 || m == 0 || day == 0 || time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day() != day {
		return 0, 0, 0, false
	}
	return year, month, day, true
}

func parseClock(s string) (hour, minute, second, nano int, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return 0, 0, 0, 0, false
	}
	hour, ok1 := number(s[:2], 2, 24)
	minute, ok2 := number(s[3:5], 2, 59)
	second, ok3 := number(s[6:8], 2, 59)
	if !ok1 || !ok2 || !ok3 {
		return 0, 0, 0, 0, false
	}
	if fraction := s[8:]; fraction != "" {
		digits, point := strings.CutPrefix(fraction, ".")
		if !point || digits == "" || strings.Trim(digits, "0123456789") != "" {
			return 0, 0, 0, 0, false
		}
		nano, _ = strconv.Atoi((digits + "000000000")[:9])
	}
	return hour, minute, second, nano, hour < 24 || minute == 0 && second == 0 && nano == 0
}

// date returns year, month and day as xsd:date writes them, without the zone.
func (d DateTime) date() string {
	year, sign := d.Year(), ""
	if year < 0 {
		year, sign = -year, "-"
	}
	return fmt.Sprintf("%s%04d-%02d-%02d", sign, year, d.Month(), d.Day())
}

// ZoneString returns the zone as it is written: "", "Z" or ±hh:mm.
func (d DateTime) ZoneString() string {
	_, offset := d.Time.Zone()
	switch {
	case !d.HasZone:
		return ""
	case offset == 0:
		return "Z"
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
}

// DateTimeString returns the form of xsd:dateTime; canonical if the time is in UTC.
func (d DateTime) DateTimeString() string {
	return fmt.Sprintf("%sT%02d:%02d:%s%s", d.date(), d.Hour(), d.Minute(), d.SecondString(), d.ZoneString())
}

// SecondString returns the seconds in two digits, with their fraction.
func (d DateTime) SecondString() string {
	s := fmt.Sprintf("%02d", d.Second())
	if n := d.Nanosecond(); n > 0 {
		s += strings.TrimRight(fmt.Sprintf(".%09d", n), "0")
	}
	return s
}

// DateString returns the form of xsd:date.
func (d DateTime) DateString() string { return d.date() + d.ZoneString() }
