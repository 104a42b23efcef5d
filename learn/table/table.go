package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"varve/learn"
)

// Limits bound a table. Zero fields mean the defaults.
type Limits struct {
	Attributes int // 20,000
	Cells      int // 200 million: 1.6 GB
	Line       int // bytes of a line; 16 MiB
	Values     int // of all nominal attributes; 10 million
}

func (l Limits) filled() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Attributes, 20_000)
	set(&l.Cells, 200_000_000)
	set(&l.Line, 16<<20)
	set(&l.Values, 10_000_000)
	return l
}

// Table is a table in memory, by column. Weights is nil if no row has one.
type Table struct {
	Name       string
	Attributes []learn.Attribute
	Columns    [][]float64
	Weights    []float64
}

// Len counts the rows.
func (t *Table) Len() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0])
}

// Attribute gives the number of the attribute of that name, or -1.
func (t *Table) Attribute(name string) int {
	for i := range t.Attributes {
		if t.Attributes[i].Name == name {
			return i
		}
	}
	return -1
}

// Read reads a whole table: ARFF or CSV, gzipped or not.
func Read(r io.Reader, limits Limits) (*Table, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, 64<<10)
	}
	if isARFF(in) {
		return readARFF(in, limits)
	}
	return readCSV(in, limits)
}

// isARFF tells by the first line that is no comment.
func isARFF(in *bufio.Reader) bool {
	head, _ := in.Peek(4096)
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '%' {
			return line[0] == '@'
		}
	}
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("%"))
}

func readARFF(in io.Reader, limits Limits) (*Table, error) {
	r, err := NewReader(in, limits)
	if err != nil {
		return nil, err
	}
	t := &Table{Name: r.Relation, Columns: make([][]float64, len(r.attributes))}
	limits = limits.filled()
	var row []float64
	for {
		var weight float64
		row, weight, err = r.Next(row)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		n := t.Len()
		if (n+1)*len(row) > limits.Cells {
			return nil, fmt.Errorf("line %d: more than %d cells", r.line, limits.Cells)
		}
		for a, v := range row {
			t.Columns[a] = append(t.Columns[a], v)
		}
		t.weigh(n, weight)
	}
	t.Attributes = r.Attributes()
	return t, nil
}

// weigh sets the weight of row n; the weights begin to be kept with the first that is not 1.
func (t *Table) weigh(n int, weight float64) {
	if t.Weights == nil && weight == 1 {
		return
	}
	for len(t.Weights) < n {
		t.Weights = append(t.Weights, 1)
	}
	t.Weights = append(t.Weights, weight)
}

// Set makes a set whose class is the nominal attribute named; those in drop are left out. Rows without a class
// are left out too, and counted.
func (t *Table) Set(class string, drop ...string) (s *learn.Set, unlabelled int, err error) {
	c := t.Attribute(class)
	switch {
	case c < 0:
		return nil, 0, fmt.Errorf("there is no attribute %q", class)
	case !t.Attributes[c].Nominal():
		return nil, 0, fmt.Errorf("the attribute %q is numeric; a class is nominal", class)
	}
	var rows []int
	for i, v := range t.Columns[c] {
		if v == v {
			rows = append(rows, i)
		}
	}
	whole := &learn.Set{Class: t.Attributes[c], Y: make([]int, t.Len()), Weights: t.Weights}
	for i, v := range t.Columns[c] {
		if v == v {
			whole.Y[i] = int(v)
		}
	}
	for a, attribute := range t.Attributes {
		if a != c && !contains(drop, attribute.Name) {
			whole.Attributes = append(whole.Attributes, attribute)
			whole.Columns = append(whole.Columns, t.Columns[a])
		}
	}
	s = whole.Rows(rows)
	return s, t.Len() - len(rows), s.Check()
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
