package history

import (
	"fmt"
	"math"

	"varve/spam/feature"
	"varve/spam/graph"
)

// family is a similarity in one direction.
type family struct {
	name, told string
	first      int
}

var families = [4]family{
	{"xjaccard.forward", "XJaccard of the host with itself", xjaccard},
	{"xjaccard.inverted", "XJaccard of the host with itself, inverted graph", xjaccard + graph.Steps},
	{"simrank.forward", "SimRank of the host with itself", simrank},
	{"simrank.inverted", "SimRank of the host with itself, inverted graph", simrank + graph.Steps},
}

// rates are what [Shen et al. 2006] measure.
var rates = [5]struct{ name, told string }{
	{"out_growth", "new out-neighbours / those of the snapshot before"},
	{"out_death", "lost out-neighbours / those of the snapshot before"},
	{"in_growth", "new in-neighbours / those of the snapshot before"},
	{"in_death", "lost in-neighbours / those of the snapshot before"},
	{"clustering_change", "clustering coefficient less that of the snapshot before"},
}

// LinkDefinitions tell the features of Links.Vector.
func LinkDefinitions() []feature.Definition {
	var out []feature.Definition
	define := func(name, format string, args ...any) {
		out = append(out, feature.Define(name, feature.History, feature.Snapshots, fmt.Sprintf(format, args...)))
	}
	for _, r := range rates {
		define(r.name+".mean", "mean over pairs of snapshots of: %s", r.told)
		define(r.name+".variance", "variance of it")
	}
	for _, what := range []string{"growth", "death"} {
		define(what+".ratio", "in_%s.mean / out_%s.mean", what, what)
		define(what+".product", "in_%s.mean · out_%s.mean", what, what)
	}
	for _, f := range families {
		for k := range graph.Steps {
			define(fmt.Sprintf("%s.%d", f.name, k+1), "%s, %d steps, mean over pairs of snapshots", f.told, k+1)
		}
		for k := 1; k < graph.Steps; k++ {
			define(fmt.Sprintf("%s.ratio.%d", f.name, k+1), "%d steps / %d steps", k+1, k)
			define(fmt.Sprintf("%s.log_ratio.%d", f.name, k+1), "logarithm of that (of at least 0.001)")
		}
		define(f.name+".log_ratio.min", "logarithm of the lowest of these ratios")
		define(f.name+".log_ratio.max", "logarithm of the highest")
		define(f.name+".log_ratio.mean", "logarithm of their mean")
	}
	for k := range graph.Steps {
		define(fmt.Sprintf("xjaccard.neighbours.%d.mean", k+1), "mean over out-neighbours of their XJaccard, %d steps", k+1)
		define(fmt.Sprintf("xjaccard.neighbours.%d.variance", k+1), "variance of it over out-neighbours")
	}
	return out
}

// Vector appends the features of a host; unknown ones where l is nil: with one snapshot nothing changed.
func (l *Links) Vector(out []float64, v uint32) []float64 {
	if l == nil {
		for range LinkDefinitions() {
			out = append(out, feature.Unknown())
		}
		return out
	}
	var means [sums]float64
	for i := range means {
		mean, variance := l.columns[i].at(v)
		means[i] = mean
		if i <= clustering {
			out = append(out, mean, variance)
		}
	}
	out = append(out,
		feature.Ratio(means[inGrowth], means[outGrowth]), means[inGrowth]*means[outGrowth],
		feature.Ratio(means[inDeath], means[outDeath]), means[inDeath]*means[outDeath])
	for _, f := range families {
		out = similarities(out, means[f.first:f.first+graph.Steps])
	}
	for k := range graph.Steps {
		out = append(out, means[neighbours+k], means[neighbourly+k])
	}
	return out
}

// similarities appends those of 1 to 4 steps and what is made of their ratios.
func similarities(out, s []float64) []float64 {
	out = append(out, s...)
	var m feature.Moments
	for k := 1; k < len(s); k++ {
		r := feature.Ratio(s[k], s[k-1])
		m.Add(r)
		out = append(out, r, logOf(r))
	}
	return append(out, logOf(m.Lowest()), logOf(m.Highest()), logOf(m.Average()))
}

// logOf is the logarithm of a ratio; one below a thousandth counts as that.
func logOf(x float64) float64 {
	if !feature.Known(x) {
		return feature.Unknown()
	}
	return math.Log(math.Max(x, 0.001))
}
