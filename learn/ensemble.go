package learn

import (
	"fmt"
	"math"
)

// Measure is what an ensemble is selected for.
type Measure uint8

// The measures.
const (
	ByAUC Measure = iota
	ByNDCG
)

// Member is a learner of a library, with its name.
type Member struct {
	Name    string
	Learner Learner
}

// Ensemble selects from a library of learners (Caruana et al. 2004 and 2006), for two classes:
//
//	part the rows into Folds; train every member on the rows outside each fold, and let it classify those inside
//	put the members on one scale: log-odds, calibrated on these predictions (Platt)
//	Bags times: from a random Share of the library, begin with the best ones, then add again and again the member
//	            (any, also a second time) that raises the measure of the mean most; keep the best state of Rounds
//	weights: how often each member was chosen, and Even of the weight to all members alike; the mean of log-odds is
//	         calibrated at last
//
// Nothing is trained again: a member's voice is the mean of its fold classifiers, which have each seen most rows. So
// training costs Folds times the library, and selection Bags*Rounds*members*n.
type Ensemble struct {
	Library  []Member
	Folds    int     // 0 means 5
	Rounds   int     // 0 means 100
	Bags     int     // 0 means 10
	Share    float64 // of the library in a bag; 0 means 0.5
	Even     float64 // share of the weight that all members get alike: where rows of the rarer class are few, selection overfits
	Measure  Measure
	Progress func(done, all int) // called when a member is trained on a fold; may be nil, may be called concurrently
}

// Selected is a trained ensemble.
type Selected struct {
	Members []Voice
	slope   float64
	shift   float64
	byMean  bool // voices are means of probabilities, as in models of old
}

// Voice is a member of an ensemble: what it is, how good it was alone on rows it had not seen, and its weight.
type Voice struct {
	Name   string  `json:"name"`
	AUC    float64 `json:"auc"`
	NDCG   float64 `json:"ndcg"`
	Weight float64 `json:"weight"` // share of the ensemble; 0 if not selected

	folds        []Classifier
	slope, shift float64
}

func (e Ensemble) filled() Ensemble {
	set := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	set(&e.Folds, 5)
	set(&e.Rounds, 100)
	set(&e.Bags, 10)
	if e.Share == 0 {
		e.Share = 0.5
	}
	return e
}

// Train implements Learner; the classifier is a *Selected.
func (e Ensemble) Train(s *Set, seed uint64) (Classifier, error) {
	m, _, err := e.TrainHeld(s, seed)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// TrainHeld trains, and gives for each row the log-odds of class 0 by the classifiers of the folds that did not learn from it, on the scale
// of the ensemble: where rows have groups, what it says of a group it has not seen. They cost nothing more, and what is chosen by them
// (a threshold, a calibration) fits the ensemble itself, not another one that was trained on fewer rows.
func (e Ensemble) TrainHeld(s *Set, seed uint64) (*Selected, []float64, error) {
	e = e.filled()
	switch {
	case s.Classes() != 2:
		return nil, nil, ErrClasses
	case len(e.Library) == 0:
		return nil, nil, fmt.Errorf("learn: the library is empty")
	case s.Len() < 2*e.Folds:
		return nil, nil, fmt.Errorf("learn: %d rows are too few for an ensemble over %d folds", s.Len(), e.Folds)
	}
	fold := Folds(s, e.Folds, derive(seed, 0))
	odds, m, err := e.library(s, fold, seed)
	if err != nil {
		return nil, nil, err
	}
	positive := s.Is(0)
	weights := choice{odds, positive, e}.run(derive(seed, 1))
	sum := make([]float64, s.Len())
	for k, w := range weights {
		w = (1-e.Even)*w + e.Even/float64(len(weights))
		m.Members[k].Weight = w
		for i, v := range odds[k] {
			sum[i] += w * v
		}
	}
	m.slope, m.shift = plattForward(sum, positive)
	for i, v := range sum {
		sum[i] = m.slope*v + m.shift
	}
	return m, sum, nil
}

// library trains every member on every fold and gives the calibrated log-odds of all rows by each member.
func (e Ensemble) library(s *Set, fold []int, seed uint64) ([][]float64, *Selected, error) {
	odds := make([][]float64, len(e.Library))
	m := &Selected{Members: make([]Voice, len(e.Library))}
	parts := make([]*Set, e.Folds)
	tests := make([][]int, e.Folds)
	for f := range parts {
		var train []int
		train, tests[f] = Split(fold, f)
		parts[f] = s.Rows(train)
	}
	for k := range e.Library {
		odds[k] = make([]float64, s.Len())
		m.Members[k] = Voice{Name: e.Library[k].Name, folds: make([]Classifier, e.Folds)}
	}
	jobs := len(e.Library) * e.Folds
	var done counter
	err := each(jobs, func(j int) error {
		k, f := j/e.Folds, j%e.Folds
		c, err := e.Library[k].Learner.Train(parts[f], derive(seed, 2+j))
		if err != nil {
			return fmt.Errorf("%s, fold %d: %w", e.Library[k].Name, f, err)
		}
		m.Members[k].folds[f] = c
		var row []float64
		p := make([]float64, 2)
		for _, i := range tests[f] {
			row = s.Row(i, row)
			c.Classify(row, p)
			odds[k][i] = logit(p[0])
		}
		if e.Progress != nil {
			e.Progress(done.next(), jobs)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	positive := s.Is(0)
	for k := range odds {
		v := &m.Members[k]
		v.AUC, v.NDCG = AUC(odds[k], positive), NDCG(odds[k], indicator(positive))
		v.slope, v.shift = plattForward(odds[k], positive)
		for i, z := range odds[k] {
			odds[k][i] = v.slope*z + v.shift
		}
	}
	return odds, m, nil
}

// leastSlope is the flattest that calibration may make a learner.
const leastSlope = 0.1

// plattForward is Platt's calibration that never turns a learner round. On few rows a good learner may do worse than chance by
// chance; its order is still the best guess, so it keeps it, flattened, with the mean of its probabilities where it was.
func plattForward(odds []float64, positive []bool) (slope, shift float64) {
	if slope, shift = Platt(odds, positive); slope >= leastSlope {
		return slope, shift
	}
	n, sum := 0.0, 0.0
	for i, z := range odds {
		sum += z
		if positive[i] {
			n++
		}
	}
	share := (n + 1) / (float64(len(odds)) + 2)
	return leastSlope, logit(share) - leastSlope*sum/float64(len(odds))
}

// logit is the logarithm of the odds, with probabilities kept off 0 and 1.
func logit(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

func indicator(b []bool) []float64 {
	out := make([]float64, len(b))
	for i, v := range b {
		if v {
			out[i] = 1
		}
	}
	return out
}

// Classify implements Classifier.
func (m *Selected) Classify(row, p []float64) {
	sum := 0.0
	for k := range m.Members {
		if v := &m.Members[k]; v.Weight > 0 {
			sum += v.Weight * (v.slope*v.odds(row, p, m.byMean) + v.shift)
		}
	}
	p[0] = sigmoid(m.slope*sum + m.shift)
	p[1] = 1 - p[0]
}

// Alone gives the probability of class 0 by member k alone, not calibrated. Members that were not selected are there
// until the ensemble is stored.
func (m *Selected) Alone(k int, row []float64) float64 {
	if len(m.Members[k].folds) == 0 {
		return math.NaN()
	}
	return sigmoid(m.Members[k].odds(row, make([]float64, 2), m.byMean))
}

// odds is the mean of the log-odds of class 0 by the classifiers of the folds; p is room. The mean of their probabilities would be nearer
// one half than what each of them says, and calibration and thresholds are made by what one of them says of rows it has not seen.
func (v *Voice) odds(row, p []float64, byMean bool) float64 {
	sum := 0.0
	for _, c := range v.folds {
		c.Classify(row, p)
		if byMean {
			sum += p[0]
		} else {
			sum += logit(p[0])
		}
	}
	if sum /= float64(len(v.folds)); byMean {
		return logit(sum)
	}
	return sum
}
