package fulltext

import (
	"encoding/binary"
	"errors"
	"iter"
	"sort"
)

// keyGroup is how many keys follow one that is written whole.
const keyGroup = 16

// keys are the index keys of the documents of a shard, by number, which is their order. A key is written as how
// many bytes it has in common with the one before, and the rest: about 15 bytes instead of 40.
type keys struct {
	n     int
	bytes []byte
	at    []uint32 // of the first key of each group
	last  string   // while they are added
}

// add puts a key behind the others.
func (k *keys) add(key string) {
	same := 0
	if k.n%keyGroup == 0 {
		k.at = append(k.at, uint32(len(k.bytes)))
	} else {
		for same < len(key) && same < len(k.last) && key[same] == k.last[same] {
			same++
		}
	}
	k.bytes = binary.AppendUvarint(k.bytes, uint64(same))
	k.bytes = binary.AppendUvarint(k.bytes, uint64(len(key)-same))
	k.bytes = append(k.bytes, key[same:]...)
	k.last = key
	k.n++
}

var errKeys = errors.New("keys are damaged")

// parseKeys reads n keys.
func parseKeys(b []byte, n int) (*keys, error) {
	k := &keys{n: n, bytes: b}
	var buf []byte
	at := 0
	for i := range n {
		if i%keyGroup == 0 {
			k.at = append(k.at, uint32(at))
			buf = buf[:0]
		}
		var ok bool
		if buf, at, ok = k.next(buf, at); !ok {
			return nil, errKeys
		}
	}
	if at != len(b) {
		return nil, errKeys
	}
	return k, nil
}

// next reads the key at a place, of which buf holds the one before.
func (k *keys) next(buf []byte, at int) ([]byte, int, bool) {
	same, a := binary.Uvarint(k.bytes[at:])
	if a <= 0 || same > uint64(len(buf)) {
		return buf, at, false
	}
	size, b := binary.Uvarint(k.bytes[at+a:])
	if b <= 0 || size > uint64(len(k.bytes)-at-a-b) {
		return buf, at, false
	}
	from := at + a + b
	return append(buf[:same], k.bytes[from:from+int(size)]...), from + int(size), true
}

// from gives keys with their numbers, from one on. The bytes are valid until the next one.
func (k *keys) from(n int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		if n >= k.n {
			return
		}
		group := n / keyGroup
		at, buf := int(k.at[group]), []byte(nil)
		for i := group * keyGroup; i < k.n; i++ {
			if i%keyGroup == 0 {
				buf = buf[:0]
			}
			var ok bool
			if buf, at, ok = k.next(buf, at); !ok || i >= n && !yield(i, buf) {
				return
			}
		}
	}
}

// find gives the first number whose key is not less.
func (k *keys) find(key string) int {
	group := sort.Search(len(k.at), func(g int) bool {
		head, _, _ := k.next(nil, int(k.at[g]))
		return string(head) >= key
	})
	for n, b := range k.from(max(0, group-1) * keyGroup) {
		if string(b) >= key {
			return n
		}
	}
	return k.n
}
