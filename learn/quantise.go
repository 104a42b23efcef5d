package learn

import (
	"cmp"
	"math"
	"slices"
)

// levels is how many steps a quantised column has at most; code 0 is for missing values.
const levels = 255

// quantised is a set whose cells are codes of one byte: trees of ensembles then find cuts by counting instead of
// sorting. A numeric column has bins of equal frequency (every distinct value its own if there are no more than
// levels); code c means bin c-1. A nominal one has its most frequent values.
type quantised struct {
	set     *Set
	codes   [][]uint8 // [attribute][row]
	edges   []Bins    // of numeric attributes
	values  [][]int   // of nominal attributes: the value of code c is values[c-1]
	highest []int     // code of each attribute
}

func quantise(s *Set) *quantised {
	q := &quantised{
		set: s, codes: make([][]uint8, len(s.Columns)), edges: make([]Bins, len(s.Columns)),
		values: make([][]int, len(s.Columns)), highest: make([]int, len(s.Columns)),
	}
	_ = each(len(s.Columns), func(a int) error {
		if s.Attributes[a].Nominal() {
			q.nominal(a)
		} else {
			q.numeric(a)
		}
		return nil
	})
	return q
}

func (q *quantised) numeric(a int) {
	column := q.set.Columns[a]
	q.edges[a] = steps(column)
	q.highest[a] = q.edges[a].Len()
	q.codes[a] = make([]uint8, len(column))
	for i, v := range column {
		q.codes[a][i] = uint8(q.edges[a].Of(v) + 1)
	}
}

func (q *quantised) nominal(a int) {
	column := q.set.Columns[a]
	counts := make([]float64, len(q.set.Attributes[a].Values))
	for i, v := range column {
		if !math.IsNaN(v) {
			counts[int(v)] += q.set.Weight(i)
		}
	}
	order := make([]int, len(counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(counts[y], counts[x]) })
	q.values[a] = order[:min(len(order), levels)]
	code := make([]uint8, len(counts))
	for k, v := range q.values[a] {
		code[v] = uint8(k + 1)
	}
	q.highest[a] = len(q.values[a])
	q.codes[a] = make([]uint8, len(column))
	for i, v := range column {
		if !math.IsNaN(v) {
			q.codes[a][i] = code[int(v)]
		}
	}
}

// steps gives edges between all distinct values, or bins of equal frequency where there are too many.
func steps(column []float64) Bins {
	all := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	slices.Sort(all)
	v := make([]float64, 0, levels+1)
	for i, x := range all {
		if i > 0 && x == all[i-1] {
			continue
		}
		if v = append(v, x); len(v) > levels {
			return equalFrequency(all, levels)
		}
	}
	var edges Bins
	for i := 1; i < len(v); i++ {
		edges = append(edges, between(v[i-1], v[i]))
	}
	return edges
}

// fork is the best split found: code at most (nominal: equal to) level goes left.
type fork struct {
	attribute   int
	level       int
	missingLeft bool
	value       float64
}

// threshold turns the level of a fork into a value of the attribute.
func (q *quantised) threshold(f fork) float64 {
	switch {
	case q.set.Attributes[f.attribute].Nominal():
		return float64(q.values[f.attribute][f.level-1])
	case f.level > len(q.edges[f.attribute]): // all known values against missing ones
		return math.Inf(1)
	}
	return q.edges[f.attribute][f.level-1]
}

// part moves those of rows[from:to] that go left to the front and gives where the others begin, order kept.
func (q *quantised) part(rows, spare []int32, from, to int, f fork) int {
	codes, nominal := q.codes[f.attribute], q.set.Attributes[f.attribute].Nominal()
	mid, rest := from, 0
	for _, r := range rows[from:to] {
		c := int(codes[r])
		left := c <= f.level
		switch {
		case c == 0:
			left = f.missingLeft
		case nominal:
			left = c == f.level
		}
		if left {
			rows[mid] = r
			mid++
		} else {
			spare[rest] = r
			rest++
		}
	}
	copy(rows[mid:to], spare[:rest])
	return mid
}
