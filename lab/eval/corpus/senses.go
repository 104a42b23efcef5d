package corpus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Senses are the noun senses of WordNet, and how alike they are.
type Senses struct {
	of        map[string][]int32 // lemma in lower case, words with blanks between them: its senses, the commonest first
	ancestors [][]int32          // of each sense, itself among them, in order
	content   []float64          // information content of each sense
	offsets   map[string]int32   // by their place in data.noun
}

// ReadSenses reads the archive wordnet-3.0.tar.gz. How frequent a sense is comes from cntlist.rev, counts of annotated text.
func ReadSenses(file string) (*Senses, error) {
	s := &Senses{of: map[string][]int32{}, offsets: map[string]int32{}}
	index := map[string][]string{}   // lemma: offsets of its senses
	above := [][]string{}            // offsets of hypernyms
	counted := map[string][][2]int{} // lemma: number of a sense, from 1, and count
	err := wordNetLines(file, func(kind, part, line string) error {
		c := strings.Fields(line)
		switch {
		case len(c) == 0 || strings.HasPrefix(line, " "):
		case kind == "cntlist" && len(c) == 3:
			lemma, rest, _ := strings.Cut(c[0], "%")
			number, err1 := strconv.Atoi(c[1])
			count, err2 := strconv.Atoi(c[2])
			if err1 != nil || err2 != nil {
				return fmt.Errorf("want a sense, its number and a count, not %q", line)
			}
			if strings.HasPrefix(rest, "1:") {
				counted[lemma] = append(counted[lemma], [2]int{number, count})
			}
		case kind == "index" && part == "noun":
			n, err := strconv.Atoi(c[2])
			if err != nil || n > len(c) {
				return fmt.Errorf("%q has no number of senses", c[0])
			}
			index[c[0]] = c[len(c)-n:]
		case kind == "data" && part == "noun":
			s.offsets[c[0]] = int32(len(above))
			var up []string
			for i := 4; i+1 < len(c) && c[i] != "|"; i++ {
				if c[i] == "@" || c[i] == "@i" {
					up = append(up, c[i+1])
				}
			}
			above = append(above, up)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(above) == 0 || len(index) == 0 {
		return nil, fmt.Errorf("%s has no nouns of WordNet", file)
	}
	s.climb(above)
	s.weigh(index, counted)
	return s, nil
}

// climb finds the ancestors of each sense.
func (s *Senses) climb(above [][]string) {
	s.ancestors = make([][]int32, len(above))
	var up func(i int32) []int32
	up = func(i int32) []int32 {
		if s.ancestors[i] == nil {
			list := []int32{i}
			for _, a := range above[i] {
				if at, ok := s.offsets[a]; ok {
					list = append(list, up(at)...)
				}
			}
			slices.Sort(list)
			s.ancestors[i] = slices.Compact(list)
		}
		return s.ancestors[i]
	}
	for i := range above {
		up(int32(i))
	}
}

// weigh gives each sense its information content, -ln of the share of words that are of it or of what is below it. A sense counts once more than it was met.
func (s *Senses) weigh(index map[string][]string, counted map[string][][2]int) {
	counts := make([]float64, len(s.ancestors))
	total := 0.0
	add := func(sense int32, n float64) {
		total += n
		for _, a := range s.ancestors[sense] {
			counts[a] += n
		}
	}
	for i := range s.ancestors {
		add(int32(i), 1)
	}
	for lemma, offsets := range index {
		for _, o := range offsets {
			if at, ok := s.offsets[o]; ok {
				key := strings.ReplaceAll(lemma, "_", " ")
				s.of[key] = append(s.of[key], at)
			}
		}
		for _, c := range counted[lemma] {
			if c[0] <= len(offsets) {
				if at, ok := s.offsets[offsets[c[0]-1]]; ok {
					add(at, float64(c[1]))
				}
			}
		}
	}
	s.content = make([]float64, len(counts))
	for i, n := range counts {
		s.content[i] = -math.Log(n / total)
	}
}

// Has reports whether a lemma is a noun.
func (s *Senses) Has(lemma string) bool { return len(s.of[lemma]) > 0 }

// Lin returns how alike two senses are (Lin 1998):
//
//	lin(a, b) = 2 IC(c) / (IC(a) + IC(b))    c: their common ancestor of the highest information content IC
func (s *Senses) Lin(a, b int32) float64 {
	best := 0.0
	x, y := s.ancestors[a], s.ancestors[b]
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			best = max(best, s.content[x[i]])
			i, j = i+1, j+1
		}
	}
	if sum := s.content[a] + s.content[b]; sum > 0 {
		return 2 * best / sum
	}
	return 1
}

// Fit returns how well words fit to one sense of one of them: the best mean, over the others, of their likeness to it (Pantel, Lin 2002, whose word is not among those that it is compared with).
// A word is as like to a sense as the nearest of its own.
//
//	sim(s, w) = max over senses t of w of lin(s, t)
//	fit(W)    = max over v of W, senses s of v, of the mean over w of W without v of sim(s, w)
//
// least is the same by a sense of or above any of them, and the word that it fits worst.
func (s *Senses) Fit(words []string) (mean, least float64) {
	sim := func(c int32, w string) (best float64) {
		for _, t := range s.of[w] {
			best = max(best, s.Lin(c, t))
		}
		return best
	}
	var above []int32
	for _, v := range words {
		for _, c := range s.of[v] {
			sum := 0.0
			for _, w := range words {
				if w != v {
					sum += sim(c, w)
				}
			}
			mean = max(mean, sum/float64(max(1, len(words)-1)))
			above = append(above, s.ancestors[c]...)
		}
	}
	slices.Sort(above)
	for _, c := range slices.Compact(above) {
		low := 1.0
		for _, w := range words {
			low = min(low, sim(c, w))
		}
		least = max(least, low)
	}
	return mean, least
}
