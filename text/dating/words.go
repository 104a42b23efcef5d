package dating

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// parseWords reads a date as people write it: "2. Januar 2006", "January 2, 2006 15:04 UTC", "02.01.2006", "2006/1/2".
// It takes the first date in the text.
func parseWords(s string) (span, bool) {
	f := fields(s)
	for i := range f {
		d, n, ok := dateAt(f[i:])
		if !ok {
			continue
		}
		return withClock(d, f[i+n:]), true
	}
	return span{}, false
}

// field is a number, or a word in lower case, with the separator before it.
type field struct {
	sep  string // of up to 3 bytes
	word string // "" for numbers
	num  int
	len  int // digits of the number
}

// maxFields bounds the work on text that is not a date.
const maxFields = 24

// fields cuts a text into words and numbers.
func fields(s string) (list []field) {
	sep := ""
	for len(s) > 0 && len(list) < maxFields {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r >= '0' && r <= '9':
			n = strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
			if n < 0 {
				n = len(s)
			}
			num, _ := strconv.Atoi(s[:min(n, 9)])
			list = append(list, field{sep: sep, num: num, len: n})
			sep = ""
		case unicode.IsLetter(r):
			n = strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
			if n < 0 {
				n = len(s)
			}
			list = append(list, field{sep: sep, word: strings.ToLower(s[:n])})
			sep = ""
		case len(sep) < 3:
			sep += s[:n]
		}
		s = s[n:]
	}
	return list
}

// dateAt reads a date at the beginning of the fields and tells how many it took.
func dateAt(f []field) (span, int, bool) {
	if len(f) < 3 {
		return span{}, 0, false
	}
	a, b, c := f[0], f[1], f[2]
	if a.word == "" && b.word != "" && isFiller(b.word) && len(f) > 3 { // 2 de enero de 2006, 1st of May 2006, 2006年1月2日
		g := append([]field{a}, skipFillers(f[1:])...)
		if d, n, ok := dateAt(g); ok {
			return d, n + len(f) - len(g), true
		}
		return span{}, 0, false
	}
	if c.word != "" && isFiller(c.word) && len(f) > 3 {
		c = f[3]
		if d, _, ok := dateAt([]field{a, b, c}); ok {
			return d, 4, true
		}
		return span{}, 0, false
	}
	switch {
	case a.len == 4 && b.word == "" && c.word == "" && b.len > 0 && b.len <= 2 && c.len > 0 && c.len <= 2: // 2006-01-02
		d, ok := ymd(a.num, b.num, c.num)
		return d, 3, ok
	case a.word == "" && a.len <= 2 && b.word != "" && c.len == 4: // 2 January 2006
		d, ok := ymd(c.num, int(months[b.word]), a.num)
		return d, 3, ok
	case a.word != "" && b.word == "" && b.len <= 2 && c.len == 4: // January 2, 2006
		d, ok := ymd(c.num, int(months[a.word]), b.num)
		return d, 3, ok
	case a.len > 0 && a.len <= 2 && b.len > 0 && b.len <= 2 && c.len == 4 && a.word == "" && b.word == "" && (b.sep == "." || b.sep == "/" || b.sep == "-"):
		return numbers(a.num, b.num, c.num, b.sep)
	}
	return span{}, 0, false
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
		if len(rest) > 0 && (rest[0].word == "utc" || rest[0].word == "gmt" || rest[0].word == "z") {
			return instant(t, grain)
		}
		return local(t, grain)
	}
	return d
}
