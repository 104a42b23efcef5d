package maintext

import (
	"strings"

	"varve/text/token"
)

// overlap compares two texts as bags of words: of the found words the share that is wanted, and of the wanted ones the share that is found. Each word counts
// as often as it stands in both.
func overlap(found, want string) (precision, recall float64) {
	have, n := bag(found)
	need, m := bag(want)
	both := 0
	for w, k := range need {
		both += min(k, have[w])
	}
	return ratio(both, n), ratio(both, m)
}

func bag(text string) (words map[string]int, n int) {
	words = map[string]int{}
	for w := range token.Words(text) {
		words[strings.ToLower(w.Text)]++
		n++
	}
	return words, n
}

// wholeTexts scores by the words of whole texts: the mean over pages. A page without a result has neither precision nor recall.
func (s *Score) wholeTexts(pages []Page, found []string) {
	for i, p := range pages {
		precision, recall := overlap(found[i], p.Want)
		s.Precision += precision / float64(len(pages))
		s.Recall += recall / float64(len(pages))
		if precision+recall > 0 {
			s.F1 += 2 * precision * recall / (precision + recall) / float64(len(pages))
		}
	}
}

// pieces scores by the pieces that must and must not be there.
func (s *Score) pieces(pages []Page, found []string) {
	var hit, missed, wrong int
	for i, p := range pages {
		text := plain(found[i])
		for _, piece := range p.With {
			if strings.Contains(text, plain(piece)) {
				hit++
			} else {
				missed++
			}
		}
		for _, piece := range p.Without {
			if strings.Contains(text, plain(piece)) {
				wrong++
			}
		}
	}
	s.Precision = ratio(hit, hit+wrong)
	s.Recall = ratio(hit, hit+missed)
	if s.Precision+s.Recall > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
}
