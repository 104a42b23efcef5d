package learn

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Folds gives each row one of k folds so that the classes are spread evenly (stratified) and rows of a group stay
// together. Rows without groups are shuffled within their class and dealt out; with groups, the largest come first, each
// to the fold that is most in need of its classes, which is the usual greedy for balanced partition. O(n log n + groups*k).
func Folds(s *Set, k int, seed uint64) []int {
	rng := source(seed, 0)
	if s.Groups == nil {
		return dealt(s, k, rng)
	}
	return grouped(s, k, rng)
}

func dealt(s *Set, k int, rng *rand.Rand) []int {
	fold := make([]int, s.Len())
	next := 0
	for c := range s.Classes() {
		var rows []int
		for i, y := range s.Y {
			if y == c {
				rows = append(rows, i)
			}
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			fold[r] = next % k
			next++
		}
	}
	return fold
}

// bundle is a group with its rows and how many it has of each class.
type bundle struct {
	rows   []int
	counts []float64
}

func grouped(s *Set, k int, rng *rand.Rand) []int {
	index := map[string]int{}
	var all []bundle
	for i, g := range s.Groups {
		at, known := index[g]
		if !known {
			at = len(all)
			index[g] = at
			all = append(all, bundle{counts: make([]float64, s.Classes())})
		}
		all[at].rows = append(all[at].rows, i)
		all[at].counts[s.Y[i]]++
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b bundle) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	totals := make([]float64, s.Classes())
	for _, y := range s.Y {
		totals[y]++
	}
	load := make([][]float64, k)
	for f := range load {
		load[f] = make([]float64, s.Classes())
	}
	fold := make([]int, s.Len())
	for _, b := range all {
		f := neediest(load, b.counts, totals)
		for c, n := range b.counts {
			load[f][c] += n
		}
		for _, r := range b.rows {
			fold[r] = f
		}
	}
	return fold
}

// neediest gives the fold for which adding counts raises the sum of squared shares of the classes least.
func neediest(load [][]float64, counts, totals []float64) int {
	best, least := 0, 0.0
	for f, have := range load {
		cost := 0.0
		for c, n := range counts {
			if totals[c] > 0 {
				cost += ((have[c]+n)*(have[c]+n) - have[c]*have[c]) / (totals[c] * totals[c])
			}
		}
		if f == 0 || cost < least {
			best, least = f, cost
		}
	}
	return best
}

// Split gives the rows outside and inside fold f.
func Split(fold []int, f int) (train, test []int) {
	for i, x := range fold {
		if x == f {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}
