package country

import (
	"fmt"
	"time"
)

// Opinion is how many of a hundred voters would vote for whom.
type Opinion struct{ Calder, Wren, Okafor float64 }

// dated is a point that the line of opinions goes through.
type dated struct {
	day string
	Opinion
}

// opinions is why people change their minds: the affair of 6 May 2024, the election, the amendment of 19 May 2025.
var opinions = []dated{
	{"2023-01-01", Opinion{44, 25, 9}},
	{"2024-01-21", Opinion{45, 26, 10}},
	{"2024-05-05", Opinion{46, 26, 12}},
	{"2024-05-19", Opinion{23, 36, 14}},
	{"2024-09-22", Opinion{30.1, 39.4, 16.8}},
	{"2025-05-18", Opinion{29, 40, 16}},
	{"2025-06-15", Opinion{35, 27, 14}},
	{"2026-03-01", Opinion{36, 28, 15}},
}

// OpinionAt is what voters thought at an instant.
func OpinionAt(t time.Time) Opinion {
	before, end := opinions[0], opinions[len(opinions)-1]
	if !t.After(day(before.day)) {
		return before.Opinion
	}
	for _, p := range opinions[1:] {
		if at := day(p.day); t.Before(at) {
			from := day(before.day)
			share := float64(t.Sub(from)) / float64(at.Sub(from))
			mix := func(a, b float64) float64 { return a + float64((b-a)*share) }
			return Opinion{mix(before.Calder, p.Calder), mix(before.Wren, p.Wren), mix(before.Okafor, p.Okafor)}
		}
		before = p
	}
	return end.Opinion
}

// figures are the shares as articles write them.
func (o Opinion) figures() map[string]string {
	f := func(x float64) string { return fmt.Sprintf("%.0f", x) }
	return map[string]string{"calder": f(o.Calder), "wren": f(o.Wren), "okafor": f(o.Okafor)}
}

// Dates that turn opinions.
var (
	affair    = day("2024-05-06")
	election  = day("2024-09-22")
	amendment = day("2025-05-19")
)

// side is what a post is about, drawn by the opinions of its time.
func side(t time.Time, draw, mood float64) string {
	o := OpinionAt(t)
	switch draw *= 100; {
	case draw < o.Calder:
		return "post calder"
	case draw < o.Calder+o.Wren:
		switch {
		case t.After(amendment) && mood < 0.5:
			return "post disappointed"
		case t.After(affair) && t.Before(election) && mood < 0.4:
			return "post against"
		}
		return "post wren"
	case draw < o.Calder+o.Wren+o.Okafor:
		return "post okafor"
	}
	switch {
	case t.After(amendment) && mood < 0.6:
		return "post disappointed"
	case t.After(affair) && t.Before(election) && mood < 0.8:
		return "post against"
	}
	return "post undecided"
}

// day reads a date of our own tables, which a test checks.
func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
