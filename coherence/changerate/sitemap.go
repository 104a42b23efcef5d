package changerate

import (
	"math"
	"strings"
	"time"
)

// Hint is what sitemaps say of a page. Sitemaps are often wrong, so a hint is only a prior.
type Hint struct {
	Changefreq string    // the word; empty if there is none
	Lastmods   []Lastmod // of this page, in the order the sitemaps were read
}

// Lastmod is the date in one reading of a sitemap.
type Lastmod struct {
	Seen     time.Time // when the sitemap was fetched
	Modified time.Time // the page's lastmod in it
}

const (
	hour = 3600.0
	day  = 24 * hour
	year = 365.25 * day
)

// frequencies are the words of sitemaps.org from fast to slow, with seconds between changes. "always" (each access
// differs) is taken for ten minutes and "never" (archived) for ten years: rates have to be positive and finite.
var frequencies = []struct {
	word  string
	every float64
}{
	{"always", hour / 6},
	{"hourly", hour},
	{"daily", day},
	{"weekly", 7 * day},
	{"monthly", year / 12},
	{"yearly", year},
	{"never", 10 * year},
}

// Changefreq gives the rate of a sitemap's word: once per hour, day and so on. The interval reaches to the words
// before and after, a convention, so Confidence is 0. An unknown word gives an unknown rate.
func Changefreq(word string) Rate {
	word = strings.ToLower(strings.TrimSpace(word))
	for i, f := range frequencies {
		if f.word != word {
			continue
		}
		r := Rate{Value: 1 / f.every, High: math.Inf(1), Source: FromChangefreq}
		if i > 0 {
			r.High = 1 / frequencies[i-1].every
		}
		if i < len(frequencies)-1 {
			r.Low = 1 / frequencies[i+1].every
		}
		return r
	}
	return Rate{}
}

// Lastmods gives the rate from the dates that one or several readings of a sitemap had: each reading is a visit with
// a date. One reading gives the age of the page, which says little, but something. Dates in the future of
// their reading say nothing.
func Lastmods(read []Lastmod, conf float64) Rate {
	visits := make([]Observation, 0, len(read))
	for _, l := range read {
		if !l.Modified.IsZero() && !l.Modified.After(l.Seen) {
			visits = append(visits, Observation{At: l.Seen, Modified: l.Modified})
		}
	}
	r := Corrected(Compare(visits), conf)
	if r.Known() {
		r.Source = FromLastmod
	}
	return r
}

// Rate gives what the hint says: by its dates if there are any, else by its word.
func (h Hint) Rate(conf float64) Rate {
	if r := Lastmods(h.Lastmods, conf); r.Known() {
		return r
	}
	return Changefreq(h.Changefreq)
}
