package cdxj

import (
	"fmt"
	"slices"
	"strings"
)

// Layout names the columns of a CDX text file by their letters, in order.
type Layout []byte

// The letters of a layout that have a meaning here; others are kept in Extra under the letter.
const (
	columnKey      = 'N'
	columnDate     = 'b'
	columnURL      = 'a'
	columnMIME     = 'm'
	columnStatus   = 's'
	columnDigest   = 'k'
	columnRedirect = 'r'
	columnFlags    = 'M'
	columnLength   = 'S'
	columnOffset   = 'V'
	columnFile     = 'g'
)

// The usual layouts.
var (
	CDX11 = Layout("NbamskrMSVg")
	CDX9  = Layout("NbamskrVg")
)

// ParseLayout reads the first line of a CDX file: " CDX N b a m s k r M S V g".
func ParseLayout(line string) (Layout, error) {
	rest, ok := strings.CutPrefix(line, " CDX ")
	if !ok {
		return nil, fmt.Errorf("%q is no CDX header", clip(line))
	}
	var l Layout
	for _, f := range strings.Fields(rest) {
		if len(f) != 1 || slices.Contains(l, f[0]) {
			return nil, fmt.Errorf("column %q of CDX header %q", clip(f), clip(line))
		}
		l = append(l, f[0])
	}
	for _, c := range []byte{columnKey, columnDate} {
		if !slices.Contains(l, c) {
			return nil, fmt.Errorf("CDX header %q has no column %c", clip(line), c)
		}
	}
	return l, nil
}

// Header gives the first line of a file with this layout.
func (l Layout) Header() string {
	b := []byte(" CDX")
	for _, c := range l {
		b = append(b, ' ', c)
	}
	return string(b)
}

// Parse reads one line.
func (l Layout) Parse(line string) (Record, error) {
	var r Record
	err := l.ParseInto(&r, line)
	return r, err
}

// ParseInto reads one line into r. The record shares the memory of line.
func (l Layout) ParseInto(r *Record, line string) error {
	r.Key, r.Timestamp = "", ""
	r.reset()
	if n := strings.Count(line, " ") + 1; n != len(l) {
		return fmt.Errorf("%d columns, want %d: %q", n, len(l), clip(line))
	}
	for _, c := range l {
		var value string
		value, line, _ = strings.Cut(line, " ")
		if value == "-" && c != columnKey {
			continue
		}
		if err := r.setColumn(c, value); err != nil {
			return fmt.Errorf("column %c: %w", c, err)
		}
	}
	if r.Key == "" || r.Key[0] == '!' || strings.ContainsAny(r.Key, "\t\r\n") {
		return fmt.Errorf("key %q is not one word", clip(r.Key))
	}
	return checkTimestamp(r.Timestamp)
}

func (r *Record) setColumn(c byte, value string) (err error) {
	switch c {
	case columnKey:
		r.Key = value
	case columnDate:
		r.Timestamp = value
	case columnURL:
		r.URL = value
	case columnMIME:
		r.MIME = value
	case columnStatus:
		err = r.setField("status", value, true, "")
	case columnDigest:
		r.Digest = value
	case columnLength:
		r.Length, err = number(value, Unknown)
	case columnOffset:
		r.Offset, err = number(value, Unknown)
	case columnFile:
		r.Filename = value
	default:
		r.Set(columnName(c), value)
	}
	return err
}

// columnName is the name in Extra of a column without a field of its own.
func columnName(c byte) string {
	switch c {
	case columnRedirect:
		return "redirect"
	case columnFlags:
		return "robotflags"
	}
	return string(rune(c))
}

// Append appends the line of r, without line end. Unknown values are "-", and a digest of SHA-1 is
// written without its prefix, as the format has it. Blanks inside a value are escaped as %20.
func (l Layout) Append(b []byte, r *Record) []byte {
	for i, c := range l {
		if i > 0 {
			b = append(b, ' ')
		}
		start := len(b)
		b = l.appendColumn(b, r, c)
		if len(b) == start {
			b = append(b, '-')
		}
	}
	return b
}

func (l Layout) appendColumn(b []byte, r *Record, c byte) []byte {
	switch c {
	case columnKey:
		return appendWord(b, r.Key)
	case columnDate:
		return appendWord(b, r.Timestamp)
	case columnURL:
		return appendWord(b, r.URL)
	case columnMIME:
		return appendWord(b, r.MIME)
	case columnStatus:
		return appendCount(b, int64(r.Status), r.Status != 0)
	case columnDigest:
		return appendWord(b, strings.TrimPrefix(r.Digest, "sha1:"))
	case columnLength:
		return appendCount(b, r.Length, r.Length >= 0)
	case columnOffset:
		return appendCount(b, r.Offset, r.Offset >= 0)
	case columnFile:
		return appendWord(b, r.Filename)
	}
	value, _ := r.Get(columnName(c))
	return appendWord(b, value)
}
