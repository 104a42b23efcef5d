package link

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"varve/entity"
	"varve/text/token"
)

// Similarity of a mention and an entity, by partial matches of keyphrases:
//
//	cover(q)   the shortest window of the text that has the most words of phrase q
//	score(q) = z * (sum of weights of the covered words / sum of weights of all words of q)^2 * w(q)
//	z        = covered words / length of the window
//	sim(m,e) = sum over q of score(q) * decay(distance of the window from m)
//
// Words have the weight of their mutual information with the entity, normalised to [0,1]:
//
//	npmi(e,w) = log(n(e,w) * T / (n(e) * n(w))) / -log(n(e,w) / T),  at least 0
//
// n(e,w) is how often w was seen in keyphrases of e, n(w) in all, n(e) all words of e, T all words. w(q) is the mean weight of its words: AIDA leaves it out, but then a phrase that
// everybody has ("American film") counts as much as one that nobody else has.
//
// Example: the phrase "2008 UEFA Champions League Winner", with equal weights, in "winner of the champions league in 2008": 4 of 5 words in a window of 7:
// z = 4/7, score = 4/7 * (4/5)^2 = 0.366.

// halfDistance is how many words away a phrase counts half.
const halfDistance = 100

// phrase is a keyphrase as it is looked for.
type phrase struct {
	text    string
	words   []string // different ones
	weights []float64
	sum     float64
}

// profile is what is looked for of an entity.
type profile struct {
	phrases []phrase
	words   []weighted // all different ones, in order
}

// weighted is a word and its weight.
type weighted struct {
	word   string
	weight float64
}

// weigher weighs words of entities, and remembers what the base says of a word.
type weigher struct {
	base  Base
	total float64
	count map[string]float64
}

func newWeigher(b Base) *weigher { return &weigher{b, float64(b.Observed()), map[string]float64{}} }

// of returns how often a word was seen in all keyphrases.
func (g *weigher) of(w string) (float64, error) {
	n, ok := g.count[w]
	if !ok {
		_, c, err := g.base.Word(w)
		if err != nil {
			return 0, err
		}
		n = float64(c)
		g.count[w] = n
	}
	return n, nil
}

func npmi(ew, e, w, total float64) float64 {
	if ew >= total {
		return 1
	}
	return max(0, math.Log(ew*total/(e*w))/-math.Log(ew/total))
}

// profile returns the phrases of an entity with their weights.
func (g *weigher) profile(e *entity.Entity) (*profile, error) {
	p, weights := &profile{}, map[string]float64{}
	all := 0.0
	for _, q := range e.Phrases {
		ws := phraseWords(q.Text)
		for _, w := range ws {
			weights[w] += float64(q.Count)
			all += float64(q.Count)
		}
		slices.Sort(ws)
		p.phrases = append(p.phrases, phrase{text: q.Text, words: slices.Compact(ws)})
	}
	for _, w := range slices.Sorted(maps.Keys(weights)) {
		of, err := g.of(strings.ToLower(w))
		if err != nil {
			return nil, err
		}
		weights[w] = npmi(weights[w], all, max(of, weights[w]), max(g.total, all))
		p.words = append(p.words, weighted{w, weights[w]})
	}
	for i := range p.phrases {
		q := &p.phrases[i]
		for _, w := range q.words {
			q.weights = append(q.weights, weights[w])
			q.sum += weights[w]
		}
	}
	return p, nil
}

// phraseWords returns the words of a phrase as they are looked for: in lower case, but for short ones in capitals. "US" is not met by "let us in".
func phraseWords(phrase string) (out []string) {
	for w := range token.Words(norm.NFKC.String(phrase)) {
		if acronym(w.Text) {
			out = append(out, w.Text)
		} else {
			out = append(out, strings.ToLower(w.Text))
		}
	}
	return out
}

// acronym reports whether a word is two to four capital letters.
func acronym(w string) bool {
	if len(w) < 2 || len(w) > 4 {
		return false
	}
	return strings.IndexFunc(w, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
}

// match is a word of a phrase in the text.
type match struct{ place, word int }

// similarity returns the similarity of a text to an entity around the nearest of some places, whose own words do not count, and the phrases that contribute most.
func similarity(t *words, p *profile, at []span) (sum float64, best []string) {
	type contribution struct {
		text  string
		score float64
	}
	var list []contribution
	var found []match
	for _, q := range p.phrases {
		found = found[:0]
		for i, w := range q.words {
			for _, place := range t.places[w] {
				if !inside(place, at) {
					found = append(found, match{place, i})
				}
			}
		}
		if len(found) == 0 || q.sum == 0 {
			continue
		}
		slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.place, b.place) })
		window, covered, weight := cover(found, q.weights)
		share := weight / q.sum
		score := float64(covered) / float64(window.to-window.from) * share * share * q.sum / float64(len(q.words))
		score *= halfDistance / (halfDistance + distance(window, at))
		sum += score
		list = append(list, contribution{q.text, score})
	}
	slices.SortStableFunc(list, func(a, b contribution) int { return cmp.Compare(b.score, a.score) })
	for _, c := range list[:min(len(list), 5)] {
		best = append(best, c.text)
	}
	return sum, best
}

// cover returns the shortest window, the first of equal ones, that has all words which are found, how many these are, and their weight. The list is in the order of places.
func cover(found []match, weights []float64) (window span, covered int, weight float64) {
	seen := make([]int, len(weights))
	for _, m := range found {
		if seen[m.word]++; seen[m.word] == 1 {
			covered++
			weight += weights[m.word]
		}
	}
	clear(seen)
	inside, from := 0, 0
	window = span{found[0].place, found[len(found)-1].place + 1}
	for _, m := range found {
		if seen[m.word]++; seen[m.word] == 1 {
			inside++
		}
		for inside == covered {
			if m.place+1-found[from].place < window.to-window.from {
				window = span{found[from].place, m.place + 1}
			}
			if seen[found[from].word]--; seen[found[from].word] == 0 {
				inside--
			}
			from++
		}
	}
	return window, covered, weight
}

func inside(place int, at []span) bool {
	for _, s := range at {
		if place >= s.from && place < s.to {
			return true
		}
	}
	return false
}

// distance returns how many words lie between a window and the nearest of some places.
func distance(window span, at []span) float64 {
	nearest := math.MaxInt
	for _, s := range at {
		nearest = min(nearest, max(0, s.from-window.to, window.from-s.to))
	}
	return float64(nearest)
}
