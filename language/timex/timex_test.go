package timex_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/language/timex"
)

// reference is a Monday, with a time in the afternoon.
var reference = time.Date(2016, 11, 7, 16, 12, 0, 0, time.UTC)

func find(t *testing.T, lang, text string, ref time.Time) []timex.Expression {
	t.Helper()
	f, err := timex.New(lang)
	if err != nil {
		t.Fatal(err)
	}
	return f.Find(text, ref)
}

// write writes expressions as: text type timex[/mod] earliest..latest, of all readings together.
func write(text string, found []timex.Expression) string {
	var out []string
	for _, e := range found {
		s := fmt.Sprintf("%s|%s", text[e.Start:e.End], e.Type)
		if len(e.Values) > 0 {
			s += "|" + e.Values[0].Timex
			if m := e.Values[0].Mod; m != "" {
				s += "/" + m
			}
		}
		if a, b, ok := e.Interval(); ok {
			side := func(t time.Time) string {
				switch {
				case t.IsZero():
					return ""
				case t.Hour()+t.Minute()+t.Second() == 0:
					return t.Format(time.DateOnly)
				}
				return t.Format("2006-01-02T15:04:05")
			}
			s += "|" + side(a) + ".." + side(b)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		// explicit, as the web writes it
		{"en", "Published 2026-11-12.", "2026-11-12|date|2026-11-12|2026-11-12..2026-11-13"},
		{"en", "12 Nov. 2026", "12 Nov. 2026|date|2026-11-12|2026-11-12..2026-11-13"},
		{"en", "Thursday, November 12th, 2026", "Thursday, November 12th, 2026|date|2026-11-12|2026-11-12..2026-11-13"},
		{"en", "12/11/2026", "12/11/2026|date|2026-12-11|2026-12-11..2026-12-12"},
		{"en-GB", "12/11/2026", "12/11/2026|date|2026-11-12|2026-11-12..2026-11-13"},
		{"en-US", "12/11/2026", "12/11/2026|date|2026-12-11|2026-12-11..2026-12-12"},
		{"en", "25/11/2026", "25/11/2026|date|2026-11-25|2026-11-25..2026-11-26"},
		{"en-GB", "11/25/2026", "11/25/2026|date|2026-11-25|2026-11-25..2026-11-26"},
		{"en", "2026-11-12T08:30:00Z", "2026-11-12T08:30:00Z|datetime|2026-11-12T08:30:00|2026-11-12T08:30:00..2026-11-12T08:30:01"},
		{"en", "2026-11-12T08:30+02:00", "2026-11-12T08:30+02:00|datetime|2026-11-12T08:30|2026-11-12T06:30:00..2026-11-12T06:31:00"},
		{"en", "12 November 2026 at 15:00 EST", "12 November 2026 at 15:00 EST|datetime|2026-11-12T15:00|2026-11-12T20:00:00..2026-11-12T20:01:00"},
		{"en", "in November 2026", "November 2026|daterange|2026-11|2026-11-01..2026-12-01"},
		{"en", "the 1990s", "the 1990s|daterange|(1990-01-01,2000-01-01,P10Y)|1990-01-01..2000-01-01"},
		{"en", "in the 19th century", "the 19th century|daterange|(1800-01-01,1900-01-01,P100Y)|1800-01-01..1900-01-01"},
		{"en", "44 BC", "44 BC|daterange|BC0044|-0043-01-01..-0042-01-01"},
		{"en", "winter 2012", "winter 2012|daterange|2012-WI|2012-01-01..2013-04-01"},
		{"en", "the third quarter of 2020", "the third quarter of 2020|daterange|(2020-07-01,2020-10-01,P3M)|2020-07-01..2020-10-01"},
		// relative
		{"en", "two weeks ago", "two weeks ago|date|2016-10-24|2016-10-24..2016-10-25"},
		{"en", "three days after Easter 2018", "three days after Easter 2018|date|2018-04-04|2018-04-04..2018-04-05"},
		{"en", "last Friday", "last Friday|date|2016-11-04|2016-11-04..2016-11-05"},
		{"en", "in 20 minutes", "in 20 minutes|datetime|2016-11-07T16:32:00|2016-11-07T16:32:00..2016-11-07T16:32:01"},
		{"en", "on March 5", "March 5|date|XXXX-03-05|2016-03-05..2017-03-06"},
		{"en", "the last three years", "last three years|daterange|(2013-11-07,2016-11-07,P3Y)|2013-11-07..2016-11-07"},
		// ranges, bounds
		{"en", "from May to September 2018", "from May to September 2018|daterange|(2018-05-01,2018-09-01,P4M)|2018-05-01..2018-10-01"},
		{"en", "1939-1945", "1939-1945|daterange|(1939-01-01,1945-01-01,P6Y)|1939-01-01..1946-01-01"},
		{"en", "since 1989", "since 1989|daterange|1989/since|1989-01-01.."},
		{"en", "before 11 September 2001", "before 11 September 2001|daterange|2001-09-11/before|..2001-09-11"},
		{"en", "until 2001", "until 2001|daterange|2001/until|..2002-01-01"},
		{"en", "by the end of this month", "by the end of this month|daterange|2016-11/before-end|..2016-12-01"},
		{"en", "around 1900", "around 1900|daterange|1900/approx|1900-01-01..1901-01-01"},
		// durations, sets, times of the day
		{"en", "for an hour and a half", "an hour and a half|duration|PT1.5H"},
		{"en", "2 years, 1 month and 21 days", "2 years, 1 month and 21 days|duration|P2Y1M21D"},
		{"en", "every Tuesday at 9", "every Tuesday at 9|set|XXXX-WXX-2T09"},
		{"en", "quarter to nine", "quarter to nine|time|T08:45"},
		{"en", "between 3 and 5 pm", "between 3 and 5 pm|timerange|(T15,T17,PT2H)"},
		// named days
		{"en", "Thanksgiving 2026", "Thanksgiving 2026|date|2026-11-WXX-4-4|2026-11-26..2026-11-27"},
		{"en", "Good Friday 2018", "Good Friday 2018|date|2018-03-30|2018-03-30..2018-03-31"},
		// what is none
		{"en", "This may take a while, it may not. She will march on.", ""},
		{"en", "Tel. +86 138-2010-2015, SSN 123-12-1234, code 133-03-03-2020, $2000, 1,999.50, 45%", ""},
		{"en", "at the 1875th meeting", ""},
		{"en", "30 February 2019", "30 February 2019|date|2019-02-30"},
		// other languages, by their files alone
		{"de", "Am 12. November 2026 um 15:30 Uhr", "Am 12. November 2026 um 15:30 Uhr|datetime|2026-11-12T15:30|2026-11-12T15:30:00..2026-11-12T15:31:00"},
		{"de", "vor zwei Wochen", "vor zwei Wochen|date|2016-10-24|2016-10-24..2016-10-25"},
		{"de", "im 19. Jahrhundert", "19. Jahrhundert|daterange|(1800-01-01,1900-01-01,P100Y)|1800-01-01..1900-01-01"},
		{"de", "die 1990er Jahre", "die 1990er Jahre|daterange|(1990-01-01,2000-01-01,P10Y)|1990-01-01..2000-01-01"},
		{"de", "vom 3. bis 5. Mai 2020", "vom 3. bis 5. Mai 2020|daterange|(2020-05-03,2020-05-05,P2D)|2020-05-03..2020-05-06"},
		{"de", "jeden Montag um 9 Uhr", "jeden Montag um 9 Uhr|set|XXXX-WXX-1T09"},
		{"de", "gestern Abend", "gestern Abend|datetimerange|2016-11-06TEV|2016-11-06T16:00:00..2016-11-06T20:00:00"},
		{"de", "halb acht", "halb acht|time|T07:30"},
		{"de", "1.2.2020", "1.2.2020|date|2020-02-01|2020-02-01..2020-02-02"},
		{"de", "Ostermontag 2018", "Ostermontag 2018|date|2018-04-02|2018-04-02..2018-04-03"},
		{"fr", "le 1er mai 2019 à 15h30", "le 1er mai 2019 à 15h30|datetime|2019-05-01T15:30|2019-05-01T15:30:00..2019-05-01T15:31:00"},
		{"fr", "il y a deux semaines", "il y a deux semaines|date|2016-10-24|2016-10-24..2016-10-25"},
		{"fr", "au XIXe siècle", "XIXe siècle|daterange|(1800-01-01,1900-01-01,P100Y)|1800-01-01..1900-01-01"},
		{"fr", "la semaine dernière", "la semaine dernière|daterange|2016-W44|2016-10-31..2016-11-07"},
		{"fr", "du 3 au 5 mai 2020", "du 3 au 5 mai 2020|daterange|(2020-05-03,2020-05-05,P2D)|2020-05-03..2020-05-06"},
		{"fr", "tous les lundis", "tous les lundis|set|XXXX-WXX-1"},
		{"fr", "jusqu'en 2001", "jusqu'en 2001|daterange|2001/until|..2002-01-01"},
		{"fr", "fin 2020", "fin 2020|daterange|2020/end|2020-09-01..2021-01-01"},
		{"es", "el 12 de noviembre de 2026 a las 15:30", "el 12 de noviembre de 2026 a las 15:30|datetime|2026-11-12T15:30|2026-11-12T15:30:00..2026-11-12T15:31:00"},
		{"es", "hace dos semanas", "hace dos semanas|date|2016-10-24|2016-10-24..2016-10-25"},
		{"es", "el siglo XIX", "el siglo XIX|daterange|(1800-01-01,1900-01-01,P100Y)|1800-01-01..1900-01-01"},
		{"es", "la década de 1990", "la década de 1990|daterange|(1990-01-01,2000-01-01,P10Y)|1990-01-01..2000-01-01"},
		{"es", "entre 2014 y 2018", "entre 2014 y 2018|daterange|(2014-01-01,2018-01-01,P4Y)|2014-01-01..2019-01-01"},
		{"es", "a las 3 de la tarde", "3 de la tarde|time|T15"},
		{"es", "todos los días", "todos los días|set|P1D"},
		{"es", "el lunes próximo", "el lunes próximo|date|2016-11-14|2016-11-14..2016-11-15"},
	} {
		if got := write(c.text, find(t, c.lang, c.text, reference)); got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.lang, c.text, got, c.want)
		}
	}
}

// Without the date of the document what is relative to it keeps its place and type, and has no value.
func TestUnknownReference(t *testing.T) {
	text := "Two weeks ago, on 12 November 2026, on Monday, since 1989."
	want := "Two weeks ago|date; 12 November 2026|date|2026-11-12|2026-11-12..2026-11-13; Monday|date; since 1989|daterange|1989/since|1989-01-01.."
	if got := write(text, find(t, "en", text, time.Time{})); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestUnknownLanguage(t *testing.T) {
	if _, err := timex.New("xx"); err == nil || !strings.Contains(err.Error(), "xx") {
		t.Errorf("%v", err)
	}
}

// Places are bytes, inside the text, in order and apart; what is found does not depend on what was found before.
func TestPlaces(t *testing.T) {
	f, err := timex.New("en")
	if err != nil {
		t.Fatal(err)
	}
	text := "Žluťoučký kůň: 12 November 2026 – café “last week” ’til 5 pm.\n\nTuesday\n9:30"
	want := write(text, f.Find(text, reference))
	if !strings.HasPrefix(want, "12 November 2026|date") || strings.Count(want, ";") != 4 {
		t.Errorf("%s", want)
	}
	for range 3 {
		f.Find(strings.Repeat("5 ", 1000)+"May", reference)
		if got := write(text, f.Find(text, reference)); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// Texts that are made to be slow or to break something.
func TestHostile(t *testing.T) {
	f, err := timex.New("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{
		"1", "1 ", "1/", "1-", "1:", "1,000,", "may ", "the ", "from 1 to ", "first of the last ", "a", "é", "\x00", "\xff", "\u202e", "e\u0301\u0301\u0301",
		"12/12/2012-", "half past ", "2 years ", "every ", "before after ", "monday ", "'", "January.", "mid-", "0", "99999999999 ", "99999999 business days ago ", "last 9999 working days ", "99999999 years before easter ",
	} {
		text := strings.Repeat(piece, 50_000/len(piece))
		end := 0
		for _, e := range f.Find(text, reference) {
			if e.Start < end || e.End > len(text) || e.Start >= e.End {
				t.Fatalf("%q: an expression from %d to %d after %d", piece, e.Start, e.End, end)
			}
			end = e.End
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"from May to 12 Nov. 2026 at 5pm", "am 12. Mai um halb acht", "il y a 2 ans", "entre 2014 y 2018", "2/29", "30 Feb", "44 BC", "9999999 years ago", "the 99th week of 2019"} {
		f.Add(s, int64(1478535120))
	}
	var finders []*timex.Finder
	for _, lang := range []string{"en", "de", "fr", "es"} {
		finder, err := timex.New(lang)
		if err != nil {
			f.Fatal(err)
		}
		finders = append(finders, finder)
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		ref := time.Unix(unix%(200*365*86400), 0)
		for _, finder := range finders {
			end := 0
			for _, e := range finder.Find(text, ref) {
				if e.Start < end || e.End > len(text) || e.Start >= e.End {
					t.Fatalf("%q: from %d to %d after %d", text, e.Start, e.End, end)
				}
				end = e.End
				for _, v := range e.Values {
					if !v.Earliest.IsZero() && !v.Latest.IsZero() && v.Latest.Before(v.Earliest) {
						t.Fatalf("%q: %+v", text[e.Start:e.End], v)
					}
				}
			}
		}
	})
}

// A region reads numeric dates in its order, shares words and rules with its language, and is kept nowhere.
func TestRegions(t *testing.T) {
	for lang, want := range map[string]string{"en": "2016-10-11", "en-US": "2016-10-11", "en-GB": "2016-11-10", "de-AT": "2016-11-10"} {
		f, err := timex.New(lang)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Find("10/11/2016", reference); len(got) != 1 || got[0].Values[0].Timex != want {
			t.Errorf("%s: %+v, want %s", lang, got, want)
		}
	}
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		n++
		if _, err := timex.Load("en-" + strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
	}); allocs > 10 {
		t.Errorf("%.0f allocations for a region of a language that was read", allocs)
	}
}
