package temporal

import (
	"slices"
	"strconv"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/version"
)

// Span is a stretch of time [From, To) in seconds since 1970; To is Forever if it is open.
type Span struct{ From, To uint32 }

// Forever is the end of an open span.
const Forever = forever

// Evidence says how a proven span is known.
type Evidence string

// The levels of evidence, never mixed up.
const (
	Witnessed Evidence = "witnessed" // we hold equal content of both ends, taken in one crawl
	Asserted  Evidence = "asserted"  // the server says so: 304 to a strong ETag, or a trusted date
)

// Version is one content of a page.
type Version struct {
	Key      string
	URL      string // of its first capture
	Digest   string // of its payload; "redirect:URL" of a redirect elsewhere
	MIME     string
	Status   int
	First    uint32 // seconds: the first capture
	Within   string // digits behind that second, as the index of captures has them
	Last     uint32 // the last capture
	End      uint32 // of its nominal validity
	Captures int

	Witnessed []Span
	Asserted  []Span
}

// Nominal gives the nominal validity.
func (v *Version) Nominal() Span { return Span{v.First, v.End} }

// Seen gives the times of the first and the last capture.
func (v *Version) Seen() varve.Span { return varve.Span{From: instant(v.First), To: instant(v.Last)} }

// Inferred gives the inferred validity.
func (v *Version) Inferred() Span { return Span{v.First, add(v.Last, 1)} }

// observation is one capture of a page.
type observation struct {
	version.Sight
	at       uint32
	rec      *cdxj.Record
	crawl    string
	modified uint32 // the date of the last change that the server told; 0 if none
}

// folder makes versions of the captures of one key after the other.
type folder struct {
	crawl func(file string) string
	emit  func(host string, v *Version, s stamps) error

	key     string
	fold    version.Fold
	current *Version
	stamps  stamps
	last    observation // of the current version
	other   uint32      // the last time that something else was seen, plus one; 0: never
}

// add takes the next capture, in the order of the index.
func (f *folder) add(r *cdxj.Record) error {
	o, ok := f.observe(r)
	if !ok {
		return nil
	}
	if r.Key != f.key {
		if err := f.flush(Forever); err != nil {
			return err
		}
		f.key, f.other, f.fold = r.Key, 0, version.Fold{}
	}
	switch f.fold.Next(o.Sight) {
	case version.End:
		err := f.flush(o.at)
		f.other = add(o.at, 1)
		return err
	case version.Again:
		f.again(&o)
	case version.Begin:
		if f.current != nil {
			f.other = add(f.current.Last, 1)
			if err := f.flush(o.at); err != nil {
				return err
			}
		}
		f.begin(&o)
	}
	return nil
}

// observe reads a capture; false if its time cannot be read.
func (f *folder) observe(r *cdxj.Record) (o observation, ok bool) {
	t, err := r.Time()
	if err != nil {
		return o, false
	}
	o = observation{Sight: Sight(r), at: seconds(t), rec: r}
	if f.crawl != nil {
		o.crawl = f.crawl(r.Filename)
	}
	if m, ok := r.Get("modified"); ok && o.Says != version.Same {
		if t, err := cdxj.ParseTimestamp(m); err == nil {
			o.modified = seconds(t)
		}
	}
	return o, true
}

// Sight is what a line of a capture index says of its page.
func Sight(r *cdxj.Record) version.Sight {
	a := version.Answer{Key: r.Key, Status: r.Status, Digest: cdxj.NormalDigest(r.Digest)}
	a.Redirect, _ = r.Get("redirect")
	a.NotModified, _ = r.Get("notModified")
	return a.Sight()
}

// begin starts a version.
func (f *folder) begin(o *observation) {
	f.current = &Version{
		Key: o.rec.Key, URL: o.rec.URL, Digest: o.Identity, MIME: o.rec.MIME, Status: o.rec.Status,
		First: o.at, Within: o.rec.Within, Last: o.at, Captures: 1, Witnessed: []Span{{o.at, add(o.at, 1)}},
	}
	f.note(o)
}

// again counts a capture of the current version.
func (f *folder) again(o *observation) {
	v := f.current
	v.Captures++
	if v.MIME == "warc/revisit" && o.rec.MIME != "warc/revisit" {
		v.MIME = o.rec.MIME
	}
	now := Span{o.at, add(o.at, 1)}
	same := o.Says == version.Same
	if !same || o.Strong { // a weak 304 is no sight of the bytes
		v.Witnessed = extend(v.Witnessed, now, !same && o.crawl != "" && o.crawl == f.last.crawl)
	}
	if o.Strong {
		v.Asserted = append(v.Asserted, Span{f.last.at, add(o.at, 1)})
	}
	v.Last = max(v.Last, o.at)
	f.note(o)
}

// note keeps what later captures are compared with, and the stamp if it can be true: something else
// seen after it proves that it is not.
func (f *folder) note(o *observation) {
	f.last = *o
	if o.modified == 0 || o.modified >= o.at {
		return
	}
	s := &f.stamps
	switch s.told {
	case 0:
		s.first = o.modified
	case o.modified:
		s.stays++
	default:
		s.moves++
	}
	s.told = o.modified
	switch {
	case o.modified < f.other:
	case s.span == Span{}:
		s.span = Span{o.modified, add(o.at, 1)}
	default:
		s.span.To = add(o.at, 1)
	}
}

// flush ends the current version.
func (f *folder) flush(end uint32) error {
	v := f.current
	if v == nil {
		return nil
	}
	f.current = nil
	v.End = max(end, add(v.First, 1))
	told := f.stamps
	f.stamps = stamps{}
	host, _, _ := cutHost(v.Key)
	return f.emit(host, v, told)
}

// extend adds a span to a sorted list, joined with the last one if it touches it or if so wished.
func extend(list []Span, s Span, join bool) []Span {
	if n := len(list); n > 0 && (join || s.From <= list[n-1].To) {
		list[n-1].To = max(list[n-1].To, s.To)
		return list
	}
	return append(list, s)
}

// union sorts spans and joins those that overlap or touch.
func union(list []Span) []Span {
	slices.SortFunc(list, func(a, b Span) int { return int(int64(a.From) - int64(b.From)) })
	var out []Span
	for _, s := range list {
		out = extend(out, s, false)
	}
	return out
}

// cutHost cuts an index key behind its host.
func cutHost(key string) (host, path string, ok bool) {
	for i := range len(key) {
		if key[i] == ')' {
			return key[:i], key[i+1:], true
		}
	}
	return key, "", false
}

// seconds gives an instant as the index has it; what is before 1970 or after 2106 goes to the edge.
func seconds(t time.Time) uint32 {
	return uint32(min(max(t.Unix(), 0), int64(forever)-1))
}

// instant gives a second of the index as a time.
func instant(s uint32) time.Time { return time.Unix(int64(s), 0).UTC() }

// line writes a version as a line of the table.
func (v *Version) line(b []byte) []byte {
	r := cdxj.Record{
		Key: v.Key, Timestamp: cdxj.Timestamp(instant(v.First)), Within: v.Within, URL: v.URL, MIME: v.MIME, Digest: v.Digest,
		Status: v.Status, Offset: cdxj.Unknown, Length: cdxj.Unknown,
	}
	r.Set("last", cdxj.Timestamp(instant(v.Last)))
	if v.End != Forever {
		r.Set("end", cdxj.Timestamp(instant(v.End)))
	}
	r.Set("captures", strconv.Itoa(v.Captures))
	return cdxj.Format{}.Append(b, &r)
}

// parseVersion reads what line wrote. Proven spans are in the trees.
func parseVersion(line string) (v Version, err error) {
	r, err := cdxj.Parse(line)
	if err != nil {
		return v, err
	}
	v = Version{Key: r.Key, Within: r.Within, URL: r.URL, Digest: r.Digest, MIME: r.MIME, Status: r.Status, End: Forever}
	for name, to := range map[string]*uint32{"last": &v.Last, "end": &v.End} {
		if s, ok := r.Get(name); ok {
			t, err := cdxj.ParseTimestamp(s)
			if err != nil {
				return v, err
			}
			*to = seconds(t)
		}
	}
	t, err := r.Time()
	v.First = seconds(t)
	if s, ok := r.Get("captures"); ok && err == nil {
		v.Captures, err = strconv.Atoi(s)
	}
	return v, err
}
