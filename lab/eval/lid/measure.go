package lid

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/text/lang"
)

// Result is what was measured on labelled lines.
type Result struct {
	Languages  int           `json:"languages"`
	Memory     int64         `json:"memory_bytes"` // of the model in use
	Kinds      []Kind        `json:"kinds"`
	Confusions []Confusion   `json:"confusions"` // of sentences, the most frequent first
	Confidence []Reliability `json:"confidence"` // of sentences and word pairs
	Pages      *Pages        `json:"pages,omitempty"`
}

// Kind is the figures for one kind of line.
type Kind struct {
	Kind     string             `json:"kind"`
	Lines    int                `json:"lines"`
	Right    int                `json:"right"`
	Accuracy float64            `json:"accuracy"` // mean over languages
	PerCPU   float64            `json:"lines_per_cpu_second"`
	ByLang   map[string]float64 `json:"by_language"`
}

// Confusion is a language taken for another.
type Confusion struct {
	Was   string `json:"was"`
	Said  string `json:"said"`
	Lines int    `json:"lines"`
}

// Reliability compares what the identifier thinks of its answers with how many are right.
type Reliability struct {
	From  float64 `json:"from"` // confidence, up to the next one
	Lines int     `json:"lines"`
	Right float64 `json:"right"` // share
}

// Train makes a model of the lines that are not held out.
func Train(lines []Line, w io.Writer) error {
	var b lang.Builder
	for _, l := range lines {
		if !l.Held() {
			b.Add(l.Lang, l.Text)
		}
	}
	return b.Write(w, lang.DefaultOptions())
}

// Measure runs an identifier over lines: the held-out ones, or those of a set that it was not trained on.
func Measure(x *lang.Identifier, lines []Line) Result {
	r := Result{Languages: len(x.Languages()), Memory: x.Bytes()}
	byKind := map[string][]Line{}
	for _, l := range lines {
		byKind[l.Kind] = append(byKind[l.Kind], l)
	}
	confused := map[Confusion]int{}
	bins := make([]Reliability, 10)
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		guesses := make([]lang.Guess, len(byKind[kind]))
		used, _ := cpu.Measure(func() error {
			for i, l := range byKind[kind] {
				guesses[i] = x.Identify(l.Text)
			}
			return nil
		})
		k := score(kind, byKind[kind], guesses)
		k.PerCPU = float64(k.Lines) / max(used.CPU.Seconds(), 1e-9)
		r.Kinds = append(r.Kinds, k)
		for i, l := range byKind[kind] {
			if kind == "sentences" && guesses[i].Lang != l.Lang {
				confused[Confusion{Was: l.Lang, Said: guesses[i].Lang}]++
			}
			if kind != "single-words" {
				bin := &bins[min(9, int(guesses[i].Confidence*10))]
				bin.Lines++
				if guesses[i].Lang == l.Lang {
					bin.Right++
				}
			}
		}
	}
	r.finish(confused, bins)
	return r
}

// score counts right answers.
func score(kind string, lines []Line, guesses []lang.Guess) Kind {
	k := Kind{Kind: kind, Lines: len(lines), ByLang: map[string]float64{}}
	all := map[string]float64{}
	for i, l := range lines {
		all[l.Lang]++
		if guesses[i].Lang == l.Lang {
			k.Right++
			k.ByLang[l.Lang]++
		}
	}
	for l, n := range all {
		k.ByLang[l] /= n
		k.Accuracy += k.ByLang[l] / float64(len(all))
	}
	return k
}

// finish sorts what was counted.
func (r *Result) finish(confused map[Confusion]int, bins []Reliability) {
	for c, n := range confused {
		c.Lines = n
		r.Confusions = append(r.Confusions, c)
	}
	slices.SortFunc(r.Confusions, func(a, b Confusion) int {
		return cmp.Or(b.Lines-a.Lines, strings.Compare(a.Was, b.Was), strings.Compare(a.Said, b.Said))
	})
	for i, b := range bins {
		if b.Lines > 0 {
			b.From = float64(i) / 10
			b.Right /= float64(b.Lines)
			r.Confidence = append(r.Confidence, b)
		}
	}
}

// Summary is about sentences; about all lines where a set has none.
func (r Result) Summary() eval.Summary {
	lines, right := 0, 0
	for _, k := range r.Kinds {
		if k.Kind == "sentences" {
			return eval.Answered(k.Lines, k.Accuracy)
		}
		lines, right = lines+k.Lines, right+k.Right
	}
	return eval.Answered(lines, float64(right)/float64(max(1, lines)))
}

// Print writes the tables.
func (r Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d languages, %.1f MB of memory\n\n%-14s %8s %8s %14s\n", r.Languages, float64(r.Memory)/1e6, "", "lines", "accuracy", "lines/CPU-s")
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "%-14s %8d %8.4f %14.0f\n", k.Kind, k.Lines, k.Accuracy, k.PerCPU)
	}
	fmt.Fprintf(&b, "%-14s %8s %8.3f %14d  (the bar: lingua, low accuracy, 81 MB)\n", "sentences", "", 0.934, 1250)
	b.WriteString("\nsentences most often taken for another language:\n")
	for _, c := range r.Confusions[:min(12, len(r.Confusions))] {
		fmt.Fprintf(&b, "  %-3s for %-3s %d\n", c.Said, c.Was, c.Lines)
	}
	b.WriteString("\nconfidence and share of right answers, sentences and word pairs:\n")
	for _, c := range r.Confidence {
		fmt.Fprintf(&b, "  from %.1f: %5d lines, %.3f right\n", c.From, c.Lines, c.Right)
	}
	b.WriteString("\naccuracy by language (sentences, word pairs, single words):\n")
	if len(r.Kinds) == 3 {
		for i, l := range slices.Sorted(maps.Keys(r.Kinds[0].ByLang)) {
			fmt.Fprintf(&b, "  %-3s %.2f %.2f %.2f", l, r.Kinds[0].ByLang[l], r.Kinds[2].ByLang[l], r.Kinds[1].ByLang[l])
			if i%4 == 3 {
				b.WriteByte('\n')
			}
		}
		b.WriteByte('\n')
	}
	if _, err := io.WriteString(w, b.String()); err != nil || r.Pages == nil {
		return err
	}
	return r.Pages.Print(w)
}
