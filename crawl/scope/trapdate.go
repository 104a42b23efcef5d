package scope

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"varve/web/canon"
)

// date is a day as yyyymmdd, with day 0 when not given: comparable as a number.
type date int

func dateOf(t time.Time) date { return date(t.Year()*10000 + int(t.Month())*100 + t.Day()) }

// String gives 2031-04-00 as 2031-04.
func (d date) String() string {
	if d%100 == 0 {
		return fmt.Sprintf("%04d-%02d", d/10000, d/100%100)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d/10000, d/100%100, d%100)
}

// newDate checks the parts: years in which the web might have dates, real months and days.
func newDate(year, month, day int) (date, bool) {
	ok := year >= 1900 && year <= 2200 && month >= 1 && month <= 12 && day >= 0 && day <= 31
	return date(year*10000 + month*100 + day), ok
}

// findDate looks for a date in path and query: 2031/04/12, 2031-04, 20310412, year=2031&month=4.
func findDate(u canon.URL) (date, bool) {
	s := u.Target()
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		n := digits(s[i:])
		if d, ok := dateAt(s[i:], n); ok {
			return d, true
		}
		i += n
	}
	if u.Query() == "" {
		return 0, false
	}
	return queryDate(u.Query())
}

// dateAt reads a date at the beginning of s, which has n digits there.
func dateAt(s string, n int) (date, bool) {
	switch n {
	case 8:
		v, _ := strconv.Atoi(s[:8])
		if v%100 == 0 {
			return 0, false
		}
		return newDate(v/10000, v/100%100, v%100)
	case 4:
		year, _ := strconv.Atoi(s[:4])
		month, rest := part(s[4:])
		if month < 0 {
			return 0, false
		}
		day, _ := part(rest)
		return newDate(year, month, max(day, 0))
	}
	return 0, false
}

// part reads a separator and one or two digits; -1 when they are not there.
func part(s string) (value int, rest string) {
	if s == "" || !strings.ContainsRune("/-_.", rune(s[0])) {
		return -1, s
	}
	n := digits(s[1:])
	if n < 1 || n > 2 {
		return -1, s
	}
	v, _ := strconv.Atoi(s[1 : 1+n])
	return v, s[1+n:]
}

// queryDate reads year, month and day from parameters of their own.
func queryDate(query string) (date, bool) {
	year, month, day := 0, 0, 0
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(pair, "=")
		v, err := strconv.Atoi(value)
		if err != nil || len(name) > 16 {
			continue
		}
		switch strings.ToLower(name) {
		case "year", "yr", "y", "jahr", "annee", "ano", "cal_year":
			year = v
		case "month", "mon", "mo", "m", "monat", "mois", "mes", "cal_month":
			month = v
		case "day", "d", "tag", "jour", "dia", "cal_day":
			day = v
		}
	}
	return newDate(year, month, day)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
