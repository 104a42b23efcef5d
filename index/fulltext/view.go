package fulltext

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// View is what whoever asks may see of an index. What is outside of it is neither found nor counted.
type View struct {
	Key any                                     // comparable and not nil; views with equal keys let the same documents through
	May func(surt string, first time.Time) bool // by the key of a page and the first capture of a version
}

// views is how many views a shard remembers.
const views = 8

// seenSet is the documents of a shard that a view lets through.
type seenSet struct {
	key   any
	docs  *roaring.Bitmap // nil: all
	count int64
	days  *days // on which they were first seen
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
	set := &seenSet{key: v.Key, days: newDays(ByDay, s)}
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
		}
	}
	if set.count < int64(s.info.Docs) {
		set.docs = docs
	}
	return set
}
