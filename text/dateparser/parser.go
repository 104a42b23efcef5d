package dateparser

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ParserType is a kind of rules. All are read alike here.
type ParserType uint8

// The kinds that go-htmldate names.
const (
	CustomFormat ParserType = iota
	AbsoluteTime
)

// PreferredDateSource says which of several readings is taken. Absolute dates have one.
type PreferredDateSource uint8

// The past is what pages are from.
const (
	CurrentPeriod PreferredDateSource = iota
	Past
)

// Configuration has the fields that go-htmldate and its users set.
type Configuration struct {
	CurrentTime         time.Time
	StrictParsing       bool
	PreferredDateSource PreferredDateSource
}

// Parser reads dates.
type Parser struct {
	ParserTypes []ParserType
}

// Date is what was read.
type Date struct {
	Time time.Time
}

var errNoDate = errors.New("dateparser: no date")

// maxText is the longest text that is looked at; a date is shorter.
const maxText = 200

// Parse reads the first date of a text.
func (p *Parser) Parse(_ *Configuration, text string) (Date, error) {
	if len(text) > maxText {
		return Date{}, errNoDate
	}
	words := split(text)
	for i := range words {
		if t, ok := dateAt(words[i:]); ok {
			return Date{Time: t}, nil
		}
	}
	return Date{}, errNoDate
}

// word is a number or a month.
type word struct {
	number int // -1 for a month by name
	digits int
	month  time.Month
}

// split gives the numbers and month names of a text; other words but the small ones of dates part it.
func split(text string) []word {
	var out []word
	fields := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, f := range fields {
		digits := strings.TrimRight(f, "thsnrdo") // 1st, 2nd, 3rd, 4th, 1o
		if n, err := strconv.Atoi(digits); err == nil && len(digits) <= 4 {
			out = append(out, word{number: n, digits: len(digits)})
			continue
		}
		if m, ok := monthNamed(strings.ToLower(f)); ok {
			out = append(out, word{number: -1, month: m})
			continue
		}
		switch strings.ToLower(f) {
		case "de", "del", "of", "the", "di", "d":
		default:
			out = append(out, word{number: -1})
		}
	}
	return out
}

// dateAt reads a date that the first three words make.
func dateAt(w []word) (time.Time, bool) {
	if len(w) < 3 {
		return time.Time{}, false
	}
	a, b, c := w[0], w[1], w[2]
	switch {
	case a.digits == 4 && b.isMonth() && c.isDay():
		return date(a.number, b.asMonth(), c.number)
	case c.digits != 4:
		return time.Time{}, false
	case a.isDay() && b.isMonth():
		return date(c.number, b.asMonth(), a.number)
	case a.isMonth() && b.isDay():
		return date(c.number, a.asMonth(), b.number)
	}
	return time.Time{}, false
}

func (w word) isDay() bool { return w.digits >= 1 && w.digits <= 2 && w.number >= 1 && w.number <= 31 }

func (w word) isMonth() bool {
	return w.month != 0 || w.digits >= 1 && w.digits <= 2 && w.number >= 1 && w.number <= 12
}

func (w word) asMonth() time.Month {
	if w.month != 0 {
		return w.month
	}
	return time.Month(w.number)
}

// date makes a date, unless the month has no such day.
func date(year int, month time.Month, day int) (time.Time, bool) {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return t, t.Day() == day && year >= 1900
}
