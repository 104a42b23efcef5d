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

// buffer is a slice that is pooled by pointer, so that putting it back allocates nothing.
type buffer struct {
	space []byte
}

// get gives a buffer of at least size bytes. Sizes over the largest are not pooled.
func (p *bufferPool) get(size int) *buffer {
	n := max(bits.Len(uint(size-1)), buffersFrom)
	if n > buffersUpTo {
		return &buffer{make([]byte, size)}
	}
	if b, ok := p.sizes[n-buffersFrom].Get().(*buffer); ok {
		return b
	}
	return &buffer{make([]byte, 1<<n)}
}

// put takes a buffer back.
func (p *bufferPool) put(b *buffer) {
	if b == nil {
		return
	}
	if n := bits.Len(uint(len(b.space))) - 1; n <= buffersUpTo && len(b.space) == 1<<n {
		p.sizes[n-buffersFrom].Put(b)
	}
}
