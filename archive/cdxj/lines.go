package cdxj

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// pageSize is how much a step of a bisection reads.
const pageSize = 4 << 10

// Lines is a sorted text file that is searched where it lies.
type Lines struct {
	r    io.ReaderAt
	size int64
}

// NewLines makes a Lines of the first size bytes of r.
func NewLines(r io.ReaderAt, size int64) *Lines { return &Lines{r, size} }

// Range gives the lines l with from <= l < to in byte order, without line ends; an empty to means
// no end. A line is valid until the next one. An error ends the sequence.
func (f *Lines) Range(from, to string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		start, _, err := f.find(from)
		if err != nil {
			yield(nil, err)
			return
		}
		lines := newLineReader(io.NewSectionReader(f.r, start, f.size-start))
		for {
			line, err := lines.next()
			if err == io.EOF || err == nil && to != "" && string(line) >= to {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("after byte %d: %w", start, err))
				return
			}
			if string(line) >= from && !yield(line, nil) {
				return
			}
		}
	}
}

// find gives the offset of the first line that is not less than target, and of the line before
// it, or -1. It halves a byte range: a step looks at the first line that starts in its upper half.
func (f *Lines) find(target string) (at, before int64, err error) {
	lo, hi, before := int64(0), f.size, int64(-1)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start, end, less, err := f.compare(mid, hi, target)
		switch {
		case err != nil:
			return 0, 0, err
		case start < hi && less:
			before, lo = start, end
		default:
			hi = mid
		}
	}
	return lo, before, nil
}

// compare finds the first line that starts at or after offset, and tells where it lies and whether
// it is less than target. Without such a line before limit, start is at least limit.
func (f *Lines) compare(offset, limit int64, target string) (start, end int64, less bool, err error) {
	start = offset
	if offset > 0 {
		if start, err = f.lineEnd(offset-1, nil); err != nil || start >= limit {
			return start, start, false, err
		}
	}
	line := make([]byte, 0, pageSize)
	if end, err = f.lineEnd(start, &line); err != nil {
		return 0, 0, false, err
	}
	return start, end, string(trimEnd(line)) < target, nil
}

// lineEnd gives the offset behind the next line end at or after offset. The text up to there is
// appended to line, if that is not nil.
func (f *Lines) lineEnd(offset int64, line *[]byte) (int64, error) {
	var page [pageSize]byte
	for begin := offset; offset < f.size; {
		n, err := f.r.ReadAt(page[:min(pageSize, f.size-offset)], offset)
		if n == 0 {
			return 0, readError(offset, err)
		}
		i := bytes.IndexByte(page[:n], '\n')
		if i >= 0 {
			n = i + 1
		}
		if line != nil {
			*line = append(*line, page[:n]...)
		}
		offset += int64(n)
		if i >= 0 {
			return offset, nil
		}
		if offset-begin > MaxLine {
			return 0, fmt.Errorf("byte %d: line longer than %d bytes", begin, MaxLine)
		}
	}
	return f.size, nil
}

// readError explains a read that gave nothing.
func readError(offset int64, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read at byte %d: %w", offset, err)
}
