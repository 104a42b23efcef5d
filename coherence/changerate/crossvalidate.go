package changerate

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// Report tells how well a predictor foretells pages it has not seen.
type Report struct {
	Method   string  `json:"method"`
	Offline  bool    `json:"offline"`
	Trained  int     `json:"trained"`  // examples behind a classifier (the mean over folds)
	Tested   int     `json:"tested"`   // pages foretold
	Bins     int     `json:"bins"`     // of the first classifier
	Accuracy float64 `json:"accuracy"` // share in the very bin
	Majority float64 `json:"majority"` // the same for always saying the most frequent bin
	Near     float64 `json:"near"`     // share at most one bin off
	Rank     float64 `json:"rank"`     // Spearman correlation of foretold and true rates: what a schedule needs
	Covered  float64 `json:"covered"`  // share of true rates inside the interval
}

// CrossValidate foretells each example by a predictor trained on the other folds.
func CrossValidate(examples []Example, cfg Config, folds int, seed uint64) (*Report, error) {
	if folds < 2 || len(examples) < folds {
		return nil, errors.New("changerate: cross-validation needs at least two folds and an example for each")
	}
	order := rand.New(rand.NewPCG(seed, 1)).Perm(len(examples))
	t := &trial{}
	for f := range folds {
		var train, test []Example
		for k, i := range order {
			if k%folds == f {
				test = append(test, examples[i])
			} else {
				train = append(train, examples[i])
			}
		}
		if err := t.run(train, test, cfg); err != nil {
			return nil, err
		}
	}
	return t.report(cfg, folds), nil
}

// SeedProtocol is the protocol of the seed paper: train on a random share (0.1) of the pages of a site and foretell
// the rest.
func SeedProtocol(examples []Example, cfg Config, share float64, seed uint64) (*Report, error) {
	train, test := Sample(examples, share, seed)
	t := &trial{}
	if err := t.run(train, test, cfg); err != nil {
		return nil, err
	}
	return t.report(cfg, 1), nil
}

// Sample parts examples at random: a share to learn from, at least one, and the rest.
func Sample(examples []Example, share float64, seed uint64) (taken, rest []Example) {
	n := min(max(int(math.Round(share*float64(len(examples)))), 1), len(examples))
	for k, i := range rand.New(rand.NewPCG(seed, 2)).Perm(len(examples)) {
		if k < n {
			taken = append(taken, examples[i])
		} else {
			rest = append(rest, examples[i])
		}
	}
	return taken, rest
}

// trial collects what predictors said.
type trial struct {
	trained, bins           int
	right, near, held, most float64
	truth, said             []float64
}

func (t *trial) run(train, test []Example, cfg Config) error {
	p, err := Train(train, cfg)
	if err != nil {
		return err
	}
	t.trained += len(train)
	if t.bins == 0 {
		t.bins = p.Bins()
	}
	counts := make([]int, p.Bins())
	for _, e := range train {
		counts[p.Bin(e.Rate)]++
	}
	majority := slices.Index(counts, slices.Max(counts))
	for _, e := range test {
		r := p.Forecast(e.Page)
		truth, said := p.Bin(e.Rate), p.Bin(r.Value)
		t.right += one(truth == said)
		t.near += one(truth-said <= 1 && said-truth <= 1)
		t.most += one(truth == majority)
		t.held += one(r.Low <= e.Rate && e.Rate <= r.High)
		t.truth, t.said = append(t.truth, e.Rate), append(t.said, r.Value)
	}
	return nil
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (t *trial) report(cfg Config, runs int) *Report {
	n := max(float64(len(t.truth)), 1)
	return &Report{
		Method: cfg.Method.String(), Offline: cfg.Offline, Trained: t.trained / runs, Tested: len(t.truth), Bins: t.bins,
		Accuracy: t.right / n, Majority: t.most / n, Near: t.near / n, Covered: t.held / n, Rank: spearman(t.truth, t.said),
	}
}

// spearman is the correlation of ranks, ties sharing theirs; 0 where one side is all alike.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-mean, y[i]-mean
		xy += dx * dy
		xx += dx * dx
		yy += dy * dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	out := make([]float64, len(v))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && v[order[j]] == v[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}

var _ Forecaster = (*Predictor)(nil)
