package learn

import (
	"fmt"
	"math"
	"slices"
)

// Attribute is a column: numeric, or nominal with the names of its values.
type Attribute struct {
	Name   string
	Values []string // nil for a numeric one
}

// Nominal tells whether the attribute has named values instead of numbers.
func (a *Attribute) Nominal() bool { return a.Values != nil }

// Missing is the value of a cell that has none.
func Missing() float64 { return math.NaN() }

// Set holds rows by column. A cell is a number, the index of a nominal value, or NaN where it is missing. Sets are not
// changed once made; subsets may share columns.
type Set struct {
	Attributes []Attribute
	Class      Attribute   // nominal
	Columns    [][]float64 // [attribute][row]
	Y          []int       // class of each row, an index into Class.Values
	Weights    []float64   // of rows; nil means 1 each
	Groups     []string    // of rows; nil means that each stands alone
}

// Len counts the rows.
func (s *Set) Len() int { return len(s.Y) }

// Classes counts the classes.
func (s *Set) Classes() int { return len(s.Class.Values) }

// Weight gives the weight of row i.
func (s *Set) Weight(i int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[i]
}

// Row copies row i into buf, which grows if it must, and gives it back.
func (s *Set) Row(i int, buf []float64) []float64 {
	buf = slices.Grow(buf[:0], len(s.Columns))
	for _, c := range s.Columns {
		buf = append(buf, c[i])
	}
	return buf
}

// Rows gives a set of the rows named, in that order; a row may come more than once.
func (s *Set) Rows(rows []int) *Set {
	out := &Set{Attributes: s.Attributes, Class: s.Class, Columns: make([][]float64, len(s.Columns)), Y: pick(s.Y, rows)}
	for a, c := range s.Columns {
		out.Columns[a] = pick(c, rows)
	}
	if s.Weights != nil {
		out.Weights = pick(s.Weights, rows)
	}
	if s.Groups != nil {
		out.Groups = pick(s.Groups, rows)
	}
	return out
}

func pick[T any](from []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = from[r]
	}
	return out
}

// Select gives the same rows with only the attributes named, sharing their columns.
func (s *Set) Select(attributes []int) *Set {
	out := *s
	out.Attributes, out.Columns = pick(s.Attributes, attributes), pick(s.Columns, attributes)
	return &out
}

// Reweighted gives the same rows with other weights.
func (s *Set) Reweighted(weights []float64) *Set {
	out := *s
	out.Weights = weights
	return &out
}

// Totals gives the weight of each class.
func (s *Set) Totals() []float64 {
	t := make([]float64, s.Classes())
	for i, y := range s.Y {
		t[y] += s.Weight(i)
	}
	return t
}

// Check tells what is wrong with a set that came from outside: lengths, classes, cells and weights.
func (s *Set) Check() error {
	if len(s.Class.Values) < 2 {
		return fmt.Errorf("class %q has %d values, needs at least 2", s.Class.Name, len(s.Class.Values))
	}
	if len(s.Columns) != len(s.Attributes) {
		return fmt.Errorf("%d columns for %d attributes", len(s.Columns), len(s.Attributes))
	}
	for i, y := range s.Y {
		if y < 0 || y >= len(s.Class.Values) {
			return fmt.Errorf("row %d has class %d of %d", i, y, len(s.Class.Values))
		}
	}
	for a, c := range s.Columns {
		if err := s.Attributes[a].check(c, s.Len()); err != nil {
			return err
		}
	}
	if s.Weights != nil && len(s.Weights) != s.Len() || s.Groups != nil && len(s.Groups) != s.Len() {
		return fmt.Errorf("%d rows have %d weights and %d groups", s.Len(), len(s.Weights), len(s.Groups))
	}
	for i, w := range s.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("row %d has weight %v", i, w)
		}
	}
	return nil
}

func (a *Attribute) check(column []float64, rows int) error {
	if len(column) != rows {
		return fmt.Errorf("attribute %q has %d cells for %d rows", a.Name, len(column), rows)
	}
	for i, v := range column {
		bad := math.IsInf(v, 0)
		if a.Nominal() && !math.IsNaN(v) {
			bad = v < 0 || v >= float64(len(a.Values)) || v != math.Trunc(v)
		}
		if bad {
			return fmt.Errorf("attribute %q, row %d: %v is not a value of it", a.Name, i, v)
		}
	}
	return nil
}
