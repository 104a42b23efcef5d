package dating

import (
	"strings"
	"time"
)

// addressDay reads the date in an address: /2006/01/02/, /2006/jan/02/, -2006-01-02, 20060102, or /2006/01/, which is a month. layout is how much
// of it is known, "" for nothing. A day in folders of its own is the way of publishing systems (sure); other numbers may be a name.
func addressDay(address string) (t time.Time, layout string, sure bool) {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		_, address, _ = strings.Cut(rest, "/") // a host has no date
	}
	if len(address) > 2000 {
		address = address[:2000]
	}
	f := fieldsOf(address, 64)
	for i := range f {
		if y := &f[i]; y.word == "" && y.len == 8 {
			if d, ok := ymd(y.num/10000, y.num/100%100, y.num%100); ok && isPlausible(d.day) {
				return d.day, time.DateOnly, false
			}
		}
		if i+2 >= len(f) || !isPathSign(f[i+1].sep) || f[i+1].sep != f[i+2].sep {
			continue
		}
		a, b, c := &f[i], f[i+1], &f[i+2]
		if b.word != "" {
			if b.num = (hand{}).month(b.word); b.num == 0 {
				continue
			}
			b.word = ""
		}
		var d span
		ok := false
		switch {
		case a.word == "" && a.len == 4 && c.isDay() && (c.len == 2 || i+3 == len(f) || f[i+3].sep == b.sep): // not /2006/1/2-reasons
			d, ok = ymd(a.num, b.num, c.num)
		case a.isDay() && b.num <= 12 && c.word == "" && c.len == 4:
			d, ok = ymd(c.num, b.num, a.num)
		}
		if ok && isPlausible(d.day) {
			return d.day, time.DateOnly, a.len == 4 && b.sep == "/"
		}
	}
	for i := 0; i+1 < len(f); i++ {
		a, b := &f[i], f[i+1]
		if m := (hand{}).month(b.word); b.word != "" && m != 0 {
			b.word, b.num, b.len = "", m, 2
		}
		if a.word == "" && a.len == 4 && b.sep == "/" && b.isDay() && b.len == 2 {
			if d, ok := ymd(a.num, b.num, 1); ok && isPlausible(d.day) {
				return d.day, "2006-01", false
			}
		}
	}
	return time.Time{}, "", false
}

func isPathSign(s string) bool { return s == "/" || s == "-" || s == "_" || s == "." }

// isPlausible reports whether a page can have been published on a day. The latest is up to who knows when it was fetched.
func isPlausible(day time.Time) bool { return !day.Before(earliest) && day.Year() < 2100 }
