package feature

import "math"

// Moments sums up numbers one by one (Welford 1962): mean and variance without loss of precision. Unknown numbers are
// passed over.
//
//	n' = n+1;  d = x − mean;  mean' = mean + d/n';  M2' = M2 + d·(x − mean')
type Moments struct {
	N    float64
	Mean float64
	M2   float64
	Max  float64
	Min  float64
}

// Add takes a number.
func (m *Moments) Add(x float64) {
	if !Known(x) {
		return
	}
	if m.N == 0 || x > m.Max {
		m.Max = x
	}
	if m.N == 0 || x < m.Min {
		m.Min = x
	}
	m.N++
	d := x - m.Mean
	m.Mean += d / m.N
	m.M2 += d * (x - m.Mean)
}

// Average is the mean, unknown of nothing.
func (m *Moments) Average() float64 {
	if m.N == 0 {
		return Unknown()
	}
	return m.Mean
}

// Variance is that of the numbers as a whole (divided by n), unknown of nothing.
func (m *Moments) Variance() float64 {
	if m.N == 0 {
		return Unknown()
	}
	return max(0, m.M2/m.N)
}

// Deviation is the root of the variance.
func (m *Moments) Deviation() float64 { return math.Sqrt(m.Variance()) }

// Highest is the largest number, unknown of nothing.
func (m *Moments) Highest() float64 {
	if m.N == 0 {
		return Unknown()
	}
	return m.Max
}

// Lowest is the smallest number, unknown of nothing.
func (m *Moments) Lowest() float64 {
	if m.N == 0 {
		return Unknown()
	}
	return m.Min
}
