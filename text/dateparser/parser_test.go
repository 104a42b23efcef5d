package dateparser

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-15": "2026-11-15", "2026/1/5": "2026-01-05", "Updated 15.11.2026, 10:20": "2026-11-15", "11/15/2026": "2026-11-15",
		"03/04/2021": "2021-04-03", "November 15, 2026": "2026-11-15", "15 November 2026": "2026-11-15", "on 1st of may 2020": "2020-05-01",
		"15. Nov. 2026": "2026-11-15", "Sonntag, 3. März 2019": "2019-03-03", "15 de noviembre de 2026": "2026-11-15", "le 1 août 2020": "2020-08-01",
		"5 января 2020": "2020-01-05", "31 February 2020": "", "yesterday": "", "12 34 5678": "", "": "", "3 listopada 2020": "2020-11-03",
	} {
		got := ""
		if d, err := (&Parser{}).Parse(nil, text); err == nil {
			got = d.Time.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("15 November 2026")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := (&Parser{}).Parse(nil, text); err == nil && d.Time.Year() < 1900 {
			t.Errorf("%q: %v", text, d.Time)
		}
	})
}
