package label

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// format names the file in its first line.
const (
	format  = "varve-spam-labels"
	version = 1
)

// maxLine bounds a line: an entry with all its texts, escaped.
const maxLine = 64 << 10

// header is the first line of a file.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// Read gives the entries of a label file in their order. A line that is no entry ends it, with its number; a last line
// without an end that is no entry was never acknowledged and is passed over.
func Read(r io.Reader, each func(Entry) error) error {
	in := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d is longer than %d bytes", n, maxLine)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", n, err)
		}
		torn := errors.Is(err, io.EOF)
		e, is, err := parse(line, n == 1)
		switch {
		case err != nil && torn:
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		case is:
			if err := each(e); err != nil {
				return err
			}
		}
		if torn {
			return nil
		}
	}
}

// parse reads a line; is tells entries from headers and empty lines.
func parse(line []byte, first bool) (e Entry, is bool, err error) {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return e, false, nil
	}
	if first {
		var h header
		if err := json.Unmarshal(line, &h); err == nil && h.Format != "" {
			return e, false, h.check()
		}
		return e, false, fmt.Errorf("the first line is not {\"format\":%q,\"version\":%d}", format, version)
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, false, err
	}
	return e, true, e.check()
}

func (h header) check() error {
	if h.Format != format {
		return fmt.Errorf("this is a file of format %q, not of %q", h.Format, format)
	}
	if h.Version != version {
		return fmt.Errorf("version %d is not known here; this program reads version %d", h.Version, version)
	}
	return nil
}

// Write writes entries as a label file.
func Write(w io.Writer, entries []Entry) error {
	b, err := appendLines(appendHeader(nil), entries)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

func appendHeader(b []byte) []byte {
	return fmt.Appendf(b, "{\"format\":%q,\"version\":%d}\n", format, version)
}

func appendLines(b []byte, entries []Entry) ([]byte, error) {
	for _, e := range entries {
		if err := e.check(); err != nil {
			return nil, err
		}
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		b = append(append(b, line...), '\n')
	}
	return b, nil
}
