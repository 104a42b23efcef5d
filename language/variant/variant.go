// Package variant finds words that were written otherwise at another time: to-day and today, connexion and connection. It knows no
// language and no list: what it knows are the texts of an archive, each with the year it is of.
//
// Terms: a *slice* is a year; an *alternation* is what two spellings differ in, a hyphen or one piece of at most two letters against another (x/ct, u/nothing, s/z);
// the *turn* is the slice from which on the new spelling is the one that is used.
//
// Two words are a pair if, counted by documents,
//
//	turn      the share of the old one among both falls at some slice to half of what it was, or less; before it was at least a fifth, so that it is no slip of a
//	          scanner; and the log-likelihood ratio of the four counts (Dunning 1993) is 15 at least
//	apart     of letters: documents have both no more often than by chance, for who writes keeps to one spelling, whereas words of one subject, and
//	          forms of one word (state, states), meet: o <= sum over slices s of a(s) b(s) / n(s), o being the documents that have both, n(s) all of s
//	around    of letters: the same frequent words stand before and behind both: the cosine of the two vectors of counts is 0.6 at least
//	habit     of letters: other pairs have the same alternation. At least two pass these tests, that are at least 0.3 of those which turn, and their
//	          cosines add up to 1.8; or the pair stands alone, with a cosine of 0.9, and one spelling (nine tenths) gave way to the other in 25 documents of each
//
// Worked example: to-day is in 8 of 10 texts of 1950 and none of 10 of 1990, today in 2 and 9. The share of to-day is 8 of 10 before and 0 of 9 after, and the
// ratio 15.9; TestTurn has it.
//
//	Counter.Add each text -> Counter.Compare: candidates -> Comparison.Add each text again -> Comparison.Pairs
//
// Cost: two readings of all texts; between them every word that 5 documents have is cut at each of its places (25 keys of 16 bytes a word, sorted). Memory: 4 bytes for each
// word and slice, of at most 262,144 words and 128 slices, and 1.6 KB for each candidate, of at most 20,000.
package variant

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWords      = 1 << 18
	maxSlices     = 128
	maxCandidates = 20_000
	least         = 5 // documents that have a word
	shortest      = 4 // letters of a word
	longest       = 40
	piece         = 2    // letters of the piece in which two words differ, at most
	neighbours    = 200  // frequent words that are counted on each side
	mostAlike     = 2000 // words that are alike but for one piece: more are no language (two letters have 703 forms), and all pairs of them would take for ever

	leastRatio = 15
	leastShare = 0.2
	leastAlike = 0.6
	leastHabit = 1.8 // sum of cosines
	habitShare = 0.3

	aloneAlike = 0.9
	aloneShare = 0.9
	aloneDocs  = 25
)

// hyphen is the alternation of words that differ in hyphens alone.
const hyphen = "-"

// Pair is two spellings of a word.
type Pair struct {
	Old    string `json:"old"`
	New    string `json:"new"`
	Turn   int    `json:"turn"`   // first slice of the new one
	Before Use    `json:"before"` // the turn
	After  Use    `json:"after"`  // from it on
}

// Use is how many documents have each spelling.
type Use struct {
	Old int `json:"old"`
	New int `json:"new"`
}

func (u Use) share() float64 { return float64(u.Old) / float64(max(1, u.Old+u.New)) }

// words goes through the words of a text in small letters: letters, with single hyphens between them.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, end, letters, open := -1, 0, 0, false
		flush := func() bool {
			ok := start < 0 || letters < 2 || end-start > longest || yield(strings.ReplaceAll(strings.ToLower(text[start:end]), "\u2010", "-"))
			start, letters, open = -1, 0, false
			return ok
		}
		for i, r := range text {
			switch {
			case unicode.IsLetter(r) || start >= 0 && unicode.IsMark(r):
				if start < 0 {
					start = i
				}
				end, open = i+utf8.RuneLen(r), false
				letters++
			case (r == '-' || r == '\u2010') && start >= 0 && !open:
				open = true // part of the word if a letter follows
			default:
				if !flush() {
					return
				}
			}
		}
		flush()
	}
}

// Counter counts in how many documents of each slice a word is. The zero value is empty.
type Counter struct {
	slices []int          // in the order in which they were met
	number map[int]int    // of a slice
	docs   []uint32       // of each slice
	words  map[string]row // documents of each slice
	floor  uint32
	left   int // documents of slices beyond maxSlices
}

// row is how many documents of each slice have a word, as far as the last that does.
type row struct {
	docs  []uint32
	total uint32
	last  int // document that was counted last
}

// Add counts the words of a document.
func (c *Counter) Add(slice int, text string) {
	if c.words == nil {
		c.words, c.number = map[string]row{}, map[int]int{}
	}
	n, ok := c.number[slice]
	if !ok {
		if n = len(c.slices); n >= maxSlices {
			c.left++
			return
		}
		c.slices, c.docs, c.number[slice] = append(c.slices, slice), append(c.docs, 0), n
	}
	c.docs[n]++
	document := 0
	for _, d := range c.docs {
		document += int(d)
	}
	for w := range words(text) {
		r := c.words[w]
		if r.last == document {
			continue
		}
		for len(r.docs) <= n {
			r.docs = append(r.docs, 0)
		}
		r.docs[n]++
		r.total++
		r.last = document
		c.words[w] = r
	}
	for len(c.words) > maxWords { // the rarest are forgotten (lossy counting)
		c.floor++
		maps.DeleteFunc(c.words, func(_ string, r row) bool { return r.total <= c.floor })
	}
}

// Left returns how many documents were not counted because they are of too many different slices.
func (c *Counter) Left() int { return c.left }

// Comparison compares the candidates of a counter.
type Comparison struct {
	c        *Counter
	pairs    []candidate
	numbers  map[string]int // of words of candidates
	frequent map[string]int // the frequent words, by rank
	around   [][]float32    // of each word: frequent words before and behind it
	present  []int          // of each word the document that had it last
	of       [][]int        // of each word its pairs
	document int
}

// candidate is a pair that may be one.
type candidate struct {
	Pair
	old, new    int // numbers of the words
	alternation string
	both        int     // documents that have both
	expected    float64 // how many would by chance
	alike       float64 // cosine of what stands around
}

// passes reports whether a pair of letters is apart, and has the same around it.
func (q *candidate) passes() bool { return float64(q.both) <= q.expected && q.alike >= leastAlike }

// alone reports whether a pair needs no others like it.
func (q *candidate) alone() bool {
	return q.alike >= aloneAlike && q.Before.share() >= aloneShare && q.After.share() <= 1-aloneShare && min(q.Before.Old, q.After.New) >= aloneDocs
}

// Compare returns the candidates: words that differ by one alternation and turn.
func (c *Counter) Compare() *Comparison {
	p := &Comparison{c: c, numbers: map[string]int{}, frequent: map[string]int{}}
	list := slices.SortedFunc(maps.Keys(c.words), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.words[b].total, c.words[a].total), strings.Compare(a, b))
	})
	for i, w := range list[:min(neighbours, len(list))] {
		p.frequent[w] = i
	}
	list = slices.DeleteFunc(list, func(w string) bool { return c.words[w].total < least || utf8.RuneCountInString(w) < shortest })
	seen := map[[2]string]bool{}
	try := func(a, b, alternation string) {
		if key := [2]string{min(a, b), max(a, b)}; !seen[key] {
			seen[key] = true
			if pair, ok := c.turn(a, b); ok {
				p.pairs = append(p.pairs, candidate{Pair: pair, alternation: alternation})
			}
		}
	}
	for _, w := range list {
		if joined := strings.ReplaceAll(w, "-", ""); joined != w && c.words[joined].total >= least {
			try(w, joined, hyphen)
		}
	}
	for a, b := range neighbouring(list) {
		if by := alternation(a, b); utf8.RuneCountInString(by) <= 2*piece+1 {
			try(a, b, by)
		}
	}
	slices.SortFunc(p.pairs, func(a, b candidate) int { // the most frequent first
		return cmp.Or(cmp.Compare(b.After.New+b.Before.Old, a.After.New+a.Before.Old), strings.Compare(a.Old, b.Old), strings.Compare(a.New, b.New))
	})
	p.pairs = p.pairs[:min(len(p.pairs), maxCandidates/2)]
	for i := range p.pairs {
		q := &p.pairs[i]
		q.old, q.new = p.word(q.Old), p.word(q.New)
		p.of[q.old], p.of[q.new] = append(p.of[q.old], i), append(p.of[q.new], i)
		a, b := c.words[q.Old].docs, c.words[q.New].docs
		for s := range min(len(a), len(b)) {
			q.expected += float64(a[s]) * float64(b[s]) / float64(c.docs[s])
		}
	}
	return p
}

func (p *Comparison) word(w string) int {
	n, ok := p.numbers[w]
	if !ok {
		n = len(p.present)
		p.numbers[w] = n
		p.around, p.present, p.of = append(p.around, make([]float32, 2*neighbours)), append(p.present, 0), append(p.of, nil)
	}
	return n
}

// neighbouring goes through the pairs of words without hyphens that begin with the same letter and are alike but for one piece of at most two letters, in each.
func neighbouring(list []string) iter.Seq2[string, string] {
	type cut struct {
		key  uint64
		word uint32
	}
	return func(yield func(string, string) bool) {
		var cuts []cut
		for n, w := range list {
			if strings.Contains(w, "-") || strings.Trim(w, "ivxlcdm") == "" { // a number
				continue
			}
			var ends []int
			for i := range w {
				ends = append(ends, i)
			}
			ends = append(ends, len(w))
			for i := 1; i < len(ends); i++ {
				for k := i; k < len(ends) && k <= i+piece; k++ {
					cuts = append(cuts, cut{hash(w[:ends[i]], w[ends[k]:]), uint32(n)})
				}
			}
		}
		slices.SortFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.word, b.word)) })
		for from := 0; from < len(cuts); {
			to := from
			for to < len(cuts) && cuts[to].key == cuts[from].key {
				to++
			}
			for i := from; i < to && to-from <= mostAlike; i++ {
				for k := i + 1; k < to; k++ {
					if a, b := list[cuts[i].word], list[cuts[k].word]; a != b && !yield(a, b) {
						return
					}
				}
			}
			from = to
		}
	}
}

// hash returns the hash of what a word has before and behind a piece (FNV-1a). Two words that have one by chance have no alternation of two letters, and are
// passed over.
func hash(before, behind string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{before, "\x00", behind} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return h
}

// alternation returns in what two words differ, whichever is the old one: the pieces between what they begin and end with together.
func alternation(a, b string) string {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return min(string(x), string(y)) + "/" + max(string(x), string(y))
}

// turn returns two words as a pair, the old one first, if their shares turn at some slice.
func (c *Counter) turn(a, b string) (best Pair, ok bool) {
	order := make([]int, len(c.slices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(c.slices[x], c.slices[y]) })
	at := func(w string, slice int) int {
		if d := c.words[w].docs; slice < len(d) {
			return int(d[slice])
		}
		return 0
	}
	all := Use{int(c.words[a].total), int(c.words[b].total)}
	top, before := 0.0, Use{}
	for _, s := range order {
		if before.Old+before.New > 0 {
			after := Use{all.Old - before.Old, all.New - before.New}
			if g := ratio(before, after); g > top && after.Old+after.New > 0 {
				top, best = g, Pair{a, b, c.slices[s], before, after}
			}
		}
		before.Old += at(a, s)
		before.New += at(b, s)
	}
	if best.Before.share() < best.After.share() {
		best = Pair{best.New, best.Old, best.Turn, Use{best.Before.New, best.Before.Old}, Use{best.After.New, best.After.Old}}
	}
	return best, top >= leastRatio && best.Before.share() >= leastShare && 2*best.After.share() <= best.Before.share()
}

// ratio is the log-likelihood ratio of two uses: 2 sum O ln(O/E).
func ratio(a, b Use) float64 {
	n := float64(a.Old + a.New + b.Old + b.New)
	sum := 0.0
	for _, u := range [...]Use{a, b} {
		for i, o := range [...]int{u.Old, u.New} {
			column := [...]int{a.Old + b.Old, a.New + b.New}[i]
			if o > 0 {
				sum += float64(o) * math.Log(float64(o)*n/(float64(u.Old+u.New)*float64(column)))
			}
		}
	}
	return 2 * sum
}

// Add reads a document again.
func (p *Comparison) Add(slice int, text string) {
	if _, ok := p.c.number[slice]; !ok {
		return
	}
	p.document++
	before, last := -1, -1 // rank of the word before if it is frequent; number of that word if it is of a candidate
	for w := range words(text) {
		rank, ok := p.frequent[w]
		if !ok {
			rank = -1
		}
		if last >= 0 && rank >= 0 {
			p.around[last][neighbours+rank]++
		}
		n, ok := p.numbers[w]
		if !ok {
			n = -1
		} else {
			if before >= 0 {
				p.around[n][before]++
			}
			if p.present[n] != p.document {
				p.present[n] = p.document
				for _, i := range p.of[n] {
					if q := &p.pairs[i]; p.present[q.old] == p.document && p.present[q.new] == p.document {
						q.both++
					}
				}
			}
		}
		before, last = rank, n
	}
}

// Pairs returns what was found, the most frequent first.
func (p *Comparison) Pairs() []Pair {
	type habit struct {
		turning, passed int
		alike           float64
	}
	habits := map[string]habit{}
	for i := range p.pairs {
		q := &p.pairs[i]
		q.alike = cosine(p.around[q.old], p.around[q.new])
		h := habits[q.alternation]
		if h.turning++; q.passes() {
			h.passed++
			h.alike += q.alike
		}
		habits[q.alternation] = h
	}
	var out []Pair
	for _, q := range p.pairs {
		h := habits[q.alternation]
		common := h.passed > 1 && h.alike >= leastHabit && float64(h.passed) >= habitShare*float64(h.turning)
		if q.alternation == hyphen || q.passes() && (common || q.alone()) {
			out = append(out, q.Pair)
		}
	}
	return out
}

// cosine compares the neighbours of two words.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}
