//go:build unix

package frontier

import (
	"syscall"
	"unsafe"
)

// newBlocks gives memory for a stage of the filter from the system instead of the Go heap. The
// collector lets the heap grow to twice what is live in it, so there the filter would cost double.
// Pages that are never written take no memory. free gives it back.
func newBlocks(n int64) (blocks []block, free func()) {
	mem, err := syscall.Mmap(-1, 0, int(n*blockBytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]block, n), func() {}
	}
	return unsafe.Slice((*block)(unsafe.Pointer(&mem[0])), n), func() { _ = syscall.Munmap(mem) }
}
