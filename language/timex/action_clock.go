package timex

import (
	"fmt"
	"time"
)

// newClock returns a time of the day; half is 0 for the morning, 12 for the evening, -1 if it is not known.
func newClock(h, mi, s, fields, half int) (clock, bool) {
	c := clock{h: h, m: mi, s: s, fields: fields}
	if mi > 59 || s > 60 || h > 24 || h == 24 && mi > 0 {
		return c, false
	}
	switch {
	case half == 12 && h < 12:
		c.h += 12
	case half == 0 && h == 12:
		c.h = 0
	case half == 0 && h > 12:
		return c, false
	case half < 0:
		c.open = h >= 1 && h <= 12
	}
	c.h %= 24
	return c, true
}

// half returns what a says: a.m., p.m., or nothing.
func (m *match) half() int {
	if a, ok := m.get('a').(word); ok {
		return a.n
	}
	return -1
}

// clockAction reads h, m, s, a for a.m. and p.m., and z for the zone. An hour of four digits has minutes: 1140 a.m.
func clockAction(m *match) (any, bool) {
	h, mi, s := m.word('h'), m.word('m'), m.word('s')
	fields := 1
	if m.has('m') {
		fields = 2
		if mi.width == 1 {
			return nil, false
		}
	}
	if m.has('s') {
		fields = 3
		if s.width == 1 {
			return nil, false
		}
	}
	if fields == 1 && h.width >= 3 && h.width <= 4 {
		mi.n, h.n, fields = h.n%100, h.n/100, 2
	} else if h.width > 2 {
		return nil, false
	}
	c, ok := newClock(h.n, mi.n, s.n, fields, m.half())
	c.open = c.open && m.leaf.arg.s != "closed"
	if z, is := m.get('z').(word); is && ok {
		c.zone, c.zoned = z.n, true
	}
	return c, ok
}

// spoken reads h, m and a: nine thirty.
func spoken(m *match) (any, bool) {
	h, mi := m.n('h'), m.n('m')+m.n('t')+m.n('u')
	if h > 12 && m.half() < 0 || h < 1 || mi < 10 || mi > 59 {
		return nil, false
	}
	c, ok := newClock(h, mi, 0, 2, m.half())
	return c, ok
}

// minutes returns those of m: a number or a part of an hour.
func (m *match) minutes() int {
	w := m.word('m')
	if w.n == 0 && w.x > 0 {
		return int(w.x * 60)
	}
	return w.n
}

// past reads m, h and a: ten past nine.
func past(m *match) (any, bool) {
	if n := m.minutes(); n < 1 || n > 59 || m.n('h') < 1 || m.n('h') > 24 {
		return nil, false
	}
	c, ok := newClock(m.n('h'), m.minutes(), 0, 2, m.half())
	return c, ok
}

// to reads m, h and a: quarter to nine.
func to(m *match) (any, bool) {
	n, h := 60-m.minutes(), m.n('h')-1
	if n < 1 || n > 59 || h < 0 || h > 23 {
		return nil, false
	}
	if h == 0 {
		h = 12
	}
	c, ok := newClock(h, n, 0, 2, m.half())
	return c, ok
}

// clockWord reads k: noon.
func clockWord(m *match) (any, bool) {
	if n := m.word('n'); n.width > 0 && n.n != 12 {
		return nil, false
	}
	return clock{h: m.n('k'), fields: 1}, true
}

// hour reads c, a number where only an hour can be meant.
func hour(m *match) (any, bool) {
	c, ok := m.clockOf(m.get('c'))
	return c, ok
}

// clockOf returns the clock that a value is: a clock, or an hour (7), or hours and minutes (0730).
func (m *match) clockOf(v any) (clock, bool) {
	switch v := v.(type) {
	case clock:
		return v, v.mod == ""
	case word:
		switch {
		case v.width == 4 && v.s == "" || v.width == 4 && v.s == "y":
			return newClock(v.n/100, v.n%100, 0, 2, -1)
		case v.width <= 2 && v.n <= 24 && (v.n > 0 || v.width == 2):
			return newClock(v.n, 0, 0, 1, -1)
		}
	}
	return clock{}, false
}

// zoned reads c or p, and z, and o for what it is ahead (argument 1) or behind (-1): 3 pm GMT-3, 14:55+02:00.
func zoned(m *match) (any, bool) {
	z := m.n('z')
	if m.has('o') {
		o, ok := m.clockOf(m.get('o'))
		if !ok || o.h > 14 {
			return nil, false
		}
		z += m.leaf.arg.n * (60*o.h + o.m)
	}
	v := m.get('c')
	if v == nil {
		v = m.get('p')
	}
	switch v := v.(type) {
	case clock:
		if v.zoned && !m.has('o') {
			return nil, false
		}
		v.zone, v.zoned = z, true
		return v, true
	case hours:
		v.zone, v.zoned = z, true
		return v, true
	}
	return nil, false
}

// timePart reads c and p: 9 in the morning.
func timePart(m *match) (any, bool) {
	c, ok := m.clockOf(m.get('c'))
	p, isPart := m.get('p').(hours)
	if !ok || !isPart || p.part == "" {
		return nil, false
	}
	if w, bare := m.get('c').(word); bare && (w.n == 0 || w.n > 12) {
		return nil, false
	}
	return c.in(p), true
}

// in returns the clock in a part of the day: the hour that is in it, or as near as it can be.
func (c clock) in(p hours) clock {
	if !c.open {
		return c
	}
	switch {
	case p.to <= 12*3600:
		return c.morning()
	case p.part == "NI" && c.h < 5:
		return c.morning()
	case c.h == 12 && p.part == "NI":
		return c.morning()
	}
	return c.evening()
}

// partAction reads p, and x for its start or end: late in the afternoon. A part has two halves, and its middle is the
// whole.
func partAction(m *match) (any, bool) {
	p, ok := partOfDay(m.word('p').s)
	if !ok {
		return nil, false
	}
	return p.cut(m.word('x').s), true
}

// meal is the time of a meal, which is one only with "before" or "around": most meals in texts are food.
type meal hours

// mealAction reads p.
func mealAction(m *match) (any, bool) {
	p, ok := partOfDay(m.word('p').s)
	return meal(p), ok
}

// weekdayPart reads w, p, r and u: Wednesday evening next week.
func weekdayPart(m *match) (any, bool) {
	d, ok := weekdayAction(m)
	p, ok2 := partOfDay(m.word('p').s)
	if !ok || !ok2 {
		return nil, false
	}
	return dayPart{d.(day), p}, true
}

func partOfDay(s string) (hours, bool) {
	var p hours
	if _, err := fmt.Sscanf(s, "%s %d %d", &p.part, &p.from, &p.to); err != nil {
		return p, false
	}
	p.from, p.to = p.from*3600, p.to*3600
	if p.to == 86400 {
		p.to--
	}
	return p, true
}

func (h hours) cut(which string) hours {
	half := (h.from + h.to + 1) / 2
	switch which {
	case "start", "earlier":
		h.mod, h.to = "start", half
	case "end", "later":
		h.mod, h.from = "end", half
	}
	return h
}

// dayPart is a part of a day, as "this morning": it can get a time still.
type dayPart struct {
	d day
	h hours
}

// dayPartAction reads r and p (last night), or n (tonight), and x.
func dayPartAction(m *match) (any, bool) {
	s := m.word('p').s
	if m.has('n') {
		s = m.word('n').s
	}
	p, ok := partOfDay(s)
	return dayPart{fixed(m.today().AddDate(0, 0, m.n('r'))), p.cut(m.word('x').s)}, ok
}

// hoursAction reads a and b: from 3 to 5 pm.
func hoursAction(m *match) (any, bool) {
	a, ok := m.clockOf(m.get('a'))
	b, ok2 := m.clockOf(m.last('b'))
	if !ok || !ok2 {
		return nil, false
	}
	h := hoursBetween(a, b)
	if a.zoned || b.zoned {
		h.zoned, h.zone = true, a.zone+b.zone
		if a.zoned && b.zoned {
			h.zone = b.zone
		}
	}
	return h, true
}

// hoursBetween returns the range from a to b. Where morning or evening is not said
//
//	a and b open:  b is the first after a; a is read as both
//	a open:        in the half of b, or in the morning if it would be behind b
//	b open:        the first after a
func hoursBetween(a, b clock) hours {
	switch {
	case a.open && b.open:
		var h hours
		for _, x := range a.readings() {
			h.list = append(h.list, [2]clock{x, b.after(x)})
		}
		return h
	case a.open:
		x := a.morning()
		if b.h >= 12 {
			if y := a.evening(); y.seconds() < b.seconds() {
				x = y
			}
		}
		a = x
	case b.open:
		b = b.after(a)
	case b.h == 0 && a.h > 0 && a.h < 12 && b.m == 0: // 10am-12am: noon is meant
		b.h = 12
	}
	return hours{list: [][2]clock{{a, b}}}
}

// after returns the reading of an open clock that comes first after a.
func (c clock) after(a clock) clock {
	early, late := c.morning(), c.evening()
	switch {
	case early.seconds() > a.seconds():
		return early
	case late.seconds() > a.seconds():
		return late
	}
	return early
}

// during reads d and p, or d and the numbers a and b: Tuesday from 3 to 5. d can have a part already.
func during(m *match) (any, bool) {
	h, isHours := m.get('p').(hours)
	if !isHours {
		if w, ok := m.get('p').(word); ok {
			if h, isHours = partOfDay(w.s); !isHours {
				return nil, false
			}
		} else {
			v, ok := hoursAction(m)
			if !ok {
				return nil, false
			}
			h = v.(hours)
		}
	}
	switch d := m.get('d').(type) {
	case day:
		if len(d.at) == 0 || d.mod != "" {
			return nil, false
		}
		if h.part != "" {
			return dayPart{d, h}, true
		}
		return d.during(h), true
	case dayPart:
		if h.part != "" {
			return nil, false
		}
		if len(h.list) == 2 { // morning or evening is not said: the part says it
			i := 0
			if d.h.to > 12*3600 {
				i = 1
			}
			h.list = h.list[i : i+1]
		}
		return d.d.during(h), true
	}
	return nil, false
}

// at reads d and c: tomorrow at 7. With the argument "closed" the hours go to 24: 2026-11-12T08:30.
func at(m *match) (any, bool) {
	c, ok := m.clockOf(m.get('c'))
	if !ok {
		return nil, false
	}
	c.open = c.open && m.leaf.arg.s != "closed"
	switch d := m.get('d').(type) {
	case day:
		if d.mod != "" {
			return nil, false
		}
		return d.with(c), true
	case dayPart:
		return d.d.with(c.in(d.h)), true
	}
	return nil, false
}

// spanTime reads d, x and c: on 14 February for 7 hours from 9:30.
func spanTime(m *match) (any, bool) {
	d, ok := m.get('d').(day)
	x, ok2 := m.get('x').(amount)
	c, ok3 := m.get('c').(clock)
	if !ok || !ok2 || !ok3 || !x.short() || x.seconds() >= 86400-float64(c.seconds()) {
		return nil, false
	}
	var s stretch
	for _, k := range c.readings() {
		for _, t := range d.at {
			from := t.Add(time.Duration(k.seconds()) * time.Second)
			to := x.move(from, 1)
			timex := fmt.Sprintf("(%s%s,%sT%s,%s)", d.timex, k.timex(), d.timex, to.Format("15:04:05"), x.timex())
			s.list = append(s.list, span{timex: timex, from: from, to: to})
		}
	}
	return s, true
}

// between reads a and b, moments, or a time of the day of the other: from 2 pm till tomorrow 4:30 pm.
func between(m *match) (any, bool) {
	a, isA := m.get('a').(moment)
	b, isB := m.last('b').(moment)
	if !isA {
		c, ok := m.get('a').(clock)
		if !ok || !isB {
			return nil, false
		}
		a = fixed(m.today()).with(c)
	}
	if !isB {
		c, ok := m.clockOf(m.last('b'))
		if !ok {
			return nil, false
		}
		return a.d.during(hoursBetween(a.c, c)), true
	}
	var s stretch
	for i, x := range a.list {
		y := b.list[min(i, len(b.list)-1)]
		if x.at.IsZero() || y.at.IsZero() || !y.at.After(x.at) {
			continue
		}
		s.list = append(s.list, span{timex: fmt.Sprintf("(%s,%s,%s)", x.timex, y.timex, isoTime(int(y.at.Sub(x.at).Seconds()))), from: x.at, to: y.at})
	}
	return s, len(s.list) > 0
}
