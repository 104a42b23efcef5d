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
	balanced := learn.Forest{Balanced: true, Least: 2}
	wide, extra := balanced, balanced
	wide.Tried = 2
	extra.Tried, extra.Extra = 2, true
	ratios := func(l learn.Learner, most int) learn.Learner { return learn.Ratios{Learner: l, Most: most} }
	return []learn.Member{
		{Name: "balanced extra trees", Learner: extra},
		{Name: "balanced forest of ratios", Learner: ratios(wide, 300)},
		{Name: "LogitBoost, depth 3", Learner: boost(3, 200, 0.05, 0.2)},
		{Name: "LogitBoost, depth 4", Learner: boost(4, 200, 0.05, 0.15)},
		{Name: "LogitBoost of ratios, depth 3", Learner: ratios(boost(3, 200, 0.05, 0.04), 400)},
		{Name: "LogitBoost of ratios, depth 5", Learner: ratios(boost(5, 200, 0.04, 0.04), 400)},
		{Name: "random waves", Learner: learn.Fourier{Waves: 300, Balanced: true}},
		{Name: "logistic, ranks", Learner: learn.Logistic{Ridge: 30, Scale: learn.Rank, Balanced: true}},
	}
}

// Full is the library of the seed paper (000, 3.2.5.1) with all its settings, beside Library: some hundred
// learners, for those who have time.
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
	add(learn.Bagging{Learner: learn.LogitBoost{Depth: 3, Rounds: 50, Rate: 0.2, Columns: 0.3}, Balanced: true}, "bagged LogitBoost, depth 3, balanced")
	for _, tried := range []float64{0.5, 1, 2, 4, 8} {
		add(learn.Forest{Tried: tried}, "forest, %v", tried)
	}
	add(learn.Bayes{Density: learn.Discretised}, "naive Bayes, bins")
	add(learn.Bayes{}, "naive Bayes, normal")
	add(learn.Bayes{Density: learn.Kernel}, "naive Bayes, kernels")
	for _, c := range []float64{0.001, 0.01, 0.1} {
		add(learn.SVM{C: c, Scale: learn.Rank, Balanced: true}, "linear SVM, ranks, C %v", c)
	}
	return out
}
