package maintext

import (
	"fmt"
	"io"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
)

// Extractor is one way of finding the main text.
type Extractor struct {
	Name string
	Find func(page []byte) (text, method string)
}

// Score is how one extractor did.
type Score struct {
	Extractor string         `json:"extractor"`
	Pages     int            `json:"pages"`
	Bytes     int64          `json:"bytes"`
	Precision float64        `json:"precision"`
	Recall    float64        `json:"recall"`
	F1        float64        `json:"f1"`
	PerCPU    float64        `json:"pages_per_cpu_second"`
	Empty     int            `json:"empty"` // pages without a result
	Methods   map[string]int `json:"methods,omitempty"`
}

// Measure runs an extractor over all pages.
func Measure(pages []Page, x Extractor) Score {
	s := Score{Extractor: x.Name, Pages: len(pages), Methods: map[string]int{}}
	found := make([]string, len(pages))
	used, _ := cpu.Measure(func() error {
		for i, p := range pages {
			text, method := x.Find(p.Body)
			found[i] = text
			s.Methods[method]++
		}
		return nil
	})
	whole := len(pages) > 0
	for i, p := range pages {
		s.Bytes += int64(len(p.Body))
		whole = whole && p.Want != ""
		if plain(found[i]) == "" {
			s.Empty++
		}
	}
	if whole {
		s.wholeTexts(pages, found)
	} else {
		s.pieces(pages, found)
	}
	s.PerCPU = float64(len(pages)) / max(used.CPU.Seconds(), 1e-9)
	return s
}

// plain collapses white space, which extractors treat in different ways.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Scores is one row for each extractor.
type Scores []Score

// Summary is about our extractor.
func (scores Scores) Summary() eval.Summary {
	for _, s := range scores {
		if s.Extractor == own {
			return eval.Found(s.Pages, s.Precision, s.Recall, s.F1)
		}
	}
	return eval.Summary{}
}

// Print writes a table.
func (scores Scores) Print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%-22s %9s %7s %7s %11s %6s  %s\n", "extractor", "precision", "recall", "F1", "pages/CPU-s", "empty", "by method"); err != nil {
		return err
	}
	for _, s := range scores {
		if _, err := fmt.Fprintf(w, "%-22s %9.3f %7.3f %7.3f %11.0f %6d  %v\n", s.Extractor, s.Precision, s.Recall, s.F1, s.PerCPU, s.Empty, s.Methods); err != nil {
			return err
		}
	}
	return nil
}
