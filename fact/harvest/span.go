package harvest

import (
	"fmt"
	"regexp"
	"strings"

	"varve/fact"
)

// span is what a row says of when: its begin, its end, or a time during it. A zero time is not said.
//
//	2003–2007, 2003 to 2007        begin 2003, end 2007
//	2003–, since 2003, 2003–present, m. 1999     begin
//	until 2007, –2007, div. 2007                 end
//	2003                                         during
//	1 July 2003 – 5 May 2007, July 2003          by day and month
type span struct{ begin, during, end fact.Time }

// with adds what another says.
func (s span) with(t span) span {
	for _, x := range []struct{ to, from *fact.Time }{{&s.begin, &t.begin}, {&s.during, &t.during}, {&s.end, &t.end}} {
		if !x.to.Known() {
			*x.to = *x.from
		}
	}
	return s
}

// first returns the first time that is said.
func (s span) first() fact.Time {
	for _, t := range []fact.Time{s.begin, s.during, s.end} {
		if t.Known() {
			return t
		}
	}
	return fact.Time{}
}

var (
	monthNames = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
	one        = `(?:(?:(\d{1,2})(?:st|nd|rd|th)? )?(` + monthNames + `)\.?(?: (\d{1,2})(?:st|nd|rd|th)?,)? )?(1[0-9]\d\d|20\d\d)(?:-(\d\d)-(\d\d))?`
	dash       = ` ?(?:–|—|-|−|\bto\b|\buntil\b|/) ?`
	now        = `(present|now|today|current|date)`
	ranged     = regexp.MustCompile(`(?i)\b` + one + dash + `(?:` + one + `\b|` + now + `\b|(\d\d)\b)`)
	opened     = regexp.MustCompile(`(?i)(?:\b(?:since|from|m\.|married|signed|joined|appointed|elected|founded)\s*|^)` + one + ` ?(?:–|—|-|−)\s*(?:$|[;,)])|(?i)\b(?:since|from|m\.|married|signed|joined|appointed|elected|founded) ` + one + `\b`)
	closed     = regexp.MustCompile(`(?i)(?:\b(?:until|till|to|div\.|divorced|died|d\.|left|sep\.|ended|ann\.)|(?:^|[ (])(?:–|—|-|−)) ?` + one + `\b`)
	single     = regexp.MustCompile(`(?i)\b` + one + `\b`)
)

// parseSpan reads when something was.
func parseSpan(s string) span {
	_, when := cutSpan(s)
	return when
}

// cutSpan reads when something was, and returns the rest of the words.
func cutSpan(s string) (rest string, when span) {
	cut := func(at []int) { s = s[:at[0]] + " " + strings.TrimLeft(s[at[1]:], ")") }
	group := func(at []int, n int) string {
		if at[2*n] < 0 {
			return ""
		}
		return s[at[2*n]:at[2*n+1]]
	}
	date := func(at []int, from int) fact.Time {
		day, month, after, year := group(at, from), group(at, from+1), group(at, from+2), group(at, from+3)
		iso, isoDay := group(at, from+4), group(at, from+5)
		return time(year, month, day+after, iso, isoDay)
	}
	if at := ranged.FindStringSubmatchIndex(s); at != nil && !(at[28] >= 0 && strings.HasPrefix(s[at[1]:], "-")) { // 2005-11-22 is one day
		when.begin = date(at, 1)
		switch {
		case group(at, 13) != "": // present
		case group(at, 14) != "": // 2003-07
			year := group(at, 4)
			when.end = time(year[:2]+group(at, 14), "", "", "", "")
			if when.end.Last < when.begin.First {
				when = span{during: date(at, 1)}
			}
		default:
			when.end = date(at, 7)
		}
		if when.end.Known() && when.end.Last < when.begin.First {
			when = span{}
		}
		cut(at)
		return s, when
	}
	if at := opened.FindStringSubmatchIndex(s); at != nil {
		when.begin = date(at, 1)
		if group(at, 4) == "" {
			when.begin = date(at, 7)
		}
		cut(at)
	}
	if at := closed.FindStringSubmatchIndex(s); at != nil {
		when.end = date(at, 1)
		cut(at)
	}
	if when != (span{}) {
		return s, when
	}
	if at := single.FindStringSubmatchIndex(s); at != nil {
		when.during = date(at, 1)
		cut(at)
	}
	return s, when
}

// time puts a date together; zero if there is no such day.
func time(year, month, day, isoMonth, isoDay string) fact.Time {
	text := year
	if month != "" {
		n := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(month[:3]))/3 + 1
		isoMonth = fmt.Sprintf("%02d", n)
		if day != "" {
			isoDay = fmt.Sprintf("%02s", day)
		}
	}
	if isoMonth != "" {
		text += "-" + isoMonth
		if isoDay != "" {
			text += "-" + isoDay
		}
	}
	t, err := fact.ParseTime(text)
	if err != nil {
		return fact.Time{}
	}
	return t
}
