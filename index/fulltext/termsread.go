package fulltext

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// termsReader reads the words of documents. The vocabulary is read when it is first needed, and stays in memory.
type termsReader struct {
	f    *os.File
	docs int

	once  sync.Once
	err   error
	words [][]byte // sorted
	df    []uint32
	at    []uint64 // of the blocks, and of the vocabulary
}

var errTerms = errors.New("the file of terms is damaged")

func openTerms(path string, docs int) (*termsReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &termsReader{f: f, docs: docs}, nil
}

func (t *termsReader) close() error { return t.f.Close() }

// load reads the vocabulary.
func (t *termsReader) load() error {
	t.once.Do(func() {
		if err := t.read(); err != nil {
			t.err = fmt.Errorf("%s: %w", t.f.Name(), err)
		}
	})
	return t.err
}

func (t *termsReader) read() error {
	st, err := t.f.Stat()
	if err != nil {
		return err
	}
	const tail = int64(28 + len(termsEnd))
	size := st.Size()
	end := make([]byte, tail)
	if _, err := t.f.ReadAt(end, size-tail); err != nil {
		return err
	}
	docs, words, at := binary.LittleEndian.Uint64(end), binary.LittleEndian.Uint64(end[8:]), binary.LittleEndian.Uint64(end[16:])
	blocks := uint64(t.docs+termsBlock-1)/termsBlock + 1
	if string(end[28:]) != termsEnd || docs != uint64(t.docs) || at > uint64(size) || at+8*blocks+uint64(tail) != uint64(size) || words > uint64(size) {
		return errTerms
	}
	table := make([]byte, 8*blocks)
	if _, err := t.f.ReadAt(table, int64(at)); err != nil {
		return err
	}
	for i := range blocks {
		t.at = append(t.at, binary.LittleEndian.Uint64(table[8*i:]))
	}
	from := t.at[blocks-1]
	if !slices.IsSorted(t.at) || from > at {
		return errTerms
	}
	b := make([]byte, at-from)
	if _, err := t.f.ReadAt(b, int64(from)); err != nil {
		return err
	}
	if crc32.Update(crc32.ChecksumIEEE(b), crc32.IEEETable, table) != binary.LittleEndian.Uint32(end[24:]) {
		return errTerms
	}
	return t.vocabulary(b, int(words))
}

func (t *termsReader) vocabulary(b []byte, n int) error {
	r := columnsReader{b: b}
	for i := 0; i < n && !r.bad; i++ {
		t.words = append(t.words, r.take(r.uvarint()))
		t.df = append(t.df, uint32(r.uvarint()))
	}
	if r.bad || len(r.b) > 0 {
		return errTerms
	}
	return nil
}

// number gives the place of a word in the vocabulary; -1 if it is not there.
func (t *termsReader) number(word []byte) int {
	if i, ok := slices.BinarySearchFunc(t.words, word, bytes.Compare); ok {
		return i
	}
	return -1
}

// count tells in how many of some documents each word is; nil documents are all.
func (t *termsReader) count(ctx context.Context, docs *roaring.Bitmap) ([]uint32, error) {
	if docs == nil {
		return t.df, nil
	}
	out := make([]uint32, len(t.words))
	var buf []byte
	it := docs.Iterator()
	for it.HasNext() {
		block := int(it.PeekNext()) / termsBlock
		if block >= len(t.at)-1 {
			return nil, errTerms
		}
		buf = slices.Grow(buf[:0], int(t.at[block+1]-t.at[block]))[:t.at[block+1]-t.at[block]]
		if _, err := t.f.ReadAt(buf, int64(t.at[block])); err != nil {
			return nil, err
		}
		if err := countBlock(buf, block*termsBlock, it, out); err != nil {
			return nil, fmt.Errorf("block %d: %w", block, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return out, nil
}

// countBlock counts the words of the documents of a block that come next; first is its first document.
func countBlock(b []byte, first int, docs roaring.IntPeekable, out []uint32) error {
	for d := first; d < first+termsBlock && docs.HasNext() && int(docs.PeekNext()) < first+termsBlock; d++ {
		n, used := binary.Uvarint(b)
		if used <= 0 {
			return errTerms
		}
		b = b[used:]
		wanted := int(docs.PeekNext()) == d
		if wanted {
			docs.Next()
		}
		word := uint64(0)
		for range n {
			step, used := binary.Uvarint(b)
			if used <= 0 || word+step >= uint64(len(out)) {
				return errTerms
			}
			b = b[used:]
			word += step
			if wanted {
				out[word]++
			}
		}
	}
	return nil
}
