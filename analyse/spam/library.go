package spam

import (
	"fmt"

	"varve/learn"
)

// Library is the library that ensembles are selected from unless another is asked for: few learners, unlike each
// other, and cheap. Spam is rare, so most are balanced; features are skewed, so linear learners see ranks.
func Library() []learn.Member {
	boost := func(depth, rounds int, rate, columns float64) learn.LogitBoost {
		return learn.LogitBoost{Depth: depth, Rounds: rounds, Rate: rate, Columns: columns, Rows: 0.6}
	}
	balanced := func(tried float64) learn.Forest { return learn.Forest{Balanced: true, Least: 2, Tried: tried} }
	extra := balanced(2)
	extra.Extra = true
	return []learn.Member{
		{Name: "balanced forest", Learner: balanced(1)},
		{Name: "balanced extra trees", Learner: extra},
		{Name: "balanced forest of ratios", Learner: learn.Ratios{Learner: balanced(2), Most: 600}},
		{Name: "balanced extra trees of ratios", Learner: learn.Ratios{Learner: extra, Most: 600}},
		{Name: "LogitBoost, depth 3", Learner: boost(3, 200, 0.05, 0.2)},
		{Name: "LogitBoost, depth 4", Learner: boost(4, 200, 0.05, 0.15)},
		{Name: "LogitBoost, depth 4, slow", Learner: boost(4, 400, 0.02, 0.1)},
		{Name: "LogitBoost of ratios", Learner: learn.Ratios{Learner: boost(4, 200, 0.05, 0.03), Most: 500}},
		{Name: "bagged LogitBoost", Learner: learn.Bagging{Learner: boost(3, 50, 0.2, 0.3), Balanced: true}},
		{Name: "random waves, wide", Learner: learn.Fourier{Gamma: 0.5, Balanced: true}},
		{Name: "random waves", Learner: learn.Fourier{Gamma: 1, Balanced: true}},
		{Name: "logistic, ranks, ridge 10", Learner: learn.Logistic{Ridge: 10, Scale: learn.Rank, Balanced: true}},
		{Name: "logistic, ranks, ridge 100", Learner: learn.Logistic{Ridge: 100, Scale: learn.Rank, Balanced: true}},
		{Name: "logistic, logs, ridge 10", Learner: learn.Logistic{Ridge: 10, Scale: learn.Log, Balanced: true}},
		{Name: "linear SVM, ranks", Learner: learn.SVM{C: 0.01, Scale: learn.Rank, Balanced: true}},
		{Name: "naive Bayes, bins", Learner: learn.Bayes{Density: learn.Discretised}},
	}
}

// Full is the library of the seed paper (000, 3.2.5.1) with all its settings, beside Library: some hundred
// learners, for those who have hours.
func Full() []learn.Member {
	out := Library()
	add := func(l learn.Learner, format string, args ...any) {
		out = append(out, learn.Member{Name: fmt.Sprintf(format, args...), Learner: l})
	}
	for n := 2; n <= 64; n *= 2 {
		add(learn.Bagging{Learner: learn.LogitBoost{Rounds: n}}, "bagged LogitBoost, stumps, %d rounds", n)
	}
	for _, laplace := range []bool{false, true} {
		for _, confidence := range []float64{0.25, 1} {
			add(learn.Tree{Laplace: laplace, Confidence: confidence}, "C4.5, pruning %v, Laplace %v", confidence < 1, laplace)
		}
	}
	for cost := 10; cost <= 200; cost += 10 {
		add(learn.Bagging{Learner: learn.Tree{}, Cost: float64(cost)}, "bagged C4.5, cost %d", cost)
	}
	for exp, ridge := -8, 1e-8; exp <= 4; exp, ridge = exp+1, ridge*10 {
		add(learn.Logistic{Ridge: ridge}, "logistic, ridge 1e%d", exp)
	}
	for _, tried := range []float64{0.5, 1, 2, 4, 8} {
		add(learn.Forest{Tried: tried}, "forest, %v", tried)
	}
	add(learn.Bayes{}, "naive Bayes, normal")
	add(learn.Bayes{Density: learn.Kernel}, "naive Bayes, kernels")
	for _, c := range []float64{0.001, 0.1} {
		add(learn.SVM{C: c, Scale: learn.Rank, Balanced: true}, "linear SVM, ranks, C %v", c)
	}
	return out
}
