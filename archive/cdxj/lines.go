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
	b := bisection{Lines: f, page: make([]byte, pageSize)}
	lo, hi, before := int64(0), f.size, int64(-1)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start, end, less, err := b.compare(mid, hi, target)
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

// bisection holds the buffers of a search.
type bisection struct {
	*Lines
	page, line []byte
}

// compare finds the first line that starts at or after offset, and tells where it lies and whether
// it is less than target. Without such a line before limit, start is at least limit.
func (b *bisection) compare(offset, limit int64, target string) (start, end int64, less bool, err error) {
	start = offset
	if offset > 0 {
		if start, err = b.lineEnd(offset - 1); err != nil || start >= limit {
			return start, start, false, err
		}
	}
	if end, err = b.lineEnd(start); err != nil {
		return 0, 0, false, err
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(b.line, []byte("\n")), []byte("\r"))
	return start, end, string(line) < target, nil
}

// lineEnd gives the offset behind the next line end at or after offset, and keeps the text up to
// there in b.line.
func (b *bisection) lineEnd(offset int64) (int64, error) {
	b.line = b.line[:0]
	for begin := offset; offset < b.size; {
		n, err := b.r.ReadAt(b.page[:min(pageSize, b.size-offset)], offset)
		if n == 0 {
			return 0, readError(offset, err)
		}
		i := bytes.IndexByte(b.page[:n], '\n')
		if i >= 0 {
			n = i + 1
		}
		b.line = append(b.line, b.page[:n]...)
		offset += int64(n)
		if i >= 0 {
			return offset, nil
		}
		if offset-begin > MaxLine {
			return 0, fmt.Errorf("byte %d: line longer than %d bytes", begin, MaxLine)
		}
	}
	return b.size, nil
}

// readError explains a read that gave nothing.
func readError(offset int64, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read at byte %d: %w", offset, err)
}
