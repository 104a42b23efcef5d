package coherence

import "math"

// assign solves the assignment problem: each of m rows gets one of n >= m columns, none twice, so
// that the sum of costs is least. It is the method of shortest augmenting paths with dual prices:
// rows are added one by one, each by a shortest path (Dijkstra over the columns, with costs
// reduced by the prices) to a free column.
//
// Cost: O(m^2 n), in practice less; memory m*n of the caller.
func assign(m, n int, cost [][]float64) []int {
	var (
		u    = make([]float64, m+1) // prices of rows, counted from 1
		v    = make([]float64, n+1) // prices of columns
		row  = make([]int, n+1)     // row[j] has column j; column 0 holds the row being added
		prev = make([]int, n+1)     // the column before j on the shortest path
		dist = make([]float64, n+1)
		todo = make([]int, n) // columns not yet reached
		done = make([]int, 0, n+1)
	)
	for i := 1; i <= m; i++ {
		row[0] = i
		for j := 1; j <= n; j++ {
			dist[j] = math.Inf(1)
			todo[j-1] = j
		}
		open, at := todo[:n], 0
		done = done[:0]
		for {
			done = append(done, at)
			r := row[at]
			c, ur := cost[r-1], u[r]
			least, next, place := math.Inf(1), 0, 0
			for k, j := range open {
				if d := c[j-1] - ur - v[j]; d < dist[j] {
					dist[j], prev[j] = d, at
				}
				if dist[j] < least {
					least, next, place = dist[j], j, k
				}
			}
			for _, j := range done {
				u[row[j]] += least
				v[j] -= least
			}
			for _, j := range open {
				dist[j] -= least
			}
			open[place] = open[len(open)-1]
			open = open[:len(open)-1]
			at = next
			if row[at] == 0 {
				break
			}
		}
		for at != 0 {
			row[at] = row[prev[at]]
			at = prev[at]
		}
	}
	out := make([]int, m)
	for j := 1; j <= n; j++ {
		if row[j] > 0 {
			out[row[j]-1] = j - 1
		}
	}
	return out
}
