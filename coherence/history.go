package coherence

import (
	"slices"
	"time"
)

// Sighting is one capture of a page, in any crawl.
type Sighting struct {
	Time      time.Time
	Content   string    // digest on the layer that is asked about; equal means the same content
	Crawl     string    // captures of one crawl prove what lies between them, those of two let infer it
	Confirmed bool      // the server said that the content is that of the capture before (304 to a strong ETag)
	Modified  time.Time // last change, by a trusted date; zero when not known
}

// Held is an interval in which a content of a page is known to have stood.
type Held struct {
	Content string
	Interval
}

// Holdings gives the intervals of one page over all its captures, in order of time. Captures that
// follow each other with the same content make an interval, with this level:
//
//	a trusted date of the later is not after the earlier    asserted
//	of one crawl, 304                                        asserted
//	of one crawl, bytes                                      witnessed
//	of two crawls                                            inferred
//
// A capture alone holds at its own instant, and back to its trusted date. Intervals of one level
// that meet are one; where several levels overlap, all are listed, since levels are never mixed up.
func Holdings(sightings []Sighting) []Held {
	s := slices.Clone(sightings)
	slices.SortStableFunc(s, func(a, b Sighting) int { return a.Time.Compare(b.Time) })
	var out []Held
	for i, b := range s {
		dated := !b.Modified.IsZero() && b.Modified.Before(b.Time)
		if i == 0 || s[i-1].Content != b.Content {
			out = append(out, Held{b.Content, Interval{b.Time, b.Time, Witnessed}})
			if dated {
				from := b.Modified
				if i > 0 && !from.After(s[i-1].Time) {
					continue // the date says that the other content of the capture before never was
				}
				out = append(out, Held{b.Content, Interval{from, b.Time, Asserted}})
			}
			continue
		}
		out = extend(out, Held{b.Content, Interval{s[i-1].Time, b.Time, levelBetween(s[i-1], b)}})
		if dated && b.Modified.Before(s[i-1].Time) {
			out = extend(out, Held{b.Content, Interval{b.Modified, b.Time, Asserted}})
		}
	}
	return out
}

// levelBetween is how well is known what stood between two captures of the same content.
func levelBetween(a, b Sighting) Level {
	switch {
	case !b.Modified.IsZero() && !b.Modified.After(a.Time):
		return Asserted
	case a.Crawl != b.Crawl:
		return Inferred
	case b.Confirmed:
		return Asserted
	}
	return Witnessed
}

// extend adds an interval, joined with one of the same content and level that it meets.
func extend(all []Held, h Held) []Held {
	for i := len(all) - 1; i >= 0 && all[i].Content == h.Content; i-- {
		a := &all[i]
		if a.Level == h.Level && !h.From.After(a.To) && !h.To.Before(a.From) {
			if h.From.Before(a.From) {
				a.From = h.From
			}
			if h.To.After(a.To) {
				a.To = h.To
			}
			return all
		}
	}
	return append(all, h)
}
