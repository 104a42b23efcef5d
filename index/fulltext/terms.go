package fulltext

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// The file terms is the postings turned round: of each document the words of its text, as numbers. It tells which words are in
// some documents without asking for each word, which clouds need.
//
//	block*      of 64 documents in the order of places: of each document count uvarint, then the numbers of its words,
//	            each as the distance to the one before, uvarint
//	vocabulary  of each word: length uvarint, bytes, documents uvarint; sorted
//	table       8 bytes offset of each block and of the vocabulary
//	end         documents, words, offset of the table, 8 bytes each; CRC-32 of vocabulary and table; "vvterm01"
const (
	termsEnd   = "vvterm01"
	termsBlock = 64      // documents
	termsHeld  = 4 << 20 // numbers that are held while documents are turned round
	// rareWord is how many documents of a year must have a word: those of fewer are most of all words, and tell nothing.
	rareWord = 3
)

// countable tells words that a cloud may show: some letters, not too long.
func countable(word []byte) bool {
	if len(word) > 40 || utf8.RuneCount(word) < 3 {
		return false
	}
	for len(word) > 0 {
		r, n := utf8.DecodeRune(word)
		if unicode.IsLetter(r) {
			return true
		}
		word = word[n:]
	}
	return false
}

// termsWriter makes the file of a segment.
type termsWriter struct {
	dict  segment.TermDictionary
	spare spare
	words [][]byte
	docs  []uint32 // of each word
	count []uint32 // words of each document
	w     *bufio.Writer
	at    uint64
	table []byte
}

// writeTerms writes the words of the texts of a segment's documents.
func writeTerms(path string, s segment.Segment, docs int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	dict, err := s.Dictionary("text")
	if err != nil {
		return err
	}
	t := &termsWriter{dict: dict, count: make([]uint32, docs), w: bufio.NewWriterSize(f, 256<<10)}
	if err := t.gather(); err != nil {
		return err
	}
	for from := 0; from < docs; {
		if from, err = t.blocks(from); err != nil {
			return err
		}
	}
	t.finish()
	return errors.Join(t.w.Flush(), f.Sync())
}

// gather finds the words, and how many of them each document has.
func (t *termsWriter) gather() error {
	it := t.dict.AutomatonIterator(nil, nil, nil)
	for {
		e, err := it.Next()
		if err != nil || e == nil {
			return err
		}
		if !countable([]byte(e.Term)) {
			continue
		}
		b, err := t.bitmap(e.Term)
		if err != nil {
			return err
		}
		if n := b.GetCardinality(); n >= rareWord {
			t.words, t.docs = append(t.words, []byte(e.Term)), append(t.docs, uint32(n))
			for i := b.Iterator(); i.HasNext(); {
				t.count[i.Next()]++
			}
		}
	}
}

func (t *termsWriter) bitmap(word string) (*roaring.Bitmap, error) {
	p, err := postingsOf(t.dict, &t.spare, word)
	return p.docs, err
}

// blocks turns as many documents round as may be held, and tells where it stopped.
func (t *termsWriter) blocks(from int) (to int, err error) {
	held := 0
	for to = from; to < len(t.count) && (held < termsHeld || to%termsBlock != 0); to++ {
		held += int(t.count[to])
	}
	numbers, end := make([]uint32, held), make([]uint32, to-from)
	sum := uint32(0)
	for i := range end {
		end[i] = sum // grows to the end of the document
		sum += t.count[from+i]
	}
	for word := range t.words {
		b, err := t.bitmap(string(t.words[word]))
		if err != nil {
			return to, err
		}
		it := b.Iterator()
		for it.AdvanceIfNeeded(uint32(from)); it.HasNext(); {
			d := int(it.Next()) - from
			if d >= to-from {
				break
			}
			numbers[end[d]] = uint32(word)
			end[d]++
		}
	}
	var buf []byte
	at := uint32(0)
	for i, e := range end {
		if (from+i)%termsBlock == 0 {
			t.put(buf)
			buf = buf[:0]
			t.table = binary.LittleEndian.AppendUint64(t.table, t.at)
		}
		buf = appendNumbers(buf, numbers[at:e])
		at = e
	}
	t.put(buf)
	return to, nil
}

func appendNumbers(b []byte, numbers []uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(numbers)))
	last := uint32(0)
	for _, n := range numbers {
		b = binary.AppendUvarint(b, uint64(n-last))
		last = n
	}
	return b
}

func (t *termsWriter) put(b []byte) {
	_, _ = t.w.Write(b) // its error stays, and Flush gives it
	t.at += uint64(len(b))
}

// finish writes vocabulary, table and end.
func (t *termsWriter) finish() {
	t.table = binary.LittleEndian.AppendUint64(t.table, t.at)
	var b []byte
	for i, w := range t.words {
		b = append(binary.AppendUvarint(b, uint64(len(w))), w...)
		b = binary.AppendUvarint(b, uint64(t.docs[i]))
	}
	sum := crc32.ChecksumIEEE(b)
	t.put(b)
	at := t.at
	sum = crc32.Update(sum, crc32.IEEETable, t.table)
	t.put(t.table)
	end := binary.LittleEndian.AppendUint64(nil, uint64(len(t.count)))
	end = binary.LittleEndian.AppendUint64(end, uint64(len(t.words)))
	end = binary.LittleEndian.AppendUint64(end, at)
	end = binary.LittleEndian.AppendUint32(end, sum)
	t.put(append(end, termsEnd...))
}
