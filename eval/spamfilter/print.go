package spamfilter

import (
	"fmt"
	"io"
	"strings"
)

// Result is all that the experiment found.
type Result struct {
	Seed       uint64    `json:"seed"`
	Hosts      int       `json:"hosts"` // of each world
	Sample     int       `json:"sample"`
	Threshold  float64   `json:"threshold"`
	Generators []HeldOut `json:"generators,omitempty"`
	Crawls     []Trial   `json:"crawls,omitempty"`
	CPU        float64   `json:"cpu_seconds"`
	Wall       float64   `json:"seconds"`
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
		fmt.Fprintf(&b, "Crawls with a filter against the same without (samples of %d pages)\n", r.Sample)
		fmt.Fprintf(&b, "%-30s %7s %9s %9s %7s %7s %8s %8s %8s %13s %15s\n", "the model learnt from", "AUC", "threshold", "documents", "saved", "bytes", "caught", "lost", "bytes", "hosts refused", "CPU s")
		for _, t := range r.Crawls {
			fmt.Fprintf(&b, "%-30s %7.4f %9.3f %9d %6.1f%% %6.1f%% %7.1f%% %7.2f%% %7.2f%% %6d (%d not) %7.1f %7.1f\n", t.Name, t.AUC, t.Threshold, t.Plain.Normal+t.Plain.Spam,
				100*t.Saved, 100*t.SavedBytes, 100*t.Caught, 100*t.Lost, 100*t.LostBytes, t.Rejected, t.RejectedWrong, t.CPU, t.CPUFiltered)
		}
		b.WriteString("saved: of all documents and bytes; caught: of the spam documents, not fetched; lost: of the normal ones, not fetched\n")
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
