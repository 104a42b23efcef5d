package terms

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Columns is the width of a sketch: two rows of it take 32 MB.
const Columns = 1 << 22

// Sketch counts trigrams (Cormode and Muthukrishnan 2005): each has a counter in each of two rows, its count is the lower.
type Sketch struct {
	rows  [2][]uint32
	Total uint64 // trigrams added
	Kinds uint64 // counters of the first row that are not zero: about how many kinds there are
}

// NewSketch makes an empty sketch.
func NewSketch() *Sketch {
	return &Sketch{rows: [2][]uint32{make([]uint32, Columns), make([]uint32, Columns)}}
}

func places(h uint64) (int, int) { return int(h & (Columns - 1)), int(h >> 32 & (Columns - 1)) }

// Add counts a trigram.
func (s *Sketch) Add(h uint64) { s.add(h, 1) }

func (s *Sketch) add(h uint64, n uint32) {
	a, b := places(h)
	if s.rows[0][a] == 0 {
		s.Kinds++
	}
	s.rows[0][a] = sum(s.rows[0][a], n)
	s.rows[1][b] = sum(s.rows[1][b], n)
	s.Total += uint64(n)
}

// sum adds without running over.
func sum(a, b uint32) uint32 {
	if a+b < a {
		return ^uint32(0)
	}
	return a + b
}

// Count estimates how often a trigram was added.
func (s *Sketch) Count(h uint64) uint32 {
	a, b := places(h)
	return min(s.rows[0][a], s.rows[1][b])
}

// Probability is that of a trigram, (c+1)/(N+K+1): one that was never seen is improbable, not impossible.
func (s *Sketch) Probability(h uint64) float64 {
	return (float64(s.Count(h)) + 1) / (float64(s.Total) + float64(s.Kinds) + 1)
}

// Append writes the counters that are not zero: total, then for each row pairs of gap and count, ended by a gap of 0.
func (s *Sketch) Append(b []byte) []byte {
	b = binary.AppendUvarint(b, s.Total)
	for _, row := range s.rows {
		last := -1
		for i, c := range row {
			if c != 0 {
				b = binary.AppendUvarint(b, uint64(i-last))
				b = binary.AppendUvarint(b, uint64(c))
				last = i
			}
		}
		b = binary.AppendUvarint(b, 0)
	}
	return b
}

// Merge adds the counters that Append wrote.
func (s *Sketch) Merge(b []byte) error {
	r := varints{b: b}
	s.Total += r.next()
	for k := range s.rows {
		at := -1
		for {
			gap := r.next()
			if gap == 0 || r.err != nil {
				break
			}
			count := r.next()
			if gap > Columns || at+int(gap) >= Columns || count == 0 || count > 1<<32-1 {
				return fmt.Errorf("sketch: counter %d+%d of %d in row %d is not one", at, gap, count, k)
			}
			at += int(gap)
			if k == 0 && s.rows[k][at] == 0 {
				s.Kinds++
			}
			s.rows[k][at] = sum(s.rows[k][at], uint32(count))
		}
	}
	if r.err == nil && len(r.b) > 0 {
		return fmt.Errorf("sketch: %d bytes follow its end", len(r.b))
	}
	return r.err
}

// varints reads numbers until something is wrong.
type varints struct {
	b   []byte
	err error
}

func (r *varints) next() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.err = errors.New("sketch: ends too early")
		r.b = nil
		return 0
	}
	r.b = r.b[n:]
	return v
}
