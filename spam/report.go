package spam

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"varve/learn"
)

// report makes the figures of all trials.
func (b *board) report(s *learn.Set) *Report {
	r := &Report{Rows: s.Len(), Features: len(s.Attributes), AUC: b.auc[0] / b.trials, NDCG: b.ndcg[0] / b.trials, Brier: b.brier / b.n}
	for _, y := range s.Y {
		if y == 0 {
			r.Spam++
		}
	}
	r.Models = append(r.Models, Model{Plain, b.auc[1] / b.trials, b.ndcg[1] / b.trials})
	for k, m := range b.Library {
		r.Models = append(r.Models, Model{m.Name, b.auc[k+2] / b.trials, b.ndcg[k+2] / b.trials})
		if w := b.weights[k] / b.trials; w > 0 {
			r.Selected = append(r.Selected, Chosen{m.Name, w})
		}
	}
	slices.SortStableFunc(r.Selected, func(x, y Chosen) int { return cmp.Compare(y.Weight, x.Weight) })
	for t, least := range thresholds {
		p := Point{Threshold: least, Taken: b.taken[t]}
		if b.taken[t] > 0 {
			p.Precision = float64(b.hit[t]) / float64(b.taken[t])
		}
		if b.spam > 0 {
			p.Recall = float64(b.hit[t]) / float64(b.spam)
		}
		r.At = append(r.At, p)
	}
	return r
}

// MarshalJSON writes the gain; ends that are not known are null.
func (g Gain) MarshalJSON() ([]byte, error) {
	end := func(v float64) *float64 {
		if math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return json.Marshal(struct {
		Mean float64  `json:"mean"`
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
		Half float64  `json:"paired"`
		Wins int      `json:"wins"`
		Of   int      `json:"of"`
	}{g.Mean, end(g.Low), end(g.High), g.Half, g.Wins, g.Of})
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%d hosts, %d of them spam, %d features; ", r.Rows, r.Spam, r.Features)
	if r.Protocol == "folds" {
		fmt.Fprintf(t, "%d x %d folds\n\n", r.Repeats, r.Folds)
	} else {
		fmt.Fprintf(t, "a test set of its own\n\n")
	}
	fmt.Fprintln(t, "learner\tAUC\tNDCG\tweight")
	weight := map[string]float64{}
	for _, c := range r.Selected {
		weight[c.Name] = c.Weight
	}
	for _, m := range r.Models {
		fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.2f\n", m.Name, m.AUC, m.NDCG, weight[m.Name])
	}
	fmt.Fprintf(t, "ensemble\t%.4f\t%.4f\t\n\n", r.AUC, r.NDCG)
	fmt.Fprintln(t, "spam from\tprecision\trecall\thosts")
	for _, p := range r.At {
		fmt.Fprintf(t, "%.2f\t%.3f\t%.3f\t%d\n", p.Threshold, p.Precision, p.Recall, p.Taken)
	}
	fmt.Fprintf(t, "\nBrier score %.4f\ngain on the plain forest %+.4f", r.Brier, r.Gain.Mean)
	if !math.IsInf(r.Gain.Low, 0) {
		fmt.Fprintf(t, " (95 %%: %+.4f to %+.4f corrected for shared rows, +- %.4f plain), better in %d of %d folds", r.Gain.Low, r.Gain.High, r.Gain.Half, r.Gain.Wins, r.Gain.Of)
	}
	fmt.Fprintln(t)
	return t.Flush()
}
