package table

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"varve/learn"
)

// NewReader reads the header of an ARFF file, up to @data.
func NewReader(in io.Reader, limits Limits) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 64<<10), limits: limits.filled()}
	names := map[string]bool{}
	for {
		line, err := r.next()
		if err == io.EOF {
			return nil, fmt.Errorf("after line %d: the file ends before @data", r.line)
		}
		if err != nil {
			return nil, err
		}
		s := &scanner{r: r, text: line}
		s.skip()
		switch keyword := strings.ToLower(s.bare()); keyword {
		case "@relation":
			r.Relation, _, err = s.word()
		case "@attribute":
			err = r.attribute(s, names)
		case "@data":
			if len(r.attributes) == 0 {
				return nil, s.error("@data without any @attribute")
			}
			return r, nil
		default:
			err = s.error("expected @relation, @attribute or @data, not %.50q", keyword)
		}
		if err != nil {
			return nil, err
		}
	}
}

// bare reads up to a blank.
func (s *scanner) bare() string {
	from := s.at
	for !s.done() && s.text[s.at] != ' ' && s.text[s.at] != '\t' {
		s.at++
	}
	return s.text[from:s.at]
}

func (r *Reader) attribute(s *scanner, names map[string]bool) error {
	name, _, err := s.word()
	switch {
	case err != nil:
		return err
	case names[name]:
		return s.error("attribute %.50q is there twice", name)
	case len(r.attributes) == r.limits.Attributes:
		return s.error("more than %d attributes", r.limits.Attributes)
	}
	names[name] = true
	a := attribute{Attribute: learn.Attribute{Name: name}}
	if s.accept('{') {
		if err := r.nominal(s, &a); err != nil {
			return err
		}
	} else if err := a.typed(s); err != nil {
		return err
	}
	r.attributes = append(r.attributes, a)
	return nil
}

func (a *attribute) typed(s *scanner) error {
	switch kind := strings.ToLower(s.bare()); kind {
	case "numeric", "real", "integer":
	case "string", "date":
		a.open, a.Values, a.index = true, []string{}, map[string]int{}
	default:
		return s.error("attribute %.50q: %.50q is not a type", a.Name, kind)
	}
	return nil
}

func (r *Reader) nominal(s *scanner, a *attribute) error {
	a.Values, a.index = []string{}, map[string]int{}
	for {
		if s.skip(); s.accept('}') {
			break
		}
		if s.done() {
			return s.error("the list of values is not closed")
		}
		v, _, err := s.word()
		if err != nil {
			return err
		}
		if _, twice := a.index[v]; twice {
			return s.error("value %.50q is there twice", v)
		}
		if err := r.addValue(a, v); err != nil {
			return s.error("%w", err)
		}
		if !s.accept(',') && s.peek() != '}' {
			return s.error("expected , or }")
		}
	}
	if s.skip(); !s.done() {
		return s.error("something follows the list of values")
	}
	return nil
}
