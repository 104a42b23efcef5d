package near

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Version numbers the way fingerprints are made. Those of different versions must not be compared.
const Version = 1

// Sizes of shingles in tokens.
const (
	minShingle = 5
	simShingle = 3
)

// Fingerprint is what is kept of a text to find others like it.
type Fingerprint struct {
	Tokens  int
	Simhash Simhash
	Minhash Minhash
}

// Of makes the fingerprint of a text in one pass.
func Of[T string | []byte](text T) Fingerprint { return OfWithout(text, "") }

// OfWithout leaves out the tokens that also occur in skip. An error page that repeats the address asked
// for is so made equal for all addresses.
func OfWithout[T string | []byte](text T, skip string) Fingerprint {
	skipped := map[uint64]struct{}{}
	tokens(skip, func(h uint64, _, _ int) { skipped[h] = struct{}{} })
	b := newBuilder()
	tokens(text, func(h uint64, _, _ int) {
		if len(skipped) > 0 {
			if _, ok := skipped[h]; ok {
				return
			}
		}
		b.add(h)
	})
	return b.finish()
}

// SimhashOf makes only the simhash and counts the tokens, several times faster than Of.
func SimhashOf[T string | []byte](text T) (Simhash, int) {
	var s shingler
	var v votes
	tokens(text, func(h uint64, _, _ int) {
		s.push(h)
		if s.n >= simShingle {
			v.add(s.last(simShingle))
		}
	})
	if s.n > 0 && s.n < simShingle {
		v.add(s.last(s.n))
	}
	return v.result(), s.n
}

// builder collects a fingerprint.
type builder struct {
	shingler
	votes votes
	min   minima
}

func newBuilder() *builder {
	b := new(builder)
	b.min.reset()
	return b
}

func (b *builder) add(h uint64) {
	b.push(h)
	if b.n >= simShingle {
		b.votes.add(b.last(simShingle))
	}
	if b.n >= minShingle {
		b.min.add(b.last(minShingle))
	}
}

// finish takes a text shorter than a shingle as one shingle.
func (b *builder) finish() Fingerprint {
	if b.n > 0 && b.n < simShingle {
		b.votes.add(b.last(b.n))
	}
	if b.n > 0 && b.n < minShingle {
		b.min.add(b.last(b.n))
	}
	return Fingerprint{Tokens: b.n, Simhash: b.votes.result(), Minhash: b.min.result()}
}

// shingler remembers the last tokens.
type shingler struct {
	ring [8]uint64
	n    int
}

func (s *shingler) push(h uint64) {
	s.ring[s.n&7] = h
	s.n++
}

// last hashes the last k tokens in their order: a polynomial in an odd constant, mixed.
func (s *shingler) last(k int) uint64 {
	h := uint64(k)
	for i := s.n - k; i < s.n; i++ {
		h = h*0x9e3779b97f4a7c15 + s.ring[i&7]
	}
	return mix(h)
}

// MarshalBinary writes version, tokens, simhash and minhash: 1 + 8 + 8 + 256 bytes, little endian.
func (f Fingerprint) MarshalBinary() ([]byte, error) {
	b := append(make([]byte, 0, binarySize), Version)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.Tokens))
	b = binary.LittleEndian.AppendUint64(b, uint64(f.Simhash))
	for _, v := range f.Minhash {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b, nil
}

const binarySize = 1 + 8 + 8 + 4*Permutations

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *Fingerprint) UnmarshalBinary(b []byte) error {
	if len(b) != binarySize {
		return fmt.Errorf("fingerprint: %d bytes, want %d", len(b), binarySize)
	}
	if b[0] != Version {
		return fmt.Errorf("fingerprint: version %d, want %d", b[0], Version)
	}
	n := binary.LittleEndian.Uint64(b[1:])
	if n > 1<<62 {
		return errors.New("fingerprint: impossible number of tokens")
	}
	f.Tokens = int(n)
	f.Simhash = Simhash(binary.LittleEndian.Uint64(b[9:]))
	for i := range f.Minhash {
		f.Minhash[i] = binary.LittleEndian.Uint32(b[17+4*i:])
	}
	return nil
}
