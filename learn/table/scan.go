package table

import "strings"

// scanner goes through one line.
type scanner struct {
	r     *Reader
	text  string
	at    int
	blank bool // the last word ended at a blank: cells may be parted by blanks too
}

func (s *scanner) error(format string, args ...any) error {
	return s.r.errorAt(s.at+1, format, args...)
}

func (s *scanner) done() bool { return s.at >= len(s.text) }

func (s *scanner) peek() byte {
	if s.done() {
		return 0
	}
	return s.text[s.at]
}

// skip goes over blanks.
func (s *scanner) skip() {
	for !s.done() && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

// accept goes over b if it comes next.
func (s *scanner) accept(b byte) bool {
	if s.peek() == b && !s.done() {
		s.at++
		return true
	}
	return false
}

// word reads a bare or quoted word and the blanks around it.
func (s *scanner) word() (word string, quoted bool, err error) {
	s.skip()
	if q := s.peek(); q == '\'' || q == '"' {
		word, err = s.quoted(q)
		quoted = true
	} else {
		from := s.at
		for !s.done() && strings.IndexByte(" \t,{}", s.text[s.at]) < 0 {
			s.at++
		}
		word = s.text[from:s.at]
		if word == "" {
			err = s.error("a value is missing: write ? if it is not known")
		}
	}
	before := s.at
	s.skip()
	s.blank = s.at > before && !s.done()
	return word, quoted, err
}

// escapes are what a backslash makes of a letter; of any other byte it makes that byte.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r'}

func (s *scanner) quoted(q byte) (string, error) {
	start := s.at
	s.at++
	var b strings.Builder
	for !s.done() {
		c := s.text[s.at]
		s.at++
		switch {
		case c == q:
			return b.String(), nil
		case c == '\\' && !s.done():
			c = s.text[s.at]
			s.at++
			if e, ok := escapes[c]; ok {
				c = e
			}
		}
		b.WriteByte(c)
	}
	s.at = start
	return "", s.error("the quote is not closed")
}
