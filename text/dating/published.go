package dating

import (
	"strconv"
	"strings"
	"time"
)

// Sources of the day of publication beside those of the last change.
const (
	Address Source = "address"   // a day in the address of the page
	Element Source = "element"   // an element whose class or id says date, or that tells of the text
	Title   Source = "title"     // the title, or a heading
	Text    Source = "text"      // a date in the text
	Altered Source = "modified"  // what tells of the last change: the page says no other date
	Rights  Source = "copyright" // a year, and no day
)

// Publication is the day on which a page was published.
type Publication struct {
	// Day is as written, in the zone of who wrote it: 2006-01-02. Where no more is known it is a month, 2006-01, or a year, 2006.
	Day        string    `json:"day,omitempty"`
	Time       time.Time `json:"time,omitzero"` // the instant, if a time of day and its zone are known
	Source     Source    `json:"source,omitempty"`
	Confidence float64   `json:"confidence,omitempty"` // that the day is right, 0 to 1
}

// earliest is before every page that says when it was published.
var earliest = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)

// Published returns the day of publication that the address and the page state. at is when the page was fetched: what is later is refused.
func (s Stamps) Published(address string, at time.Time) Publication {
	return s.hints.publication(address, midnight(at.UTC().Add(zonesAhead)))
}

func (h *hints) publication(address string, latest time.Time) Publication {
	t, layout, sure := addressDay(address)
	for _, l := range h.links {
		if layout != time.DateOnly {
			t, layout, sure = addressDay(l)
		}
	}
	if t.After(latest) {
		layout = ""
	}
	for _, o := range order {
		if o.place == numPlaces {
			if layout == time.DateOnly && (sure || o.most > 0) {
				return Publication{Day: t.Format(layout), Source: Address, Confidence: o.confidence}
			}
			continue
		}
		if x, ok := h.best(o.place, latest); ok && h.cost(&x) <= o.most {
			local := h.local(&x, latest)
			if layout == time.DateOnly && local.Sub(t).Abs() <= 24*time.Hour { // the address has the day of the newsroom
				return Publication{Day: t.Format(layout), Source: Address, Confidence: 0.95}
			}
			p := Publication{Day: local.Format(time.DateOnly), Source: o.source, Confidence: o.confidence}
			if x.exact {
				p.Time = x.at
			}
			return p
		}
	}
	switch {
	case layout != "":
		return Publication{Day: t.Format(layout), Source: Address, Confidence: 0.5}
	case h.year >= earliest.Year() && h.year <= latest.Year():
		return Publication{Day: strconv.Itoa(h.year), Source: Rights, Confidence: 0.2}
	}
	return Publication{}
}

// local returns the day of a date where the page was written. An instant in UTC has two or three, and the page may say which: the same instant in a zone, or a date for
// people that is the day before or after.
func (h *hints) local(x *hint, latest time.Time) time.Time {
	if !x.exact || !x.utc {
		return x.day
	}
	for _, y := range h.list {
		if y.exact && !y.utc && y.at.Sub(x.at).Abs() <= time.Minute {
			return y.day
		}
	}
	for _, y := range h.list {
		if y.exact || y.aside || y.place == inModified || y.place == inText && h.cost(&y) > 400 || !h.settle(&y.span, latest) {
			continue
		}
		switch hours := x.at.Sub(y.day).Hours(); {
		case y.day.Equal(x.day):
			return x.day
		case hours >= 24 && hours < 24+zonesBehind.Hours(), hours < 0 && hours > -zonesAhead.Hours():
			return y.day
		}
	}
	return x.day
}

// Costs of dates in the body of a page: see cost.
const (
	near     = 400  // bytes of text behind the heading
	sentence = 2500 // more for a date in the middle of a text
	besideIt = 5000 // more for one in a part that is about others
	any      = 1 << 30
)

// order is that in which the places are asked, each for its best date, if that costs at most so much. numPlaces is the address: of most 0 only one that is sure.
var order = []struct {
	place      place
	most       int
	source     Source
	confidence float64
}{
	{numPlaces, 0, Address, 0.95},
	{inMeta, any, Meta, 0.95},
	{inGraph, lostRank, JSONLD, 0.9},
	{inItem, any, Microdata, 0.9},
	{inMarked, any, TimeElement, 0.9},
	{numPlaces, 1, Address, 0.9},
	{inLabelled, 1000, Text, 0.9},
	{inLoose, any, Meta, 0.85},
	{inDated, besideIt - 1, Element, 0.85},
	{inTime, besideIt - 1, TimeElement, 0.85},
	{inTitle, any, Title, 0.8},
	{inByline, besideIt - 1, Element, 0.8},
	{inText, near, Text, 0.8},
	{inLabelled, any, Text, 0.7},
	{inModified, any, Altered, 0.6},
	{inText, besideIt - 1, Text, 0.5},
	{inGraph, any, JSONLD, 0.5},
	{inDated, any, Element, 0.5},
	{inTime, any, TimeElement, 0.5},
	{inByline, any, Element, 0.5},
	{inText, any, Text, 0.4},
}

// best returns the date of a place that is believed most.
func (h *hints) best(p place, latest time.Time) (out hint, ok bool) {
	for _, x := range h.list {
		if x.place == p && h.settle(&x.span, latest) && (!ok || h.cost(&x) < h.cost(&out)) {
			out, ok = x, true
		}
	}
	return out, ok
}

// cost orders the dates of one place; of equal ones the first counts.
func (h *hints) cost(x *hint) (n int) {
	switch x.place {
	case inMeta, inLoose, inTitle:
		return 0
	case inGraph:
		return int(x.rank)
	}
	if n = h.away(x.off); x.aside && n > near/2 { // what stands right behind the heading is about it, whatever the class of what is around both
		n += besideIt
	}
	if x.inside {
		n += sentence
	}
	return n
}

// away is how far a place is from the heading of the page, in bytes of text. What stands before it is further away: the date of today, and the newest articles, are there.
func (h *hints) away(at int) int {
	best := 4000
	for _, head := range h.heads {
		if at >= head {
			best = min(best, at-head)
		} else {
			best = min(best, 1000+head-at)
		}
	}
	return best
}

// settle decides which number is the month, and reports whether the day can be that of a publication.
func (h *hints) settle(sp *span, latest time.Time) bool {
	can := func(d time.Time) bool { return isPlausible(d) && !d.After(latest) }
	if !sp.other.IsZero() && can(sp.other) && (h.lang == "en-us" || !can(sp.day)) {
		sp.day = sp.other
	}
	return can(sp.day)
}

// parseHint reads a stamp in the forms that are used to state a publication: those of parseStamp, and bare numbers.
func parseHint(s string, h hand) (span, bool) {
	s = strings.TrimSpace(s)
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits == len(s) || digits == 8 {
		switch digits {
		case 8, 12, 14:
			t, err := time.Parse("20060102", s[:8])
			return day(t), err == nil
		case 10, 13:
			var n int64
			for i := range 10 {
				n = 10*n + int64(s[i]-'0')
			}
			return instant(time.Unix(n, 0).UTC(), time.Second), true
		}
		if digits == len(s) {
			return span{}, false
		}
	}
	if sp, ok := parseStamp(s); ok {
		return sp, true
	}
	return h.parseWords(s)
}
