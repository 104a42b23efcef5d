package learn

import (
	"cmp"
	"math"
	"slices"
)

// Supervised cuts a column into bins that tell the classes apart (Fayyad and Irani 1993): the cut with the
// least entropy is taken if it pays for its own description, then each side is cut again.
//
//	gain > (log2(N-1) + log2(3^k - 2) - (k*H - k1*H1 - k2*H2)) / N      k: classes present, H: entropy
//
// A column that tells nothing has one bin. O(n log n) and a pass for each cut.
func Supervised(column []float64, s *Set) Bins {
	order := make([]int, 0, len(column))
	for i, v := range column {
		if !math.IsNaN(v) && s.Weight(i) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(column[a], column[b]) })
	var edges Bins
	cut(column, s, order, &edges)
	slices.Sort(edges)
	return edges
}

func cut(column []float64, s *Set, order []int, edges *Bins) {
	k := s.Classes()
	all, left, right := make([]float64, k), make([]float64, k), make([]float64, k)
	for _, i := range order {
		all[s.Y[i]] += s.Weight(i)
	}
	best, at := math.Inf(1), -1
	for j, i := range order[:max(len(order)-1, 0)] {
		left[s.Y[i]] += s.Weight(i)
		if column[order[j+1]] == column[i] {
			continue
		}
		for c := range right {
			right[c] = all[c] - left[c]
		}
		if e := entropy(left) + entropy(right); e < best-1e-12 {
			best, at = e, j
		}
	}
	if at < 0 {
		return
	}
	clear(left)
	for _, i := range order[:at+1] {
		left[s.Y[i]] += s.Weight(i)
	}
	for c := range right {
		right[c] = all[c] - left[c]
	}
	if !pays(all, left, right) {
		return
	}
	*edges = append(*edges, between(column[order[at]], column[order[at+1]]))
	cut(column, s, order[:at+1], edges)
	cut(column, s, order[at+1:], edges)
}

// pays is the rule of least description length.
func pays(all, left, right []float64) bool {
	n, k := total(all), present(all)
	h := func(d []float64) float64 { return entropy(d) / total(d) }
	gain := (entropy(all) - entropy(left) - entropy(right)) / n
	cost := math.Log2(math.Pow(3, k)-2) - (k*h(all) - present(left)*h(left) - present(right)*h(right))
	return gain > (math.Log2(max(n-1, 1))+cost)/n
}

func present(d []float64) float64 {
	k := 0.0
	for _, v := range d {
		if v > 0 {
			k++
		}
	}
	return k
}

func total(d []float64) float64 {
	sum := 0.0
	for _, v := range d {
		sum += v
	}
	return sum
}

// entropy is the entropy of a distribution times its weight: sum of -v*log2(v/total).
func entropy(d []float64) float64 {
	sum, all := 0.0, 0.0
	for _, v := range d {
		if v > 0 {
			sum -= v * math.Log2(v)
			all += v
		}
	}
	if all > 0 {
		sum += all * math.Log2(all)
	}
	return max(sum, 0)
}
