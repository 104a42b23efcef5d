package timex

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// day is a calendar day; of a year, month or number that is not said 0.
type day struct {
	y, m, d, wd int
	timex       string
	at          []time.Time // readings, past before future; none if there is no such day
	mod         string
}

// fixed returns a day that is known.
func fixed(t time.Time) day {
	return day{y: t.Year(), m: int(t.Month()), d: t.Day(), timex: t.Format(time.DateOnly), at: []time.Time{t}}
}

// period is a range of days.
type period struct {
	unit string // year, month, week, weekend, quarter, decade, ...; "" of others
	y, m int    // of a year, of a month
	said bool   // the year was said, not found from the reference
	list []span
	mod  string
}

// span is a reading of a range: from..to, to excluded. until is where it ends in truth, if that is later: "May to
// September" is written as ending with the first of September, but September is part of it.
type span struct {
	timex    string
	from, to time.Time
	until    time.Time
	vague    bool // from and to are wider than what is meant, and no value
}

// clock is a time of the day.
type clock struct {
	h, m, s int
	fields  int  // how many of them are said
	open    bool // morning or evening is not said
	mod     string
	zone    int
	zoned   bool
}

func (c clock) seconds() int { return c.h*3600 + c.m*60 + c.s }

func (c clock) timex() string {
	switch c.fields {
	case 3:
		return fmt.Sprintf("T%02d:%02d:%02d", c.h, c.m, c.s)
	case 2:
		return fmt.Sprintf("T%02d:%02d", c.h, c.m)
	}
	return fmt.Sprintf("T%02d", c.h)
}

func (c clock) String() string { return fmt.Sprintf("%02d:%02d:%02d", c.h, c.m, c.s) }

// readings returns the clock, or its two readings.
func (c clock) readings() []clock {
	if !c.open {
		return []clock{c}
	}
	c.open = false
	later := c
	later.h = (c.h + 12) % 24
	return []clock{c, later}
}

// evening returns the clock in the second half of the day.
func (c clock) evening() clock {
	if c.open && c.h < 12 {
		c.h += 12
	}
	c.open = false
	return c
}

// morning returns the clock in the first half of the day.
func (c clock) morning() clock {
	if c.open && c.h == 12 {
		c.h = 0
	}
	c.open = false
	return c
}

// hours is a range of times of the day.
type hours struct {
	part     string // MO, AF, ...; "" of a range between two clocks
	from, to int    // seconds of a part
	list     [][2]clock
	mod      string
	zone     int
	zoned    bool
}

// moment is a day and a time, by readings.
type moment struct {
	list  []instant
	mod   string
	zone  int
	zoned bool
	d     day
	c     clock
}

type instant struct {
	timex string
	at    time.Time // zero if there is no such day
}

// stretch is a range from a day and time to another.
type stretch struct {
	list  []span
	mod   string
	zone  int
	zoned bool
}

// amount is a duration.
type amount struct {
	list []part
	mod  string
}

type part struct {
	n    float64
	unit string
}

// units, by the letter and the number of it that a unit is, and in seconds. A month counts 30 days, a year 365.
var units = map[string]struct {
	letter  string
	n       float64
	time    bool
	seconds float64
}{
	"second": {"S", 1, true, 1}, "minute": {"M", 1, true, 60}, "hour": {"H", 1, true, 3600},
	"day": {"D", 1, false, 86400}, "night": {"D", 1, false, 86400}, "businessday": {"BD", 1, false, 86400}, "week": {"W", 1, false, 7 * 86400},
	"fortnight": {"W", 2, false, 7 * 86400}, "weekend": {"WE", 1, false, 2 * 86400}, "month": {"M", 1, false, 30 * 86400},
	"quarter": {"M", 3, false, 30 * 86400}, "year": {"Y", 1, false, 365 * 86400}, "decade": {"Y", 10, false, 365 * 86400}, "century": {"Y", 100, false, 365 * 86400},
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// timex returns the duration as in ISO 8601: P1DT5H.
func (a amount) timex() string {
	var b strings.Builder
	b.WriteByte('P')
	inTime := false
	for _, p := range a.list {
		u := units[p.unit]
		if u.time && !inTime {
			inTime = true
			b.WriteByte('T')
		}
		b.WriteString(number(p.n*u.n) + u.letter)
	}
	return b.String()
}

func (a amount) seconds() float64 {
	sum := 0.0
	for _, p := range a.list {
		u := units[p.unit]
		sum += p.n * u.n * u.seconds
	}
	return sum
}

// short reports whether the duration has hours or less.
func (a amount) short() bool {
	for _, p := range a.list {
		if units[p.unit].time {
			return true
		}
	}
	return false
}

// move returns t moved by the duration.
func (a amount) move(t time.Time, sign int) time.Time {
	for _, p := range a.list {
		u := units[p.unit]
		n := p.n * u.n * float64(sign)
		switch {
		case u.letter == "Y":
			t = addMonths(t, int(12*n))
		case u.letter == "M" && !u.time:
			t = addMonths(t, int(n))
		case u.letter == "BD":
			t = businessDays(t, int(n))
		default:
			t = t.Add(time.Duration(n*u.seconds) * time.Second)
		}
	}
	return t
}

// set is a time that comes again.
type set struct{ timex string }

// bounds is an expression open on one side, or with other readings that are final.
type bounds struct {
	typ    Type
	values []Value
	zone   int
	zoned  bool
}

const (
	stamp  = "2006-01-02 15:04:05"
	minute = time.Minute
)

// expression returns the expression that an item is, if it is one.
func (it *item) expression() (Expression, bool) {
	e := Expression{Start: it.from, End: it.to}
	switch v := it.readings[0].value.(type) {
	case day:
		e.Type = Date
		for _, t := range v.at {
			e.Values = append(e.Values, Value{Timex: v.timex, Mod: v.mod, Value: t.Format(time.DateOnly), Earliest: t, Latest: t.AddDate(0, 0, 1)})
		}
		if len(v.at) == 0 {
			e.Values = []Value{{Timex: v.timex, Mod: v.mod}}
		}
	case period:
		e.Type = DateRange
		for _, s := range v.list {
			e.Values = append(e.Values, s.value(v.mod, time.DateOnly))
		}
	case clock:
		e.Type, e.Zone, e.Zoned = Time, v.zone, v.zoned
		for _, c := range v.readings() {
			e.Values = append(e.Values, Value{Timex: c.timex(), Mod: v.mod, Value: c.String()})
		}
	case hours:
		e.Type, e.Zone, e.Zoned = TimeRange, v.zone, v.zoned
		e.Values = v.values()
	case moment:
		e.Type, e.Zone, e.Zoned = DateTime, v.zone, v.zoned
		for _, t := range v.list {
			value := Value{Timex: t.timex, Mod: v.mod}
			if !t.at.IsZero() {
				value.Value, value.Earliest, value.Latest = t.at.Format(stamp), t.at, t.at.Add(v.c.width())
			}
			e.Values = append(e.Values, value)
		}
	case stretch:
		e.Type, e.Zone, e.Zoned = DateTimeRange, v.zone, v.zoned
		for _, s := range v.list {
			e.Values = append(e.Values, s.value(v.mod, stamp))
		}
	case dayPart:
		e.Type, e.Zone, e.Zoned = DateTimeRange, v.h.zone, v.h.zoned
		for _, s := range v.d.during(v.h).list {
			e.Values = append(e.Values, s.value(v.h.mod, stamp))
		}
	case amount:
		e.Type = Duration
		e.Values = []Value{{Timex: v.timex(), Mod: v.mod, Value: number(v.seconds())}}
	case set:
		e.Type = Set
		e.Values = []Value{{Timex: v.timex}}
	case bounds:
		e.Type, e.Values, e.Zone, e.Zoned = v.typ, v.values, v.zone, v.zoned
	default:
		return e, false
	}
	if e.Zoned {
		for i := range e.Values {
			v := &e.Values[i]
			for _, t := range []*time.Time{&v.Earliest, &v.Latest} {
				if !t.IsZero() {
					*t = t.Add(-time.Duration(e.Zone) * minute)
				}
			}
		}
	}
	return e, true
}

// width is how long a time that is said to the minute or the hour lasts.
func (c clock) width() time.Duration {
	switch c.fields {
	case 3:
		return time.Second
	case 2:
		return time.Minute
	}
	return time.Hour
}

func (s span) value(mod, layout string) Value {
	v := Value{Timex: s.timex, Mod: mod, Earliest: s.from, Latest: s.to}
	if s.vague {
		return v
	}
	if !s.from.IsZero() {
		v.Start = s.from.Format(layout)
	}
	if !s.to.IsZero() {
		v.End = s.to.Format(layout)
	}
	if !s.until.IsZero() && !s.to.IsZero() && s.until.After(s.to) {
		v.Latest = s.until
	}
	return v
}

func clockText(seconds int) string {
	return clock{h: seconds / 3600, m: seconds / 60 % 60, s: seconds % 60}.String()
}

func (h hours) values() (list []Value) {
	if h.part != "" {
		return []Value{{Timex: "T" + h.part, Mod: h.mod, Start: clockText(h.from), End: clockText(h.to)}}
	}
	for _, p := range h.list {
		list = append(list, Value{Timex: fmt.Sprintf("(%s,%s,%s)", p[0].timex(), p[1].timex(), isoTime(p[1].seconds()-p[0].seconds())), Mod: h.mod, Start: p[0].String(), End: p[1].String()})
	}
	return list
}

// isoTime returns a duration of hours, minutes and seconds; one that is negative reaches into the next day.
func isoTime(seconds int) string {
	if seconds < 0 {
		seconds += 86400
	}
	s := "PT"
	if h := seconds / 3600; h > 0 {
		s += strconv.Itoa(h) + "H"
	}
	if m := seconds / 60 % 60; m > 0 {
		s += strconv.Itoa(m) + "M"
	}
	if k := seconds % 60; k > 0 || s == "PT" {
		s += strconv.Itoa(k) + "S"
	}
	return s
}

// next returns the value of a day that is n days later, for its timex.
func (d day) next(n int) string {
	switch {
	case n == 0:
		return d.timex
	case strings.HasPrefix(d.timex, "XXXX-WXX-"):
		return fmt.Sprintf("XXXX-WXX-%d", (d.wd-1+n)%7+1)
	case len(d.at) == 0:
		return d.timex
	}
	t := d.at[len(d.at)-1].AddDate(0, 0, n)
	switch {
	case strings.HasPrefix(d.timex, "XXXX-XX-"):
		return t.Format("XXXX-XX-02")
	case strings.HasPrefix(d.timex, "XXXX-"):
		return t.Format("XXXX-01-02")
	}
	return t.Format(time.DateOnly)
}

// with returns the day at a time.
func (d day) with(c clock) moment {
	m := moment{d: d, c: c, zone: c.zone, zoned: c.zoned}
	for _, k := range c.readings() {
		for _, t := range d.at {
			m.list = append(m.list, instant{d.timex + k.timex(), t.Add(time.Duration(k.seconds()) * time.Second)})
		}
		if len(d.at) == 0 {
			m.list = append(m.list, instant{timex: d.timex + k.timex()})
		}
	}
	return m
}

// during returns the hours of the day.
func (d day) during(h hours) stretch {
	s := stretch{mod: h.mod, zone: h.zone, zoned: h.zoned}
	at := func(t time.Time, seconds int) time.Time { return t.Add(time.Duration(seconds) * time.Second) }
	if h.part != "" {
		for _, t := range d.at {
			s.list = append(s.list, span{timex: d.timex + "T" + h.part, from: at(t, h.from), to: at(t, h.to)})
		}
		return s
	}
	for _, p := range h.list {
		a, b := p[0].seconds(), p[1].seconds()
		over := 0
		if b < a {
			over = 1
		}
		timex := fmt.Sprintf("(%s%s,%s%s,%s)", d.timex, p[0].timex(), d.next(over), p[1].timex(), isoTime(b-a))
		for _, t := range d.at {
			s.list = append(s.list, span{timex: timex, from: at(t, a), to: at(t, b+over*86400)})
		}
	}
	return s
}
