package learn

import (
	"math"
	"testing"
)

// rising is a learner that has made up its mind: the larger, the more likely.
type rising struct{}

func (rising) Train(*Set, uint64) (Classifier, error) { return rising{}, nil }

func (rising) Classify(row, p []float64) {
	p[0] = 1 / (1 + math.Exp(-row[0]))
	p[1] = 1 - p[0]
}

// An ensemble that does worse than chance on a handful of rows does not turn its members round.
func TestFewRowsDoNotTurnLearnersRound(t *testing.T) {
	s := &Set{Attributes: []Attribute{{Name: "x"}}, Class: Attribute{Name: "class", Values: []string{"spam", "normal"}}, Columns: [][]float64{nil}}
	for i := range 12 {
		s.Columns[0] = append(s.Columns[0], float64(i)/3)
		s.Y = append(s.Y, i/8) // by chance the small ones are spam
	}
	c, err := Ensemble{Library: []Member{{"a", rising{}}, {"b", rising{}}}, Folds: 3}.Train(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	low, high := make([]float64, 2), make([]float64, 2)
	c.Classify([]float64{0}, low)
	c.Classify([]float64{4}, high)
	if high[0] <= low[0] {
		t.Errorf("spam with %.3f for the larger, %.3f for the smaller", high[0], low[0])
	}
	if mean := (high[0] + low[0]) / 2; mean < 0.4 || mean > 0.8 {
		t.Errorf("two thirds are spam, but the mean is %.3f", mean)
	}
}
