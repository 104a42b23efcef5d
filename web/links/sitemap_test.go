package links

import (
	"testing"
	"time"

	"varve/lab/chance"
)

// Dates are read as they would be if every layout were tried, and those of sitemaps without trying others in vain.
func TestSitemapDates(t *testing.T) {
	every := func(s string) (time.Time, bool) {
		for _, l := range timeLayouts {
			if (s != "" && s[0] >= '0' && s[0] <= '9') != (l.layout[0] == '2') {
				continue
			}
			if t, err := time.Parse(l.layout, s); err == nil {
				return t.UTC(), true
			}
		}
		return time.Time{}, false
	}
	r := chance.Rand(t, 1)
	at := time.Date(2026, 3, 1, 10, 20, 30, 123456789, time.FixedZone("", 3600))
	ends := []string{"", "Z", "+01:00", "-0700", ".5", ".123456789", ".5Z", ".000+02:00", " ", "0", " GMT", "T"}
	for range 20_000 {
		s := at.Add(time.Duration(r.Int64N(int64(20 * 365 * 24 * time.Hour)))).Format(timeLayouts[r.IntN(len(timeLayouts))].layout)
		switch r.IntN(4) {
		case 0:
			s += ends[r.IntN(len(ends))]
		case 1:
			s = s[:r.IntN(len(s)+1)]
		}
		got, ok := parseTime(s)
		if want, known := every(s); ok != known || !got.Equal(want) {
			t.Fatalf("%q: %v %v, want %v %v", s, got, ok, want, known)
		}
	}
	for _, s := range []string{"2026-03-01", "2026-03", "2026", "2026-03-01T10:20:30Z", "2026-03-01T10:20:30+01:00"} {
		if n := testing.AllocsPerRun(100, func() { parseTime(s) }); n > 1 { // the zone of a time that has one
			t.Errorf("%s: %v allocations", s, n)
		}
	}
}
