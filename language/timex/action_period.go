package timex

import (
	"fmt"
	"strconv"
	"time"
)

// whole returns the period of a unit that begins with a day: a year, month, week, and so on.
func whole(unit string, t time.Time) period {
	p := period{unit: unit, y: t.Year(), m: int(t.Month())}
	s := span{from: t}
	switch unit {
	case "year":
		s.to, s.timex = ymd(t.Year()+1, 1, 1), fmt.Sprintf("%04d", t.Year())
	case "month":
		s.to, s.timex = addMonths(t, 1), t.Format("2006-01")
	case "week", "workweek":
		y, w := t.ISOWeek()
		s.to, s.timex = t.AddDate(0, 0, 7), fmt.Sprintf("%04d-W%02d", y, w)
		if unit == "workweek" {
			s.to = t.AddDate(0, 0, 5)
		}
	case "weekend":
		y, w := t.ISOWeek()
		s.to, s.timex = t.AddDate(0, 0, 2), fmt.Sprintf("%04d-W%02d-WE", y, w)
	case "fortnight":
		s.to = t.AddDate(0, 0, 14)
		s.timex = bracket(s.from, s.to, "P2W")
	case "quarter":
		s.to = addMonths(t, 3)
		s.timex = bracket(s.from, s.to, "P3M")
	case "decade":
		s.to = addMonths(t, 120)
		s.timex = bracket(s.from, s.to, "P10Y")
	case "century":
		s.to = addMonths(t, 1200)
		s.timex = bracket(s.from, s.to, "P100Y")
	}
	p.list = []span{s}
	return p
}

func bracket(from, to time.Time, length string) string {
	return fmt.Sprintf("(%s,%s,%s)", from.Format(time.DateOnly), to.Format(time.DateOnly), length)
}

// begin returns the first day of the unit that holds t, moved by n units; ok is false of units without an own place.
func begin(unit string, t time.Time, n int) (time.Time, bool) {
	y, mo := t.Year(), int(t.Month())
	switch unit {
	case "day":
		return dateOf(t).AddDate(0, 0, n), true
	case "week", "workweek":
		return monday(t).AddDate(0, 0, 7*n), true
	case "fortnight":
		return monday(t).AddDate(0, 0, 14*n), true
	case "weekend":
		return monday(t).AddDate(0, 0, 5+7*n), true
	case "month":
		return ymd(y, mo+n, 1), true
	case "quarter":
		return ymd(y, (mo-1)/3*3+1+3*n, 1), true
	case "year":
		return ymd(y+n, 1, 1), true
	case "decade":
		return ymd((y/10+n)*10, 1, 1), true
	case "century":
		return ymd((y/100+n)*100, 1, 1), true
	}
	return time.Time{}, false
}

// year reads y, and b for the era.
func year(m *match) (any, bool) {
	w := m.word('y')
	n := w.n
	if b := m.word('b'); b.n != 0 {
		if w.width > 4 || n == 0 {
			return nil, false
		}
		if b.n < 0 { // there is no year 0: 44 BC is the astronomical year -43
			p := period{unit: "year", said: true}
			p.list = []span{{timex: fmt.Sprintf("BC%04d", n), from: ymd(1-n, 1, 1), to: ymd(2-n, 1, 1)}}
			return p, true
		}
	} else if y, ok := yearOf(w); ok {
		n = y
	} else {
		return nil, false
	}
	p := whole("year", ymd(n, 1, 1))
	p.said = true
	return p, true
}

// years reads y and z: 2014-2018.
func years(m *match) (any, bool) {
	a, b := m.n('y'), m.n('z')
	if b <= a {
		return nil, false
	}
	from, to := ymd(a, 1, 1), ymd(b, 1, 1)
	return period{list: []span{{timex: bracket(from, to, fmt.Sprintf("P%dY", b-a)), from: from, to: to, until: ymd(b+1, 1, 1)}}}, true
}

// yearMonth reads y and m in digits: 2015-3.
func yearMonth(m *match) (any, bool) {
	if w := m.word('m'); w.n < 1 || w.n > 12 || w.width > 2 {
		return nil, false
	}
	return whole("month", ymd(m.n('y'), m.n('m'), 1)), true
}

// month reads m, and y, or r with or without u. With the argument "beyond" y must be too large for a day: August 99.
func month(m *match) (any, bool) {
	mo := m.n('m')
	switch {
	case m.has('y'):
		y, ok := yearOf(m.word('y'))
		if !ok || m.leaf.arg.s == "beyond" && (m.n('y') <= 31 || m.n('y') > 99) {
			return nil, false
		}
		p := whole("month", ymd(y, mo, 1))
		p.said = true
		return p, true
	case m.has('r'):
		if u := m.word('u').s; u != "" && u != "year" {
			return nil, false
		}
		y := m.today().Year() + m.n('r')
		if !m.has('u') && m.n('r') == 1 && mo > int(m.ref.Month()) || !m.has('u') && m.n('r') == -1 && mo < int(m.ref.Month()) {
			y = m.ref.Year()
		}
		p := whole("month", ymd(y, mo, 1))
		p.said = true
		return p, true
	}
	return m.openMonths(mo, 1), true
}

// openMonths returns n months of a year that is not said, from mo on: those that are past, and those to come. The current month
// counts as to come.
func (m *match) openMonths(mo, n int) period {
	p := period{unit: "month", m: mo}
	y := m.today().Year()
	now := int(m.ref.Month())
	past, future := y, y
	if mo+n-1 < now {
		future++
	}
	if mo >= now {
		past--
	}
	timex := fmt.Sprintf("XXXX-%02d", mo)
	for _, y := range []int{past, future} {
		from := ymd(y, mo, 1)
		s := span{timex: timex, from: from, to: addMonths(from, n)}
		if n > 1 {
			s.timex = fmt.Sprintf("(%s,%s,P%dM)", from.Format("XXXX-01-02"), s.to.Format("XXXX-01-02"), n)
		}
		p.list = append(p.list, s)
	}
	return p
}

// fiscal reads f, and y or r. Such years begin between April of the year before and July of the year, so the interval is wide.
func fiscal(m *match) (any, bool) {
	y, ok := yearOf(m.word('y'))
	if !m.has('y') {
		y, ok = m.today().Year()+m.n('r'), true
	}
	from := ymd(y-1, 4, 1)
	return period{unit: "fiscal", list: []span{{timex: fmt.Sprintf("%s%d", m.word('f').s, y), from: from, to: addMonths(from, 27), vague: true}}}, ok
}

// relUnit reads u, and r (this week), or s and n (the week after next). A word for "that" has no number that counts.
func relUnit(m *match) (any, bool) {
	unit, n := m.word('u').s, m.n('r')
	if units[unit].time {
		return relUnits(m)
	}
	if s, ok := m.get('s').(word); ok {
		if n = 2 * s.n; s.n != m.n('n') {
			return nil, false
		}
	}
	if _, ok := m.get('u').(word); ok && m.isClass('u', "workweek") {
		unit = "workweek"
	}
	t, ok := begin(unit, m.today(), n)
	if !ok {
		return nil, false
	}
	if unit == "day" {
		return fixed(t), true
	}
	p := whole(unit, t)
	if m.isClass('r', "that") {
		p.mod = "ref_undef"
		p.list[0].timex = map[string]string{"year": "XXXX", "month": "XXXX-XX", "week": "XXXX-WXX", "weekend": "XXXX-WXX-WE"}[unit]
	}
	return p, true
}

// isClass reports whether what a role matched was of a class.
func (m *match) isClass(role byte, name string) bool {
	c, ok := m.grammar.classes[name]
	if !ok {
		return false
	}
	for i := range m.values {
		if m.leaf.roles[i] == role {
			_, ok := m.in[m.from-m.leaf.lead+i].is(c)
			return ok
		}
	}
	return false
}

// relUnits reads r, n and u: the next three days, the last hour. What is to come begins tomorrow, or now if it is hours.
func relUnits(m *match) (any, bool) {
	r, u, n := m.n('r'), m.word('u').s, 1.0
	if w, ok := m.get('n').(word); ok {
		n = w.x
	}
	if r == 0 && !m.has('n') || n < 1 || n > 10000 {
		return nil, false
	}
	a := amount{list: []part{{n, u}}}
	if units[u].time {
		from, to := m.now(), m.ref
		if r < 0 {
			from = a.move(m.ref, -1)
		} else {
			to = a.move(m.ref, 1)
		}
		layout := "2006-01-02T15:04:05"
		return stretch{list: []span{{timex: fmt.Sprintf("(%s,%s,%s)", from.Format(layout), to.Format(layout), a.timex()), from: from, to: to}}}, true
	}
	from := m.today()
	to := from
	switch {
	case r == 0:
		r = 1
		fallthrough
	case u == "quarter" || u == "decade" || u == "century":
		at, _ := begin(u, from, 0)
		if r > 0 {
			from, _ = begin(u, at, 1)
			to = a.move(from, 1)
		} else {
			from, to = a.move(at, -1), at
		}
	case u == "businessday":
		if r > 0 {
			from, to = businessDays(from, 1), businessDays(from, int(n)).AddDate(0, 0, 1)
		} else {
			from, to = businessDays(from, -int(n)), businessDays(from, -1).AddDate(0, 0, 1)
		}
	case r > 0:
		from = from.AddDate(0, 0, 1)
		to = a.move(from, 1)
	default:
		from = a.move(to, -1)
	}
	return period{list: []span{{timex: bracket(from, to, a.timex()), from: from, to: to}}}, true
}

// quarter reads n, and y, or r and v: Q1 2019.
func quarter(m *match) (any, bool) {
	n := m.n('n')
	if n < 1 || n > 4 {
		return nil, false
	}
	return m.quarterOf(n, m.yearSaid(), 3)
}

// quarterOf returns the n-th quarter or half of a year; of a year that is not said, that of the current year and of the next.
func (m *match) quarterOf(n, y, months int) (any, bool) {
	mo := (n-1)*months + 1
	p := period{unit: "quarter"}
	if y != 0 {
		from := ymd(y, mo, 1)
		to := addMonths(from, months)
		p.list = []span{{timex: bracket(from, to, fmt.Sprintf("P%dM", months)), from: from, to: to}}
		return p, true
	}
	p = m.openMonths(mo, months)
	p.unit = "quarter"
	return p, true
}

// halfYear reads n, and y, or r and v: H1 2019.
func halfYear(m *match) (any, bool) {
	if n := m.n('n'); n < 1 || n > 2 {
		return nil, false
	}
	return m.quarterOf(m.n('n'), m.yearSaid(), 6)
}

// yearSaid returns y, or the year of r and v (this year); 0 if neither is there.
func (m *match) yearSaid() int {
	if m.has('v') {
		return m.today().Year() + m.n('r')
	}
	return m.n('y')
}

// nthUnit reads n and u, in y, in m of y, or in r of v: the second week of next month; c of them: the last 3 weeks of this year;
// or n and u alone with b for the era: the 19th century.
func nthUnit(m *match) (any, bool) {
	n, u := m.n('n'), m.word('u').s
	y, mo := m.n('y'), m.n('m')
	if m.isClass('n', "nth") && !m.has('n') {
		n = -1
	}
	if m.has('c') {
		n = -1
	}
	if u == "century" {
		if y != 0 || mo != 0 || m.has('r') || n < 1 || n > 30 {
			return nil, false
		}
		if b := m.word('b'); b.n < 0 {
			from, to := ymd(1-100*n, 1, 1), ymd(1-100*(n-1), 1, 1)
			return period{unit: u, list: []span{{timex: fmt.Sprintf("BC%02dC", n), from: from, to: to}}}, true
		}
		return whole(u, ymd((n-1)*100, 1, 1)), true
	}
	if m.has('r') {
		t, ok := begin(m.word('v').s, m.today(), m.n('r'))
		if !ok {
			return nil, false
		}
		switch m.word('v').s {
		case "month":
			y, mo = t.Year(), int(t.Month())
		case "year":
			y = t.Year()
		default:
			return nil, false
		}
	}
	if c := m.word('c'); c.n > 0 {
		return lastUnits(u, c.n, y, mo)
	}
	switch {
	case u == "week" && mo != 0:
		return m.nthWeekOfMonth(n, y, mo)
	case u == "week" && y != 0:
		last := 52
		if _, w := ymd(y, 12, 28).ISOWeek(); w == 53 {
			last = 53
		}
		if n < 0 {
			n = last
		}
		return whole(u, week(y, n)), n >= 1 && n <= last
	case u == "quarter" && mo == 0:
		if n < 0 {
			n = 4
		}
		if n > 4 {
			return nil, false
		}
		return m.quarterOf(n, y, 3)
	case u == "month" && y != 0 && mo == 0:
		if n < 0 {
			n = 12
		}
		return whole(u, ymd(y, n, 1)), n <= 12
	case (u == "day") && (mo != 0 || y != 0):
		return m.nthDay(n, y, mo)
	case u == "weekend" && mo != 0 && y != 0:
		t, ok := nthWeekday(y, mo, 6, n)
		return whole(u, t), ok
	}
	return nil, false
}

// nthDay returns the n-th day of a month or year.
func (m *match) nthDay(n, y, mo int) (any, bool) {
	if y == 0 {
		d := n
		if n < 0 {
			d = daysIn(2001, mo)
		}
		return m.resolve(day{m: mo, d: d}, false)
	}
	first, last := ymd(y, max(mo, 1), 1), ymd(y, 12, 31)
	if mo != 0 {
		last = ymd(y, mo+1, 0)
	}
	t := first.AddDate(0, 0, n-1)
	if n < 0 {
		t = last
	}
	return fixed(t), !t.After(last)
}

// lastUnits returns the last c units of a month or year.
func lastUnits(u string, c, y, mo int) (any, bool) {
	end := ymd(y+1, 1, 1)
	if mo != 0 {
		end = ymd(y, mo+1, 1)
	}
	if u == "week" { // whole weeks; the last has the last Thursday
		end = monday(end.AddDate(0, 0, -4)).AddDate(0, 0, 7)
	}
	a := amount{list: []part{{float64(c), u}}}
	from := a.move(end, -1)
	return period{list: []span{{timex: bracket(from, end, a.timex()), from: from, to: end}}}, y != 0 && c <= 1000
}

func (m *match) nthWeekOfMonth(n, y, mo int) (any, bool) {
	if y != 0 {
		t, number, ok := weekOfMonth(y, mo, n)
		return period{unit: "week", list: []span{{timex: fmt.Sprintf("%04d-%02d-W%02d", y, mo, number), from: t, to: t.AddDate(0, 0, 7)}}}, ok
	}
	open := m.openMonths(mo, 1)
	p := period{unit: "week"}
	for _, s := range open.list {
		t, number, ok := weekOfMonth(s.from.Year(), mo, n)
		if !ok {
			return nil, false
		}
		p.list = append(p.list, span{timex: fmt.Sprintf("XXXX-%02d-W%02d", mo, number), from: t, to: t.AddDate(0, 0, 7)})
	}
	return p, true
}

// weekNumber reads n, and y: week 31 of 2018.
func weekNumber(m *match) (any, bool) {
	n, y := m.n('n'), m.n('y')
	if n < 1 || n > 53 || m.word('n').width > 2 {
		return nil, false
	}
	if y == 0 {
		y = m.today().Year()
	}
	p := whole("week", week(y, n))
	p.list[0].timex = fmt.Sprintf("%04d-W%02d", y, n)
	return p, true
}

// decade reads y: 1990 (the 1990s), 90 (the 90s, the nineties). Two digits are of the last century, and also of this if
// they are under 30.
func decade(m *match) (any, bool) {
	w := m.word('y')
	if w.n%10 != 0 {
		return nil, false
	}
	if w.n >= 1000 {
		unit := "decade"
		if w.n%100 == 0 && w.n < 2000 {
			unit = "century" // the 1800s
		}
		return whole(unit, ymd(w.n, 1, 1)), true
	}
	if w.n > 90 || w.n == 0 && w.width == 0 {
		return nil, false
	}
	p := period{unit: "decade"}
	timex := fmt.Sprintf("(XX%02d-01-01,XX%02d-01-01,P10Y)", w.n, (w.n+10)%100)
	for _, y := range []int{1900 + w.n, 2000 + w.n} {
		p.list = append(p.list, span{timex: timex, from: ymd(y, 1, 1), to: ymd(y+10, 1, 1)})
	}
	return p, true
}

// seasons are the months that a season can reach from, and how many, in the north.
var seasons = map[string][2]int{"SP": {3, 4}, "SU": {6, 4}, "FA": {9, 4}, "WI": {1, 15}}

// season reads s, and y, or r with or without u. Seasons begin on different days by calendar and by sun, and the winter of a year can be
// that at its beginning or at its end; so the interval is wide, and no value.
func season(m *match) (any, bool) {
	code, y := m.word('s').s, m.n('y')
	if m.has('r') {
		y = m.today().Year() + m.n('r')
		if u := m.word('u').s; u != "" && u != "year" {
			return nil, false
		}
	}
	if y == 0 {
		return period{unit: "season", list: []span{{timex: code}}}, true
	}
	from := ymd(y, seasons[code][0], 1)
	return period{unit: "season", list: []span{{timex: fmt.Sprintf("%04d-%s", y, code), from: from, to: addMonths(from, seasons[code][1]), vague: true}}}, true
}

// endOfPeriod reads k: EOM, EOY.
func endOfPeriod(m *match) (any, bool) {
	t, _ := begin(m.word('k').s, m.today(), 0)
	return m.part(whole(m.word('k').s, t), "end")
}

// days reads a and b, in m of y or in r of months: from 4 to 22 this month.
func days(m *match) (any, bool) {
	a, b := m.word('a'), m.word('b')
	mo, y := m.n('m'), m.n('y')
	if a.width > 2 || b.width > 2 || a.n < 1 || b.n <= a.n || b.n > 31 {
		return nil, false
	}
	if m.has('r') {
		first := ymd(m.today().Year(), int(m.ref.Month())+m.n('r'), 1)
		if y, mo = first.Year(), int(first.Month()); m.word('u').s != "month" {
			return nil, false
		}
	}
	if !valid(y, mo, b.n) {
		return nil, false
	}
	from, _ := m.resolve(day{y: y, m: mo, d: a.n}, false)
	till, _ := m.resolve(day{y: y, m: mo, d: b.n}, false)
	return m.span(from, till)
}

// partOf reads x (start, mid, end, later, earlier) of p or of the current u.
func partOf(m *match) (any, bool) {
	p, ok := m.get('p').(period)
	if !ok {
		t, found := begin(m.word('u').s, m.today(), 0)
		if !found || m.has('p') {
			return nil, false
		}
		p = whole(m.word('u').s, t)
	}
	return m.part(p, m.word('x').s)
}

// part returns the start, middle or end of a period:
//
//	         start        mid          end
//	week     Mon-Wed      Tue-Fri      Thu-Sun
//	month    1-15         10-20        16-
//	year     Jan-Jun      Apr-Sep      Jul-Dec     if it is relative: the end of this year
//	year     Jan-Apr      May-Aug      Sep-Dec     if its number is said: the end of 2000
//	others   first third  second       last
//
// "Later" and "earlier" are the end and the start, but not before or after the reference.
func (m *match) part(p period, which string) (any, bool) {
	if p.mod != "" {
		return nil, false
	}
	out := p
	out.list, out.mod = nil, which
	kind := which
	switch which {
	case "later":
		kind, out.mod = "end", ""
	case "earlier":
		kind, out.mod = "start", ""
	}
	for _, s := range p.list {
		if s.from.IsZero() || s.vague {
			out.list = append(out.list, s)
			continue
		}
		from, to := third(p, s, kind)
		switch {
		case which == "later" && m.today().After(from) && m.ref.Before(to):
			from = m.today()
		case which == "earlier" && m.today().Before(to) && m.ref.After(from):
			to = m.today()
		}
		out.list = append(out.list, span{timex: s.timex, from: from, to: to})
	}
	out.unit = "part"
	return out, true
}

func third(p period, s span, kind string) (from, to time.Time) {
	cut := func(a, b int, add func(n int) time.Time) (time.Time, time.Time) {
		switch kind {
		case "start":
			return s.from, add(a)
		case "end":
			return add(b), s.to
		}
		return time.Time{}, time.Time{}
	}
	d := func(n int) time.Time { return s.from.AddDate(0, 0, n) }
	mo := func(n int) time.Time { return addMonths(s.from, n) }
	switch {
	case p.unit == "week":
		if kind == "mid" {
			return d(1), d(5)
		}
		return cut(3, 3, d)
	case p.unit == "month":
		if kind == "mid" {
			return d(9), d(20)
		}
		return cut(15, 15, d)
	case p.unit == "year" && !p.said:
		if kind == "mid" {
			return mo(3), mo(9)
		}
		return cut(6, 6, mo)
	case p.unit == "year":
		if kind == "mid" {
			return mo(4), mo(8)
		}
		return cut(4, 8, mo)
	}
	n := int(s.to.Sub(s.from).Hours() / 24)
	if kind == "mid" {
		return d(n / 3), d(2 * n / 3)
	}
	return cut(n/3, 2*n/3, d)
}

// rest reads p or u: the rest of the week.
func rest(m *match) (any, bool) {
	p, ok := m.get('p').(period)
	if !ok {
		t, found := begin(m.word('u').s, m.today(), 0)
		if !found || m.has('p') {
			return nil, false
		}
		p = whole(m.word('u').s, t)
	}
	if len(p.list) != 1 || p.mod != "" || p.list[0].to.IsZero() || p.list[0].vague {
		return nil, false
	}
	from, to := m.today(), p.list[0].to.AddDate(0, 0, -1)
	if from.Before(p.list[0].from) {
		from = p.list[0].from
	}
	if to.Before(from) {
		return nil, false
	}
	n := int(to.Sub(from).Hours() / 24)
	return period{list: []span{{timex: bracket(from, to, fmt.Sprintf("P%dD", n)), from: from, to: to, until: to.AddDate(0, 0, 1)}}}, true
}

// weekOf reads u or p, and d: the week of April 10.
func weekOf(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	u := m.word('u').s
	if p, is := m.get('p').(period); is && p.mod == "" {
		u = p.unit
	}
	if !ok || len(d.at) == 0 || u != "week" && u != "weekend" {
		return nil, false
	}
	p := period{unit: u}
	for _, t := range d.at {
		w := whole(u, monday(t))
		s := w.list[0]
		if u == "weekend" {
			start := t // a holiday near the weekend is part of it
			if weekday(t) < 4 {
				start = monday(t).AddDate(0, 0, 5)
			}
			s = span{timex: s.timex, from: start, to: monday(t).AddDate(0, 0, 7)}
		} else if d.y == 0 {
			s.timex = d.timex
		}
		p.list = append(p.list, s)
	}
	return p, true
}

// end is one side of a range.
type end struct {
	timex        string
	past, future time.Time // where it begins
	until        time.Time // and ends, of the future reading
	unit         byte      // d day, w week, m month, y year
}

// endOf returns a side of a range; last is of its second side.
func (m *match) endOf(v any, last bool) (end, bool) {
	switch v := v.(type) {
	case day:
		if len(v.at) == 0 || v.mod != "" {
			return end{}, false
		}
		f := v.at[len(v.at)-1]
		return end{v.timex, v.at[0], f, f.AddDate(0, 0, 1), 'd'}, true
	case period:
		if len(v.list) == 0 || v.list[0].from.IsZero() || v.list[0].vague || v.mod != "" && v.unit != "part" {
			return end{}, false
		}
		a, b := v.list[0], v.list[len(v.list)-1]
		if v.unit == "part" { // the end of 2008 is where it is over
			e := end{past: a.from, future: b.from, until: b.to, unit: 'm'}
			switch v.mod {
			case "end":
				e.past, e.future = a.to, b.to
			case "mid":
				e.past, e.future = middle(a), middle(b)
			}
			e.timex = e.future.Format(time.DateOnly)
			if len(v.list) > 1 {
				e.timex = e.future.Format("XXXX-01-02")
			}
			return e, true
		}
		e := end{b.from.Format(time.DateOnly), a.from, b.from, b.to, 'd'}
		if len(v.list) > 1 {
			e.timex = b.from.Format("XXXX-01-02")
		}
		switch v.unit {
		case "year", "month", "week":
			e.unit = v.unit[0]
		}
		return e, true
	case moment:
		if len(v.list) > 0 && v.list[0].timex == "PRESENT_REF" {
			return m.endOf(v.d, last)
		}
	case word: // to date
		return m.endOf(fixed(m.today()), last)
	}
	return end{}, false
}

func middle(s span) time.Time {
	switch s.from.Day() {
	case 10: // the middle of a month is its 16th
		return s.from.AddDate(0, 0, 6)
	}
	return dateOf(s.from.Add(s.to.Sub(s.from) / 2))
}

// rangeAction reads a and b: from May to September 2018.
func rangeAction(m *match) (any, bool) { return m.span(m.get('a'), m.last('b')) }

// span returns the range from a to b. A year that only b has counts for a also. Of days and months without a year
//
//	future: that which ends next; begins in the year before if it would begin behind its end
//	past:   that which began last; ends with the future one if it would end before its beginning
func (m *match) span(a, b any) (any, bool) {
	a, b = m.sameYear(a, b)
	x, ok := m.endOf(a, false)
	y, ok2 := m.endOf(b, true)
	if !ok || !ok2 {
		return nil, false
	}
	if _, toDate := b.(word); toDate && !x.past.After(y.past) {
		x.future = x.past
		x.timex = x.past.Format(time.DateOnly)
	}
	if x.future.After(y.future) {
		x.future = x.past
	}
	if y.past.Before(x.past) {
		y.past = y.future
	}
	if x.future.After(y.future) || x.past.After(y.past) {
		return nil, false
	}
	if d, ok := b.(day); ok && d.y == 0 && d.m != 0 && d.d != 0 { // the first such day behind the beginning
		for i := 0; i <= 8; i++ {
			if t := ymd(x.past.Year()+i, d.m, d.d); valid(t.Year(), d.m, d.d) && !t.Before(x.past) {
				y.past = t
				break
			}
		}
	}
	unit := x.unit
	if x.unit != y.unit {
		unit = 'm'
		if x.unit == 'd' || y.unit == 'd' || x.unit == 'w' || y.unit == 'w' {
			unit = 'd'
		}
	}
	var p period
	for _, r := range [][2]time.Time{{x.past, y.past}, {x.future, y.future}} {
		timex := fmt.Sprintf("(%s,%s,%s)", x.timex, y.timex, length(r[0], r[1], unit))
		s := span{timex: timex, from: r[0], to: r[1]}
		s.until = s.to.Add(y.until.Sub(y.future))
		if len(p.list) == 0 || p.list[0].from != s.from || p.list[0].to != s.to {
			p.list = append(p.list, s)
		}
	}
	return p, true
}

// sameYear gives a the year of b if only b has one.
func (m *match) sameYear(a, b any) (any, any) {
	y := 0
	switch b := b.(type) {
	case day:
		if b.m != 0 && b.d != 0 {
			y = b.y
		}
	case period:
		if b.said {
			y = b.list[0].from.Year()
		}
	}
	if y == 0 {
		return a, b
	}
	until, ok := m.endOf(b, true)
	if !ok {
		return a, b
	}
	switch v := a.(type) {
	case day:
		if v.y == 0 && v.m != 0 && v.d != 0 && valid(y, v.m, v.d) {
			if ymd(y, v.m, v.d).After(until.future) {
				y--
			}
			if r, ok := m.resolve(day{y: y, m: v.m, d: v.d}, false); ok {
				return r, b
			}
		}
	case period:
		if v.unit == "month" && len(v.list) == 2 {
			if ymd(y, v.m, 1).After(until.future) {
				y--
			}
			return whole("month", ymd(y, v.m, 1)), b
		}
	}
	return a, b
}

// length returns a duration in days, weeks, months or years.
func length(from, to time.Time, unit byte) string {
	months := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	switch unit {
	case 'y':
		return "P" + strconv.Itoa(months/12) + "Y"
	case 'm':
		return "P" + strconv.Itoa(months) + "M"
	case 'w':
		return "P" + strconv.Itoa(int(to.Sub(from).Hours()/24/7+0.5)) + "W"
	}
	return "P" + strconv.Itoa(int(to.Sub(from).Hours()/24+0.5)) + "D"
}

// spanFrom reads x and d: 3 days starting from next Monday.
func spanFrom(m *match) (any, bool) {
	a, ok := m.get('x').(amount)
	d, isDay := m.get('d').(day)
	if !ok || !isDay || len(d.at) == 0 || a.short() {
		return nil, false
	}
	from := d.at[len(d.at)-1]
	to := a.move(from, 1)
	return period{list: []span{{timex: bracket(from, to, a.timex()), from: from, to: to}}}, true
}

// within reads x: within the next day and 5 hours.
func within(m *match) (any, bool) {
	a, ok := m.get('x').(amount)
	if !ok {
		return nil, false
	}
	if a.short() {
		from, to := m.now(), a.move(m.ref, 1)
		layout := "2006-01-02T15:04:05"
		return stretch{list: []span{{timex: fmt.Sprintf("(%s,%s,%s)", from.Format(layout), to.Format(layout), a.timex()), from: from, to: to}}}, true
	}
	from := m.today()
	to := a.move(from, 1)
	return period{list: []span{{timex: bracket(from, to, a.timex()), from: from, to: to}}}, true
}
