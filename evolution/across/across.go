// Package across compares what is said beside a thing in two collections: which companions it has in the one more often than in the other, beyond what chance explains.
//
// # Terms
//
//	thing      a term or name that both collections are asked about
//	text       a text, or version of a page, that has the thing
//	companion  something else that a text has too
//	source     who speaks: a host, a state. Texts of one source are not independent of each other: a ministry says the same thing every year
//
// # Difference of shares
//
// With n texts of a side that have the thing and x of them with the companion, p = x/n. Sources i have n_i and x_i. The variance of p as a ratio over m sources (Cochran 1977, 2.41) over the one that
// independent texts would have is the design effect, and n texts say as much as n* independent ones:
//
//	v = m/(m-1) * sum over i of (x_i - p*n_i)^2 / n^2        deff = max(1, v / (p*(1-p)/(n-1)))        n* = n / deff
//
// Each side has the interval [l, u] of Wilson (1927) for p and n*, and the difference d = pA - pB that of Newcombe (1998, method 10):
//
//	d - sqrt((pA-lA)^2 + (uB-pB)^2)  to  d + sqrt((uA-pA)^2 + (pB-lB)^2)
//
// For k companions that are looked at together, the quantile is that of 1 - 0.05/(2k) (Bonferroni): all k intervals hold together with 95 % confidence. A side with fewer than five sources cannot tell how
// much they differ: its texts count as independent, and Sourced is false.
//
// # Divergence
//
// How different all companions are together is the divergence of Jensen and Shannon of their distributions, in bits: 0 are equal ones, 1 those that share nothing. Chance alone makes it greater than 0; how great,
// is found by drawing sources by lot: all of both sides are put together and parted again, a thousand times.
//
// # Worked example
//
// A has 100 texts with the thing, 40 with the companion, B 100 and 20, all of different sources: d = 0.2, and the interval for one companion is 0.073 to 0.319 (TestWorkedExample).
//
// Cost: companions times sources; the permutations a thousand times that.
package across

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Source is the texts of one source that have the thing, and those of them that have the companion too.
type Source struct {
	Texts, With int
}

// Difference is how often a companion is there on both sides.
type Difference struct {
	TextsA int     `json:"texts_a"` // with the thing
	WithA  int     `json:"with_a"`  // and the companion
	TextsB int     `json:"texts_b"`
	WithB  int     `json:"with_b"`
	A      float64 `json:"share_a"`
	B      float64 `json:"share_b"`
	D      float64 `json:"difference"` // A - B
	Low    float64 `json:"low"`        // of its interval
	High   float64 `json:"high"`
	// Sourced reports whether texts of one source were counted as not independent: both sides have enough sources.
	Sourced bool `json:"by_sources"`
}

// Differs reports whether chance does not explain the difference.
func (d Difference) Differs() bool { return d.Low > 0 || d.High < 0 }

// leastSources is how many a side needs to tell how much they differ.
const leastSources = 5

// Compare compares one of k companions that are looked at together.
func Compare(a, b []Source, k int) Difference {
	var d Difference
	var nA, nB float64
	var okA, okB bool
	d.TextsA, d.WithA, nA, okA = side(a)
	d.TextsB, d.WithB, nB, okB = side(b)
	d.Sourced = okA && okB
	if !d.Sourced {
		nA, nB = float64(d.TextsA), float64(d.TextsB)
	}
	z := math.Sqrt2 * math.Erfinv(1-0.05/float64(max(1, k)))
	lowA, highA := wilson(d.WithA, d.TextsA, nA, z)
	lowB, highB := wilson(d.WithB, d.TextsB, nB, z)
	d.A, d.B = share(d.WithA, d.TextsA), share(d.WithB, d.TextsB)
	d.D = d.A - d.B
	d.Low, d.High = d.D-math.Hypot(d.A-lowA, highB-d.B), d.D+math.Hypot(highA-d.A, d.B-lowB)
	if d.TextsA == 0 || d.TextsB == 0 { // nothing is known of a side
		d.Low, d.High = -1, 1
	}
	return d
}

func share(x, n int) float64 { return float64(x) / float64(max(1, n)) }

// side adds up sources, and returns how many independent texts say as much as these.
func side(list []Source) (n, x int, effective float64, ok bool) {
	m := 0
	for _, s := range list {
		n, x = n+s.Texts, x+s.With
		if s.Texts > 0 {
			m++
		}
	}
	effective = float64(n)
	if m < leastSources {
		return n, x, effective, false
	}
	p := share(x, n)
	if p == 0 || p == 1 {
		return n, x, effective, true
	}
	sum := 0.0
	for _, s := range list {
		e := float64(s.With) - p*float64(s.Texts)
		sum += e * e
	}
	v := float64(m) / float64(m-1) * sum / float64(n) / float64(n)
	deff := max(1, v/(p*(1-p)/float64(n-1)))
	return n, x, effective / deff, true
}

// wilson is the interval of the share x/n, if n texts say as much as so many independent ones.
func wilson(x, n int, effective, z float64) (low, high float64) {
	if n == 0 || effective <= 0 {
		return 0, 1
	}
	p := share(x, n)
	z2 := z * z
	middle := (p + z2/(2*effective)) / (1 + z2/effective)
	half := z / (1 + z2/effective) * math.Sqrt(p*(1-p)/effective+z2/(4*effective*effective))
	return max(0, middle-half), min(1, middle+half)
}

// Divergence is how different the companions of two sides are, all together.
type Divergence struct {
	Bits   float64 `json:"bits"`
	Chance float64 `json:"chance"` // what sources drawn by lot stay below in 95 of 100 cases; 0: there are too few to draw from
	P      float64 `json:"p"`      // share of draws that are as different or more; 1 where nothing was drawn
}

// draws is how often sources are parted anew.
const draws = 1000

// Diverge compares the distributions of companions. A row is the companions of one source: how many of its texts have each.
func Diverge(a, b [][]int, r *rand.Rand) Divergence {
	out := Divergence{Bits: jensenShannon(columns(a), columns(b)), P: 1}
	if len(a) < leastSources || len(b) < leastSources {
		return out
	}
	all := slices.Concat(a, b)
	found := make([]float64, draws)
	more := 0
	for i := range found {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		found[i] = jensenShannon(columns(all[:len(a)]), columns(all[len(a):]))
		if found[i] >= out.Bits {
			more++
		}
	}
	slices.Sort(found)
	out.Chance, out.P = found[draws*95/100], float64(more+1)/(draws+1)
	return out
}

// columns adds up rows.
func columns(rows [][]int) (out []float64) {
	for _, row := range rows {
		for len(out) < len(row) {
			out = append(out, 0)
		}
		for k, n := range row {
			out[k] += float64(n)
		}
	}
	return out
}

// jensenShannon is the divergence of two distributions, which need not be normalised; 0 if one of them is empty.
func jensenShannon(p, q []float64) (bits float64) {
	sumP, sumQ := 0.0, 0.0
	for _, x := range p {
		sumP += x
	}
	for _, x := range q {
		sumQ += x
	}
	if sumP == 0 || sumQ == 0 {
		return 0
	}
	for k := range max(len(p), len(q)) {
		var x, y float64
		if k < len(p) {
			x = p[k] / sumP
		}
		if k < len(q) {
			y = q[k] / sumQ
		}
		m := (x + y) / 2
		if x > 0 {
			bits += x / 2 * math.Log2(x/m)
		}
		if y > 0 {
			bits += y / 2 * math.Log2(y/m)
		}
	}
	return max(0, bits)
}
