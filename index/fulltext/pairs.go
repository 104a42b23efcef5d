package fulltext

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/mmap-go"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// The file pairs tells in which documents two common words stand in a row, and how often. A phrase costs what its candidates cost, the documents that have all of its words:
// of common words nearly all documents, about 100 ns each. A word is common if one of 16 documents has it; so a phrase of other words has
// at most a sixteenth of all documents to look at, and a phrase of common ones is read from here: the documents of its pairs, which are it (of two words) or nearly.
// What is written is bounded by the words of the texts: a place begins at most one pair.
//
// Worked example (TestPairs): of "the end of the end" with "the", "end" and "of" common there are end-of once, of-the once, the-end twice.
//
//	"vvpairs1" | block* | head | length of head u64 | CRC-32 of head u32 | "vvpairs1"
//	block  of some documents and a field: keys u32 x p, sorted | end of each list u32 x p | lists. It ends at 65,536 documents, or when its lists take 64 MB, so that
//	       writing it takes no more memory and ends fit u32
//	key    number of the first word << 16 | number of the second, in the order of the field's common words
//	list   of each document, sorted: uvarint of (distance to the one before, or its number in the block) << 1 | 1 if uvarint how often follows; else once
//	head   JSON: documents, and of each field its common words and where its blocks are
const (
	pairsMagic = "vvpairs1"
	pairsTail  = 8 + 4 + len(pairsMagic)
	pairsBlock = 1 << 16 // documents
	pairsBytes = 64 << 20
	pairsOf    = 16      // one of so many documents has a common word
	pairsMost  = 1 << 16 // common words of a field
)

type pairsHead struct {
	Docs   int            `json:"docs"`
	Fields [4]pairedField `json:"fields"` // in the order of fields
}

// pairedField is the common words of a field, sorted, and its blocks.
type pairedField struct {
	Words  []string     `json:"words"`
	Blocks []pairsPlace `json:"blocks"`
}

// pairsPlace is where a block is.
type pairsPlace struct {
	At    int64 `json:"at"`
	Pairs int   `json:"pairs"`
	Lists int   `json:"lists"`          // bytes
	Docs  int   `json:"docs,omitempty"` // of it; 0 means 65,536, or the rest
}

// pairsWriter makes the file of a segment.
type pairsWriter struct {
	w    *bufio.Writer
	at   int64
	most int // bytes of the lists of a block, from which on it ends
	head pairsHead
}

// writePairs writes the pairs of all fields of a segment, whose frequent words are written.
func writePairs(path string, s segment.Segment, often *frequentReader, docs, most int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	t := &pairsWriter{w: bufio.NewWriterSize(f, 256<<10), most: most, head: pairsHead{Docs: docs}}
	t.put([]byte(pairsMagic))
	for i, name := range fields {
		dict, err := s.Dictionary(name)
		if err != nil {
			return err
		}
		if err := t.field(i, dict, often, docs); err != nil {
			return fmt.Errorf("pairs of %s: %w", name, err)
		}
	}
	text, err := json.Marshal(t.head)
	if err != nil {
		return err
	}
	t.put(text)
	end := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	t.put(append(binary.LittleEndian.AppendUint32(end, crc32.ChecksumIEEE(text)), pairsMagic...))
	return errors.Join(t.w.Flush(), f.Sync())
}

func (t *pairsWriter) put(b []byte) {
	_, _ = t.w.Write(b) // its error stays, and Flush gives it
	t.at += int64(len(b))
}

// commonWord is a word on the way through the documents.
type commonWord struct {
	docs   roaring.IntPeekable
	places placesOf
	rank   int
}

// commonWords returns the common words of a field, sorted.
func commonWords(dict segment.TermDictionary, docs int) (out []string, err error) {
	it := dict.AutomatonIterator(nil, nil, nil)
	for {
		e, err := it.Next()
		if err != nil || e == nil {
			return out, err
		}
		if e.Count >= frequentFrom && e.Count >= uint64(docs/pairsOf) {
			out = append(out, e.Term)
		}
	}
}

// field writes the pairs of a field, block by block.
func (t *pairsWriter) field(i int, dict segment.TermDictionary, often *frequentReader, docs int) error {
	names, err := commonWords(dict, docs)
	if err != nil {
		return err
	}
	var words []commonWord
	kept := names[:0]
	for _, name := range names {
		f, err := often.find(i, name)
		if err != nil {
			return err
		}
		if f == nil || len(kept) == pairsMost {
			continue // too long for the file of frequent words: it is no common word then
		}
		p, err := postingsOf(dict, &spare{}, name)
		if err != nil {
			return err
		}
		kept = append(kept, name)
		words = append(words, commonWord{docs: p.docs.Iterator(), places: placesOf{frequent: f}})
	}
	t.head.Fields[i].Words = kept
	if len(kept) == 0 {
		return nil
	}
	var row sequence
	for first, next := 0, 0; first < docs; first = next {
		lists, size := map[uint32]*pairList{}, 0
		for ; next < min(docs, first+pairsBlock) && size < t.most; next++ {
			if err := row.read(uint32(next), words); err != nil {
				return err
			}
			size += row.pairs(uint32(next-first), lists)
		}
		place := t.block(lists)
		if place.Lists > math.MaxUint32 { // of a single document
			return fmt.Errorf("the pairs of %d documents take %d bytes: more than the file holds", next-first, place.Lists)
		}
		if next < docs && next-first < pairsBlock {
			place.Docs = next - first
		}
		t.head.Fields[i].Blocks = append(t.head.Fields[i].Blocks, place)
	}
	return nil
}

// block writes the lists of a block.
func (t *pairsWriter) block(lists map[uint32]*pairList) pairsPlace {
	place := pairsPlace{At: t.at, Pairs: len(lists)}
	keys := make([]uint32, 0, len(lists))
	for k := range lists {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var ends []uint32
	for _, k := range keys {
		place.Lists += len(lists[k].bytes)
		ends = append(ends, uint32(place.Lists))
	}
	t.put(appendUint32s(appendUint32s(nil, keys), ends))
	for _, k := range keys {
		t.put(lists[k].bytes)
	}
	return place
}

// pairList is the documents of a pair in a block.
type pairList struct {
	last  uint32
	bytes []byte
}

func (l *pairList) add(doc uint32, times uint64) {
	step := uint64(doc-l.last) << 1
	if l.last = doc; times == 1 {
		l.bytes = binary.AppendUvarint(l.bytes, step)
		return
	}
	l.bytes = binary.AppendUvarint(binary.AppendUvarint(l.bytes, step|1), times)
}

// sequence is the common words of a document by their places.
type sequence struct {
	at   []int32 // number of the word plus one; 0: another word
	used []uint32
	buf  []uint32
	keys []uint32
}

// read puts the words of the next document at their places.
func (s *sequence) read(doc uint32, words []commonWord) (err error) {
	for _, p := range s.used {
		s.at[p] = 0
	}
	s.used = s.used[:0]
	for n := range words {
		w := &words[n]
		if !w.docs.HasNext() || w.docs.PeekNext() != doc {
			continue
		}
		w.docs.Next()
		if s.buf, err = w.places.read(w.rank, s.buf[:0]); err != nil {
			return err
		}
		w.rank++
		for _, p := range s.buf {
			if int(p) >= len(s.at) {
				if p > math.MaxInt32/8 {
					return errPostings
				}
				s.at = append(s.at, make([]int32, int(p)+1024-len(s.at))...)
			}
			s.at[p] = int32(n + 1)
			s.used = append(s.used, p)
		}
	}
	return nil
}

// pairs adds the pairs of the document to the lists, and returns by how many bytes they grew.
func (s *sequence) pairs(doc uint32, lists map[uint32]*pairList) (grown int) {
	s.keys = s.keys[:0]
	for _, p := range s.used {
		if int(p)+1 < len(s.at) && s.at[p+1] > 0 {
			s.keys = append(s.keys, uint32(s.at[p]-1)<<16|uint32(s.at[p+1]-1))
		}
	}
	slices.Sort(s.keys)
	for i := 0; i < len(s.keys); {
		j := i
		for j < len(s.keys) && s.keys[j] == s.keys[i] {
			j++
		}
		l := lists[s.keys[i]]
		if l == nil {
			l = &pairList{}
			lists[s.keys[i]] = l
		}
		before := len(l.bytes)
		l.add(doc, uint64(j-i))
		grown += len(l.bytes) - before
		i = j
	}
	return grown
}

// pairsReader reads the file pairs, which is mapped into memory; the common words are not.
type pairsReader struct {
	mapped mmap.MMap
	body   []byte
	pairsHead
}

var errPairs = errors.New("the file of pairs of words is damaged")

func openPairs(path string, docs int) (*pairsReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := parsePairs(mapped, docs)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), mapped.Unmap())
	}
	r.mapped = mapped
	return r, nil
}

func (r *pairsReader) close() error { return r.mapped.Unmap() }

func parsePairs(b []byte, docs int) (*pairsReader, error) {
	if len(b) < len(pairsMagic)+pairsTail || !bytes.HasPrefix(b, []byte(pairsMagic)) || !bytes.HasSuffix(b, []byte(pairsMagic)) {
		return nil, errPairs
	}
	tail, b := b[len(b)-pairsTail:], b[:len(b)-pairsTail]
	size := binary.LittleEndian.Uint64(tail)
	if size > uint64(len(b)) {
		return nil, errPairs
	}
	r := &pairsReader{body: b[:len(b)-int(size)]}
	text := b[len(b)-int(size):]
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(tail[8:]) || json.Unmarshal(text, &r.pairsHead) != nil || r.Docs != docs {
		return nil, fmt.Errorf("%w: its head", errPairs)
	}
	for _, f := range r.Fields {
		if len(f.Words) > pairsMost {
			return nil, errPairs
		}
		left := docs
		for _, p := range f.Blocks {
			if left -= p.docs(left); p.Docs < 0 || left < 0 || p.At < 0 || p.Pairs < 0 || p.Lists < 0 || p.At > int64(len(r.body)) || p.Pairs > len(r.body)/8 || p.Lists > len(r.body) || p.At+int64(8*p.Pairs)+int64(p.Lists) > int64(len(r.body)) {
				return nil, errPairs
			}
		}
		if len(f.Words) > 0 && left != 0 {
			return nil, errPairs
		}
	}
	return r, nil
}

// docs returns how many documents a block has, of those that are left.
func (p *pairsPlace) docs(left int) int {
	if p.Docs > 0 {
		return p.Docs
	}
	return min(pairsBlock, left)
}

// number returns the number of a common word of a field; -1 of others.
func (r *pairsReader) number(field int, word string) int {
	if r == nil {
		return -1
	}
	if i, ok := slices.BinarySearch(r.Fields[field].Words, word); ok {
		return i
	}
	return -1
}

// each calls fn for the documents in which two common words stand in a row, in order, with how often.
func (r *pairsReader) each(field, first, second int, fn func(doc uint32, times int)) error {
	key := uint32(first)<<16 | uint32(second)
	next := 0
	for _, p := range r.Fields[field].Blocks {
		begin := next
		next += p.docs(r.Docs - begin)
		b := r.body[p.At:]
		keys, ends, lists := b[:4*p.Pairs], b[4*p.Pairs:8*p.Pairs], b[8*p.Pairs:8*p.Pairs+p.Lists]
		i := sort.Search(p.Pairs, func(i int) bool { return binary.LittleEndian.Uint32(keys[4*i:]) >= key })
		if i == p.Pairs || binary.LittleEndian.Uint32(keys[4*i:]) != key {
			continue
		}
		from, to := 0, u32At(ends, i)
		if i > 0 {
			from = u32At(ends, i-1)
		}
		if from > to || to > len(lists) {
			return errPairs
		}
		doc := uint64(begin)
		for list := lists[from:to]; len(list) > 0; {
			step, used := binary.Uvarint(list)
			if used <= 0 {
				return errPairs
			}
			list = list[used:]
			times := uint64(1)
			if step&1 == 1 {
				if times, used = binary.Uvarint(list); used <= 0 {
					return errPairs
				}
				list = list[used:]
			}
			if doc += step >> 1; doc >= uint64(r.Docs) || times > math.MaxInt32 {
				return errPairs
			}
			fn(uint32(doc), int(times))
		}
	}
	return nil
}

// paired adds the allowed documents in which two words stand in a row, if both are common; ok reports whether they are.
func (m *matcher) paired(words []string, field string, out set) (ok bool, err error) {
	f := fieldNumber(field)
	first, second := m.shard.pairs.number(f, words[0]), m.shard.pairs.number(f, words[1])
	if first < 0 || second < 0 {
		return false, nil
	}
	idf := m.weights.of(field, words[0]).weight + m.weights.of(field, words[1]).weight
	var found foundBuffer
	counts := m.scored && m.silent == 0
	if counts {
		found = m.spare.buffer(0)
	}
	norms, cols := m.shard.frequent.normsOf(f), m.shard.cols
	err = m.shard.pairs.each(f, first, second, func(d uint32, times int) {
		if m.allowed != nil && !m.allowed.has(d) || m.time != nil && !m.time.has(cols.from[d], cols.until[d]) {
			return
		}
		out.put(d)
		if counts {
			found.docs, found.scores = append(found.docs, d), append(found.scores, idf*math.Sqrt(float64(times))*normOf(norms, d))
		}
	})
	if len(found.docs) > 0 {
		m.add(scorePart{found: found})
	} else if counts {
		m.spare.found = append(m.spare.found, found)
	}
	return true, errors.Join(err, m.ctx.Err())
}

// narrow keeps the documents that have each pair of common words of a phrase.
func (m *matcher) narrow(words []string, field string, docs set) error {
	f := fieldNumber(field)
	for i := range words[:len(words)-1] {
		first, second := m.shard.pairs.number(f, words[i]), m.shard.pairs.number(f, words[i+1])
		if first < 0 || second < 0 {
			continue
		}
		with := m.spare.set(m.docs())
		err := m.shard.pairs.each(f, first, second, func(d uint32, _ int) { with.put(d) })
		docs.and(with)
		m.spare.free(with)
		if err != nil {
			return err
		}
	}
	return nil
}
