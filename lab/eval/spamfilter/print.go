package spamfilter

import (
	"fmt"
	"io"
	"strings"
)

// Result is all that the experiment found.
type Result struct {
	Seed        uint64        `json:"seed"`
	Hosts       int           `json:"hosts"` // of each world
	Sample      int           `json:"sample"`
	Threshold   float64       `json:"threshold"`
	Generators  []HeldOut     `json:"generators,omitempty"`
	Crawls      []Trial       `json:"crawls,omitempty"`
	Calibration []Calibration `json:"calibration,omitempty"`
	Shares      []Share       `json:"shares,omitempty"`
	CPU         float64       `json:"cpu_seconds"`
	Wall        float64       `json:"seconds"`
}

// Print writes tables.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	if len(r.Generators) > 0 {
		fmt.Fprintf(&b, "Generators held out: hosts of no generator that was in the training set, against others such (worlds of %d hosts, samples of %d pages)\n", r.Hosts, r.Sample)
		fmt.Fprintf(&b, "%-12s %-7s %5s %8s %7s %9s %10s %9s\n", "generator", "label", "hosts", "against", "AUC", "AUC all", "spamicity", "rejected")
		for _, h := range r.Generators {
			label := "normal"
			if h.Spam {
				label = "spam"
			}
			fmt.Fprintf(&b, "%-12s %-7s %5d %8d %7.4f %9.4f %10.3f %8.1f%%\n", h.Generator, label, h.Hosts, h.Against, h.AUC, h.AUCAll, h.Mean, 100*h.Rejected)
		}
		auc, all := mean(r.Generators)
		fmt.Fprintf(&b, "%-12s %-7s %5s %8s %7.4f %9.4f\n", "mean", "spam", "", "", auc, all)
	}
	if len(r.Crawls) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		r.printCrawls(&b)
	}
	if len(r.Calibration) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		r.printCalibrations(&b)
	}
	if len(r.Shares) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		printShares(&b, r.Shares)
	}
	fmt.Fprintf(&b, "\n%.0f s of CPU, %.0f s\n", r.CPU, r.Wall)
	_, err := io.WriteString(w, b.String())
	return err
}

// mean gives the mean figures of the spam generators.
func mean(list []HeldOut) (auc, all float64) {
	n := 0.0
	for _, h := range list {
		if h.Spam {
			auc, all, n = auc+h.AUC, all+h.AUCAll, n+1
		}
	}
	return auc / max(1, n), all / max(1, n)
}

// printCrawls writes a line for each trial, and the mean and the worst of those of unseen generators.
func (r *Result) printCrawls(b *strings.Builder) {
	fmt.Fprintf(b, "Crawls with a filter against the same without (samples of %d pages)\n", r.Sample)
	fmt.Fprintf(b, "%-34s %7s %9s %9s %7s %7s %8s %8s %8s %13s %15s\n", "the model learnt from", "AUC", "threshold", "documents", "saved", "bytes", "caught", "lost", "bytes", "hosts refused", "CPU s")
	for _, t := range r.Crawls {
		fmt.Fprintf(b, "%-34s %7.4f %9.3f %9d %6.1f%% %6.1f%% %7.1f%% %7.2f%% %7.2f%% %6d (%d not) %7.1f %7.1f %s\n", t.Name, t.AUC, t.Threshold, t.Plain.Normal+t.Plain.Spam,
			100*t.Saved, 100*t.SavedBytes, 100*t.Caught, 100*t.Lost, 100*t.LostBytes, t.Rejected, t.RejectedWrong, t.CPU, t.CPUFiltered, strings.Join(t.Wrong, " "))
	}
	mean, worst := r.Sum()
	for _, line := range []struct {
		name string
		Trial
	}{{"mean of other generators", mean}, {"worst of other generators", worst}} {
		t := line.Trial
		fmt.Fprintf(b, "%-34s %7.4f %9s %9s %6.1f%% %6.1f%% %7.1f%% %7.2f%% %7.2f%%\n", line.name, t.AUC, "", "", 100*t.Saved, 100*t.SavedBytes, 100*t.Caught, 100*t.Lost, 100*t.LostBytes)
	}
	b.WriteString("saved: of all documents and bytes; caught: of the spam documents, not fetched; lost: of the normal ones, not fetched\n")
}

// Sum gives the mean and the worst figures of the trials whose worlds have only generators that the model has not seen: least saved, most lost.
func (r *Result) Sum() (mean, worst Trial) {
	n := 0.0
	for _, t := range r.Crawls {
		if strings.HasPrefix(t.Name, otherGenerators) {
			n++
		}
	}
	first := true
	for _, t := range r.Crawls {
		if !strings.HasPrefix(t.Name, otherGenerators) {
			continue
		}
		mean.AUC += t.AUC / n
		mean.Saved, mean.SavedBytes, mean.Caught = mean.Saved+t.Saved/n, mean.SavedBytes+t.SavedBytes/n, mean.Caught+t.Caught/n
		mean.Lost, mean.LostBytes = mean.Lost+t.Lost/n, mean.LostBytes+t.LostBytes/n
		if first {
			worst, first = t, false
		}
		worst.AUC, worst.Saved, worst.SavedBytes = min(worst.AUC, t.AUC), min(worst.Saved, t.Saved), min(worst.SavedBytes, t.SavedBytes)
		worst.Caught, worst.Lost, worst.LostBytes = min(worst.Caught, t.Caught), max(worst.Lost, t.Lost), max(worst.LostBytes, t.LostBytes)
	}
	return mean, worst
}
