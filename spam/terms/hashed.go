package terms

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Entry is a word, by the high half of its hash, and how often it occurs.
type Entry struct{ Hash, Count uint32 }

// Hashed is a bag of words in little space: sorted by hash. Two words share a hash once in four thousand million.
type Hashed []Entry

// MaxEntries bounds the bag of a host; the rarest words go first.
const MaxEntries = 50_000

// Half is the part of a hash by which a Hashed knows a word.
func Half(hash uint64) uint32 { return uint32(hash >> 32) }

// Hashed gives the bag in little space.
func (b *Bag) Hashed() Hashed {
	out := make(Hashed, 0, len(b.Counts))
	for w, n := range b.Counts {
		out = append(out, Entry{Half(Hash(w)), uint32(n)})
	}
	return out.sorted()
}

func (h Hashed) sorted() Hashed {
	slices.SortFunc(h, func(a, b Entry) int { return cmp.Compare(a.Hash, b.Hash) })
	out := h[:0]
	for _, e := range h {
		if n := len(out); n > 0 && out[n-1].Hash == e.Hash {
			out[n-1].Count = sum(out[n-1].Count, e.Count)
			continue
		}
		out = append(out, e)
	}
	return out
}

// Plus adds two bags.
func (h Hashed) Plus(o Hashed) Hashed {
	out := append(slices.Clone(h), o...).sorted()
	if len(out) <= MaxEntries {
		return out
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Hash, b.Hash)) })
	return out[:MaxEntries].sorted()
}

// Tokens counts the words.
func (h Hashed) Tokens() (n int64) {
	for _, e := range h {
		n += int64(e.Count)
	}
	return n
}

// Count is how often a word occurs.
func (h Hashed) Count(half uint32) uint32 {
	i, found := slices.BinarySearchFunc(h, half, func(e Entry, x uint32) int { return cmp.Compare(e.Hash, x) })
	if !found {
		return 0
	}
	return h[i].Count
}

// Append writes the bag: for each word the difference of its hash from the last one, then its count, as varints.
func (h Hashed) Append(b []byte) []byte {
	last := uint32(0)
	for _, e := range h {
		b = binary.AppendUvarint(b, uint64(e.Hash-last))
		b = binary.AppendUvarint(b, uint64(e.Count))
		last = e.Hash
	}
	return b
}

// ParseHashed reads what Append wrote.
func ParseHashed(b []byte) (Hashed, error) {
	var out Hashed
	r := varints{b: b}
	at := uint64(0)
	for len(r.b) > 0 {
		gap, count := r.next(), r.next()
		at += gap
		if r.err != nil || at > math.MaxUint32 || count > math.MaxUint32 || gap == 0 && len(out) > 0 {
			return nil, errors.New("bag of words: not in order, or cut off")
		}
		out = append(out, Entry{uint32(at), uint32(count)})
	}
	return out, nil
}

// Alike compares two bags: Jaccard of the words, |A∩B| / |A∪B|, and cosine of their counts. Both are NaN if both bags are empty.
func Alike(a, b Hashed) (jaccard, cosine float64) {
	if len(a)+len(b) == 0 {
		return math.NaN(), math.NaN()
	}
	both, dot := 0, 0.0
	x, y := a, b
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].Hash < y[0].Hash:
			x = x[1:]
		case x[0].Hash > y[0].Hash:
			y = y[1:]
		default:
			both++
			dot += float64(x[0].Count) * float64(y[0].Count)
			x, y = x[1:], y[1:]
		}
	}
	jaccard = float64(both) / float64(len(a)+len(b)-both)
	if n := a.norm() * b.norm(); n > 0 {
		cosine = dot / n
	}
	return jaccard, min(1, cosine)
}

func (h Hashed) norm() float64 {
	s := 0.0
	for _, e := range h {
		s += float64(e.Count) * float64(e.Count)
	}
	return math.Sqrt(s)
}
