package changerate

import (
	"math"
	"slices"
)

// kind is what was seen of pages that are alike, and what that says of their rates. Times are counted in expected changes: x = b*t, where b is the rate that was
// forecast for the page. At the mean factor F and the shape s the factors of pages are Gamma(s, s/F), and with u = x*F/s one page of the kind shows
//
//	a change x ago          F * (1+u)^-(s+1)         (the age of a version is distributed as the time to the next change)
//	no change within x      (1+u)^-s
//	some change within x    1 - (1+u)^-s
//
// The posterior of F and s is computed on a grid: 89 factors a quarter of an e-fold apart and 5 shapes. The prior of a kind is what is known of the kind around it, blurred:
// log F differs by a Laplace distribution of scale spread. That of the widest is a normal distribution of log F with the deviation wide, and all shapes alike.
// What was seen is kept in bins of a quarter e-fold of x, so a kind is as cheap with a million pages as with a hundred, and is computed again only when an
// eighth more was seen.
type kind struct {
	seen  []binned // by bin and how
	total float64

	grid      []float32 // posterior of the cells; nil: not computed
	levels    [levels]level
	computed  float64 // total at that time
	widerThen float64 // total of the wider kind at that time
}

// binned counts what was seen of pages in one bin.
type binned struct {
	bin int16
	how how
	n   float32
}

// how is what was seen of a page.
type how uint8

const (
	dated     how = iota // a change so long ago
	quiet                // no change within that time
	unnoticed            // some change within that time, nobody knows when
)

// level is one of the levels of a kind, each as probable as the others: Gamma(shape, time), in expected changes.
type level struct{ shape, time float64 }

const (
	levels = 15 // of a kind, equally probable

	factors = 89   // of the grid
	step    = 0.25 // e-folds between them
	wide    = 2.3  // a factor of ten
	spread  = 1.0  // e-folds by which a kind differs from the one around it

	binsPerFold = 4
)

// shapes of the grid: from kinds in which most pages hardly change and some change much, to kinds whose pages are alike.
var shapes = [...]float64{0.25, 0.5, 1, 3, 12}

// cells of the grid: factor by factor, and for each all shapes.
const cells = factors * len(shapes)

func logFactor(i int) float64 { return (float64(i) - (factors-1)/2) * step }

func (k *kind) see(how how, x float64) {
	bin := int16(math.Round(math.Log(max(x, 1e-12)) * binsPerFold))
	k.total++
	at, ok := slices.BinarySearchFunc(k.seen, binned{bin: bin, how: how}, func(a, b binned) int {
		if a.bin != b.bin {
			return int(a.bin) - int(b.bin)
		}
		return int(a.how) - int(b.how)
	})
	if !ok {
		k.seen = slices.Insert(k.seen, at, binned{bin: bin, how: how})
	}
	k.seen[at].n++
}

// likelihood is the logarithm of that of one sighting at the mean factor f and the shape s.
func likelihood(how how, x, f, s float64) float64 {
	l := math.Log1p(x * f / s)
	switch how {
	case dated:
		return math.Log(f) - (s+1)*l
	case quiet:
		return -s * l
	default:
		return math.Log(max(-math.Expm1(-s*l), math.SmallestNonzeroFloat64))
	}
}

// isStale tells whether enough was seen since the posterior was computed.
func (k *kind) isStale(wider *kind) bool {
	if k.grid == nil || k.total > k.computed*1.125 {
		return true
	}
	return wider != nil && wider.total > 2*k.widerThen && k.total < 100
}

// compute makes the posterior; wider is the kind around it, computed before, or nil.
func (k *kind) compute(wider *kind) {
	logs := make([]float64, cells)
	for c := range logs {
		logs[c] = priorOf(c)
	}
	k.widerThen = 0
	if wider != nil {
		k.widerThen = wider.total
		for c, w := range blurred(wider.grid) {
			logs[c] = math.Log(w)
		}
	}
	for _, b := range k.seen {
		x, n := math.Exp(float64(b.bin)/binsPerFold), float64(b.n)
		for i := range factors {
			f := math.Exp(logFactor(i))
			for j, s := range shapes {
				logs[i*len(shapes)+j] += n * likelihood(b.how, x, f, s)
			}
		}
	}
	k.setGrid(logs)
	k.computed = k.total
}

func priorOf(cell int) float64 {
	z := logFactor(cell/len(shapes)) / wide
	return -z * z / 2
}

// blurred is what the posterior of a kind says of a kind inside it: moved by a Laplace distribution, which is a pass forth and a pass back. A shape that the wider kind
// excludes may still be that of a part of it.
func blurred(grid []float32) []float64 {
	fade := math.Exp(-step / spread)
	out := make([]float64, cells)
	for j := range shapes {
		forth, back := 0.0, 0.0
		for i := range factors {
			forth = fade*forth + float64(grid[i*len(shapes)+j])
			out[i*len(shapes)+j] += forth
		}
		for i := factors - 1; i >= 0; i-- {
			out[i*len(shapes)+j] += back
			back = fade * (back + float64(grid[i*len(shapes)+j]))
		}
	}
	for i := range factors {
		row, sum := out[i*len(shapes):(i+1)*len(shapes)], 0.0
		for _, w := range row {
			sum += w
		}
		for j := range row {
			row[j] = 0.8*row[j] + 0.2*sum/float64(len(shapes)) + 1e-9
		}
	}
	return out
}

// setGrid makes weights of logarithms, and the levels: the cells in the order of their factors, cut into parts of equal weight, each told by the mean of the
// logarithms of factor and shape.
func (k *kind) setGrid(logs []float64) {
	most, sum := slices.Max(logs), 0.0
	for c := range logs {
		logs[c] = math.Exp(logs[c] - most)
		sum += logs[c]
	}
	k.grid = make([]float32, cells)
	at, room := 0, 1.0/levels
	var zs, ss, ws float64
	settle := func() {
		f, s := math.Exp(zs/ws), math.Exp(ss/ws)
		k.levels[at] = level{shape: s, time: s / f}
		zs, ss, ws = 0, 0, 0
		at, room = at+1, 1.0/levels
	}
	for c := range logs {
		w := logs[c] / sum
		k.grid[c] = float32(w)
		for w > 0 && at < levels {
			take := min(w, room)
			if at == levels-1 {
				take = w
			}
			zs += take * logFactor(c/len(shapes))
			ss += take * math.Log(shapes[c%len(shapes)])
			ws += take
			w -= take
			if room -= take; room <= 1e-12 && at < levels-1 {
				settle()
			}
		}
	}
	settle()
	for ; at < levels; at++ { // rounding
		k.levels[at] = k.levels[at-1]
	}
}
