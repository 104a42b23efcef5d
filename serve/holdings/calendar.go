package holdings

import "time"

// Day is a day with captures of a URL.
type Day struct {
	Date     time.Time `json:"date"` // midnight UTC
	Captures []Capture `json:"captures"`
	Changed  bool      `json:"changed"` // one of them differs from the capture before it
	Gone     bool      `json:"gone"`    // the last of them says that there is no page
}

// Days groups captures of one URL, oldest first, by day.
func Days(captures []Capture) []Day {
	var out []Day
	for i, c := range captures {
		date := c.Time.UTC().Truncate(24 * time.Hour)
		if len(out) == 0 || !out[len(out)-1].Date.Equal(date) {
			out = append(out, Day{Date: date})
		}
		d := &out[len(out)-1]
		d.Captures = append(d.Captures, c)
		d.Changed = d.Changed || i == 0 || !sameVersion(captures[i-1], c)
		d.Gone = IsGone(c.Status)
	}
	return out
}
