package coherence

import "math"

// assign solves the assignment problem: each of m rows gets one of n >= m columns, none twice, so
// that the sum of costs is least. It is the method of shortest augmenting paths with prices on the
// columns (Jonker and Volgenant, 1987): rows are added one by one, each along a shortest path to a
// free column, where the length of an edge is its cost reduced by the prices. Lengths are never
// negative, so that Dijkstra's algorithm finds the path; the prices of the columns that it settled
// are then moved so that it stays so.
//
// The prices to begin with are 0 where nil is given. With as many rows as columns any others are
// right too, and the nearer they are to the final ones, the shorter are the paths. They are left at
// the final ones.
//
// Cost: O(m^2 n) at worst; memory m*n of the caller.
func assign(m, n int, cost [][]float64, price []float64) []int {
	if price == nil {
		price = make([]float64, n)
	}
	a := &assignment{
		n: n, cost: cost, price: price,
		row: make([]int, n), col: make([]int, m),
		dist: make([]float64, n), prev: make([]int, n), todo: make([]int, n),
	}
	for j := range a.row {
		a.row[j] = -1
	}
	for i := range m {
		a.col[i] = -1
	}
	for i := range m {
		a.augment(i)
	}
	return a.col
}

// assignment is the state of assign.
type assignment struct {
	n     int
	cost  [][]float64
	price []float64
	row   []int // row[j] has column j; -1 is free
	col   []int // col[i] is the column of row i

	dist []float64 // length of the shortest path to a column so far
	prev []int     // row before the column on that path
	todo []int     // columns: settled ones, then the others
}

// augment adds row i along a shortest path.
func (a *assignment) augment(i int) {
	for j := range a.n {
		a.dist[j] = a.cost[i][j] - a.price[j]
		a.prev[j] = i
		a.todo[j] = j
	}
	settled := 0
	end, reach := -1, 0.0
	for {
		k := a.nearest(settled)
		j := a.todo[k]
		reach = a.dist[j]
		if a.row[j] < 0 {
			end = j
			break
		}
		a.todo[settled], a.todo[k] = j, a.todo[settled]
		settled++
		a.relax(a.row[j], j, settled)
	}
	for _, j := range a.todo[:settled] {
		a.price[j] += a.dist[j] - reach
	}
	for j := end; ; {
		r := a.prev[j]
		a.row[j] = r
		j, a.col[r] = a.col[r], j
		if r == i {
			return
		}
	}
}

// nearest finds the place of the column not yet settled with the shortest path; of equal ones a
// free column.
func (a *assignment) nearest(settled int) int {
	at, least := settled, math.Inf(1)
	for k, j := range a.todo[settled:] {
		if d := a.dist[j]; d < least || d == least && a.row[j] < 0 {
			at, least = settled+k, d
		}
	}
	return at
}

// relax follows the edges of row r, which column j was taken from.
func (a *assignment) relax(r, j, settled int) {
	c := a.cost[r]
	base := a.dist[j] - (c[j] - a.price[j])
	for _, k := range a.todo[settled:] {
		if d := base + c[k] - a.price[k]; d < a.dist[k] {
			a.dist[k], a.prev[k] = d, r
		}
	}
}
