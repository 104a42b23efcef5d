package label

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"varve/archive/journal"
)

// format names the file in its first line.
const (
	format  = "varve-spam-labels"
	version = 1
)

// header is the first line of a file.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// line is one line of a file: its header or an entry.
type line struct {
	header
	entry Entry
}

// UnmarshalJSON reads and checks a line, so that what is wrong with it is told with its number.
func (l *line) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &l.header); err == nil && l.Format != "" {
		return l.check()
	}
	l.header = header{}
	if err := json.Unmarshal(b, &l.entry); err != nil {
		return err
	}
	return l.entry.check()
}

// ErrFormat is that of a file of another format or version: nothing of it can be read.
var ErrFormat = errors.New("not a label file that this program reads")

// Read gives the entries of a label file in their order. Lines that are none are passed over and named by the error, *journal.BadLines; a last
// line without an end that is no entry was never acknowledged.
func Read(r io.Reader, each func(Entry) error) error {
	var bad journal.BadLines
	first := true
	for l, err := range journal.Parse[line](r, "label file") {
		switch {
		case errors.Is(err, journal.ErrTorn):
			continue
		case errors.Is(err, ErrFormat):
			return err
		case err != nil:
			bad.Add(err)
		case first && l.Format == "":
			bad.Add(fmt.Errorf("label file, line 1: the first line is not {\"format\":%q,\"version\":%d}", format, version))
		}
		if err == nil && l.Format == "" {
			if err := each(l.entry); err != nil {
				return err
			}
		}
		first = false
	}
	return bad.Err()
}

func (h header) check() error {
	if h.Format != format {
		return fmt.Errorf("%w: this is a file of format %q, not of %q", ErrFormat, h.Format, format)
	}
	if h.Version != version {
		return fmt.Errorf("%w: version %d is not known here; this program reads version %d", ErrFormat, h.Version, version)
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
