package spam

import (
	"context"
	"time"

	"varve/learn"
)

// Train makes a model from labelled hosts, with a threshold for those who refuse hosts by it. Its measures are those of the ensemble on
// folds it was not trained on, which Evaluate gives; they may be nil. now is written into the model.
//
// Where hosts have groups (genres, generators, domains), the folds of the ensemble keep them together: selection, calibration and threshold are
// made by what it says of groups it has not seen.
func Train(ctx context.Context, s *learn.Set, c Config, measures *Report, now time.Time) (*learn.Model, error) {
	c = c.filled()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	e := c.ensemble(c.Progress)
	e.Folds = foldsFor(s, c.Folds)
	trained, held, err := e.TrainHeld(s, c.Seed)
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
	curve := learn.NewLapse(held, s.Is(0))
	for i, v := range held {
		held[i] = logit(curve.Of(v))
	}
	t, err := Decide(held, s, c.Guard)
	if err != nil {
		return nil, err
	}
	t.Curve = curve
	t.write(m.Measures)
	return m, nil
}

// foldsFor gives the folds of an ensemble: of few groups, about one of each class is held out at a time, so that a fold stands for what
// nobody has labelled; of many, as configured.
func foldsFor(s *learn.Set, configured int) int {
	const few, most = 40, 8
	kinds := make([]map[string]bool, s.Classes())
	all := map[string]bool{}
	for i, g := range s.Groups {
		if kinds[s.Y[i]] == nil {
			kinds[s.Y[i]] = map[string]bool{}
		}
		kinds[s.Y[i]][g], all[g] = true, true
	}
	if len(all) == 0 || len(all) > few {
		return configured
	}
	n := 0
	for _, k := range kinds {
		n = max(n, len(k))
	}
	return min(max(n, configured), most)
}

// Names of the measures that tell the threshold of a model.
const (
	measureThreshold = "threshold"
	measureMaxLoss   = "threshold_max_loss"
	measureLost      = "threshold_lost"
	measureCaught    = "threshold_caught"
	measureKinds     = "threshold_kinds"
	measureSlope     = "curve_slope"
	measureCurve     = "curve_shift"
	measureLapse     = "curve_lapse"
	measureShift     = "links_shift"
)

func (t *Threshold) write(m map[string]float64) {
	m[measureThreshold], m[measureMaxLoss], m[measureLost], m[measureCaught] = t.At, t.MaxLoss, t.Lost, t.Caught
	m[measureKinds], m[measureShift] = float64(t.Kinds), t.Shift
	m[measureSlope], m[measureCurve], m[measureLapse] = t.Curve.Slope, t.Curve.Shift, t.Curve.Lapse
}

// ThresholdOf gives the threshold that a model was made with; ok is false for one without.
func ThresholdOf(m *learn.Model) (t Threshold, ok bool) {
	at, ok := m.Measures[measureThreshold]
	if !ok || !(at > 0 && at <= 1) {
		return Threshold{}, false
	}
	of := m.Measures
	return Threshold{
		At: at, MaxLoss: of[measureMaxLoss], Lost: of[measureLost], Caught: of[measureCaught], Kinds: int(of[measureKinds]), Shift: of[measureShift],
		Curve: learn.Lapse{Slope: of[measureSlope], Shift: of[measureCurve], Lapse: of[measureLapse]},
	}, true
}
