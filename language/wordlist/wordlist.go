// Package wordlist holds large lists of words and names with a number each: the lexicon of the tagger, the names that
// mentions are looked up in.
//
// A List is a hash table of 8 bytes a slot: 32 bits of the hash of a key choose and check the slot, the keys themselves
// are not kept. A key that is not in the list is taken for one that is about once in 2^32/len(list) times, one in
// 20,000 for 200,000 names: no more than the lists themselves are wrong.
//
// The file is drawn in docs/formats/word-list.md: sorted keys, each with what it shares with the one before,
// packed with zstd behind a checksum.
package wordlist

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"

	"varve/learn/chain"
)

// magic begins a file: name and version. History: 1 the first.
const magic = "varve-words\x01"

// Limits of a file, against files that are not ours.
const (
	maxKeys = 4 << 20
	maxBody = 128 << 20
	maxFile = 64 << 20
)

// List gives the number of a key. It does not change and is safe for concurrent use.
type List struct {
	slots []slot
	count int
}

type slot struct{ hash, value uint32 } // a value of 0 is a free slot

// New returns the list of the given keys; values of 0 are left out.
func New(values map[string]uint32) *List {
	l := newList(len(values))
	for k, v := range values {
		if v != 0 {
			l.add(chain.Hash(k), v)
		}
	}
	return l
}

func newList(n int) *List {
	size := 4
	for size*2 < n*3 {
		size *= 2
	}
	return &List{slots: make([]slot, size)}
}

// add puts in a key, or the bits of its value into the one that has the same hash.
func (l *List) add(hash, value uint32) {
	mask := uint32(len(l.slots) - 1)
	i := hash & mask
	for l.slots[i].value != 0 && l.slots[i].hash != hash {
		i = (i + 1) & mask
	}
	if l.slots[i].value == 0 {
		l.count++
	}
	l.slots[i] = slot{hash, l.slots[i].value | value}
}

// Find returns the number of a key; 0 if it is not in the list.
func (l *List) Find(key string) uint32 { return l.FindHash(chain.Hash(key)) }

// FindHash returns the number of the key that has this chain.Hash.
func (l *List) FindHash(hash uint32) uint32 {
	mask := uint32(len(l.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if s := l.slots[i]; s.value == 0 || s.hash == hash {
			return s.value
		}
	}
}

// Len returns how many keys there are.
func (l *List) Len() int { return l.count }

// Bytes returns the memory of the list.
func (l *List) Bytes() int64 { return int64(len(l.slots)) * 8 }

// Write writes a list. The same keys and values give the same bytes; values of 0 and keys of more than 255 bytes are
// left out.
func Write(w io.Writer, values map[string]uint32) error {
	var keys, numbers []byte
	before, n := "", 0
	for _, k := range slices.Sorted(maps.Keys(values)) {
		if values[k] == 0 || len(k) > 255 {
			continue
		}
		shared := 0
		for shared < len(before) && shared < len(k) && before[shared] == k[shared] {
			shared++
		}
		keys = append(append(keys, byte(shared), byte(len(k)-shared)), k[shared:]...)
		numbers = binary.AppendUvarint(numbers, uint64(values[k]))
		before = k
		n++
	}
	body := binary.AppendUvarint(nil, uint64(n))
	body = binary.AppendUvarint(body, uint64(len(keys)))
	body = slices.Concat(body, keys, numbers)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("write word list: %w", err)
	}
	packed := z.EncodeAll(body, nil)
	sum := sha256.Sum256(packed)
	if _, err := w.Write(slices.Concat([]byte(magic), sum[:], packed)); err != nil {
		return fmt.Errorf("write word list: %w", err)
	}
	return nil
}

// Read reads a list.
func Read(r io.Reader) (*List, error) {
	b, n, err := open(r)
	if err != nil {
		return nil, err
	}
	l := newList(n)
	for k, v := range b.entries(n) {
		l.add(chain.Hash(string(k)), v)
	}
	return l, b.err
}

// All reads a file and returns its keys with their values, in order.
func All(r io.Reader) (iter.Seq2[string, uint32], error) {
	b, n, err := open(r)
	if err != nil {
		return nil, err
	}
	check := *b
	for range check.entries(n) { // all of it is looked at before the caller believes any
	}
	if check.err != nil {
		return nil, check.err
	}
	return func(yield func(string, uint32) bool) {
		b := *b
		for k, v := range b.entries(n) {
			if !yield(string(k), v) {
				return
			}
		}
	}, nil
}

// body is the unpacked part of a file.
type body struct {
	keys, numbers []byte
	err           error
}

func open(r io.Reader) (*body, int, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, 0, fmt.Errorf("word list: %w", err)
	}
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, 0, fmt.Errorf("word list: it does not begin with %q and a checksum", magic)
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil, 0, errors.New("word list: its bytes are not what they were: the checksum differs")
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, 0, fmt.Errorf("word list: %w", err)
	}
	defer z.Close()
	b, err := z.DecodeAll(rest[sha256.Size:], nil)
	if err != nil {
		return nil, 0, fmt.Errorf("word list: %w", err)
	}
	return parse(b)
}

func parse(b []byte) (*body, int, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > maxKeys || n > uint64(len(b)) {
		return nil, 0, errors.New("word list: the number of keys is missing or too large")
	}
	size, j := binary.Uvarint(b[k:])
	if j <= 0 || size > uint64(len(b)-k-j) {
		return nil, 0, errors.New("word list: the keys are cut")
	}
	b = b[k+j:]
	return &body{keys: b[:size], numbers: b[size:]}, int(n), nil
}

// entries goes through the keys and values; err tells what was wrong with them. The key is valid until the next.
func (b *body) entries(n int) iter.Seq2[[]byte, uint32] {
	return func(yield func([]byte, uint32) bool) {
		var key []byte
		for i := range n {
			if len(b.keys) < 2 || int(b.keys[0]) > len(key) || int(b.keys[1]) > len(b.keys)-2 {
				b.err = fmt.Errorf("word list: key %d is cut", i)
				return
			}
			key = append(key[:b.keys[0]], b.keys[2:2+int(b.keys[1])]...)
			b.keys = b.keys[2+int(b.keys[1]):]
			v, k := binary.Uvarint(b.numbers)
			if k <= 0 || v == 0 || v > 1<<32-1 {
				b.err = fmt.Errorf("word list: the number of key %d is missing or out of bounds", i)
				return
			}
			b.numbers = b.numbers[k:]
			if !yield(key, uint32(v)) {
				return
			}
		}
		if len(b.keys)+len(b.numbers) > 0 {
			b.err = errors.New("word list: something follows the last key")
		}
	}
}
