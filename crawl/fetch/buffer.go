package fetch

import (
	"math/bits"
	"sync"
)

// bufferPool hands out byte slices whose capacities are powers of two, each size from its own
// pool, so that most fetches hold the small one and big answers do not starve them.
type bufferPool struct {
	sizes [buffersUpTo - buffersFrom + 1]sync.Pool
}

// Smallest and largest size kept, as powers of two: 32 KiB holds most pages with their heads.
const (
	buffersFrom = 15
	buffersUpTo = 22
)

// get gives an empty slice with room for size bytes. Sizes over the largest are not pooled.
func (p *bufferPool) get(size int) []byte {
	n := max(bits.Len(uint(size-1)), buffersFrom)
	if n > buffersUpTo {
		return make([]byte, 0, size)
	}
	if b, ok := p.sizes[n-buffersFrom].Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, 1<<n)
}

// put takes a slice back.
func (p *bufferPool) put(b []byte) {
	n := bits.Len(uint(cap(b))) - 1
	if n < buffersFrom || n > buffersUpTo || cap(b) != 1<<n {
		return
	}
	p.sizes[n-buffersFrom].Put(&b)
}
