package entity

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Says is what a statement says of its subject. The order of the bytes is the order in which a base is told: that an id is another one comes first.
type Says byte

// What statements say.
const (
	SameAs      Says = '0' // the subject is another id of the entity Text
	Exists      Says = '1' // there is such an entity, whatever else is known
	HasLabel    Says = '2'
	Describes   Says = '3' // Text is a short description
	IsA         Says = '4' // Text is a class
	Begins      Says = '5' // Text is a date
	Ends        Says = '6'
	LiesAt      Says = '7' // Text is "latitude,longitude"
	Counts      Says = '8' // Count is added to the popularity
	HasID       Says = '9' // Text is another id; made from SameAs when a base is built
	HasAlias    Says = 'a'
	HasRedirect Says = 'b' // Text is the name of a page that leads to it
	HasAnchor   Says = 'c' // Text is what Count links call it
	HasPhrase   Says = 'd'
	LinkedFrom  Says = 'e' // Text is the id of an entity that links to it
)

// Statement is what a source says of one entity.
type Statement struct {
	Subject string
	Says    Says
	Text    string
	Count   int64 // how often; 0 is once
}

// MaxText is the longest text of a statement, in bytes; longer ones are cut.
const MaxText = 4 << 10

// Clean returns a text as statements have it: without control characters, with single blanks, not longer than MaxText.
func Clean(s string) string {
	plain := len(s) <= MaxText
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] > ' ' && s[i] < 0x7f || s[i] == ' ' && i > 0 && i < len(s)-1 && s[i-1] != ' '
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, w := range strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if b.Len() > MaxText {
			break
		}
	}
	s = b.String()
	for len(s) > MaxText {
		_, n := utf8.DecodeLastRuneInString(s[:MaxText+1])
		s = s[:MaxText+1-n]
	}
	return s
}

// AppendLine appends the statement as a line without its end: subject, what is said, text and count, tabs between them. Lines in order of bytes are in order of subjects,
// since no subject has a character before the blank.
func (s Statement) AppendLine(b []byte) []byte {
	b = append(b, Clean(s.Subject)...)
	b = append(b, '\t', byte(s.Says), '\t')
	b = append(b, Clean(s.Text)...)
	return strconv.AppendInt(append(b, '\t'), max(s.Count, 1), 10)
}

// ParseLine reads what AppendLine wrote.
func ParseLine(line []byte) (Statement, error) {
	parts := bytes.Split(line, []byte{'\t'})
	if len(parts) != 4 || len(parts[0]) == 0 || len(parts[1]) != 1 {
		return Statement{}, errors.New("statement: four fields are expected")
	}
	n, err := strconv.ParseInt(string(parts[3]), 10, 64)
	if err != nil {
		return Statement{}, fmt.Errorf("statement: %w", err)
	}
	return Statement{string(parts[0]), Says(parts[1][0]), string(parts[2]), n}, nil
}
