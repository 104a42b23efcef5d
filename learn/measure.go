package learn

// Confusion counts (by weight) how rows of each class were classified: [true][given].
type Confusion [][]float64

// NewConfusion makes an empty one for k classes.
func NewConfusion(k int) Confusion {
	c := make(Confusion, k)
	for i := range c {
		c[i] = make([]float64, k)
	}
	return c
}

// Add counts a row.
func (c Confusion) Add(truth, given int, weight float64) { c[truth][given] += weight }

// Total sums all rows.
func (c Confusion) Total() float64 {
	sum := 0.0
	for _, row := range c {
		for _, v := range row {
			sum += v
		}
	}
	return sum
}

// Accuracy is the share of rows that got their class.
func (c Confusion) Accuracy() float64 {
	right := 0.0
	for i := range c {
		right += c[i][i]
	}
	return share(right, c.Total())
}

// Within is the share of rows whose class is at most d away, for classes that are in order.
func (c Confusion) Within(d int) float64 {
	near := 0.0
	for i, row := range c {
		for j, v := range row {
			if j-i <= d && i-j <= d {
				near += v
			}
		}
	}
	return share(near, c.Total())
}

// Precision is the share of rows given class k that have it.
func (c Confusion) Precision(k int) float64 {
	given := 0.0
	for _, row := range c {
		given += row[k]
	}
	return share(c[k][k], given)
}

// Recall is the share of rows of class k that were given it.
func (c Confusion) Recall(k int) float64 {
	has := 0.0
	for _, v := range c[k] {
		has += v
	}
	return share(c[k][k], has)
}

// F1 is the harmonic mean of precision and recall of class k.
func (c Confusion) F1(k int) float64 {
	p, r := c.Precision(k), c.Recall(k)
	return share(2*p*r, p+r)
}

// share is part/whole, and 0 where there is no whole.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}
