package timex

import (
	"fmt"
	"strings"
	"time"
)

// actions are what rules can do, by name. A role that an action reads is named in its comment.
var actions = map[string]action{
	"add": add, "ordinal": ordinal, "thousands": thousands, "hundreds": hundreds, "pair": pair, "yearnum": yearNumber, "pairdecade": pairDecade,
	"plus": plus, "decimal": decimal, "pass": pass,
	"numeric": numeric, "compact": compact, "day": dayAction, "daytime": dayTime, "sameday": sameDay, "withyear": withYear, "dayof": dayOf, "weekday": weekdayAction,
	"nthweekday": nthWeekdayAction, "holiday": holidayAction, "dayword": dayWord, "dayafter": dayAfter, "now": now, "endofday": endOfDay,
	"year": year, "years": years, "yearmonth": yearMonth, "month": month, "fiscal": fiscal, "relunit": relUnit, "relunits": relUnits,
	"quarter": quarter, "halfyear": halfYear, "nthunit": nthUnit, "weeknumber": weekNumber, "decade": decade, "season": season, "eop": endOfPeriod,
	"days": days, "partof": partOf, "rest": rest, "weekof": weekOf, "range": rangeAction, "spanfrom": spanFrom, "within": within,
	"amount": amountAction, "chain": chain, "shift": shift, "shiftbound": shiftBound, "compare": compare,
	"clock": clockAction, "spoken": spoken, "past": past, "to": to, "clockword": clockWord, "hour": hour, "zoned": zoned, "timepart": timePart,
	"part": partAction, "meal": mealAction, "weekdaypart": weekdayPart, "daypart": dayPartAction, "hours": hoursAction, "during": during, "at": at, "spantime": spanTime, "between": between,
	"every": every, "each": each, "setat": setAt, "bound": bound, "boundat": boundAt, "bounddate": boundDate, "approx": approx,
}

func pass(m *match) (any, bool) {
	for i, v := range m.values {
		if m.leaf.roles[i] != 0 {
			return v, true
		}
	}
	return nil, false
}

// Numbers.

func value(n int) (any, bool) { return word{n: n, x: float64(n), s: "n"}, true }

// add reads t and u: twenty-five.
func add(m *match) (any, bool) { return value(m.n('t') + m.n('u')) }

// ordinal reads n: 3rd.
func ordinal(m *match) (any, bool) {
	if w := m.word('n'); w.width == 0 || w.n > 100 {
		return nil, false
	}
	return value(m.n('n'))
}

// tail is the rest of a number: b, and u if that is apart.
func (m *match) tail() int { return m.n('b') + m.n('u') }

// thousands reads a, b and u: two thousand and twenty.
func thousands(m *match) (any, bool) {
	if t := m.tail(); t < 100 && m.n('a') <= 2 {
		return value(m.n('a')*1000 + t)
	}
	return nil, false
}

// hundreds reads a, b and u: nineteen hundred ninety-three.
func hundreds(m *match) (any, bool) {
	if n := m.n('a'); n < 15 || n > 20 || m.tail() > 99 {
		return nil, false
	}
	return value(m.n('a')*100 + m.tail())
}

// pair reads a, b and u: nineteen seventy-two.
func pair(m *match) (any, bool) {
	if n := m.n('a'); n < 15 || n > 20 || m.tail() < 10 || m.tail() > 99 {
		return nil, false
	}
	return value(m.n('a')*100 + m.tail())
}

// yearNumber reads n, four digits.
func yearNumber(m *match) (any, bool) {
	w := m.word('n')
	return word{n: w.n, x: w.x, width: 4, s: "y"}, w.width == 4 && w.n >= 1000 && w.n < 2200
}

// pairDecade reads a and d: nineteen nineties, two thousand and tens.
func pairDecade(m *match) (any, bool) {
	n := m.n('a')
	switch {
	case n == 2:
		return value(2000 + m.n('d'))
	case n >= 15 && n <= 20:
		return value(n*100 + m.n('d'))
	}
	return nil, false
}

// plus reads n and f: two and a half.
func plus(m *match) (any, bool) {
	return word{n: m.n('n'), x: m.word('n').x + m.word('f').x, s: "n"}, true
}

// decimal reads n and f: 1.5.
func decimal(m *match) (any, bool) {
	f := m.word('f')
	x := f.x
	for range f.width {
		x /= 10
	}
	return word{n: m.n('n'), x: m.word('n').x + x, s: "n"}, true
}

// Days.

// resolve finds the readings of a day from what is said of it. ok is false if no calendar has it.
func (m *match) resolve(d day, the bool) (any, bool) {
	switch {
	case d.m != 0 && d.d != 0:
		return m.resolveMonthDay(d)
	case d.wd != 0 && d.d != 0:
		return m.resolveWeekdayDay(d, the)
	case d.wd != 0:
		return m.resolveWeekday(d)
	case d.d < 1 || d.d > 31:
		return nil, false
	}
	d.timex = fmt.Sprintf("XXXX-XX-%02d", d.d)
	d.at = pastAndFuture(m.now(), func(i int) (time.Time, bool) {
		first := ymd(m.ref.Year(), int(m.ref.Month())+i, 1)
		return first.AddDate(0, 0, d.d-1), d.d <= daysIn(first.Year(), int(first.Month()))
	})
	return d, true
}

// pastAndFuture returns the last candidate before the reference and the first that is not: candidate(0) is that of the current year,
// month or week, and there may be years without one (29 February).
func pastAndFuture(ref time.Time, candidate func(i int) (time.Time, bool)) []time.Time {
	var past, future time.Time
	for i := 1; i >= -8; i-- {
		if t, ok := candidate(i); ok && t.Before(ref) {
			past = t
			break
		}
	}
	for i := -1; i <= 8; i++ {
		if t, ok := candidate(i); ok && !t.Before(ref) {
			future = t
			break
		}
	}
	if past.IsZero() || future.IsZero() {
		return nil
	}
	return []time.Time{past, future}
}

func (m *match) resolveMonthDay(d day) (any, bool) {
	if d.m < 1 || d.m > 12 || d.d < 1 || d.d > 31 {
		return nil, false
	}
	if d.y != 0 {
		d.timex = fmt.Sprintf("%04d-%02d-%02d", d.y, d.m, d.d)
		if valid(d.y, d.m, d.d) {
			d.at = []time.Time{ymd(d.y, d.m, d.d)}
		}
		return d, true
	}
	d.timex = fmt.Sprintf("XXXX-%02d-%02d", d.m, d.d)
	if valid(0, d.m, d.d) {
		d.at = pastAndFuture(m.now(), func(i int) (time.Time, bool) {
			y := m.ref.Year() + i
			return ymd(y, d.m, d.d), valid(y, d.m, d.d)
		})
	}
	return d, true
}

// resolveWeekday: today counts as future.
func (m *match) resolveWeekday(d day) (any, bool) {
	d.timex = fmt.Sprintf("XXXX-WXX-%d", d.wd)
	d.at = pastAndFuture(m.today(), func(i int) (time.Time, bool) { return monday(m.ref).AddDate(0, 0, d.wd-1+7*i), true })
	return d, true
}

// resolveWeekdayDay: "Friday the 26th" is that of the current month; "Friday 26" is the last or next month that has it.
func (m *match) resolveWeekdayDay(d day, the bool) (any, bool) {
	if d.d > 31 || d.d < 1 {
		return nil, false
	}
	today := m.today()
	current := ymd(today.Year(), int(today.Month()), d.d)
	if the && weekday(current) == d.wd && current.Month() == today.Month() || current.Equal(today) && weekday(today) == d.wd {
		return fixed(current), true
	}
	if the {
		return nil, false
	}
	d.timex = fmt.Sprintf("XXXX-WXX-%d", d.wd)
	find := func(step int) time.Time {
		for i := 0; i < 50; i++ {
			first := ymd(today.Year(), int(today.Month())+step*i, 1)
			t := first.AddDate(0, 0, d.d-1)
			if t.Month() == first.Month() && weekday(t) == d.wd && (step > 0) == !t.Before(today) {
				return t
			}
		}
		return time.Time{}
	}
	d.at = []time.Time{find(-1), find(1)}
	return d, true
}

// shortYear returns the year of two digits: those under 30 are of this century, those from 40 on of the last, and others
// could be either.
func shortYear(n int) (y int, either bool) {
	switch {
	case n < 30:
		return 2000 + n, false
	case n < 40:
		return 2000 + n, true
	}
	return 1900 + n, false
}

// yearOf returns the year of a word: two digits are short, and four are whole.
func yearOf(w word) (y int, ok bool) {
	switch {
	case w.width == 4 || w.width == 0 && w.n > 1000:
		return w.n, w.n >= 1000
	case w.width == 2:
		y, _ = shortYear(w.n)
		return y, true
	}
	return 0, false
}

// numeric reads y, m and d where the order is known, or a, b and c where it depends on the language: of two numbers that could be
// both day and month, that which the language writes first. With the argument "falling" the second number must be the
// smaller: Friday 7-6 is a date, Monday 3-8 are hours.
func numeric(m *match) (any, bool) {
	y, mo, d := m.word('y'), m.word('m'), m.word('d')
	if m.has('a') {
		a, b := m.word('a'), m.word('b')
		y = m.word('c')
		mo, d = a, b
		if (m.grammar.dayFirst || a.n > 12) && b.n <= 12 {
			mo, d = b, a
		}
		if y.width == 3 || y.width > 4 || a.width > 2 || b.width > 2 {
			return nil, false
		}
	}
	if d.width > 2 || mo.width > 2 || m.has('y') && y.width != 4 && !(mo.width == 0 && y.width == 2) {
		return nil, false
	}
	out := day{m: mo.n, d: d.n}
	if y.width > 0 {
		full, ok := yearOf(y)
		if !ok {
			return nil, false
		}
		out.y = full
	}
	if !valid(out.y, out.m, out.d) || m.leaf.arg.s == "falling" && m.n('b') >= m.n('a') {
		return nil, false
	}
	if _, either := shortYear(y.n); y.width == 2 && either {
		out.timex = fmt.Sprintf("XX%02d-%02d-%02d", y.n, out.m, out.d)
		out.at = []time.Time{ymd(1900+y.n, out.m, out.d), ymd(2000+y.n, out.m, out.d)}
		return out, true
	}
	return m.resolve(out, false)
}

// compact reads n: 20161016.
func compact(m *match) (any, bool) {
	w := m.word('n')
	y, mo, d := w.n/10000, w.n/100%100, w.n%100
	if w.width != 8 || y < 1900 || y >= 2100 || !valid(y, mo, d) {
		return nil, false
	}
	return fixed(ymd(y, mo, d)), true
}

// dayAction reads y, m, d, w, and t for "the".
func dayAction(m *match) (any, bool) {
	d := day{m: m.n('m'), d: m.n('d'), wd: m.n('w')}
	if m.word('d').width > 2 {
		return nil, false
	}
	if m.has('y') {
		y, ok := yearOf(m.word('y'))
		if !ok {
			return nil, false
		}
		d.y = y
	}
	return m.resolve(d, m.has('t'))
}

// dayTime reads m, d, c and y: Oct 26 15:50:06 2016.
func dayTime(m *match) (any, bool) {
	v, ok := dayAction(m)
	c, isClock := m.get('c').(clock)
	if !ok || !isClock {
		return nil, false
	}
	return v.(day).with(c), true
}

// sameDay reads d, a date that is said twice, and r: next Friday 5/12. Without a weekday r is of the year.
func sameDay(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	if !ok || d.m == 0 || d.wd != 0 {
		return nil, false
	}
	if !m.has('r') || d.y != 0 {
		return d, m.has('w')
	}
	y := m.today().Year()
	if !m.has('w') {
		y += m.n('r')
	}
	if !valid(y, d.m, d.d) {
		return nil, false
	}
	d.at = []time.Time{ymd(y, d.m, d.d)}
	return d, true
}

// withYear reads d, without a year, and y: 06/06, 2015.
func withYear(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	if !ok || d.y != 0 || d.m == 0 || d.d == 0 {
		return nil, false
	}
	return m.resolve(day{y: m.n('y'), m: d.m, d: d.d}, false)
}

// dayOf reads d, r and u: the 15th day of next month.
func dayOf(m *match) (any, bool) {
	t := m.today()
	d := m.n('d')
	var first time.Time
	switch m.word('u').s {
	case "month":
		first = ymd(t.Year(), int(t.Month())+m.n('r'), 1)
		return m.resolve(day{y: first.Year(), m: int(first.Month()), d: d}, false)
	case "year":
		first = ymd(t.Year()+m.n('r'), 1, 1)
	case "week":
		if first = monday(t).AddDate(0, 0, 7*m.n('r')); d > 7 {
			return nil, false
		}
	default:
		return nil, false
	}
	return fixed(first.AddDate(0, 0, d-1)), true
}

// weekdayAction reads w, r, and u for the week it counts by: next Monday, Monday of next week. c is for "coming": the first from
// tomorrow on.
func weekdayAction(m *match) (any, bool) {
	if u := m.word('u'); u.s != "" && u.s != "week" {
		return nil, false
	}
	t := monday(m.today()).AddDate(0, 0, m.n('w')-1)
	if m.has('c') {
		if !t.After(m.today()) {
			t = t.AddDate(0, 0, 7)
		}
		return fixed(t), true
	}
	d := fixed(t.AddDate(0, 0, 7*m.n('r')))
	return d, true
}

// nthWeekdayAction reads n and w, and m with y, or r of months or years; the current month without.
func nthWeekdayAction(m *match) (any, bool) {
	n, wd, mo := m.n('n'), m.n('w'), m.n('m')
	if n > 5 {
		return nil, false
	}
	if mo == 0 {
		t := m.today()
		y := t.Year()
		mo = int(t.Month())
		if m.has('r') {
			first := ymd(y, mo+m.n('r'), 1)
			y, mo = first.Year(), int(first.Month())
			if m.word('u').s != "month" {
				return nil, false
			}
		}
		at, ok := nthWeekday(y, mo, wd, n)
		if !m.has('r') {
			return fixed(at), ok
		}
		return day{wd: wd, m: mo, timex: nthTimex(mo, wd, n), at: []time.Time{at}}, ok
	}
	d := day{wd: wd, m: mo, timex: nthTimex(mo, wd, n)}
	if m.has('y') {
		at, ok := nthWeekday(m.n('y'), mo, wd, n)
		d.at = []time.Time{at}
		return d, ok
	}
	d.at = pastAndFuture(m.now(), func(i int) (time.Time, bool) { return nthWeekday(m.ref.Year()+i, mo, wd, n) })
	return d, true
}

func nthTimex(mo, wd, n int) string {
	if n < 0 {
		n = 5
	}
	return fmt.Sprintf("XXXX-%02d-WXX-%d-#%d", mo, wd, n)
}

// holidayAction reads k, and y, or r with or without u.
func holidayAction(m *match) (any, bool) {
	h, err := parseHoliday(m.word('k').s)
	if err != nil {
		return nil, false
	}
	if m.has('y') {
		d := fixed(h.in(m.n('y')))
		d.timex = h.timex(d.timex, d.timex[:4])
		return d, true
	}
	today := m.today()
	if m.has('u') {
		if m.word('u').s != "year" {
			return nil, false
		}
		return fixed(h.in(today.Year() + m.n('r'))), true
	}
	d := day{timex: h.timex(h.in(today.Year()).Format("XXXX-01-02"), "XXXX")}
	d.at = pastAndFuture(m.now(), func(i int) (time.Time, bool) { return h.in(m.ref.Year() + i), true })
	if !m.has('r') {
		return d, len(d.at) == 2
	}
	switch m.n('r') {
	case 1:
		return fixed(d.at[1]), true
	case -1:
		return fixed(d.at[0]), true
	}
	return fixed(h.in(today.Year())), true
}

// dayWord reads n, days from today.
func dayWord(m *match) (any, bool) { return fixed(m.today().AddDate(0, 0, m.n('n'))), true }

// dayAfter reads r, or s for a word before or after: the next day, the day before.
func dayAfter(m *match) (any, bool) {
	n := m.n('r')
	if s, ok := m.get('s').(word); ok {
		if n = s.n; n == 0 {
			return nil, false
		}
	}
	return fixed(m.today().AddDate(0, 0, n)), true
}

// now reads n: the present, the near future or the near past.
func now(m *match) (any, bool) {
	timex := map[int]string{0: "PRESENT_REF", 1: "FUTURE_REF", -1: "PAST_REF"}[m.n('n')]
	return moment{list: []instant{{timex, m.now()}}, c: clock{fields: 3}, d: fixed(m.today())}, true
}

// endOfDay reads d, a day; today if it is missing.
func endOfDay(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	if !ok {
		if m.has('d') {
			return nil, false
		}
		d = fixed(m.today())
	}
	return d.with(clock{h: 23, m: 59, s: 59, fields: 3}), strings.Count(d.timex, "-") == 2
}
