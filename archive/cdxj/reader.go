package cdxj

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// MaxLine is the longest line, in bytes, that is read.
const MaxLine = 1 << 20

// LineError says which line of a file is wrong. Reading may go on after it.
type LineError struct {
	Line int64 // from 1
	Err  error
}

// Error gives the line number and the cause.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Header is a line that starts with "!" and describes the file: "!meta {...}", "!context [...]".
type Header struct {
	Name string // without "!"
	Text string
}

// String gives the line.
func (h Header) String() string { return strings.TrimSuffix("!"+h.Name+" "+h.Text, " ") }

// parseHeader reads a line that starts with "!".
func parseHeader(line string) Header {
	name, text, _ := strings.Cut(line[1:], " ")
	return Header{name, text}
}

// Reader reads an index file line by line: CDXJ, or CDX text if the first line says so.
type Reader struct {
	lines   lineReader
	headers []Header
	layout  Layout
}

// NewReader makes a Reader.
func NewReader(r io.Reader) *Reader { return &Reader{lines: newLineReader(r)} }

// Headers gives the header lines met so far; all of them after the first record.
func (r *Reader) Headers() []Header { return r.headers }

// Layout gives the columns of a CDX text file, or nil for CDXJ.
func (r *Reader) Layout() Layout { return r.layout }

// Next gives the next record. At the end the error is io.EOF; a *LineError tells of a bad line,
// after which Next may be called again.
func (r *Reader) Next() (Record, error) {
	for {
		b, err := r.lines.next()
		if err != nil {
			return Record{}, err
		}
		line := string(b)
		switch {
		case line == "":
			continue
		case line[0] == '!':
			r.headers = append(r.headers, parseHeader(line))
			continue
		case strings.HasPrefix(line, " CDX "):
			if r.layout, err = ParseLayout(line); err != nil {
				return Record{}, &LineError{r.lines.n, err}
			}
			continue
		}
		var rec Record
		if r.layout != nil {
			err = r.layout.ParseInto(&rec, line)
		} else {
			err = rec.Parse(line)
		}
		if err != nil {
			return rec, &LineError{r.lines.n, err}
		}
		return rec, nil
	}
}

// All gives all records; bad lines come with a *LineError, any other error ends the sequence.
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF {
				return
			}
			_, bad := errors.AsType[*LineError](err)
			if !yield(rec, err) || err != nil && !bad {
				return
			}
		}
	}
}

// lineReader cuts a stream into lines of at most MaxLine bytes.
type lineReader struct {
	r    *bufio.Reader
	n    int64 // number of the last line
	long []byte
}

func newLineReader(r io.Reader) lineReader {
	return lineReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// reset starts with another stream.
func (l *lineReader) reset(r io.Reader) {
	l.n = 0
	if l.r == nil {
		*l = newLineReader(r)
		return
	}
	l.r.Reset(r)
}

// next gives the next line without its end, which may be CR LF.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.exact()
	return bytes.TrimSuffix(line, []byte("\r")), err
}

// exact gives the next line without its LF; it is valid until the next call. A line that is too
// long is skipped and gives a *LineError.
func (l *lineReader) exact() ([]byte, error) {
	l.n++
	l.long = l.long[:0]
	for total := 0; ; {
		part, err := l.r.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte("\n"))
		total += len(part)
		if err == nil && total == len(part) {
			return part, nil
		}
		if total <= MaxLine {
			l.long = append(l.long, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || total == 0):
			l.n--
			return nil, err
		case total > MaxLine:
			return nil, &LineError{l.n, fmt.Errorf("longer than %d bytes", MaxLine)}
		}
		return l.long, nil
	}
}
