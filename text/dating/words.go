package dating

import (
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// hand is how the writer of a date writes.
type hand struct {
	lang  string // of the page, "" if it is not known: some names of months are told by it
	short bool   // years of two digits are years
}

// parseWords reads a date as people write it: "2. Januar 2006", "January 2, 2006 15:04 UTC", "02.01.2006", "2006/1/2".
// It takes the first date in the text.
func (h hand) parseWords(s string) (span, bool) {
	for d := range h.dates(s) {
		return d.span, true
	}
	return span{}, false
}

// mention is a date in a text, and where it stands there.
type mention struct {
	span
	from, to int
}

// dates yields the dates of a text.
func (h hand) dates(s string) iter.Seq[mention] {
	return func(yield func(mention) bool) {
		f := fields(s)
		for i := 0; i < len(f); {
			d, n, ok := h.dateAt(f[i:])
			if !ok {
				i++
				continue
			}
			if !yield(mention{withClock(d, f[i+n:]), f[i].at, f[i+n-1].end}) {
				return
			}
			i += n
		}
	}
}

// field is a number, or a word in lower case, with the separator before it.
type field struct {
	sep  string // of up to 3 bytes
	word string // "" for numbers
	num  int
	len  int // digits of the number
	at   int // where it begins, and where it ends
	end  int
}

// maxFields bounds the work on text that is not a date.
const maxFields = 24

// fields cuts a text into words and numbers.
func fields(s string) []field { return fieldsOf(s, maxFields) }

func fieldsOf(s string, most int) (list []field) {
	sep := ""
	for at := 0; at < len(s) && len(list) < most; {
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case digit(r) >= 0:
			f := field{sep: sep, at: at}
			for n = 0; ; f.len++ {
				r, size := utf8.DecodeRuneInString(s[at+n:])
				d := digit(r)
				if d < 0 {
					break
				}
				if f.len < 9 {
					f.num = 10*f.num + d
				}
				n += size
			}
			f.end = at + n
			list, sep = append(list, f), ""
		case unicode.IsLetter(r):
			if n = strings.IndexFunc(s[at:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); n < 0 {
				n = len(s) - at
			}
			list, sep = append(list, field{sep: sep, word: fold(s[at : at+n]), at: at, end: at + n}), ""
		case len(sep) < 3:
			sep += s[at : at+n]
		}
		at += n
	}
	return list
}

// digit returns the value of a digit, -1 for what is none: those of Arabic, Persian, Devanagari, Bengali and Thai are read as ours.
func digit(r rune) int {
	if r < 0x80 {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, zero := range [...]rune{0x660, 0x6f0, 0x966, 0x9e6, 0xe50} {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// isDay reports whether a field may be a day or a month in numbers, isYear whether it may be a year.
func (f *field) isDay() bool { return f.word == "" && f.len > 0 && f.len <= 2 }

func (h hand) isYear(f *field) bool { return f.word == "" && (f.len == 4 || h.short && f.len == 2) }

// dateAt reads a date at the beginning of the fields and tells how many it took.
func (h hand) dateAt(f []field) (span, int, bool) {
	if len(f) < 3 {
		return span{}, 0, false
	}
	a, b, c := f[0], f[1], f[2]
	if a.word == "" && b.word != "" && isFiller(b.word) && len(f) > 3 { // 2 de enero de 2006, 1st of May 2006, 2006年1月2日
		g := append([]field{a}, skipFillers(f[1:])...)
		if b.word == "tháng" && len(g) > 1 { // the word for month, before its number
			g[1].sep = "."
		}
		if d, n, ok := h.dateAt(g); ok {
			return d, n + len(f) - len(g), true
		}
		return span{}, 0, false
	}
	if c.word != "" && isFiller(c.word) && len(f) > 3 {
		c = f[3]
		if d, _, ok := h.dateAt([]field{a, b, c}); ok {
			return d, 4, true
		}
		return span{}, 0, false
	}
	switch {
	case a.word == "" && a.len == 4 && b.isDay() && c.isDay(): // 2006-01-02
		d, ok := ymd(a.num, b.num, c.num)
		return d, 3, ok
	case a.word == "" && a.len == 4 && b.word != "" && c.isDay() && b.sep != "" && isSign(b.sep[0]): // 2006. január 2., 2006-Jan-02
		d, ok := ymd(a.num, h.month(b.word), c.num)
		return d, 3, ok
	case a.word == "" && a.len == 4 && b.isDay() && c.word != "" && h.lang == "lv": // 2006. gada 2. janvārī
		d, ok := ymd(a.num, h.month(c.word), b.num)
		return d, 3, ok
	case a.isDay() && b.word != "" && h.isYear(&c) && (c.len == 4 || isApart(c.sep)): // 2 January 2006, 02-Jan-06
		d, ok := ymd(year(c), h.month(b.word), a.num)
		return d, 3, ok
	case a.word != "" && b.isDay() && h.isYear(&c) && c.len == 4: // January 2, 2006
		d, ok := ymd(year(c), h.month(a.word), b.num)
		return d, 3, ok
	case a.isDay() && b.isDay() && h.isYear(&c):
		switch sep := strings.TrimSpace(b.sep); {
		case c.len == 2 && sep != strings.TrimSpace(c.sep):
		case sep == "." || sep == "/" || sep == "-":
			return numbers(a.num, b.num, year(c), sep)
		}
	}
	return span{}, 0, false
}

func isSign(c byte) bool { return c == '.' || c == '/' || c == '-' }

// isApart reports whether two digits behind a month are a year and not hours.
func isApart(sep string) bool {
	return sep == "-" || sep == "/" || strings.HasSuffix(sep, "'") || strings.HasSuffix(sep, "’")
}

// year returns the year that a number says: of two digits in the years of the web, and that of the Buddhist era, which Thai pages count in, by ours.
func year(f field) int {
	switch {
	case f.len == 2 && f.num >= 90:
		return 1900 + f.num
	case f.len == 2:
		return 2000 + f.num
	case f.num >= 2500 && f.num < 2700:
		return f.num - 543
	}
	return f.num
}

// numbers reads 02.01.2006. With points the day comes first; with other signs either may, and both are allowed for.
func numbers(a, b, y int, sep string) (span, int, bool) {
	dayFirst, ok1 := ymd(y, b, a)
	monthFirst, ok2 := ymd(y, a, b)
	switch {
	case ok1 && (sep == "." || !ok2 || a == b):
		return dayFirst, 3, true
	case ok1 && ok2:
		return either(dayFirst, monthFirst), 3, true
	}
	return monthFirst, 3, ok2
}

func ymd(y, m, d int) (span, bool) {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if m < 1 || m > 12 || d < 1 || t.Day() != d || y < 1000 {
		return span{}, false
	}
	return day(t), true
}

// withClock adds the time of day that follows a date: "15:04", "15:04:05 UTC", "at 3:04 pm".
func withClock(d span, f []field) span {
	for i := 0; i+1 < len(f) && i < 3; i++ {
		if f[i].word != "" || f[i+1].word != "" || f[i+1].sep != ":" || f[i].num > 23 || f[i+1].num > 59 {
			continue
		}
		t := d.at.Add(-12 * time.Hour).Add(time.Duration(f[i].num)*time.Hour + time.Duration(f[i+1].num)*time.Minute)
		rest, grain := f[i+2:], time.Minute
		if len(rest) > 0 && rest[0].word == "" && rest[0].sep == ":" && rest[0].num < 60 {
			t = t.Add(time.Duration(rest[0].num) * time.Second)
			rest, grain = rest[1:], time.Second
		}
		if len(rest) > 0 && rest[0].word == "pm" && f[i].num < 12 {
			t, rest = t.Add(12*time.Hour), rest[1:]
		}
		if !d.other.IsZero() { // the time of one of two days says nothing
			return d
		}
		if len(rest) > 0 && (rest[0].word == "utc" || rest[0].word == "gmt" || rest[0].word == "z") {
			return instant(t, grain)
		}
		return local(t, grain)
	}
	return d
}
