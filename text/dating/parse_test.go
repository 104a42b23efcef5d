package dating

import (
	"testing"
	"time"
)

// Stamps as machines and people write them. The span is what the stamp covers: to the second, or a day and the zones.
func TestParse(t *testing.T) {
	at := func(s string) time.Time {
		x, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for said, want := range map[string]struct {
		at    string
		width time.Duration
	}{
		"Sun, 06 Nov 1994 08:49:37 GMT":          {"1994-11-06 08:49:37", time.Second},
		"Sunday, 06-Nov-94 08:49:37 GMT":         {"1994-11-06 08:49:37", time.Second},
		"2024-03-05T10:11:12Z":                   {"2024-03-05 10:11:12", time.Second},
		"2024-03-05T10:11:12.000+02:00":          {"2024-03-05 08:11:12", time.Second},
		"2024-03-05T10:11:12+0200":               {"2024-03-05 08:11:12", time.Second},
		"2024-03-05T10:11Z":                      {"2024-03-05 10:11:00", time.Second},
		"2024-03-05 10:11:12":                    {"2024-03-05 10:11:12", 26*time.Hour + time.Second},
		"2024-03-05":                             {"2024-03-05 12:00:00", 50 * time.Hour},
		"2024/3/5":                               {"2024-03-05 12:00:00", 50 * time.Hour},
		"5 March 2024":                           {"2024-03-05 12:00:00", 50 * time.Hour},
		"March 5, 2024":                          {"2024-03-05 12:00:00", 50 * time.Hour},
		"Tuesday, March 5th, 2024":               {"2024-03-05 12:00:00", 50 * time.Hour},
		"the 5th of March 2024":                  {"2024-03-05 12:00:00", 50 * time.Hour},
		"5. März 2024, 10:11 Uhr":                {"2024-03-05 10:11:00", 26*time.Hour + time.Minute},
		"5 mars 2024":                            {"2024-03-05 12:00:00", 50 * time.Hour},
		"5 de marzo de 2024":                     {"2024-03-05 12:00:00", 50 * time.Hour},
		"5 marca 2024":                           {"2024-03-05 12:00:00", 50 * time.Hour},
		"5 марта 2024 года":                      {"2024-03-05 12:00:00", 50 * time.Hour},
		"2024年3月5日":                              {"2024-03-05 12:00:00", 50 * time.Hour},
		"05.03.2024":                             {"2024-03-05 12:00:00", 50 * time.Hour},
		"25/03/2024":                             {"2024-03-25 12:00:00", 50 * time.Hour},
		"03/25/2024":                             {"2024-03-25 12:00:00", 50 * time.Hour},
		"03/05/2024":                             {"2024-03-05 12:00:00", 50*time.Hour + 59*24*time.Hour}, // or 3 May
		": 5 March 2024 10:11 UTC":               {"2024-03-05 10:11:00", time.Minute},
		"5 March 2024 at 3:04 pm GMT":            {"2024-03-05 15:04:00", time.Minute},
		"by the editor, 5 Mar 2024 (version 12)": {"2024-03-05 12:00:00", 50 * time.Hour},
		"Tue Mar  5 10:11:12 2024":               {"2024-03-05 10:11:12", 26*time.Hour + time.Second},
	} {
		got, ok := parseStamp(said)
		if !ok || !got.at.Equal(at(want.at)) || got.to.Sub(got.from) != want.width {
			t.Errorf("%q: %v %v (width %v), want %v (%v)", said, ok, got.at, got.to.Sub(got.from), want.at, want.width)
		}
		if got.at.Before(got.from) || got.at.After(got.to) {
			t.Errorf("%q: %v is outside of %v to %v", said, got.at, got.from, got.to)
		}
	}
	for _, said := range []string{"", "yesterday", "31.02.2024", "2024-13-01", "12:30", "version 1.2.2024000", "1 2 3", "99 May 2024", "0", "Mai"} {
		if got, ok := parseStamp(said); ok {
			t.Errorf("%q was read as %v", said, got.at)
		}
	}
}

// Whatever is written, reading it ends, and what it gives is a sound span.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"Sun, 06 Nov 1994 08:49:37 GMT", "5. März 2024, 10:11 Uhr", "03/05/2024", "2024年3月5日", "1st of May 2006 at 3:04 pm"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, ok := parseStamp(s); ok && (got.at.Before(got.from) || got.to.Before(got.at)) {
			t.Fatalf("%q: %+v", s, got)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<meta property=article:modified_time content="2024-03-05T10:11:12Z"><script type="application/ld+json">{"dateModified":"2024-03-05"}</script><time datetime=2024-03-05><p>Last modified: 5 March 2024`))
	f.Fuzz(func(t *testing.T, page []byte) {
		in := append(make([]byte, 0, len(page)+8), page...)
		a := Read(in)
		if len(a.List) > maxStamps+2 {
			t.Fatal(len(a.List))
		}
		if string(in) != string(page) {
			t.Fatal("the page was changed")
		}
	})
}
