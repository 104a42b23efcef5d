package fulltext

import (
	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// dictionary gives the words of a field. One reads for one caller at a time, and making one costs more than asking it, so that
// those given back are used again.
func (s *shard) dictionary(field string) (segment.TermDictionary, error) {
	if p := s.dicts[field]; p != nil {
		if d, ok := p.Get().(segment.TermDictionary); ok {
			return d, nil
		}
	}
	return s.words.Dictionary(field)
}

func (s *shard) giveBack(field string, d segment.TermDictionary) {
	if p := s.dicts[field]; p != nil {
		p.Put(d)
	}
}

var empty = roaring.New()

// postings gives the documents with a word; the bitmap must not be changed.
func (s *shard) postings(spare *spare, field, word string) (postings, error) {
	dict, err := s.dictionary(field)
	if err != nil {
		return postings{}, err
	}
	defer s.giveBack(field, dict)
	return postingsOf(dict, spare, word)
}

func postingsOf(dict segment.TermDictionary, spare *spare, word string) (postings, error) {
	list, err := dict.PostingsList([]byte(word), nil, spare.list())
	if err != nil {
		return postings{}, err
	}
	if list.Count() == 0 { // it may be one that all share
		return postings{list, empty}, nil
	}
	spare.keep(list)
	spare.bitmaps = list.Iterator(false, false, false, spare.bitmaps)
	it, ok := spare.bitmaps.(segment.OptimizablePostingsIterator)
	if !ok {
		spare.bitmaps = nil // one of an empty list
		return postings{list, empty}, nil
	}
	if d, one := it.DocNum1Hit(); one {
		return postings{list, roaring.BitmapOf(uint32(d))}, nil
	}
	if b := it.ActualBitmap(); b != nil {
		return postings{list, b}, nil
	}
	return postings{list, empty}, nil
}
