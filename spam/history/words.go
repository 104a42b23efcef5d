package history

import (
	"math"

	"varve/spam/feature"
	"varve/spam/terms"
)

// WordDefinitions tell the features of Words.
func WordDefinitions() []feature.Definition {
	var out []feature.Definition
	define := func(name, formula string) {
		out = append(out, feature.Define(name, feature.History, feature.Snapshots, formula))
	}
	define("snapshots", "snapshots in which the host has pages")
	for _, m := range []string{"jaccard", "cosine"} {
		define("words."+m+".mean", "mean "+m+" of the host's bags of words in snapshots that follow each other")
		define("words."+m+".max", "the highest of these")
		define("words."+m+".variance", "their variance")
	}
	return out
}

// Words compares the bags of words of a host, in the order of snapshots; those without pages are left out by the caller.
func Words(out []float64, bags []terms.Hashed) []float64 {
	var jaccard, cosine feature.Moments
	for i := 1; i < len(bags); i++ {
		j, c := terms.Alike(bags[i-1], bags[i])
		jaccard.Add(j)
		cosine.Add(c)
	}
	out = append(out, float64(len(bags)))
	for _, m := range []*feature.Moments{&jaccard, &cosine} {
		out = append(out, m.Average(), m.Highest(), m.Variance())
	}
	return out
}

// Lambda is the λ of Decay.
const Lambda = 0.5

// Weights sums up the weights of terms over the snapshots s = 1..S of a host:
//
//	Ave(t)   = 1/S Σ w_s(t)
//	Dev(t)   = 1/(S−1) Σ (w_s(t) − Ave(t))²      0 for S = 1
//	Decay(t) = Σ λ e^(−λ(S−s)) w_s(t)
func Weights(series [][]float64) (ave, dev, decay []float64) {
	if len(series) == 0 {
		return nil, nil, nil
	}
	n, last := len(series[0]), len(series)
	ave, dev, decay = make([]float64, n), make([]float64, n), make([]float64, n)
	for s, weights := range series {
		fade := Lambda * math.Exp(-Lambda*float64(last-1-s))
		for t, w := range weights {
			ave[t] += w / float64(last)
			decay[t] += fade * w
		}
	}
	for _, weights := range series {
		for t, w := range weights {
			dev[t] += (w - ave[t]) * (w - ave[t]) / float64(max(1, last-1))
		}
	}
	return ave, dev, decay
}
