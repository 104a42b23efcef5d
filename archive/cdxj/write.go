package cdxj

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// Format says how records are written.
type Format struct {
	Numbers bool // write status, length and offset as numbers; pywb and most others write strings
}

// Append appends the line of r, without line end. Fields that are unknown are left out. It does
// not check the record; see Record.Check.
//
// Within comes first, so that the order of lines is that of time: those of one second that do not know more of their time
// ("url", "mime", ...) stand before those that do ("within").
func (f Format) Append(b []byte, r *Record) []byte {
	b = append(append(b, r.Key...), ' ')
	b = append(append(b, r.Timestamp...), " {"...)
	start := len(b)
	b = appendText(b, start, withinField, r.Within)
	b = appendText(b, start, "url", r.URL)
	b = appendText(b, start, "mime", r.MIME)
	if r.Status != 0 {
		b = f.appendNumber(b, start, "status", int64(r.Status))
	}
	b = appendText(b, start, "digest", r.Digest)
	if r.Length >= 0 {
		b = f.appendNumber(b, start, "length", r.Length)
	}
	if r.Offset >= 0 {
		b = f.appendNumber(b, start, "offset", r.Offset)
	}
	b = appendText(b, start, "filename", r.Filename)
	for i := range r.Extra {
		b = appendName(b, start, r.Extra[i].Name)
		b = append(b, r.Extra[i].JSON...)
	}
	return append(b, '}')
}

// withinField is the name of Record.Within in a line.
const withinField = "within"

// appendName appends the comma before a field, if it is not the first, and its name.
func appendName(b []byte, start int, name string) []byte {
	if len(b) > start {
		b = append(b, ", "...)
	}
	return append(appendString(b, name), ": "...)
}

func appendText(b []byte, start int, name, value string) []byte {
	if value == "" {
		return b
	}
	return appendString(appendName(b, start, name), value)
}

func (f Format) appendNumber(b []byte, start int, name string, n int64) []byte {
	b = appendName(b, start, name)
	if f.Numbers {
		return strconv.AppendInt(b, n, 10)
	}
	return append(strconv.AppendInt(append(b, '"'), n, 10), '"')
}

// AppendString appends s as a JSON string as lines have it: nothing is escaped that need not be.
func AppendString(b []byte, s string) []byte { return appendString(b, s) }

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	if plainText(s) {
		return append(append(b, s...), '"')
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r) // a byte that is not UTF-8 becomes the replacement character
		}
		i += n
	}
	return append(b, '"')
}

// Writer writes records as CDXJ lines.
type Writer struct {
	w      *bufio.Writer
	format Format
	line   []byte
	n      int64
}

// NewWriter makes a Writer. The caller must call Flush at the end.
func NewWriter(w io.Writer, f Format) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), format: f}
}

// WriteHeader writes a "!name text" line; headers come before all records.
func (w *Writer) WriteHeader(h Header) error {
	if w.n > 0 {
		return fmt.Errorf("header %q after %d records", h.Name, w.n)
	}
	_, err := w.w.WriteString(h.String() + "\n")
	return err
}

// Write writes one record.
func (w *Writer) Write(r *Record) error {
	if err := r.Check(); err != nil {
		return fmt.Errorf("write record %d: %w", w.n+1, err)
	}
	w.n++
	w.line = append(w.format.Append(w.line[:0], r), '\n')
	_, err := w.w.Write(w.line)
	return err
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.w.Flush() }

// appendWord appends a column of a CDX line: one word, blanks escaped.
func appendWord(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c <= ' ' {
			b = append(b, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// appendCount appends a number if it is known.
func appendCount(b []byte, n int64, known bool) []byte {
	if !known {
		return b
	}
	return strconv.AppendInt(b, n, 10)
}
