package learn

import "math"

// design turns rows into the vectors that linear learners need: numbers scaled, each nominal value but the first an
// indicator. A missing number is the mean, a missing nominal value no indicator.
type design struct {
	scalers []scaler // of numeric attributes, by attribute
	first   []int32  // where the attribute begins in the vector
	values  []int32  // indicators of a nominal attribute, 0 for a numeric one
	width   int
}

func newDesign(s *Set, scale Scale) *design {
	d := &design{scalers: make([]scaler, len(s.Attributes)), first: make([]int32, len(s.Attributes)), values: make([]int32, len(s.Attributes))}
	for a := range s.Attributes {
		d.first[a] = int32(d.width)
		if n := len(s.Attributes[a].Values); s.Attributes[a].Nominal() {
			d.values[a] = int32(max(n-1, 0))
			d.width += max(n-1, 0)
			continue
		}
		d.values[a] = -1
		d.scalers[a] = newScaler(scale, s.Columns[a], s.Weight)
		d.width++
	}
	return d
}

// vector writes the vector of a row into x.
func (d *design) vector(row, x []float64) {
	clear(x)
	for a, v := range row {
		at := d.first[a]
		switch k := d.values[a]; {
		case k < 0:
			x[at] = d.scalers[a].of(v)
		case !math.IsNaN(v) && v >= 1 && int32(v) <= k:
			x[at+int32(v)-1] = 1
		}
	}
}

// matrix gives the vectors of all rows, one after another.
func (d *design) matrix(s *Set) []float64 {
	x := make([]float64, s.Len()*d.width)
	var row []float64
	for i := range s.Len() {
		row = s.Row(i, row)
		d.vector(row, x[i*d.width:(i+1)*d.width])
	}
	return x
}
