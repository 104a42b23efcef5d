package timex

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Calendar days are midnights of UTC; weeks begin on Monday, as in ISO 8601.

func ymd(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func dateOf(t time.Time) time.Time { return ymd(t.Year(), int(t.Month()), t.Day()) }

// valid reports whether there is such a day; year 0 is any year.
func valid(y, m, d int) bool {
	if y == 0 {
		y = 2000
	}
	return m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m)
}

func daysIn(y, m int) int { return ymd(y, m+1, 0).Day() }

// weekday returns 1 for Monday to 7 for Sunday.
func weekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// monday returns the first day of the week.
func monday(t time.Time) time.Time { return dateOf(t).AddDate(0, 0, 1-weekday(t)) }

// week returns the Monday of an ISO week of a year: that with 4 January is the first.
func week(y, n int) time.Time { return monday(ymd(y, 1, 4)).AddDate(0, 0, 7*(n-1)) }

// weekOfMonth returns the Monday of the n-th week of a month. As in ISO 8601 a week belongs to the month that has its
// Thursday. A negative n counts from the end; number is the week counted from the beginning.
func weekOfMonth(y, m, n int) (start time.Time, number int, ok bool) {
	first := monday(ymd(y, m, 4))
	weeks := 0
	for int(first.AddDate(0, 0, 7*weeks+3).Month()) == m {
		weeks++
	}
	if n < 0 {
		n = weeks + 1 + n
	}
	return first.AddDate(0, 0, 7*(n-1)), n, n >= 1 && n <= weeks
}

// nthWeekday returns the n-th such weekday of a month; a negative n counts from the end.
func nthWeekday(y, m, wd, n int) (time.Time, bool) {
	var t time.Time
	if n > 0 {
		first := ymd(y, m, 1)
		t = first.AddDate(0, 0, (wd-weekday(first)+7)%7+7*(n-1))
	} else {
		last := ymd(y, m+1, 0)
		t = last.AddDate(0, 0, -((weekday(last)-wd+7)%7)+7*(n+1))
	}
	return t, int(t.Month()) == (m-1)%12+1 && n != 0
}

// addMonths moves a time by months; a day that the month does not have becomes its last.
func addMonths(t time.Time, n int) time.Time {
	first := ymd(t.Year(), int(t.Month())+n, 1)
	d := min(t.Day(), daysIn(first.Year(), int(first.Month())))
	return time.Date(first.Year(), first.Month(), d, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// businessDays returns the n-th day from Monday to Friday after t, before it if n is negative.
func businessDays(t time.Time, n int) time.Time {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for weekday(t) > 5 && n > 0 { // from a weekend on count from its edge
		if t = t.AddDate(0, 0, step); weekday(t) <= 5 {
			n--
		}
	}
	t = t.AddDate(0, 0, step*7*(n/5))
	for n %= 5; n > 0; {
		if t = t.AddDate(0, 0, step); weekday(t) <= 5 {
			n--
		}
	}
	return t
}

// easter returns Easter Sunday of a year (Gregorian), by the anonymous algorithm in Meeus, Astronomical Algorithms, ch. 8.
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	f := (b + 8) / 25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return ymd(y, n/31, n%31+1)
}

// islamic returns the day of the Gregorian year on which a day of the tabular Islamic calendar (astronomical epoch, 15 July
// 622) first falls: the Julian day of d/m/y is floor((11y+3)/30) + 354y + 30m - floor((m-1)/2) + d + 1948439 - 385.
func islamic(year, m, d int) time.Time {
	y := (year-622)*33/32 - 1
	for ; ; y++ {
		jd := (11*y+3)/30 + 354*y + 30*m - (m-1)/2 + d + 1948439 - 385
		t := ymd(2000, 1, 1).AddDate(0, 0, jd-2451545)
		if t.Year() >= year {
			return t
		}
	}
}

// holiday is a rule for a day of the year.
type holiday struct {
	kind byte // d fixed day, n nth weekday of a month, e days from Easter, i Islamic
	m, d int
	wd   int
	plus int // days behind it
}

// parseHoliday reads a rule: 12-25, 11-4#4 (the fourth Thursday of November; #-1 is the last), easter+1, islamic 10-1; the second has
// perhaps days behind: 11-4#4+1.
func parseHoliday(s string) (holiday, error) {
	bad := func() (holiday, error) { return holiday{}, fmt.Errorf("%q is no rule of a holiday", s) }
	if rest, ok := strings.CutPrefix(s, "easter"); ok {
		n := 0
		if rest != "" {
			var err error
			if n, err = strconv.Atoi(rest); err != nil {
				return bad()
			}
		}
		return holiday{kind: 'e', plus: n}, nil
	}
	h := holiday{kind: 'd'}
	rest, ok := strings.CutPrefix(s, "islamic ")
	if ok {
		h.kind = 'i'
	}
	if at := strings.IndexByte(rest, '+'); at >= 0 {
		n, err := strconv.Atoi(rest[at+1:])
		if err != nil {
			return bad()
		}
		h.plus, rest = n, rest[:at]
	}
	month, day, ok := strings.Cut(rest, "-")
	day, nth, weekly := strings.Cut(day, "#")
	var err error
	if h.m, err = strconv.Atoi(month); err != nil || !ok || h.m < 1 || h.m > 12 {
		return bad()
	}
	if h.d, err = strconv.Atoi(day); err != nil || h.d < 1 || h.d > 31 {
		return bad()
	}
	if weekly {
		h.kind, h.wd = 'n', h.d
		if h.d, err = strconv.Atoi(nth); err != nil || h.wd > 7 || h.d == 0 || h.d < -1 || h.d > 4 {
			return bad()
		}
	}
	return h, nil
}

// timex returns the value of the day in a year: that of a weekday is written by its rule, any other as the date.
func (h holiday) timex(date, year string) string {
	if h.kind != 'n' || h.plus != 0 {
		return date
	}
	n := h.d
	if n < 0 {
		n = 4
	}
	return fmt.Sprintf("%s-%02d-WXX-%d-%d", year, h.m, h.wd, n)
}

// in returns the day in a year.
func (h holiday) in(y int) time.Time {
	var t time.Time
	switch h.kind {
	case 'e':
		t = easter(y)
	case 'i':
		t = islamic(y, h.m, h.d)
	case 'n':
		t, _ = nthWeekday(y, h.m, h.wd, h.d)
	default:
		t = ymd(y, h.m, h.d)
	}
	return t.AddDate(0, 0, h.plus)
}
