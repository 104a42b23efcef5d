package relevance

import (
	"fmt"
	"maps"
	"slices"

	"varve/text/near"
)

// words are the hashes of the words of a text, in their order.
type words []uint64

// maxText is how much of a text is looked at.
const maxText = 256 << 10

// phrase cuts a text into words.
func phrase(text string) (w words) { return w.read(text) }

// read appends the words of a text.
func (w words) read(text string) words {
	near.Tokens(text[:min(len(text), maxText)], func(h uint64) { w = append(w, h) })
	return w
}

// key is the same for texts with the same words.
func (w words) key() string { return fmt.Sprint([]uint64(w)) }

// phrases finds many phrases in a text, in one pass over its words.
type phrases struct {
	begin  map[uint64][]int // phrases that begin with a word
	all    []words
	filter [256]uint64 // bits of the words that begin one: most words of a text are told by them
}

// bit returns the place of a word in the filter.
func bit(h uint64) (at int, mask uint64) { return int(h >> 50 & 0xff), 1 << (h >> 58) }

// add adds a phrase and returns its number.
func (p *phrases) add(text string) int {
	if p.begin == nil {
		p.begin = map[uint64][]int{}
	}
	w := phrase(text)
	if len(w) > 0 {
		p.begin[w[0]] = append(p.begin[w[0]], len(p.all))
		at, mask := bit(w[0])
		p.filter[at] |= mask
	}
	p.all = append(p.all, w)
	return len(p.all) - 1
}

// find calls hit with the number of each phrase that is in a text and the word at which it is, once for each place.
func (p *phrases) find(text words, hit func(n, at int)) {
	if len(p.all) == 0 {
		return
	}
	for i, h := range text {
		if at, mask := bit(h); p.filter[at]&mask == 0 {
			continue
		}
		for _, n := range p.begin[h] {
			w := p.all[n]
			if i+len(w) <= len(text) && equal(text[i:i+len(w)], w) {
				hit(n, i)
			}
		}
	}
}

// begins reports whether a text begins with one of the phrases.
func (p *phrases) begins(text words) bool {
	if len(text) == 0 {
		return false
	}
	return slices.ContainsFunc(p.begin[text[0]], func(n int) bool {
		w := p.all[n]
		return len(w) <= len(text) && equal(text[:len(w)], w)
	})
}

func equal(a, b words) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// terms are phrases with weights, some of them forms of the same thing.
type terms struct {
	phrases
	of     []int32 // thing of each phrase
	weight []float64
	name   []string
}

// thing adds a thing with its forms.
func (t *terms) thing(weight float64, forms ...string) {
	for _, f := range forms {
		t.add(f)
		t.of = append(t.of, int32(len(t.weight)))
	}
	t.weight, t.name = append(t.weight, weightOf(weight)), append(t.name, forms[0])
}

// count counts the places of each thing that is in a text.
func (t *terms) count(text words) map[int]int {
	var found map[int]int
	t.find(text, func(n, _ int) {
		if found == nil {
			found = map[int]int{}
		}
		found[int(t.of[n])]++
	})
	return found
}

// score is what things found are worth, from 0 to 1: with S = sum of weight * (1 + ln count), unwanted ones subtracted,
//
//	score = S / (S + half)   for S > 0, else 0
//
// so that more is worth more, but never over 1; half is the S of a text that is worth 1/2: two things of weight 1.
func (t *terms) score(found map[int]int) float64 {
	s := 0.0
	for _, thing := range slices.Sorted(maps.Keys(found)) { // in one order, so that the sum is the same each time
		s += t.weight[thing] * tf(found[thing])
	}
	return worth(s)
}

func worth(s float64) float64 {
	const half = 2
	if s <= 0 {
		return 0
	}
	return s / (s + half)
}
