//go:build unix

package temporal

import (
	"os"
	"syscall"
)

// mapFile maps a file for reading; free ends it.
func mapFile(f *os.File, size int64) (b []byte, free func() error, err error) {
	if size == 0 {
		return nil, func() error { return nil }, nil
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	return b, func() error { return syscall.Munmap(b) }, err
}
