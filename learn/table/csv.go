package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"varve/learn"
)

// readCSV reads a CSV file with names in its first line. Cells are kept as text until the type of their column is known.
func readCSV(in io.Reader, limits Limits) (*Table, error) {
	limits = limits.filled()
	c := csv.NewReader(&bounded{in: in, most: limits.Line})
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return nil, err
	}
	if len(head) > limits.Attributes {
		return nil, fmt.Errorf("line 1: %d attributes; %d are allowed", len(head), limits.Attributes)
	}
	t := &Table{Columns: make([][]float64, len(head))}
	columns := make([]column, len(head))
	for i, name := range head {
		t.Attributes = append(t.Attributes, learn.Attribute{Name: name})
		columns[i].index = map[string]int{}
	}
	values := 0
	for rows := 1; ; rows++ {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for a, cell := range record {
			if columns[a].add(cell) {
				values++
			}
		}
		if line, _ := c.FieldPos(0); rows*len(head) > limits.Cells || values > limits.Values {
			return nil, fmt.Errorf("line %d: more than %d cells or %d distinct ones", line, limits.Cells, limits.Values)
		}
	}
	for a := range columns {
		t.Columns[a], t.Attributes[a].Values = columns[a].finish()
	}
	return t, nil
}

// column collects the distinct cells of a column, and the number of the one in each row.
type column struct {
	index map[string]int
	texts []string
	codes []int32
}

func (c *column) add(cell string) (isNew bool) {
	if cell == "" || cell == "?" {
		c.codes = append(c.codes, -1)
		return false
	}
	k, known := c.index[cell]
	if !known {
		k = len(c.texts)
		text := string([]byte(cell)) // the record is used again
		c.index[text] = k
		c.texts = append(c.texts, text)
	}
	c.codes = append(c.codes, int32(k))
	return !known
}

// finish gives the cells as numbers if all are, else as values.
func (c *column) finish() (cells []float64, values []string) {
	numbers := make([]float64, len(c.texts))
	numeric := true
	for i, t := range c.texts {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			numeric = false
			break
		}
		numbers[i] = v
	}
	for _, k := range c.codes {
		switch {
		case k < 0:
			cells = append(cells, learn.Missing())
		case numeric:
			cells = append(cells, numbers[k])
		default:
			cells = append(cells, float64(k))
		}
	}
	if !numeric {
		values = c.texts
	}
	return cells, values
}

// bounded fails when a line is longer than most bytes.
type bounded struct {
	in         io.Reader
	most       int
	line, long int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	for _, c := range p[:n] {
		if b.long++; c == '\n' {
			b.line++
			b.long = 0
		}
		if b.long > b.most {
			return 0, fmt.Errorf("line %d, column %d: the line is longer than %d bytes", b.line+1, b.long, b.most)
		}
	}
	return n, err
}
