package fulltext

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// The file frequent tells of each word that many documents have how often and where it stands in each of them. Bleve knows it too, but reads one
// document after the other through several layers, about 100 ns for each that is asked for or passed over, and more for places. Here the count of the
// k-th document with the word is the k-th byte, and places are found from every 64th document on.
//
//	entry*   fields in order, words sorted: documents u32, bytes of places u32, large counts u32, length of the word u16,
//	         the word, counts, starts, large, places
//	counts   of each document with the word, how often: a byte; 255 means that it is among the large ones
//	starts   of every 64th document where its places begin, u32
//	large    rank of the document u32, how often u32; sorted
//	places   of each document: where the word stands, each as the distance to the one before, uvarint
//	norms    of each field: 1 by the root of the length of each document, float32
//	table    8 bytes offset of each entry
//	end      entries of each field ×4, documents, offset of the norms, 8 bytes each; CRC-32 of norms and table; "vvfreq01"
const (
	frequentEnd   = "vvfreq01"
	frequentFrom  = 32  // documents of a shard that must have a word
	frequentBlock = 64  // documents between two starts
	largeCount    = 255 // from here on a count does not fit
	frequentHead  = 14  // bytes of an entry before its word
	frequentTail  = 4*8 + 2*8 + 4 + len(frequentEnd)
	// frequentMost is how many bytes an entry may have; words with more are read from Bleve.
	frequentMost = math.MaxInt32
)

// frequentWriter makes the file of a segment.
type frequentWriter struct {
	docs    int
	w       *bufio.Writer
	at      uint64
	table   []byte
	norms   []byte // of the field under way
	it      segment.PostingsIterator
	counts  []byte
	starts  []byte
	large   []byte
	places  []byte
	entries [4]uint64
}

// writeFrequent writes the frequent words of all fields of a segment.
func writeFrequent(path string, s segment.Segment, docs int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	t := &frequentWriter{docs: docs, w: bufio.NewWriterSize(f, 256<<10)}
	var norms []byte
	for i, name := range fields {
		dict, err := s.Dictionary(name)
		if err != nil {
			return err
		}
		t.norms = make([]byte, 4*docs)
		if err := t.field(i, dict); err != nil {
			return err
		}
		norms = append(norms, t.norms...)
	}
	t.finish(norms)
	return errors.Join(t.w.Flush(), f.Sync())
}

// field writes the entries of a field.
func (t *frequentWriter) field(i int, dict segment.TermDictionary) error {
	it := dict.AutomatonIterator(nil, nil, nil)
	for {
		e, err := it.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Count < frequentFrom || len(e.Term) > math.MaxUint16 {
			continue
		}
		list, err := dict.PostingsList([]byte(e.Term), nil, nil)
		if err != nil {
			return err
		}
		if err := t.gather(list); err != nil {
			return err
		}
		if len(t.places) <= frequentMost {
			t.table = binary.LittleEndian.AppendUint64(t.table, t.at)
			t.entries[i]++
			t.entry(e.Term)
		}
	}
}

// gather reads what Bleve knows of a word.
func (t *frequentWriter) gather(list segment.PostingsList) error {
	t.counts, t.starts, t.large, t.places = t.counts[:0], t.starts[:0], t.large[:0], t.places[:0]
	t.it = list.Iterator(true, true, true, t.it)
	for rank := uint32(0); ; rank++ {
		p, err := t.it.Next()
		if err != nil || p == nil {
			return err
		}
		if p.Number() >= uint64(t.docs) {
			return errPostings
		}
		if rank%frequentBlock == 0 {
			t.starts = binary.LittleEndian.AppendUint32(t.starts, uint32(min(len(t.places), math.MaxUint32)))
		}
		binary.LittleEndian.PutUint32(t.norms[4*p.Number():], math.Float32bits(float32(p.Norm())))
		locations := p.Locations()
		t.counts = append(t.counts, byte(min(len(locations), largeCount)))
		if len(locations) >= largeCount {
			t.large = binary.LittleEndian.AppendUint32(t.large, rank)
			t.large = binary.LittleEndian.AppendUint32(t.large, uint32(len(locations)))
		}
		if p.Frequency() != uint64(len(locations)) {
			return errPostings
		}
		last := uint64(0)
		for _, l := range locations {
			if l.Pos() <= last || l.Pos() > math.MaxUint32 {
				return errPostings
			}
			t.places = binary.AppendUvarint(t.places, l.Pos()-last)
			last = l.Pos()
		}
	}
}

// entry writes what was gathered.
func (t *frequentWriter) entry(word string) {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(t.counts)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(t.places)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(t.large)/8))
	head = binary.LittleEndian.AppendUint16(head, uint16(len(word)))
	for _, b := range [][]byte{head, []byte(word), t.counts, t.starts, t.large, t.places} {
		t.write(b)
	}
}

func (t *frequentWriter) write(b []byte) {
	_, _ = t.w.Write(b) // its error stays, and Flush gives it
	t.at += uint64(len(b))
}

// finish writes norms, table and end.
func (t *frequentWriter) finish(norms []byte) {
	at := t.at
	t.write(norms)
	t.write(t.table)
	sum := crc32.Update(crc32.ChecksumIEEE(norms), crc32.IEEETable, t.table)
	var end []byte
	for _, n := range append(t.entries[:], uint64(t.docs), at) {
		end = binary.LittleEndian.AppendUint64(end, n)
	}
	t.write(append(binary.LittleEndian.AppendUint32(end, sum), frequentEnd...))
}
