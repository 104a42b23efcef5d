package stored

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"varve/evolution"
)

// Bounds of what is kept of company.
const (
	minCompany  = 5       // occurrences of a term in a year
	companions  = 5000    // terms of a year that are looked at as companions, the most frequent ones
	perTerm     = 20      // companions of a term in a year
	mostCompany = 4 << 20 // pairs held in memory; beyond, those that were met once are dropped
)

// companion is a phrase beside a term.
type companion struct {
	Phrase string  `json:"p"`
	Count  int     `json:"n"`
	Weight float64 `json:"w"`
}

// company finds the phrases that stand in sentences with each term of a year more often than elsewhere. With n_k sentences of companion k beside the term, n in all, and its share p_k of all company,
//
//	w_k = sqrt(2 * (n_k * ln(n_k / e_k) - (n_k - e_k)))    e_k = n * p_k, where n_k > e_k and n_k >= 2
//
// the root of what it adds to the likelihood ratio (Dunning 1993), as in varve/evolution/term. It yields the terms in order, the heaviest companions first, and returns how many pairs did not fit.
func company(documents evolution.Documents, year int, frequency map[string]int, most int, yield func(term string, with []companion) error) (dropped int64, err error) {
	order := slices.SortedFunc(maps.Keys(frequency), func(a, b string) int { return cmp.Or(cmp.Compare(frequency[b], frequency[a]), cmp.Compare(a, b)) })
	order = order[:sortedEnd(order, frequency)]
	number := make(map[string]uint32, len(order))
	for i, t := range order {
		number[t] = uint32(i)
	}
	pairs, total, share := map[[2]uint32]uint32{}, make([]float64, len(order)), make([]float64, min(len(order), companions))
	all := 0.0
	for d, err := range documents() {
		if err != nil {
			return 0, err
		}
		if d.Year != year {
			continue
		}
		for _, s := range d.Sentences {
			for i, p := range s {
				a, ok := number[p.Key]
				if !ok {
					continue
				}
				for j, q := range s {
					b, ok := number[q.Key]
					if !ok || i == j || a == b || int(b) >= companions {
						continue
					}
					pairs[[2]uint32{a, b}]++
					total[a]++
					share[b]++
					all++
				}
			}
		}
		if len(pairs) > most {
			before := len(pairs)
			maps.DeleteFunc(pairs, func(_ [2]uint32, n uint32) bool { return n == 1 })
			dropped += int64(before - len(pairs))
			most = max(most, 2*len(pairs))
		}
	}
	beside := make([][]companion, len(order))
	for p, n := range pairs {
		x, e := float64(n), total[p[0]]*share[p[1]]/max(1, all)
		if n >= 2 && x > e && e > 0 {
			beside[p[0]] = append(beside[p[0]], companion{order[p[1]], int(n), math.Sqrt(2 * (x*math.Log(x/e) - (x - e)))})
		}
	}
	for _, i := range slices.SortedFunc(maps.Values(number), func(a, b uint32) int { return cmp.Compare(order[a], order[b]) }) {
		list := beside[i]
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b companion) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Phrase, b.Phrase))
		})
		if err := yield(order[i], list[:min(perTerm, len(list))]); err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}

// sortedEnd counts the terms that are frequent enough, of terms by their frequency.
func sortedEnd(order []string, frequency map[string]int) int {
	end, _ := slices.BinarySearchFunc(order, minCompany, func(t string, least int) int {
		if frequency[t] >= least {
			return -1
		}
		return 1
	})
	return end
}
