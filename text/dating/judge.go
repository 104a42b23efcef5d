package dating

import (
	"fmt"
	"time"
)

// Visit is a capture and what is known around it.
type Visit struct {
	At           time.Time // when it was fetched, by our clock
	Date         string    // Date header, "" if there was none
	LastModified string    // Last-Modified header
	Sitemap      time.Time // lastmod of the URL, zero if there is none
	Stamps       Stamps    // what the page says; see Read
	Previous     *Previous // the capture before this one, nil if there is none
}

// Previous is the comparison with an earlier capture.
type Previous struct {
	At   time.Time
	Same bool // the content is equal on the layer that counts as a change
	Date Date // what that capture was dated; zero if it was not
}

// Host is what is known about the stamps of a host, by source. A nil Host knows nothing.
type Host map[Source]*Trust

// Of gives the trust of a source; a fresh one if nothing is known.
func (h Host) Of(s Source) *Trust {
	if t := h[s]; t != nil {
		return t
	}
	return &Trust{}
}

// now is how near to the answer a stamp counts as written for it.
const now = 2 * time.Second

// first is before every web page.
var first = time.Date(1991, 8, 6, 0, 0, 0, 0, time.UTC)

// Of dates a capture. The findings tell of each stamp what became of it, in the order in which they were asked.
func Of(v Visit, host Host) (Date, []Finding) {
	findings := v.findings()
	var best *Finding
	for i := range findings {
		f := &findings[i]
		if f.Refused == "" {
			f.judge(v, host.Of(f.Source))
		}
		if f.Refused == "" && best == nil {
			best = f
		}
	}
	d := v.digest()
	switch {
	case best != nil && isModified(best.Source):
		return d.narrow(best.Date), findings
	case v.Previous != nil && !v.Previous.Same:
		return d, findings
	case best != nil: // published, or found by search: a lower bound
		lower := best.Date
		lower.Latest = d.Latest
		return lower, findings
	}
	return d, findings
}

// isModified tells whether a source states the last change.
func isModified(s Source) bool {
	for _, m := range modifies {
		if m == s {
			return true
		}
	}
	return false
}

// findings lists the stamps in the order in which they are asked.
func (v *Visit) findings() (list []Finding) {
	if v.LastModified != "" {
		list = append(list, found(LastModified, v.LastModified))
	}
	stated := map[Source]Finding{}
	for _, s := range v.Stamps.List {
		if old, ok := stated[s.Source]; !ok || s.Time.After(old.Time) && s.Source != TimeElement {
			stated[s.Source] = s
		}
	}
	if !v.Sitemap.IsZero() {
		stated[Sitemap] = foundSpan(Sitemap, v.Sitemap.UTC().Format(time.RFC3339), sitemapSpan(v.Sitemap))
	}
	for _, s := range append(append([]Source(nil), modifies[1:]...), Published) {
		if f, ok := stated[s]; ok {
			list = append(list, f)
		}
	}
	return list
}

// sitemapSpan takes midnight for a date without a time of day.
func sitemapSpan(t time.Time) span {
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return day(t)
	}
	return instant(t, time.Second)
}

// found reads a stamp.
func found(s Source, said string) Finding {
	sp, ok := parseStamp(said)
	f := foundSpan(s, said, sp)
	if !ok {
		f.Refused = "not a date"
	}
	return f
}

func foundSpan(s Source, said string, sp span) Finding {
	if len(said) > 64 {
		said = said[:64]
	}
	return Finding{Date: Date{Time: sp.at, Earliest: sp.from, Latest: sp.to, Source: s, Confidence: confidence[s]}, Said: said}
}

// judge refuses a stamp that cannot be true, or whose source is not trusted.
func (f *Finding) judge(v Visit, t *Trust) {
	if f.Refused = Sight(f.Date, v.At, v.Date); f.Refused != "" {
		return
	}
	if p := v.Previous; p != nil {
		switch {
		case p.Same && f.Earliest.After(p.At) && isModified(f.Source):
			f.Refused = "the content is as it was before this date"
			return
		case f.Latest.Before(p.changed()) && isModified(f.Source):
			f.Refused = "the content changed after this date"
			return
		}
	}
	if t.Stamps+t.Revisits() > 0 && isModified(f.Source) {
		if !t.Trusted() {
			f.Refused = fmt.Sprintf("not trusted: score %.2f", t.Score())
			return
		}
		f.Confidence = min(0.99, f.Confidence/0.8*t.Score())
	}
	if f.Source == LastModified {
		f.shift(-v.ahead())
	}
	f.Latest = earlier(f.Latest, v.At)
	f.Time = earlier(f.Time, v.At)
	f.Earliest = earlier(f.Earliest, v.At)
}

// ahead is how far the clock of the server is ahead of ours. A Date in the past may be that of a cache, so a clock that
// is behind is not corrected.
func (v *Visit) ahead() time.Duration {
	sp, ok := parseStamp(v.Date)
	if !ok {
		return 0
	}
	if skew := sp.at.Sub(v.At); skew > now {
		return skew
	}
	return 0
}

func (d *Date) shift(by time.Duration) {
	d.Time, d.Earliest, d.Latest = d.Time.Add(by), d.Earliest.Add(by), d.Latest.Add(by)
}

// Sight judges a date by itself: why it cannot be true, or "". The date header corrects for a server whose clock is
// wrong; without one our own time is taken.
func Sight(d Date, at time.Time, dateHeader string) string {
	answer, exact := at, d.Latest.Sub(d.Earliest) <= time.Second
	if sp, ok := parseStamp(dateHeader); ok && dateHeader != "" {
		answer = sp.at
	}
	switch {
	case d.Earliest.Before(first.Add(-zonesAhead)):
		return "before the first web page"
	case d.Earliest.After(answer.Add(now)):
		return "later than the answer"
	case exact && answer.Sub(d.Time).Abs() <= now:
		return "the time of the answer"
	}
	return ""
}

// Modified reads a Last-Modified by sight: the instant by our clock (at is when the answer came), false if it cannot be true. date is the Date
// header of the answer, "" for none.
func Modified(lastModified, date string, at time.Time) (time.Time, bool) {
	if lastModified == "" {
		return time.Time{}, false
	}
	v := Visit{At: at, Date: date, LastModified: lastModified}
	f := found(LastModified, lastModified)
	if f.Refused == "" {
		f.Refused = Sight(f.Date, at, date)
	}
	return f.Time.Add(-v.ahead()), f.Refused == ""
}

// digest is what comparison with the previous capture says.
func (v *Visit) digest() Date {
	p := v.Previous
	switch {
	case p == nil:
		return Date{Latest: v.At, Source: Visited}
	case p.Same && p.Date.Source == Digest: // it is the version that was dated then
		return p.Date
	case p.Same:
		return Date{Latest: p.At, Source: Digest, Confidence: 0.95}
	}
	return Date{Time: p.At.Add(v.At.Sub(p.At) / 2), Earliest: p.At, Latest: v.At, Source: Digest, Confidence: 0.95}
}

// changed is an instant after which the content is known to have changed.
func (p *Previous) changed() time.Time {
	switch {
	case !p.Same:
		return p.At
	case p.Date.Source == Digest:
		return p.Date.Earliest
	}
	return time.Time{}
}

// narrow brings the bounds of a stamp within those of the digest.
func (d Date) narrow(s Date) Date {
	if d.Source != Digest {
		return s
	}
	if d.Earliest.After(s.Earliest) {
		s.Earliest = d.Earliest
	}
	s.Latest = earlier(s.Latest, d.Latest)
	if s.Time.Before(s.Earliest) {
		s.Time = s.Earliest
	}
	s.Time = earlier(s.Time, s.Latest)
	return s
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
