package eval

import (
	"encoding/json"
	"io"
	"strconv"
)

// Report is what an evaluation measured on one set. It is marshalled as it is; its summary follows.
type Report interface {
	Print(w io.Writer) error // tables for people
	Summary() Summary        // without the name of the set, which the report need not know
}

// Compared is a report with the figure of a plain way to do the same task, which what is measured must be better than.
type Compared interface {
	Report
	Baseline() (way string, figure float64)
}

// Summary is the outcome of an evaluation in one line, the last that --json prints:
//
//	{"set":"ewt-dev","n":2001,"f1":0.71,"precision":0.7,"recall":0.72}
//
// N counts what was judged; of the measures those are there that the task has.
type Summary struct {
	Set       string  `json:"set"`
	N         int     `json:"n"`
	F1        *Figure `json:"f1,omitempty"`
	Precision *Figure `json:"precision,omitempty"`
	Recall    *Figure `json:"recall,omitempty"`
	Accuracy  *Figure `json:"accuracy,omitempty"`
	Pearson   *Figure `json:"pearson,omitempty"`
	Clusters  *Figure `json:"cluster_precision,omitempty"` // share of senses that a dictionary has, too
	Alarms    *Figure `json:"alarms,omitempty"`            // share of things that did not change for which a change is told
}

// Figure is a measure between -1 and 1. It is written with four decimals at most: more would be noise.
type Figure float64

// MarshalJSON writes the figure without trailing zeros.
func (f Figure) MarshalJSON() ([]byte, error) {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'f', 4, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}

// Measure returns the one measure of a summary that tells sets apart, and its name.
func (s Summary) Measure() (name string, figure float64) {
	switch {
	case s.F1 != nil:
		return "F1", float64(*s.F1)
	case s.Accuracy != nil:
		return "accuracy", float64(*s.Accuracy)
	case s.Pearson != nil:
		return "Pearson", float64(*s.Pearson)
	}
	return "", 0
}

// Found summarises a task that finds things among n that are there.
func Found(n int, precision, recall, f1 float64) Summary {
	p, r, f := Figure(precision), Figure(recall), Figure(f1)
	return Summary{N: n, Precision: &p, Recall: &r, F1: &f}
}

// Answered summarises a task that answers n questions.
func Answered(n int, accuracy float64) Summary {
	a := Figure(accuracy)
	return Summary{N: n, Accuracy: &a}
}

// Rated summarises a task that puts numbers to n things, by their correlation with those that people gave.
func Rated(n int, pearson float64) Summary {
	p := Figure(pearson)
	return Summary{N: n, Pearson: &p}
}

// F1 returns precision, recall and their harmonic mean for hits among found and wanted things.
func F1(hits, found, wanted int) (precision, recall, f1 float64) {
	precision, recall = float64(hits)/float64(max(1, found)), float64(hits)/float64(max(1, wanted))
	if hits > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// Write prints the report of a set: its tables, or the report and its summary as two lines of JSON.
func Write(w io.Writer, set string, r Report, asJSON bool) error {
	if !asJSON {
		return r.Print(w)
	}
	s := r.Summary()
	s.Set = set
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	return enc.Encode(s)
}
