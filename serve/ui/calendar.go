package ui

import (
	"time"

	"varve/serve/holdings"
	"varve/serve/message"
)

// month is a month of the calendar; weeks begin on Monday.
type month struct {
	Name  string
	Weeks [][7]dayCell
}

// dayCell is a day of the calendar.
type dayCell struct {
	Day   int // 0: not of this month
	Href  string
	Class string // changed, same, gone
	Title string
	Count int
}

// monthsOf lays out the months of a year that have captures, and those between them.
func monthsOf(l *message.Language, year int, days []holdings.Day, open func(holdings.IndexedCapture) string) []month {
	by := map[time.Time]holdings.Day{}
	first, last := 13, 0
	for _, d := range days {
		if d.Date.Year() == year {
			by[d.Date] = d
			first, last = min(first, int(d.Date.Month())), max(last, int(d.Date.Month()))
		}
	}
	var out []month
	for m := first; m <= last; m++ {
		out = append(out, monthOf(l, year, time.Month(m), by, open))
	}
	return out
}

func monthOf(l *message.Language, year int, m time.Month, by map[time.Time]holdings.Day, open func(holdings.IndexedCapture) string) month {
	out := month{Name: l.MonthName(time.Date(year, m, 1, 0, 0, 0, 0, time.UTC))}
	var week [7]dayCell
	for at := time.Date(year, m, 1, 0, 0, 0, 0, time.UTC); at.Month() == m; at = at.AddDate(0, 0, 1) {
		column := (int(at.Weekday()) + 6) % 7
		if column == 0 && at.Day() > 1 {
			out.Weeks = append(out.Weeks, week)
			week = [7]dayCell{}
		}
		week[column] = cellOf(l, at, by[at], open)
	}
	out.Weeks = append(out.Weeks, week)
	return out
}

func cellOf(l *message.Language, at time.Time, d holdings.Day, open func(holdings.IndexedCapture) string) dayCell {
	cell := dayCell{Day: at.Day(), Count: len(d.Captures)}
	if cell.Count == 0 {
		return cell
	}
	newest := d.Captures[len(d.Captures)-1]
	what := l.Text("unchanged")
	switch cell.Class = "same"; {
	case d.Gone:
		cell.Class, what = "gone", l.Text("not there")
	case d.Changed:
		cell.Class, what = "changed", l.Text("changed")
	}
	cell.Href = open(newest)
	cell.Title = l.Stamp(newest.Time) + " · " + l.Count(cell.Count, "capture") + " · " + what
	return cell
}
