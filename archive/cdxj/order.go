package cdxj

import (
	"bytes"
	"fmt"
	"io"
)

// CheckSorted reads lines and tells whether they are in byte order, as LC_ALL=C sort makes them.
// It gives the number of lines read; a *LineError names the first line that is less than the one
// before it.
func CheckSorted(r io.Reader) (int64, error) {
	lines := newLineReader(r)
	var order order
	for {
		line, err := lines.exact()
		if err == io.EOF {
			return lines.n, nil
		}
		if err == nil {
			err = order.check(line, lines.n)
		}
		if err != nil {
			return lines.n, err
		}
	}
}

// order remembers the last line.
type order struct {
	last []byte
}

// check compares a line with the one before it.
func (o *order) check(line []byte, n int64) error {
	if bytes.Compare(line, o.last) < 0 {
		return &LineError{n, fmt.Errorf("out of order: %q comes after %q", clip(string(line)), clip(string(o.last)))}
	}
	o.last = append(o.last[:0], line...)
	return nil
}
