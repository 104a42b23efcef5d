package entity

import (
	"strings"
	"testing"
	"time"
)

func TestKey(t *testing.T) {
	for in, want := range map[string]string{
		"Angela  Merkel": "angela merkel", "Yahoo!": "yahoo", "Jean-Luc Godard": "jean luc godard", "ＢＭＷ": "bmw", "!!!": "!!!", "": "", "São Paulo": "são paulo", "O'Neill": "o'neill",
	} {
		if got := Key(in); got != want {
			t.Errorf("Key(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseDays(t *testing.T) {
	for _, c := range []struct{ in, first, last string }{
		{"1952", "1952-01-01", "1952-12-31"},
		{"+1952-03-00T00:00:00Z", "1952-03-01", "1952-03-31"},
		{"1952-02", "1952-02-01", "1952-02-29"},
		{"+2001-03-11T00:00:00Z", "2001-03-11", "2001-03-11"},
		{"-0044-03-15", "-0044-03-15", "-0044-03-15"},
		{"1952-00-00", "1952-01-01", "1952-12-31"},
		{"12345", "12345-01-01", "12345-12-31"},
	} {
		first, last, err := ParseDays(c.in)
		if err != nil || first.String() != c.first || last.String() != c.last {
			t.Errorf("ParseDays(%q) = %v, %v, %v; want %s, %s", c.in, first, last, err, c.first, c.last)
		}
	}
	for _, in := range []string{"", "soon", "1952-13", "1952-1-1-1", "9999999", "1952--1", "1e3"} {
		if first, _, err := ParseDays(in); err == nil {
			t.Errorf("ParseDays(%q) = %v, want an error", in, first)
		}
	}
	if d := DayOf(time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC)); d-DayOf(time.Unix(0, 0)) != -1 || d.String() != "1969-12-31" {
		t.Errorf("the last day of 1969 is %d, %s", d, d)
	}
}

func FuzzStatement(f *testing.F) {
	f.Add("Q1", "Universe", int64(3))
	f.Add("a\tb", "\n\x00 x  y ", int64(-1))
	f.Add("\xff", strings.Repeat("ä", MaxText), int64(0))
	f.Fuzz(func(t *testing.T, subject, text string, n int64) {
		s := Statement{subject, HasAnchor, text, n}
		line := s.AppendLine(nil)
		if Clean(subject) == "" {
			return
		}
		got, err := ParseLine(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want := Statement{Clean(subject), HasAnchor, Clean(text), max(n, 1)}
		if got != want || string(got.AppendLine(nil)) != string(line) {
			t.Fatalf("%+v is read as %+v", want, got)
		}
	})
}

func FuzzParseDays(f *testing.F) {
	f.Add("-0044-03-15")
	f.Fuzz(func(t *testing.T, s string) {
		first, last, err := ParseDays(s)
		if err == nil && (first > last || first == Unknown) {
			t.Fatalf("%q: %v to %v", s, first, last)
		}
	})
}
