package warc

import (
	"sort"
	"time"
)

// MemoryOriginals is an Originals in memory, for one file or a few. It holds about 300 bytes per
// capture; collections use an index on disk instead.
type MemoryOriginals struct {
	refs     []Ref
	byID     map[string]int
	byURI    map[uriDate]int
	byKey    map[keyDigest][]int // by date
	byDigest map[string]int
}

type uriDate struct {
	uri string
	sec int64
}

type keyDigest struct{ key, digest string }

var _ Originals = (*MemoryOriginals)(nil)

// NewMemoryOriginals makes an empty one.
func NewMemoryOriginals() *MemoryOriginals {
	return &MemoryOriginals{
		byID: map[string]int{}, byURI: map[uriDate]int{}, byKey: map[keyDigest][]int{}, byDigest: map[string]int{},
	}
}

// Add registers a capture that is not a revisit. Of two with the same name the first stays.
func (m *MemoryOriginals) Add(r Ref) {
	i := len(m.refs)
	m.refs = append(m.refs, r)
	keep(m.byID, r.RecordID, i)
	keep(m.byURI, uriDate{r.URI, r.Date.Unix()}, i)
	digest := normalDigest(r.Digest)
	if digest == "" {
		return
	}
	keep(m.byDigest, digest, i)
	k := keyDigest{r.Key, digest}
	list := m.byKey[k]
	at := sort.Search(len(list), func(j int) bool { return m.refs[list[j]].Date.After(r.Date) })
	list = append(list, 0)
	copy(list[at+1:], list[at:])
	list[at] = i
	m.byKey[k] = list
}

func keep[K comparable](m map[K]int, k K, i int) {
	if _, there := m[k]; !there {
		m[k] = i
	}
}

// normalDigest gives one form for all spellings of a digest.
func normalDigest(s string) string {
	d, err := ParseDigest(s)
	if err != nil {
		return s
	}
	return d.Algorithm + ":" + d.Sum
}

// ByID finds the record with that WARC-Record-ID.
func (m *MemoryOriginals) ByID(id string) (Ref, bool) {
	i, ok := m.byID[id]
	return m.ref(i, ok && id != "")
}

// ByURIDate finds the capture of a URI at an instant, to the second.
func (m *MemoryOriginals) ByURIDate(uri string, date time.Time) (Ref, bool) {
	i, ok := m.byURI[uriDate{uri, date.Unix()}]
	return m.ref(i, ok)
}

// ByKeyDigest finds the nearest capture at or before an instant with that key and payload.
func (m *MemoryOriginals) ByKeyDigest(key, digest string, at time.Time) (Ref, bool) {
	list := m.byKey[keyDigest{key, normalDigest(digest)}]
	n := sort.Search(len(list), func(j int) bool { return m.refs[list[j]].Date.After(at) })
	if n == 0 {
		return Ref{}, false
	}
	return m.refs[list[n-1]], true
}

// ByDigest finds any capture with that payload.
func (m *MemoryOriginals) ByDigest(digest string) (Ref, bool) {
	i, ok := m.byDigest[normalDigest(digest)]
	return m.ref(i, ok)
}

func (m *MemoryOriginals) ref(i int, ok bool) (Ref, bool) {
	if !ok {
		return Ref{}, false
	}
	return m.refs[i], true
}
