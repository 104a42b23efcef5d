package holdings

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"varve/archive/durable"
	"varve/crawl"
)

// listed is the row of a collection in the catalogue.
type listed struct {
	Title   string      `json:"title"`
	Purpose string      `json:"purpose,omitempty"`
	Clock   crawl.Clock `json:"clock,omitempty"`
	Plans   []Planned   `json:"plans,omitempty"` // without seeds, and without what is told by the crawls
	Problem string      `json:"problem,omitempty"`
	Trouble string      `json:"trouble,omitempty"`
	Hidden  []string    `json:"hidden,omitempty"`
	Files   int         `json:"files"`
	Bytes   int64       `json:"bytes"`

	Sum     Sum                  `json:"sum"`
	Head    Head                 `json:"head"`
	Ran     map[string]time.Time `json:"ran,omitempty"`     // start of the newest crawl of each plan
	Pending int                  `json:"pending,omitempty"` // folders of crawls that were not read yet
	Changes uint64               `json:"changes"`           // of its crawls so far

	Plan   uint64 `json:"plan"`   // stamp of the files that tell of the plan
	Holds  uint64 `json:"holds"`  // stamp of the folders that have WARC files
	Folder int64  `json:"folder"` // when the folder of crawls was changed, as of its last listing; 0: it is to be listed again
	Next   string `json:"next,omitempty"`
}

// copy returns a row that may be changed: what points elsewhere is replaced as a whole, but for the states.
func (l *listed) copy() *listed {
	c := *l
	c.Sum.States = maps.Clone(l.Sum.States)
	return &c
}

// Sum is what the crawls of a collection come to.
type Sum struct {
	Crawls     int           `json:"crawls"`
	States     map[State]int `json:"states,omitempty"`
	URLs       int64         `json:"urls"`
	Failed     int64         `json:"failed"`
	Unmeasured int           `json:"unmeasured"`     // that have a report and no coherence report
	First      time.Time     `json:"first,omitzero"` // instant that a crawl tells of
	Last       time.Time     `json:"last,omitzero"`
}

// Head is what lists of collections tell of single crawls.
type Head struct {
	Newest   string    `json:"newest,omitempty"` // id; empty: there is none
	Started  time.Time `json:"started,omitzero"` // of the newest
	State    State     `json:"state,omitempty"`
	Pages    int64     `json:"pages,omitempty"`
	Problem  string    `json:"problem,omitempty"`
	Measured string    `json:"measured,omitempty"` // id of the newest that was measured
	Tally    *Tally    `json:"tally,omitempty"`    // of that one
}

func (d *Head) newest(k *Crawl) {
	d.Newest, d.Started, d.State, d.Pages, d.Problem = k.ID, k.Started, k.State, k.Pages, k.Problem
}

func (d *Head) measured(k *Crawl) { d.Measured, d.Tally = k.ID, k.Coherence }

func (l *listed) count(k *Crawl, by int) {
	s := &l.Sum
	if s.States == nil {
		s.States = map[State]int{}
	}
	s.Crawls += by
	if s.States[k.State] += by; s.States[k.State] == 0 {
		delete(s.States, k.State)
	}
	s.URLs += int64(by) * k.URLs
	s.Failed += int64(by) * k.Failed
	if k.Coherence == nil && k.Reported {
		s.Unmeasured += by
	}
	if by > 0 {
		s.span(k)
	}
}

// span widens the time that the crawls tell of by that of a crawl.
func (s *Sum) span(k *Crawl) {
	if !k.Started.IsZero() && (s.First.IsZero() || k.Started.Before(s.First)) {
		s.First = k.Started
	}
	for _, t := range []time.Time{k.Started, k.Ended} {
		if t.After(s.Last) {
			s.Last = t
		}
	}
}

// The marks of a row.
const (
	markReported = 1 << iota
	markDefined
	markMeasured
)

func encodeCrawl(k *Crawl) []byte {
	b := make([]byte, 0, 128)
	mark := byte(0)
	if k.Reported {
		mark |= markReported
	}
	if k.Defined {
		mark |= markDefined
	}
	if k.Coherence != nil {
		mark |= markMeasured
	}
	b = append(b, mark, stateBytes[k.State], stateBytes[k.over.state])
	for _, s := range []string{k.Name, k.Why, k.over.why, k.Problem} {
		b = durable.AppendString(b, s)
	}
	for _, t := range []time.Time{k.Started, k.Ended, k.over.ended} {
		b = appendNano(b, t)
	}
	for _, n := range []int64{k.Pages, k.URLs, k.Bytes, k.Failed, k.Queued, k.Revisited, int64(k.SeedCount)} {
		b = binary.AppendVarint(b, n)
	}
	for _, n := range []uint64{k.stamp, k.series, k.digest} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	if t := k.Coherence; t != nil {
		for _, n := range []int64{t.Coherent, t.Content, t.Links, t.Missing, t.Unknown} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b
}

func decodeCrawl(collection, id string, v []byte) (*Crawl, error) {
	r := durable.NewReader(v)
	k := &Crawl{ID: id, Collection: collection}
	mark := r.Byte()
	k.State, k.over.state = stateOf(&r), stateOf(&r)
	for _, s := range []*string{&k.Name, &k.Why, &k.over.why, &k.Problem} {
		*s = r.String()
	}
	for _, t := range []*time.Time{&k.Started, &k.Ended, &k.over.ended} {
		*t = readNano(&r)
	}
	for _, n := range []*int64{&k.Pages, &k.URLs, &k.Bytes, &k.Failed, &k.Queued, &k.Revisited} {
		*n = r.Varint()
	}
	k.SeedCount = int(r.Varint())
	for _, n := range []*uint64{&k.stamp, &k.series, &k.digest} {
		for range 8 {
			*n = *n<<8 | uint64(r.Byte())
		}
	}
	k.Reported, k.Defined = mark&markReported != 0, mark&markDefined != 0
	if mark&markMeasured != 0 {
		k.Coherence = &Tally{}
		t := k.Coherence
		for _, n := range []*int64{&t.Coherent, &t.Content, &t.Links, &t.Missing, &t.Unknown} {
			*n = r.Varint()
		}
	}
	return k, r.Done("row of crawl " + id)
}

func stateOf(r *durable.Reader) State {
	b := r.Byte()
	for s, x := range stateBytes {
		if x == b {
			return s
		}
	}
	return ""
}

// appendNano writes an instant to the nanosecond: lists show what reports say.
func appendNano(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return binary.AppendVarint(b, 0)
	}
	return binary.AppendVarint(b, t.UnixNano())
}

func readNano(r *durable.Reader) time.Time {
	n := r.Varint()
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// hashOf makes a number of texts that tells them apart.
func hashOf(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(append([]byte(p), 0))
	}
	return h.Sum64()
}

// seriesOf tells by its seeds which definition a crawl without a name belongs to; 0: none is known.
func seriesOf(d *crawl.Definition) uint64 {
	if d != nil && d.SeedList != nil {
		return max(1, hashOf(d.SeedList.SHA256))
	}
	if d == nil || len(d.Seeds) == 0 {
		return 0
	}
	return max(1, hashOf(slices.Sorted(slices.Values(d.Seeds))...))
}
