package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"os"
	"sort"

	"github.com/blevesearch/mmap-go"
)

// frequentReader reads the file frequent, which is mapped into memory.
type frequentReader struct {
	mapped mmap.MMap
	docs   int
	norms  []byte
	table  []byte
	first  [5]int // entry of each field, and the number of all
	body   []byte // the entries
}

var errFrequent = errors.New("the file of frequent words is damaged")

func openFrequent(path string, docs int) (_ *frequentReader, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := parseFrequent(mapped, docs)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.Unmap())
	}
	r.mapped = mapped
	return r, nil
}

func (r *frequentReader) close() error { return r.mapped.Unmap() }

// parseFrequent reads the end of the file.
func parseFrequent(b []byte, docs int) (*frequentReader, error) {
	if len(b) < frequentTail || string(b[len(b)-len(frequentEnd):]) != frequentEnd {
		return nil, errFrequent
	}
	end, b := b[len(b)-frequentTail:], b[:len(b)-frequentTail]
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(end[8*i:]) }
	r := &frequentReader{docs: docs}
	for i := range 4 {
		if number(i) > uint64(len(b)) {
			return nil, errFrequent
		}
		r.first[i+1] = r.first[i] + int(number(i))
	}
	at, size := number(5), 16*uint64(docs)
	if number(4) != uint64(docs) || at > uint64(len(b)) || uint64(len(b))-at != size+8*uint64(r.first[4]) {
		return nil, errFrequent
	}
	if crc32.ChecksumIEEE(b[at:]) != binary.LittleEndian.Uint32(end[48:]) {
		return nil, fmt.Errorf("%w: wrong checksum", errFrequent)
	}
	r.body, r.norms, r.table = b[:at], b[at:at+size], b[at+size:]
	return r, nil
}

// frequent is a word that many documents have. The k-th document with it has rank k.
type frequent struct {
	counts, starts, large, places []byte
	norms                         []byte // of the field, by document
}

// find gives a word of a field; nil if it is not a frequent one.
func (r *frequentReader) find(field int, word string) (*frequent, error) {
	from, n := r.first[field], r.first[field+1]-r.first[field]
	bad := false
	i := sort.Search(n, func(i int) bool {
		have, _, ok := r.entry(from + i)
		bad = bad || !ok
		return string(have) >= word
	})
	if bad {
		return nil, errFrequent
	}
	if i == n {
		return nil, nil
	}
	have, b, _ := r.entry(from + i)
	if string(have) != word {
		return nil, nil
	}
	f, ok := parseEntry(b, len(word))
	if !ok || len(f.counts) > r.docs {
		return nil, fmt.Errorf("%w: %q", errFrequent, word)
	}
	f.norms = r.normsOf(field)
	return f, nil
}

// normsOf returns the norms of a field, by document.
func (r *frequentReader) normsOf(field int) []byte {
	return r.norms[4*r.docs*field : 4*r.docs*(field+1)]
}

// entry gives the word of an entry, and the bytes from its start on.
func (r *frequentReader) entry(i int) (word, b []byte, ok bool) {
	at := binary.LittleEndian.Uint64(r.table[8*i:])
	if at > uint64(len(r.body)) {
		return nil, nil, false
	}
	b = r.body[at:]
	if len(b) < frequentHead {
		return nil, nil, false
	}
	size := int(binary.LittleEndian.Uint16(b[12:]))
	if len(b) < frequentHead+size {
		return nil, nil, false
	}
	return b[frequentHead : frequentHead+size], b, true
}

func parseEntry(b []byte, word int) (*frequent, bool) {
	docs, places, large := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	r := columnsReader{b: b[frequentHead+word:]}
	f := &frequent{counts: r.take(uint64(docs)), starts: r.take(4 * ((uint64(docs) + frequentBlock - 1) / frequentBlock)), large: r.take(8 * uint64(large))}
	f.places = r.take(uint64(places))
	return f, !r.bad
}

// count tells how often the word is in the document of a rank.
func (f *frequent) count(rank int) int {
	if c := f.counts[rank]; c != largeCount {
		return int(c)
	}
	i := sort.Search(len(f.large)/8, func(i int) bool { return int(binary.LittleEndian.Uint32(f.large[8*i:])) >= rank })
	if 8*i < len(f.large) && int(binary.LittleEndian.Uint32(f.large[8*i:])) == rank {
		return int(binary.LittleEndian.Uint32(f.large[8*i+4:]))
	}
	return largeCount
}

// norm is 1 by the root of the length of a document.
func (f *frequent) norm(doc uint32) float64 { return normOf(f.norms, doc) }

func normOf(norms []byte, doc uint32) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(norms[4*doc:])))
}

// placesOf reads where a frequent word stands, by growing rank.
type placesOf struct {
	*frequent
	rank int // the next one
	at   int // of its places
}

// read gives the places in the document of a rank, which must not be less than one before.
func (p *placesOf) read(rank int, buf []uint32) ([]uint32, error) {
	if rank/frequentBlock != p.rank/frequentBlock || rank < p.rank {
		p.rank = rank / frequentBlock * frequentBlock
		p.at = int(binary.LittleEndian.Uint32(p.starts[4*(rank/frequentBlock):]))
	}
	pass := 0
	for ; p.rank < rank; p.rank++ {
		pass += p.count(p.rank)
	}
	if p.at = skip(p.places, p.at, pass); p.at > len(p.places) {
		return nil, errFrequent
	}
	p.rank++
	place := uint64(0)
	for range p.count(rank) {
		if p.at < len(p.places) && p.places[p.at] < 0x80 { // most are near the one before
			place += uint64(p.places[p.at])
			p.at++
		} else {
			step, n := binary.Uvarint(p.places[p.at:])
			if n <= 0 {
				return nil, errFrequent
			}
			place += step
			p.at += n
		}
		buf = append(buf, uint32(place))
	}
	return buf, nil
}

// skip gives the place behind n uvarints, or one beyond the end. Bytes without the high bit end one: eight are counted at a time.
func skip(b []byte, at, n int) int {
	for n >= 8 && at+8 <= len(b) {
		more := bits.OnesCount64(binary.LittleEndian.Uint64(b[at:]) & 0x8080808080808080)
		n -= 8 - more // less than 8 end only if one goes on, and then some are left
		at += 8
	}
	for ; n > 0 && at < len(b); at++ {
		if b[at] < 0x80 {
			n--
		}
	}
	if n > 0 {
		return len(b) + 1
	}
	return at
}
