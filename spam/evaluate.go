package spam

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"varve/learn"
)

// Config says what to evaluate.
type Config struct {
	Library  []learn.Member
	Folds    int   // of the evaluation, and embedded in the ensemble; 0 means 5
	Repeats  int   // of the evaluation over folds; 0 means 1
	NDCG     bool  // select for NDCG instead of AUC
	Guard    Guard // of the threshold that a model is made with
	Seed     uint64
	Progress func(done, all int) // trainings; may be nil
}

// Report is what an evaluation found.
type Report struct {
	Protocol string   `json:"protocol"` // "folds" or "test"
	Rows     int      `json:"rows"`
	Spam     int      `json:"spam"`
	Features int      `json:"features"`
	Folds    int      `json:"folds"`
	Repeats  int      `json:"repeats"`
	AUC      float64  `json:"auc"`  // of the ensemble: the mean over folds
	NDCG     float64  `json:"ndcg"` // likewise
	Brier    float64  `json:"brier"`
	Models   []Model  `json:"models"`   // of the library, each alone, and the plain forest
	Selected []Chosen `json:"selected"` // mean weights, heaviest first
	Gain     Gain     `json:"gain"`     // of the ensemble on the plain forest
	At       []Point  `json:"thresholds"`
}

// Model is how good one learner was on the rows that were held out.
type Model struct {
	Name string  `json:"name"`
	AUC  float64 `json:"auc"`
	NDCG float64 `json:"ndcg"`
}

// Chosen is a member of the ensemble with its weight.
type Chosen struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// Gain is the difference of AUC between the ensemble and the plain forest in paired folds. The interval is that of the
// corrected resampled t-test (Nadeau and Bengio 2003): folds of repeated cross-validation share training rows, so
// the variance of their mean is (1/n + test/train) times that of one.
type Gain struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Half float64 `json:"paired"` // half the width of the plain paired interval, which takes the folds for independent
	Wins int     `json:"wins"`   // folds in which the ensemble was better
	Of   int     `json:"of"`
}

// Point is what happens when hosts at or above a probability are taken for spam.
type Point struct {
	Threshold float64 `json:"threshold"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Taken     int     `json:"taken"`
}

// Plain is the contestant that an ensemble has to beat.
const Plain = "plain random forest"

// thresholds are those of Report.At.
var thresholds = []float64{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9}

func (c Config) filled() Config {
	if c.Folds == 0 {
		c.Folds = 5
	}
	c.Repeats = max(c.Repeats, 1)
	if c.Library == nil {
		c.Library = Library()
	}
	return c
}

func (c Config) ensemble(progress func(done, all int)) learn.Ensemble {
	e := learn.Ensemble{Library: c.Library, Folds: 5, Bags: 20, Share: 0.75, Even: 0.5, Progress: progress}
	if c.NDCG {
		e.Measure = learn.ByNDCG
	}
	return e
}

// Evaluate measures over repeated folds: the ensemble, every member alone, and the plain forest, all on the same folds. When
// ctx ends early it gives the report of the folds that were measured, with the error of ctx.
func Evaluate(ctx context.Context, s *learn.Set, c Config) (*Report, error) {
	c = c.filled()
	b := newBoard(c)
	runs := c.Repeats * c.Folds
	for rep := range c.Repeats {
		fold := learn.Folds(s, c.Folds, c.Seed+uint64(rep))
		for f := range c.Folds {
			train, test := learn.Split(fold, f)
			err := b.trial(ctx, s.Rows(train), s.Rows(test), c.Seed+uint64(rep*c.Folds+f), rep*c.Folds+f, runs)
			switch {
			case err != nil && ctx.Err() != nil && len(b.gains) > 1:
				return b.folds(s), ctx.Err()
			case err != nil:
				return nil, fmt.Errorf("repeat %d, fold %d: %w", rep+1, f+1, err)
			}
		}
	}
	return b.folds(s), nil
}

// folds makes the report of the trials so far.
func (b *board) folds(s *learn.Set) *Report {
	r := b.report(s)
	r.Protocol, r.Folds, r.Repeats = "folds", b.Config.Folds, len(b.gains)/b.Config.Folds
	r.Gain = b.gain(1 / float64(b.Config.Folds-1))
	return r
}

// Test trains on one set and measures on another, whose attributes are matched by name.
func Test(ctx context.Context, train, test *learn.Set, c Config) (*Report, error) {
	c = c.filled()
	test, err := Align(test, train.Attributes)
	if err != nil {
		return nil, err
	}
	b := newBoard(c)
	if err := b.trial(ctx, train, test, c.Seed, 0, 1); err != nil {
		return nil, err
	}
	r := b.report(test)
	r.Protocol, r.Folds, r.Repeats = "test", c.Folds, 1
	r.Gain = Gain{Mean: b.gains[0], Low: math.Inf(-1), High: math.Inf(1), Of: 1}
	return r, nil
}

// board collects results, in the order of trials.
type board struct {
	Config
	auc, ndcg []float64 // sums: the ensemble, the plain forest, the members
	weights   []float64
	gains     []float64
	brier     float64
	n, trials float64
	taken     []int
	hit       []int
	spam      int
}

func newBoard(c Config) *board {
	k := len(c.Library)
	return &board{Config: c, auc: make([]float64, k+2), ndcg: make([]float64, k+2), weights: make([]float64, k), taken: make([]int, len(thresholds)), hit: make([]int, len(thresholds))}
}

// trial trains on one set and scores another.
func (b *board) trial(ctx context.Context, train, test *learn.Set, seed uint64, run, runs int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := b.ensemble(func(done, all int) {
		if b.Progress != nil {
			b.Progress(run*all+done, runs*all)
		}
	})
	e.Folds = min(e.Folds, train.Len()/2)
	trained, err := e.Train(train, seed)
	if err != nil {
		return err
	}
	plain, err := learn.Forest{}.Train(train, seed)
	if err != nil {
		return err
	}
	m := trained.(*learn.Selected)
	scores := make([][]float64, len(b.Library)+2)
	row, p := []float64(nil), make([]float64, 2)
	for i := range test.Len() {
		row = test.Row(i, row)
		m.Classify(row, p)
		scores[0] = append(scores[0], p[0])
		plain.Classify(row, p)
		scores[1] = append(scores[1], p[0])
		for k := range m.Members {
			scores[k+2] = append(scores[k+2], m.Alone(k, row))
		}
	}
	b.add(m, scores, test.Is(0))
	return nil
}

// add takes in the scores of a trial.
func (b *board) add(m *learn.Selected, scores [][]float64, spam []bool) {
	relevance := make([]float64, len(spam))
	for i, is := range spam {
		if is {
			relevance[i] = 1
			b.spam++
		}
		b.brier += (scores[0][i] - relevance[i]) * (scores[0][i] - relevance[i])
		for t, least := range thresholds {
			if scores[0][i] >= least {
				b.taken[t]++
				b.hit[t] += int(relevance[i])
			}
		}
	}
	b.n += float64(len(spam))
	b.trials++
	var auc [2]float64
	for k, s := range scores {
		v := learn.AUC(s, spam)
		if k < 2 {
			auc[k] = v
		}
		b.auc[k] += v
		b.ndcg[k] += learn.NDCG(s, relevance)
	}
	b.gains = append(b.gains, auc[0]-auc[1])
	for k := range m.Members {
		b.weights[k] += m.Members[k].Weight
	}
}

// gain makes the interval; ratio is the size of a test fold over that of its training rows.
func (b *board) gain(ratio float64) Gain {
	n := float64(len(b.gains))
	g := Gain{Of: len(b.gains)}
	for _, d := range b.gains {
		g.Mean += d / n
		if d > 0 {
			g.Wins++
		}
	}
	square := 0.0
	for _, d := range b.gains {
		square += (d - g.Mean) * (d - g.Mean)
	}
	width := math.Inf(1)
	if n > 1 {
		t := studentQuantile(n-1, 0.975) * math.Sqrt(square/(n-1))
		width, g.Half = t*math.Sqrt(1/n+ratio), t*math.Sqrt(1/n)
	}
	g.Low, g.High = g.Mean-width, g.Mean+width
	return g
}

// studentQuantile is the quantile of Student's t with nu degrees of freedom, by the incomplete beta function: the package of distributions would link linear
// algebra that nobody here needs.
func studentQuantile(nu, p float64) float64 {
	tail := min(p, 1-p)
	y := mathext.InvRegIncBeta(nu/2, 0.5, 2*tail)
	t := math.Sqrt(nu * (1 - y) / y)
	if p < 0.5 {
		return -t
	}
	return t
}
