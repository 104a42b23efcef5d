//go:build !unix

package temporal

import (
	"io"
	"os"
)

// mapFile reads a file; there is nothing to free.
func mapFile(f *os.File, size int64) (b []byte, free func() error, err error) {
	b = make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, func() error { return nil }, err
}
