package evidence

import (
	"sort"
	"time"

	"varve/archive/warc"
)

// group is what was noted under one index key.
type group struct {
	key      string
	captures []note // by URL, then time
	others   []note // requests and metadata
}

// settle joins requests and metadata to the captures and finds the originals of revisits. It gives
// those that are still without one.
func (g *group) settle() (done, lost []note) {
	g.join()
	originals := g.originals()
	for i := range g.captures {
		n := &g.captures[i]
		if n.Refers == nil {
			done = append(done, *n)
			continue
		}
		if at, step, ok := originals.resolve(n, g.key); ok {
			n.Capture.adopt(&g.captures[at].Capture, step)
			done = append(done, *n)
		} else {
			lost = append(lost, *n)
		}
	}
	return done, lost
}

// named is a record id in a file: the same file may be given twice, once on each side.
type named struct {
	file int
	id   string
}

// join gives captures what their requests and metadata say. Either may name the other, in its own
// file before any other.
func (g *group) join() {
	captures := map[named]int{} // by their own id, and by the ids they name
	for i := range g.captures {
		c := &g.captures[i]
		for _, id := range append(c.With, c.Capture.Place.Record) {
			captures[named{c.Capture.Place.File, id}] = i
			captures[named{anyFile, id}] = i
		}
	}
	for i := range g.others {
		o := &g.others[i]
		if at, ok := o.about(captures); ok {
			g.captures[at].Capture.learn(o)
		}
	}
}

const anyFile = -1

// about finds the capture that a request or metadata record belongs to.
func (n *note) about(captures map[named]int) (int, bool) {
	for _, file := range []int{n.Capture.Place.File, anyFile} {
		for _, id := range append(n.With, n.Capture.Place.Record) {
			if at, ok := captures[named{file, id}]; ok {
				return at, true
			}
		}
	}
	return 0, false
}

// learn takes what a request or metadata record says about the capture.
func (c *Observation) learn(o *note) {
	from := &o.Capture
	if o.Kind == kindRequest {
		c.Method = from.Method
		if !c.Known && c.Via == "" {
			c.Via = from.Via
		}
		return
	}
	if from.Known {
		c.Via, c.Hops, c.Known = from.Via, from.Hops, true
	}
	if from.Pass != "" {
		c.Pass, c.Group = from.Pass, from.Group
	}
}

// adopt gives a revisit the content of its original. Its head is its own, except for what a 304
// does not repeat.
func (c *Observation) adopt(from *Observation, step warc.Step) {
	c.Step, c.Layers, c.Bytes, c.Truncated = step, from.Layers, from.Bytes, from.Truncated
	c.Type, c.Stamps = from.Type, from.Stamps
	c.Parts, c.PartsCut = from.Parts, from.PartsCut
	place := from.Place
	c.Original = &place
	if c.Digest == "" {
		c.Digest = from.Digest
	}
	if c.NotModified || c.Status == 0 {
		c.Status = from.Status
	}
	if c.MIME == "" || c.NotModified {
		c.MIME = from.MIME
	}
	if c.ETag == "" {
		c.ETag = from.ETag
	}
	if c.LastModified.IsZero() {
		c.LastModified = from.LastModified
	}
}

// local are the captures of a group that have content, as warc.Resolve looks them up.
type local struct {
	*warc.MemoryOriginals
	notes []note
	at    map[place]int
	byURL map[string][]int // by time
}

type place struct {
	file          int
	offset, inner int64
	record        string
}

func (g *group) originals() *local {
	l := &local{MemoryOriginals: warc.NewMemoryOriginals(), notes: g.captures, at: map[place]int{}, byURL: map[string][]int{}}
	for i := range g.captures {
		if n := &g.captures[i]; n.Refers == nil {
			l.Add(n.ref(g.key))
			l.at[placeOf(n)] = i
			l.byURL[n.Capture.URL] = append(l.byURL[n.Capture.URL], i)
		}
	}
	return l
}

func placeOf(n *note) place {
	p := n.Capture.Place
	return place{p.File, p.Offset, p.Inner, p.Record}
}

// ref is what warc.Resolve wants to know of a capture. Of the places of a file the number is enough.
func (n *note) ref(key string) warc.Ref {
	c := &n.Capture
	return warc.Ref{RecordID: c.Place.Record, URI: c.URL, Key: key, Date: c.Time, Digest: c.Digest, File: fileWord(c.Place.File), Offset: c.Place.Offset, Inner: c.Place.Inner}
}

// resolve finds the original of a revisit among the captures of its key.
func (l *local) resolve(n *note, key string) (int, warc.Step, bool) {
	if ref, step, ok := warc.Resolve(n.record(), key, l); ok {
		i, there := l.at[place{fileNumber(ref.File), ref.Offset, ref.Inner, ref.RecordID}]
		return i, step, there
	}
	if n.namesNothing() {
		if i, ok := l.nearest(n.Capture.URL, n.Capture.Time); ok {
			return i, StepNearest, true
		}
	}
	return 0, "", false
}

// namesNothing tells of a revisit whose record gives no hint of its original.
func (n *note) namesNothing() bool {
	return n.Refers.ID == "" && n.Refers.Date.IsZero() && (n.Capture.Digest == "" || n.Capture.NotModified)
}

// nearest finds the last capture with content of a URL before an instant, status 200 before others.
func (l *local) nearest(url string, at time.Time) (int, bool) {
	mine := l.byURL[url]
	end := sort.Search(len(mine), func(i int) bool { return !l.notes[mine[i]].Capture.Time.Before(at) })
	for i := end - 1; i >= 0; i-- {
		if l.notes[mine[i]].Capture.OK() {
			return mine[i], true
		}
	}
	if end == 0 {
		return 0, false
	}
	return mine[end-1], true
}

// record gives a revisit as the record that it was, for warc.Resolve.
func (n *note) record() *warc.Record {
	c := &n.Capture
	h := warc.Header{
		{Name: warc.FieldTargetURI, Value: c.URL},
		{Name: warc.FieldDate, Value: c.Time.Format(time.RFC3339Nano)},
		{Name: warc.FieldRefersTo, Value: n.Refers.ID},
		{Name: warc.FieldRefersToURI, Value: n.Refers.URI},
		{Name: warc.FieldPayloadDigest, Value: c.Digest},
	}
	if !n.Refers.Date.IsZero() {
		h = append(h, warc.Field{Name: warc.FieldRefersToDate, Value: n.Refers.Date.Format(time.RFC3339Nano)})
	}
	return &warc.Record{Header: h}
}
