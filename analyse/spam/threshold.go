package spam

import (
	"context"
	"fmt"
	"slices"

	"varve/learn"
)

// Threshold is a spamicity from which hosts may be refused, and what it did on hosts not seen in training.
type Threshold struct {
	At     float64 `json:"at"`     // spamicity
	Lost   float64 `json:"lost"`   // share of normal hosts at or above it
	Caught float64 `json:"caught"` // share of spam hosts at or above it
}

// Thresholds finds for each share of normal hosts that may be lost the lowest spamicity that loses no more. Every host is
// judged by a model that learnt without its fold; where the set has groups (genres, generators, domains), without its group: then the
// threshold holds for kinds of hosts that nobody has labelled yet, too. It lies a tenth of the way from the last host that
// is spared to the first that is not (or to 1), so that a host a little worse is spared as well.
func Thresholds(ctx context.Context, s *learn.Set, c Config, lost ...float64) ([]Threshold, error) {
	scores, err := outside(ctx, s, c.filled())
	if err != nil {
		return nil, err
	}
	var normal, spam []float64
	for i, y := range s.Y {
		if y == 0 {
			spam = append(spam, scores[i])
		} else {
			normal = append(normal, scores[i])
		}
	}
	if len(normal) == 0 || len(spam) == 0 {
		return nil, fmt.Errorf("a threshold needs hosts of both kinds")
	}
	slices.Sort(normal)
	slices.Reverse(normal)
	var out []Threshold
	for _, share := range lost {
		k := min(int(share*float64(len(normal))), len(normal)-1) // so many may be lost
		t := Threshold{At: min(1, between(normal, k))}
		t.Lost, t.Caught = from(normal, t.At), from(spam, t.At)
		out = append(out, t)
	}
	return out, nil
}

// between lies a tenth of the way from the k-th highest score, which is spared, to the next higher one, or to 1.
func between(highest []float64, k int) float64 {
	above := 1.0
	if k > 0 {
		above = highest[k-1]
	}
	return highest[k] + (above-highest[k])/10
}

// from is the share of scores at or above a threshold.
func from(scores []float64, at float64) float64 {
	n := 0
	for _, v := range scores {
		if v >= at {
			n++
		}
	}
	return float64(n) / float64(len(scores))
}

// outside gives the spamicity of each row by an ensemble that learnt without its fold.
func outside(ctx context.Context, s *learn.Set, c Config) ([]float64, error) {
	fold := learn.Folds(s, c.Folds, c.Seed)
	out, p := make([]float64, s.Len()), make([]float64, s.Classes())
	var row []float64
	for f := range c.Folds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		train, test := learn.Split(fold, f)
		if len(test) == 0 {
			continue
		}
		e := c.ensemble(nil)
		e.Folds = c.Folds
		m, err := e.Train(s.Rows(train), c.Seed+uint64(f))
		if err != nil {
			return nil, err
		}
		for _, i := range test {
			row = s.Row(i, row)
			m.Classify(row, p)
			out[i] = p[0]
		}
	}
	return out, nil
}
