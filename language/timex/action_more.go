package timex

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// longest is the longest duration that is understood: 4000 years.
const longest = 4000 * 365 * 86400

// amountAction reads n and u, or f for a part: half an hour, an hour and a half.
func amountAction(m *match) (any, bool) {
	u := m.word('u').s
	n := 1.0
	if w, ok := m.get('n').(word); ok {
		if n = w.x; n == 0 && w.width == 0 {
			n = 1 // an hour
		}
		if w.width == 4 && u != "year" && n > 1500 && n < 2100 {
			return nil, false // 2019 days: more often a year
		}
	}
	if f, ok := m.get('f').(word); ok {
		if m.values[0] == any(f) {
			n = f.x
		} else {
			n += f.x
		}
	}
	a := amount{list: []part{{n, u}}}
	return a, n > 0 && a.seconds() <= longest
}

// chain reads x, y, z and v, each of another unit: 2 years 1 month 21 days.
func chain(m *match) (any, bool) {
	var out amount
	for _, role := range []byte("xyzv") {
		a, ok := m.get(role).(amount)
		if !ok {
			continue
		}
		for _, p := range out.list {
			if len(a.list) != 1 || p.unit == a.list[0].unit {
				return nil, false
			}
		}
		out.list = append(out.list, a.list...)
	}
	slices.SortStableFunc(out.list, func(a, b part) int {
		x, y := units[a.unit], units[b.unit]
		return cmp.Compare(y.n*y.seconds, x.n*x.seconds)
	})
	return out, true
}

// shift reads x, and d from which it counts (else the reference); the argument is the direction. Hours make a moment of
// a day only if it is now.
func shift(m *match) (any, bool) {
	a, ok := m.get('x').(amount)
	if !ok {
		return nil, false
	}
	sign := m.leaf.arg.n
	var from time.Time
	switch d := m.get('d').(type) {
	case nil:
		from = m.now()
	case day:
		if len(d.at) == 0 || a.short() {
			return nil, false
		}
		from = d.at[len(d.at)-1]
	case period:
		if len(d.list) == 0 || d.list[0].from.IsZero() || d.list[0].vague || a.short() || !d.said && d.unit != "month" {
			return nil, false
		}
		from = d.list[len(d.list)-1].from
	case moment:
		if len(d.list) == 0 || d.list[0].at.IsZero() {
			return nil, false
		}
		from = d.list[len(d.list)-1].at
	default:
		return nil, false
	}
	t := a.move(from, sign)
	if !a.short() {
		return fixed(dateOf(t)), true
	}
	return moment{list: []instant{{t.Format("2006-01-02T15:04:05"), t}}, c: clock{fields: 3}, d: fixed(dateOf(t))}, true
}

// shiftBound is shift with "more than" or "less than": open on the side away from the reference, or towards it.
func shiftBound(m *match) (any, bool) {
	a, ok := m.get('x').(amount)
	if !ok {
		return nil, false
	}
	kind := m.leaf.arg.n
	sign := -1
	if kind == 2 {
		sign = 1
	}
	from := m.now()
	if d, ok := m.get('d').(day); ok {
		if len(d.at) == 0 {
			return nil, false
		}
		from = d.at[len(d.at)-1]
	}
	t := a.move(from, sign)
	b := bounds{typ: DateRange}
	layout, text := time.DateOnly, t.Format(time.DateOnly)
	if a.short() {
		b.typ, layout, text = DateTimeRange, stamp, t.Format("2006-01-02T15:04:05")
	} else {
		t = dateOf(t)
	}
	switch kind {
	case -1:
		b.values = []Value{{Timex: text, Mod: "before", End: t.Format(layout), Latest: t}}
	case 1:
		b.values = []Value{{Timex: text, Mod: "after", Start: t.Format(layout), Earliest: t, Latest: from}}
	default:
		b.values = []Value{{Timex: text, Mod: "after", Start: t.Format(layout), Earliest: t}}
	}
	return b, true
}

// compare reads x and v: less than 2 hours.
func compare(m *match) (any, bool) {
	a, ok := m.get('v').(amount)
	a.mod = m.word('x').s
	return a, ok
}

// every reads e with u and n, w, p, s or k; or w and p alone, which then are plural; or d of u.
func every(m *match) (any, bool) {
	n := 1
	if w, ok := m.get('n').(word); ok {
		n = w.n
	}
	if e, ok := m.get('e').(word); ok && e.n == 2 {
		n = 2
	}
	p := strings.Fields(m.word('p').s + " x")[0]
	switch {
	case m.has('d'):
		switch m.word('u').s {
		case "month":
			return set{fmt.Sprintf("XXXX-XX-%02d", m.n('d'))}, m.n('d') <= 31
		}
		return nil, false
	case m.has('w') && p != "x":
		return set{fmt.Sprintf("XXXX-WXX-%dT%s", m.n('w'), p)}, true
	case m.has('w'):
		return set{fmt.Sprintf("XXXX-WXX-%d", m.n('w'))}, true
	case p != "x":
		return set{"T" + p}, true
	case m.has('s'):
		return set{m.word('s').s}, true
	case m.has('k'):
		h, err := parseHoliday(m.word('k').s)
		return set{h.in(2001).Format("XXXX-01-02")}, err == nil && h.kind == 'd'
	case m.word('u').s == "weekend" && m.has('e') && !m.has('n') && m.word('e').s == "1":
		return set{"XXXX-WXX-WE"}, true
	}
	return set{amount{list: []part{{float64(n), m.word('u').s}}}.timex()}, n > 0
}

// each reads e, whose value is a period: weekly.
func each(m *match) (any, bool) { return set{m.word('e').s}, true }

// setAt reads s and c: every Tuesday at 9.
func setAt(m *match) (any, bool) {
	s, ok := m.get('s').(set)
	if !ok {
		return nil, false
	}
	if h, isHours := m.get('c').(hours); isHours {
		if h.part == "" || strings.Contains(s.timex, "T") {
			return nil, false
		}
		if s.timex == "P1D" {
			return set{"T" + h.part}, true
		}
		return set{s.timex + "T" + h.part}, strings.HasPrefix(s.timex, "X")
	}
	c, ok := m.clockOf(m.get('c'))
	if !ok {
		return nil, false
	}
	if part, isPart := strings.CutPrefix(s.timex, "T"); isPart {
		if c.open && (part == "AF" || part == "EV" || part == "NI") {
			c = c.evening()
		}
		return set{c.timex()}, true
	}
	if i := strings.Index(s.timex, "T"); i > 0 {
		return set{s.timex[:i] + c.timex()}, true
	}
	switch {
	case s.timex == "P1D":
		return set{c.timex()}, true
	case strings.HasPrefix(s.timex, "X"):
		return set{s.timex + c.timex()}, true
	}
	return nil, false
}

// Bounds: before, after, since, until.

// modOf returns the word of a bound: -1 before, 1 after, 2 since, -2 until.
func modOf(n int) string {
	return map[int]string{-1: "before", 1: "after", 2: "since", -2: "until"}[n]
}

// open returns the value that is bound by from..to: before and until end with from, since begins with from, after with to.
func open(n int, v Value, from, to time.Time, layout string) Value {
	v.Start, v.End, v.Value = "", "", ""
	v.Earliest, v.Latest = time.Time{}, time.Time{}
	text := func(t time.Time) string { return t.Format(layout) }
	switch n {
	case -1:
		v.End, v.Latest = text(from), from
	case -2: // what is until 2001 may last through it
		v.End, v.Latest = text(from), to
	case 1:
		v.Start, v.Earliest = text(to), to
	default:
		v.Start, v.Earliest = text(from), from
	}
	return v
}

// bound reads x, or b for a word that is before, and v.
func bound(m *match) (any, bool) {
	n := m.n('x')
	if m.has('b') {
		n = -1
	}
	mod := modOf(n)
	for i := m.from; i < m.to; i++ {
		if c, ok := m.grammar.classes["approx"]; ok {
			if _, is := m.in[i].is(c); is {
				mod += "-approx"
			}
		}
	}
	b := bounds{}
	add := func(timex, inner string, from, to time.Time, layout string) {
		v := Value{Timex: timex, Mod: mod}
		if inner != "" {
			v.Mod = mod + "-" + inner
		}
		b.values = append(b.values, open(n, v, from, to, layout))
	}
	of := m.get('v')
	if v, ok := of.(meal); ok {
		of = hours(v)
	}
	switch v := of.(type) {
	case day:
		b.typ = DateRange
		for _, t := range v.at {
			add(v.timex, v.mod, t, t, time.DateOnly)
			switch last := &b.values[len(b.values)-1]; n {
			case 1:
				last.Earliest = t.AddDate(0, 0, 1)
			case -2:
				last.Latest = t.AddDate(0, 0, 1)
			}
		}
	case period:
		b.typ = DateRange
		for _, s := range v.list {
			if s.from.IsZero() || s.vague {
				return nil, false
			}
			if v.mod == "end" && n < 0 {
				s.from = s.to
			}
			add(s.timex, v.mod, s.from, s.to, time.DateOnly)
		}
	case clock:
		b.typ, b.zone, b.zoned = TimeRange, v.zone, v.zoned
		for _, c := range v.readings() {
			value := Value{Timex: c.timex(), Mod: mod}
			if n < 0 {
				value.End = c.String()
			} else {
				value.Start = c.String()
			}
			b.values = append(b.values, value)
		}
	case hours:
		b.typ = TimeRange
		for _, s := range v.values() {
			value := Value{Timex: s.Timex, Mod: mod}
			switch n {
			case -1, -2:
				value.End = s.Start
			case 1:
				value.Start = s.End
			default:
				value.Start = s.Start
			}
			b.values = append(b.values, value)
		}
	case moment:
		b.typ, b.zone, b.zoned = DateTimeRange, v.zone, v.zoned
		for _, t := range v.list {
			if t.at.IsZero() {
				return nil, false
			}
			add(t.timex, v.mod, t.at, t.at, stamp)
		}
	case stretch:
		b.typ = DateTimeRange
		for _, s := range v.list {
			add(s.timex, v.mod, s.from, s.to, stamp)
		}
	case dayPart:
		b.typ = DateTimeRange
		for _, s := range v.d.during(v.h).list {
			add(s.timex, v.h.mod, s.from, s.to, stamp)
		}
	default:
		return nil, false
	}
	return b, len(b.values) > 0
}

// boundAt reads d, x and c: today before 4 pm.
func boundAt(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	c, ok2 := m.get('c').(clock)
	if !ok || !ok2 || d.mod != "" {
		return nil, false
	}
	b := bounds{typ: DateTimeRange, zone: c.zone, zoned: c.zoned}
	for _, t := range d.with(c).list {
		if !t.at.IsZero() {
			b.values = append(b.values, open(m.n('x'), Value{Timex: t.timex, Mod: modOf(m.n('x'))}, t.at, t.at, stamp))
		}
	}
	return b, len(b.values) > 0
}

// boundDate is "to date".
func boundDate(m *match) (any, bool) {
	t := m.today()
	return bounds{typ: DateRange, values: []Value{{Timex: "PRESENT_REF", Mod: "before", End: t.Format(time.DateOnly), Latest: t.AddDate(0, 0, 1)}}}, true
}

// approx reads v: around the 21st.
func approx(m *match) (any, bool) {
	const mod = "approx"
	switch v := m.get('v').(type) {
	case day:
		v.mod = mod
		return v, true
	case period:
		v.mod = mod
		return v, true
	case clock:
		v.mod = mod
		return v, true
	case hours:
		v.mod = mod
		return v, true
	case meal:
		v.mod = mod
		return hours(v), true
	case moment:
		v.mod = mod
		return v, true
	case stretch:
		v.mod = mod
		return v, true
	case dayPart:
		s := v.d.during(v.h)
		s.mod = mod
		return s, true
	}
	return nil, false
}
