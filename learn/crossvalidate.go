package learn

import "fmt"

// Validation is what classifiers said of rows they had not seen.
type Validation struct {
	Fold          []int       // of each row
	Probabilities [][]float64 // [row][class]
	Confusion     Confusion
	Accuracy      float64
	FoldAccuracy  []float64 // of each fold, for its spread
}

// CrossValidate trains a classifier for each fold on the rows outside it and lets it classify those inside. fold
// gives the fold of each row, as Folds does. Folds run in parallel; each learner is seeded by its fold.
func CrossValidate(s *Set, l Learner, fold []int, seed uint64) (*Validation, error) {
	k := 0
	for _, f := range fold {
		k = max(k, f+1)
	}
	v := &Validation{Fold: fold, Probabilities: make([][]float64, s.Len()), FoldAccuracy: make([]float64, k)}
	err := each(k, func(f int) error {
		train, test := Split(fold, f)
		c, err := l.Train(s.Rows(train), derive(seed, f))
		if err != nil {
			return fmt.Errorf("fold %d: %w", f, err)
		}
		var row []float64
		right := 0.0
		for _, i := range test {
			row = s.Row(i, row)
			p := make([]float64, s.Classes())
			c.Classify(row, p)
			v.Probabilities[i] = p
			if Best(p) == s.Y[i] {
				right++
			}
		}
		v.FoldAccuracy[f] = share(right, float64(len(test)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	v.Confusion = NewConfusion(s.Classes())
	for i, p := range v.Probabilities {
		v.Confusion.Add(s.Y[i], Best(p), s.Weight(i))
	}
	v.Accuracy = v.Confusion.Accuracy()
	return v, nil
}

// Scores gives the probability of one class for each row.
func (v *Validation) Scores(class int) []float64 {
	out := make([]float64, len(v.Probabilities))
	for i, p := range v.Probabilities {
		out[i] = p[class]
	}
	return out
}

// Is tells of each row whether it has the class.
func (s *Set) Is(class int) []bool {
	out := make([]bool, s.Len())
	for i, y := range s.Y {
		out[i] = y == class
	}
	return out
}
