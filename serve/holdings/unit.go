package holdings

import "time"

// Unit is a stretch of the calendar.
type Unit string

// The units, from long to short.
const (
	Year    Unit = "year"
	Quarter Unit = "quarter"
	Month   Unit = "month"
	Week    Unit = "week"
	DayUnit Unit = "day"
	Hour    Unit = "hour"
)

// maxRows is how many stretches a view has at most, if years are long enough.
const maxRows = 30

// UnitFor gives the shortest unit of which no more than maxRows lie between two instants.
func UnitFor(first, last time.Time) Unit {
	d := last.Sub(first)
	for _, u := range []struct {
		unit Unit
		long time.Duration
	}{{Hour, time.Hour}, {DayUnit, 24 * time.Hour}, {Week, 7 * 24 * time.Hour}, {Month, 30 * 24 * time.Hour}, {Quarter, 91 * 24 * time.Hour}} {
		if d/u.long < maxRows {
			return u.unit
		}
	}
	return Year
}

// Floor is the beginning of the stretch that an instant lies in.
func (u Unit) Floor(t time.Time) time.Time {
	t = t.UTC()
	y, m, d := t.Date()
	switch u {
	case Year:
		return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	case Quarter:
		return time.Date(y, (m-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	case Month:
		return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	case Week:
		return time.Date(y, m, d-(int(t.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
	case DayUnit:
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return t.Truncate(time.Hour)
}

// Next is the beginning of the stretch after the one that begins at t.
func (u Unit) Next(t time.Time) time.Time {
	switch u {
	case Year:
		return t.AddDate(1, 0, 0)
	case Quarter:
		return t.AddDate(0, 3, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	case Week:
		return t.AddDate(0, 0, 7)
	case DayUnit:
		return t.AddDate(0, 0, 1)
	}
	return t.Add(time.Hour)
}

// Label names the stretch that begins at t.
func (u Unit) Label(t time.Time) string {
	switch u {
	case Year:
		return t.Format("2006")
	case Quarter:
		return t.Format("2006") + " Q" + string(rune('1'+(t.Month()-1)/3))
	case Month:
		return t.Format("2006-01")
	case Hour:
		return t.Format("2006-01-02 15:00")
	}
	return t.Format(time.DateOnly)
}
