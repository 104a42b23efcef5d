//go:build !race

// The race detector keeps what it knows of the heap beside it, as much as there is in it.

package cli

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// What lies beside the heap is seen, and what lies in it is not taken for it.
func TestMemoryBesideTheHeap(t *testing.T) {
	const size = 96 << 20
	fill := func(b []byte) {
		for i := 0; i < len(b); i += os.Getpagesize() {
			b[i] = 1
		}
	}
	_, none := memoryNow()
	inside := make([]byte, size)
	fill(inside)
	_, heap := memoryNow()
	runtime.KeepAlive(inside)
	outside, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(outside) }()
	fill(outside)
	_, beside := memoryNow()
	if none <= 0 || heap-none > size/4 || beside-heap < size*3/4 {
		t.Errorf("beside the heap: %d bytes, with %d more in it %d, with as many beside it %d", none, size, heap, beside)
	}
}
