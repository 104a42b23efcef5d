package spam

import (
	"context"
	"time"

	"varve/learn"
)

// Train makes a model from labelled hosts. Its measures are those of the ensemble on folds it was not trained on, which
// Evaluate gives; they may be nil. now is written into the model.
func Train(ctx context.Context, s *learn.Set, c Config, measures *Report, now time.Time) (*learn.Model, error) {
	c = c.filled()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	e := c.ensemble(c.Progress)
	e.Folds = c.Folds
	trained, err := e.Train(s, c.Seed)
	if err != nil {
		return nil, err
	}
	m := &learn.Model{Classifier: trained, Header: learn.Header{
		Task: "spam", Class: s.Class, Attributes: s.Attributes, Trained: now.UTC(), Rows: s.Len(), Counts: s.Totals(),
		Digest: learn.Digest(s), Learner: "ensemble selection", Seed: c.Seed, Measures: map[string]float64{}, Typical: Typical(s),
	}}
	if measures != nil {
		m.Measures["auc"], m.Measures["ndcg"], m.Measures["brier"] = measures.AUC, measures.NDCG, measures.Brier
	}
	return m, nil
}
