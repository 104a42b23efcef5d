package fulltext

import (
	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// packedPlaces reads the places of a frequent word.
type packedPlaces struct {
	placesOf
	docs ordered
}

func (p *packedPlaces) read(doc uint32, buf []uint32) ([]uint32, error) {
	return p.placesOf.read(p.docs.rank(doc), buf)
}

// blevePlaces reads the places of a rare word.
type blevePlaces struct {
	it   segment.PostingsIterator
	last float64
}

func (p *blevePlaces) read(doc uint32, buf []uint32) ([]uint32, error) {
	x, err := p.it.Advance(uint64(doc)) // those between were not asked for
	if err != nil {
		return nil, err
	}
	if x == nil || x.Number() != uint64(doc) {
		return nil, errPostings
	}
	for _, l := range x.Locations() {
		buf = append(buf, uint32(l.Pos()))
	}
	p.last = x.Norm()
	return buf, nil
}

func (p *blevePlaces) norm(uint32) float64 { return p.last }

// subset makes an iterator pass over the documents that are not among docs.
func subset(it segment.PostingsIterator, docs *roaring.Bitmap) segment.PostingsIterator {
	if o, ok := it.(segment.OptimizablePostingsIterator); ok && o.ActualBitmap() != nil {
		o.ReplaceActual(docs)
	}
	return it
}

// often gives what is known of a word that many documents have; nil of others.
func (s *shard) often(field, word string, p postings) (*frequent, error) {
	size := p.docs.GetCardinality()
	if size < frequentFrom {
		return nil, nil
	}
	f, err := s.frequent.find(fieldNumber(field), word)
	if err == nil && f != nil && uint64(len(f.counts)) != size {
		err = errPostings
	}
	return f, err
}

// arrayOf gives the documents of a bitmap in order, in a buffer if they fit there.
func arrayOf(b *roaring.Bitmap, buf []uint32) []uint32 {
	n := int(b.GetCardinality())
	if cap(buf) < n {
		buf = make([]uint32, n+n/4)
	}
	buf = buf[:n]
	it := b.ManyIterator()
	for at := 0; at < n; {
		some := it.NextMany(buf[at:])
		if some == 0 {
			return buf[:at]
		}
		at += some
	}
	return buf
}
