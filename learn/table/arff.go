package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"varve/learn"
)

// Reader reads the rows of an ARFF file one by one.
type Reader struct {
	Relation   string
	attributes []attribute
	in         *bufio.Reader
	limits     Limits
	line       int
	values     int    // of all nominal attributes
	buf        []byte // the line
}

// attribute is a column while its values may still grow.
type attribute struct {
	learn.Attribute
	open  bool // string or date: values are those that occur
	index map[string]int
}

// Attributes gives the columns. Those of strings have the values met so far.
func (r *Reader) Attributes() []learn.Attribute {
	out := make([]learn.Attribute, len(r.attributes))
	for i := range r.attributes {
		out[i] = r.attributes[i].Attribute
	}
	return out
}

// errorAt says where in the file something is wrong; columns count bytes from 1.
func (r *Reader) errorAt(column int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: %w", r.line, column, fmt.Errorf(format, args...))
}

// next reads a line that is neither empty nor a comment.
func (r *Reader) next() (string, error) {
	for {
		r.buf = r.buf[:0]
		for {
			part, err := r.in.ReadSlice('\n')
			r.buf = append(r.buf, part...)
			if len(r.buf) > r.limits.Line {
				r.line++
				return "", r.errorAt(r.limits.Line, "the line is longer than %d bytes", r.limits.Line)
			}
			if err == nil || errors.Is(err, io.EOF) && len(r.buf) > 0 {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				if errors.Is(err, io.EOF) {
					return "", io.EOF
				}
				return "", fmt.Errorf("after line %d: %w", r.line, err)
			}
		}
		r.line++
		line := strings.TrimRight(string(r.buf), " \t\r\n")
		if first := strings.TrimLeft(line, " \t"); first != "" && first[0] != '%' {
			return line, nil
		}
	}
}

// Next reads a row into buf, which grows if it must, with its weight, which is 1 if there is none. At the end the
// error is io.EOF.
func (r *Reader) Next(buf []float64) (row []float64, weight float64, err error) {
	line, err := r.next()
	if err != nil {
		return buf, 0, err
	}
	s := &scanner{r: r, text: line}
	if s.skip(); s.peek() == '{' {
		row, err = r.sparse(s, buf[:0])
	} else {
		row, err = r.dense(s, buf[:0])
	}
	if err != nil {
		return buf, 0, err
	}
	weight, err = r.weight(s)
	return row, weight, err
}

func (r *Reader) dense(s *scanner, row []float64) ([]float64, error) {
	for a := range r.attributes {
		if a > 0 && !s.accept(',') && !s.blank {
			return nil, s.error("%d values, there are %d attributes", a, len(r.attributes))
		}
		v, err := r.cell(s, a)
		if err != nil {
			return nil, err
		}
		row = append(row, v)
	}
	return row, nil
}

// sparse reads {index value, ...}; what is not named is 0, or the first nominal value.
func (r *Reader) sparse(s *scanner, row []float64) ([]float64, error) {
	for range r.attributes {
		row = append(row, 0)
	}
	s.accept('{')
	for last := -1; ; {
		if s.skip(); s.accept('}') {
			return row, nil
		}
		word, _, err := s.word()
		if err != nil {
			return nil, err
		}
		a, err := strconv.Atoi(word)
		if err != nil || a <= last || a >= len(row) {
			return nil, s.error("%.50q is not an index above %d and below %d", word, last, len(row))
		}
		last = a
		if row[a], err = r.cell(s, a); err != nil {
			return nil, err
		}
		if s.skip(); !s.accept(',') && s.peek() != '}' {
			return nil, s.error("expected , or }")
		}
	}
}

// weight reads what may follow the cells: , {w}.
func (r *Reader) weight(s *scanner) (float64, error) {
	if s.skip(); s.done() {
		return 1, nil
	}
	if !s.accept(',') {
		return 0, s.error("something follows the last of %d values", len(r.attributes))
	}
	if s.skip(); !s.accept('{') {
		return 0, s.error("more values than the %d attributes", len(r.attributes))
	}
	word, _, err := s.word()
	if err != nil {
		return 0, err
	}
	w, err := strconv.ParseFloat(word, 64)
	if s.skip(); err != nil || !(w >= 0) || math.IsInf(w, 1) || !s.accept('}') {
		return 0, s.error("%.50q is not a weight", word)
	}
	if s.skip(); !s.done() {
		return 0, s.error("something follows the weight")
	}
	return w, nil
}

// cell reads a value of attribute a.
func (r *Reader) cell(s *scanner, a int) (float64, error) {
	word, quoted, err := s.word()
	if err != nil {
		return 0, err
	}
	if word == "?" && !quoted {
		return learn.Missing(), nil
	}
	at := &r.attributes[a]
	if !at.Nominal() {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return 0, s.error("attribute %q: %.50q is not a number", at.Name, word)
		}
		return v, nil
	}
	k, known := at.index[word]
	if !known {
		if !at.open {
			return 0, s.error("attribute %q: %.50q is none of its %d values", at.Name, word, len(at.Values))
		}
		if err := r.addValue(at, word); err != nil {
			return 0, s.error("%w", err)
		}
		k = at.index[word]
	}
	return float64(k), nil
}

func (r *Reader) addValue(at *attribute, word string) error {
	if r.values++; r.values > r.limits.Values {
		return fmt.Errorf("more than %d nominal values", r.limits.Values)
	}
	at.index[word] = len(at.Values)
	at.Values = append(at.Values, word)
	return nil
}
