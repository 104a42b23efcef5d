package holdings

import (
	"time"

	"varve/version"
)

// Day is a day with captures of a URL.
type Day struct {
	Date     time.Time        `json:"date"` // midnight UTC
	Captures []IndexedCapture `json:"captures"`
	Changed  bool             `json:"changed"` // a version begins or ends on it
	Gone     bool             `json:"gone"`    // the last of them says that there is no page
}

// Days groups captures of one URL, oldest first, by day.
func Days(captures []IndexedCapture) []Day {
	var out []Day
	var fold version.Fold
	for _, c := range captures {
		date := c.Time.UTC().Truncate(24 * time.Hour)
		if len(out) == 0 || !out[len(out)-1].Date.Equal(date) {
			out = append(out, Day{Date: date})
		}
		d := &out[len(out)-1]
		d.Captures = append(d.Captures, c)
		was := fold.Open()
		step := fold.Next(c.Sight())
		d.Changed = d.Changed || step == version.Begin || step == version.End && was
		d.Gone = version.IsGone(c.Status)
	}
	return out
}
