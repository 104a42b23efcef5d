package corpus

import (
	"strings"
	"unicode"
)

// F1 returns precision, recall and their harmonic mean.
func F1(right, found, wanted int) (precision, recall, f1 float64) {
	precision, recall = float64(right)/float64(max(1, found)), float64(right)/float64(max(1, wanted))
	if right > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// SetName returns the name of a file without its endings.
func SetName(base string) string {
	for _, end := range []string{".gz", ".conllu", ".tsv", ".jsonl"} {
		base = strings.TrimSuffix(base, end)
	}
	return base
}

// Trim moves the ends of text[from:to] inwards over white space.
func Trim(text string, from, to int) (int, int) {
	piece := strings.TrimRightFunc(text[from:to], unicode.IsSpace)
	to = from + len(piece)
	return to - len(strings.TrimLeftFunc(piece, unicode.IsSpace)), to
}
