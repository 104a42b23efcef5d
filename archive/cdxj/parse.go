package cdxj

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads one CDXJ line, without its line end. The record shares the memory of line.
func Parse(line string) (Record, error) {
	var r Record
	err := r.Parse(line)
	return r, err
}

// Parse reads one CDXJ line into r, whose Extra slice is used again.
func (r *Record) Parse(line string) error {
	text, err := r.parseHead(line)
	if err != nil {
		return err
	}
	if r.scanJSON(text) {
		return nil
	}
	r.reset()
	if err := r.parseJSON(text); err != nil {
		return fmt.Errorf("JSON of %s %s: %w", clip(r.Key), r.Timestamp, err)
	}
	return nil
}

// reset forgets what stands in the JSON.
func (r *Record) reset() {
	*r = Record{Key: r.Key, Timestamp: r.Timestamp, Offset: Unknown, Length: Unknown, Extra: r.Extra[:0]}
}

// parseHead reads key and timestamp and gives the rest of the line.
func (r *Record) parseHead(line string) (string, error) {
	r.Key, r.Timestamp = "", ""
	r.reset()
	i := strings.IndexByte(line, ' ')
	if i <= 0 || line[0] == '!' {
		return "", errors.New("no key")
	}
	key, rest := line[:i], line[i+1:]
	if strings.ContainsAny(key, "\t\r\n") {
		return "", fmt.Errorf("key %q is not one word", clip(key))
	}
	i = strings.IndexByte(rest, ' ')
	if i < 0 {
		return "", fmt.Errorf("no JSON after %q", clip(line))
	}
	if err := checkTimestamp(rest[:i]); err != nil {
		return "", fmt.Errorf("after key %q: %w", clip(key), err)
	}
	r.Key, r.Timestamp = key, rest[:i]
	return rest[i+1:], nil
}

// scanJSON reads a flat object of plain strings, short numbers, true, false and null. It answers
// false for anything else, also for errors: encoding/json then has the last word.
func (r *Record) scanJSON(s string) bool {
	s = skipBlank(s)
	if s == "" || s[0] != '{' {
		return false
	}
	for s = skipBlank(s[1:]); ; {
		if s == "" || s[0] != '"' {
			return false
		}
		n := scanString(s)
		if n < 0 {
			return false
		}
		name := s[1 : n-1]
		if s = skipBlank(s[n:]); s == "" || s[0] != ':' {
			return false
		}
		s = skipBlank(s[1:])
		if n = scanValue(s); n < 0 || r.set(name, s[:n]) != nil {
			return false
		}
		s = skipBlank(s[n:])
		if s == "" {
			return false
		}
		if s[0] == '}' {
			return skipBlank(s[1:]) == ""
		}
		if s[0] != ',' {
			return false
		}
		s = skipBlank(s[1:])
	}
}

// set stores a field whose value is a JSON text without escapes, or any but a string.
func (r *Record) set(name, value string) error {
	text, quoted := value, value[0] == '"'
	if quoted {
		text = value[1 : len(value)-1]
	}
	return r.setField(name, text, quoted, value)
}

// setField stores a field: its text, whether it was a string, and its JSON.
func (r *Record) setField(name, text string, quoted bool, value string) (err error) {
	switch name {
	case "url":
		err = setText(&r.URL, text, quoted)
	case "mime":
		err = setText(&r.MIME, text, quoted)
	case "digest":
		err = setText(&r.Digest, text, quoted)
	case "filename":
		err = setText(&r.Filename, text, quoted)
	case "status":
		var n int64
		n, err = number(text, 0)
		if r.Status = int(n); n > 999999 {
			err = fmt.Errorf("%q is no status", clip(text))
		}
	case "offset":
		r.Offset, err = number(text, Unknown)
	case "length":
		r.Length, err = number(text, Unknown)
	case withinField:
		if quoted && isWithin(text) && len(r.Timestamp) == 14 {
			r.Within = text
			return nil
		}
		r.Extra = append(r.Extra, Field{name, value}) // somebody else's
		return nil
	default:
		r.Extra = append(r.Extra, Field{name, value})
		return nil
	}
	if err != nil {
		return fmt.Errorf("field %s: %w", name, err)
	}
	return nil
}

// setText stores a string; null means unknown.
func setText(dst *string, text string, quoted bool) error {
	switch {
	case quoted:
		*dst = text
	case text == "null":
		*dst = ""
	default:
		return fmt.Errorf("%q is not a string", clip(text))
	}
	return nil
}

// number reads a count; "", "-" and null mean unknown.
func number(s string, unknown int64) (int64, error) {
	if s == "" || s == "-" || s == "null" {
		return unknown, nil
	}
	n := int64(0)
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 || len(s) > 18 {
			return slowNumber(s)
		}
		n = n*10 + int64(c)
	}
	return n, nil
}

func slowNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a count", clip(s))
	}
	return n, nil
}

// scanString gives the length of the plain string at the start of s, quotes included, or -1.
func scanString(s string) int {
	n := 1 + plainRun(s[1:])
	if n < len(s) && s[n] >= 0x80 {
		end := strings.IndexByte(s[n:], '"')
		if end < 0 || !plainText(s[1:n+end]) {
			return -1
		}
		n += end
	}
	if n == len(s) || s[n] != '"' {
		return -1
	}
	return n + 1
}

// plainText tells whether s stands in a JSON string as it is.
func plainText(s string) bool {
	n := plainRun(s)
	if n == len(s) {
		return true
	}
	for i := n; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '\\' || c == '"' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// plainRun gives the number of bytes at the start of s that are ASCII and neither control
// character, quote nor backslash. It looks at eight bytes at a time: for a word x, the high bits of
// (x-n*ones)&^x tell which bytes are less than n, and x^c*ones has a zero byte where x has c.
func plainRun(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, back := x^'"'*ones, x^'\\'*ones
		if (x|(x-0x20*ones)&^x|(quote-ones)&^quote|(back-ones)&^back)&high != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// scanValue gives the length of the simple value at the start of s, or -1.
func scanValue(s string) int {
	if s == "" {
		return -1
	}
	switch s[0] {
	case '"':
		return scanString(s)
	case 't', 'n':
		if strings.HasPrefix(s, "true") || strings.HasPrefix(s, "null") {
			return 4
		}
		return -1
	case 'f':
		if strings.HasPrefix(s, "false") {
			return 5
		}
		return -1
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 || n == len(s) || n > 1 && s[0] == '0' || s[n] == '.' || s[n]|0x20 == 'e' {
		return -1
	}
	return n
}

// skipBlank drops the blanks that JSON allows.
func skipBlank(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t' || s[0] == '\r' || s[0] == '\n') {
		s = s[1:]
	}
	return s
}
