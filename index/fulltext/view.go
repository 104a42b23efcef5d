package fulltext

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"varve/derive"
)

// View is what whoever asks may see of an index. What is outside of it is neither found nor counted.
//
// What links call a page belongs to the pages that hold the links. A page some of whose links may not be seen is
// *mixed*: words of its anchors are not searched, and shown is what the links call it that may be seen.
type View struct {
	Key   any                                                    // comparable and not nil; views with equal keys let the same documents through
	May   func(surt string, at time.Time) bool                   // by the key of a page and the time of a capture; of a version the first one decides
	Mixed func() func(surt string) bool                          // makes what tells pages of whose links some are withheld; it is called once for a key. nil: none
	Links func(surt string) (anchors string, n int32, err error) // of a mixed page: what may be seen
}

// views is how many views a shard remembers.
const views = 8

// seenSet is the documents of a shard that a view lets through.
type seenSet struct {
	key    any
	docs   *roaring.Bitmap // nil: all
	count  int64
	days   *days               // on which they were first seen
	hidden map[string]struct{} // keys of pages with a version, or the last capture of one, that is not let through
}

// seen gives the documents that a view lets through. They are looked through once for each view.
func (s *shard) seen(v *View) *seenSet {
	if v == nil {
		v = &View{May: func(string, time.Time) bool { return true }}
	}
	s.viewsMu.Lock()
	defer s.viewsMu.Unlock()
	for _, have := range s.views {
		if have.key == v.Key {
			return have
		}
	}
	set := s.look(v)
	s.views = append(s.views, set)
	if len(s.views) > views {
		s.views = s.views[1:]
	}
	return set
}

func (s *shard) look(v *View) *seenSet {
	set := &seenSet{key: v.Key, days: newDays(ByDay, s), hidden: map[string]struct{}{}}
	place := make([]uint32, s.info.Docs) // by number
	for p, number := range s.cols.number {
		place[number] = uint32(p)
	}
	docs := roaring.New()
	for n, key := range s.cols.keys.from(0) {
		first := s.cols.from[place[n]]
		if v.Key == nil || v.May(string(key), time.UnixMicro(first).UTC()) {
			docs.Add(place[n])
			set.days.add(first)
			set.count++
			if v.Key == nil || v.May(string(key), time.UnixMicro(s.cols.last[place[n]]).UTC()) {
				continue
			}
		}
		set.hidden[string(key)] = struct{}{}
	}
	if set.count < int64(s.info.Docs) {
		set.docs = docs
	}
	return set
}

// mixedDocs is the mixed documents of a shard, by their places in columns and by their numbers.
type mixedDocs struct{ places, numbers *roaring.Bitmap }

// mixedSet is the mixed documents of all shards of an index for a view; shards without any are missing.
type mixedSet struct {
	key  any
	docs map[*shard]*mixedDocs
}

// mixed gives the mixed documents for a view. A page that has a version outside of the view may link to itself there, so
// that it is one of them.
func (ix *Index) mixed(v *View) map[*shard]*mixedDocs {
	if v == nil || v.Key == nil {
		return nil
	}
	ix.mixedMu.Lock()
	defer ix.mixedMu.Unlock()
	for _, have := range ix.mixes {
		if have.key == v.Key {
			return have.docs
		}
	}
	var hidden []map[string]struct{}
	for _, s := range ix.shards {
		hidden = append(hidden, s.seen(v).hidden)
	}
	links := func(string) bool { return false }
	if v.Mixed != nil {
		links = v.Mixed()
	}
	out := map[*shard]*mixedDocs{}
	for _, s := range ix.shards {
		if docs := s.mixed(links, hidden); !docs.numbers.IsEmpty() {
			out[s] = docs
		}
	}
	ix.mixes = append(ix.mixes, mixedSet{v.Key, out})
	if len(ix.mixes) > views {
		ix.mixes = ix.mixes[1:]
	}
	return out
}

// mixed gives the documents of a shard whose page is mixed: by its links, or by what is hidden of it.
func (s *shard) mixed(links func(surt string) bool, hidden []map[string]struct{}) *mixedDocs {
	out := &mixedDocs{roaring.New(), roaring.New()}
	place := make([]uint32, s.info.Docs) // by number
	for p, number := range s.cols.number {
		place[number] = uint32(p)
	}
	for n, key := range s.cols.keys.from(0) {
		mixed := links(string(key))
		for i := 0; i < len(hidden) && !mixed; i++ {
			_, mixed = hidden[i][string(key)]
		}
		if mixed {
			out.places.Add(place[n])
			out.numbers.Add(uint32(n))
		}
	}
	return out
}

// clear makes a version of a mixed page tell only of the links that may be seen.
func (v *View) clear(x *derive.VersionRow) (err error) {
	x.Anchors, x.Inlinks = "", 0
	if v.Links != nil {
		x.Anchors, x.Inlinks, err = v.Links(x.SURT)
	}
	return err
}
