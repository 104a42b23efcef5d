// Package emerging names the phrases that begin to be used and go on, year by year, each from the texts up to its year alone.
//
// # Terms
//
//	share     of a phrase in some years: the documents with it, by all documents of these years
//	emerges   in year y, as is known afterwards (Rule): with s the share in y..y+2,
//	              s >= 10 * share before y,  s >= 1/1000,  and in each year from y+3 on the share is above s/2
//	          With Options.Together it is the share in all years from y+3 on that must be above s/2
//	start     a phrase in a year t that looks as if it had begun in y = t-1 or t: at least two documents in y..t, and there
//	          half of the share that the rule asks for, and ten times the share before
//	flag      a start that is told: it will probably emerge
//
// # How it is told
//
// Most starts come to nothing, so a start needs to be weighed, and what weighs is learned from the past of the same texts: in year t the starts of four years ago (Options.Known) and before are known to have emerged or not, as far as
// t can tell, and logistic regression (varve/learn) finds the weights of
//
//	ln k        documents in y..t           ln share/(1/1000)            ln share / (10 * share before)     years of it since it was first met
//	ln sources  that have it there          ln share(t)/share(t-1)       words of the phrase                documents that have it in a longer phrase, as a share
//	years of the last five that have it     words of it that are as young as it is
//
// A start is flagged at a probability of Options.MinProbability. Nothing of later years is looked at, and nothing is learned from other texts. Until Options.MinKnown of them have emerged there is
// nothing to learn from, and a start is flagged if chance does not explain it: if its k documents less three standard deviations, k - 3*sqrt(k), still have the share that the rule asks for.
//
// # Worked example
//
// From 1985 on there are 100 titles a year; one each from 1995 to 1999 has "web". In 1995 s = 3/300, the share before is 0, and 1998 and 1999 have 1/100, above s/2: it emerges. The rule holds for 1993 and 1994, too, when
// s is 1/300 and 2/300, and for 1996: s is 1/100, and ten times the share before is 10/1100. For 1997 it would be 20/1200, and the rule does not hold. TestRule has it.
//
// # Cost
//
// Two passes over the documents; memory by distinct phrases (Options.Phrases) and the years that have them. Learning is by starts, once a year.
package emerging

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"varve/evolution"
	"varve/learn"
)

// Options are the thresholds; Default has those that are used.
type Options struct {
	Span           int     // years that the share of a phrase that emerges is measured in
	Times          float64 // as often as before
	MinShare       float64
	Keep           float64 // part of the share that it must keep afterwards
	Together       bool    // it must keep it in all later years together, not in each of them
	MinProbability float64 // of a flag
	Known          int     // years after which it is known what became of a start
	MinKnown       int     // starts that emerged, to learn from
	MinPhrase      int     // documents with a phrase up to a year, for it to be looked at then
	Phrases        int     // held in memory; beyond, the rarest are dropped
}

// Default returns the rule's thresholds, and of a flag those that were measured (docs/algorithms/evolution.md).
func Default() Options {
	return Options{Span: 3, Times: 10, MinShare: 0.001, Keep: 0.5, MinProbability: 0.2, Known: 4, MinKnown: 20, MinPhrase: 3, Phrases: 2 << 20}
}

// Counts are the phrases of documents by year.
type Counts struct {
	o       Options
	From    int // first year
	Total   []int
	phrases map[string]*series
	keys    []string // in order
	Dropped int      // phrases that were too rare to be held
}

// series is a phrase by year.
type series struct {
	since int    // year in which it has stood at the end of a phrase twice: before, nobody knew that it is one
	cells []cell // of the years that have it, in order
}

type cell struct {
	year      int32  // from the first
	documents int32  // up to this year
	inside    int32  // of them those in which it is but a part of longer phrases, also up to this year
	sources   uint64 // of this year, each a bit by its hash: enough to tell one from several
}

// mostYears is how far the years of documents may lie apart.
const mostYears = 500

// tails yields what a phrase ends with, the phrase itself first; each is a phrase too, but for what begins with "of".
func tails(key string, yield func(string)) {
	for {
		if !strings.HasPrefix(key, "of ") {
			yield(key)
		}
		_, rest, ok := strings.Cut(key, " ")
		if !ok {
			return
		}
		key = rest
	}
}

// spans yields all words in a row of a phrase.
func spans(key string, yield func(span string)) {
	for begin := 0; begin < len(key); {
		for end := begin; end < len(key); {
			if next := strings.IndexByte(key[end+1:], ' '); next >= 0 {
				end += 1 + next
			} else {
				end = len(key)
			}
			yield(key[begin:end])
		}
		next := strings.IndexByte(key[begin:], ' ')
		if next < 0 {
			return
		}
		begin += next + 1
	}
}

// head is what is known of a phrase that others end with: the first two years in which one did, which may be the same.
type head struct{ n, first, second int }

func (h head) add(year int) head {
	switch h.n++; {
	case h.n == 1:
		h.first = year
	case h.n == 2 || year < h.second:
		h.first, h.second = min(h.first, year), max(h.first, year)
	}
	return h
}

// Read counts the phrases of documents, and the phrases in them: a "statistical machine translation system" has "machine translation". What is a phrase is told by what phrases end with.
func Read(documents evolution.Documents, o Options) (*Counts, error) {
	c := &Counts{o: o, phrases: map[string]*series{}}
	heads, years, most := map[string]head{}, map[int]int{}, o.Phrases
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		years[d.Year]++
		for _, s := range d.Sentences {
			for _, p := range s {
				tails(p.Key, func(t string) { heads[t] = heads[t].add(d.Year) })
			}
		}
		if len(heads) > most {
			before := len(heads)
			maps.DeleteFunc(heads, func(_ string, h head) bool { return h.n == 1 })
			c.Dropped += before - len(heads)
			most = max(most, 2*len(heads))
		}
	}
	if len(years) == 0 {
		return c, nil
	}
	c.From = slices.Min(slices.Collect(maps.Keys(years)))
	last := slices.Max(slices.Collect(maps.Keys(years)))
	if last-c.From >= mostYears {
		return nil, fmt.Errorf("documents are of the years %d to %d: more than %d years cannot be compared, and one of these dates is surely wrong", c.From, last, mostYears)
	}
	c.Total = make([]int, last-c.From+1)
	for y, n := range years {
		c.Total[y-c.From] = n
	}
	for key, h := range heads {
		if h.n > 1 {
			c.phrases[key] = &series{since: h.second - c.From}
		}
	}
	if err := c.count(documents); err != nil {
		return nil, err
	}
	maps.DeleteFunc(c.phrases, func(_ string, s *series) bool { return s.sum(len(c.Total)-1) < o.MinPhrase })
	c.keys = slices.Sorted(maps.Keys(c.phrases))
	return c, nil
}

// count is the second pass.
func (c *Counts) count(documents evolution.Documents) error {
	met := map[string]bool{} // phrases of the document; true: inside of longer ones only
	for d, err := range documents() {
		if err != nil {
			return err
		}
		clear(met)
		for _, s := range d.Sentences {
			for _, p := range s {
				spans(p.Key, func(t string) {
					if _, ok := c.phrases[t]; ok {
						inside, twice := met[t]
						met[t] = len(t) < len(p.Key) && (inside || !twice)
					}
				})
			}
		}
		source := fnv.New64a()
		io.WriteString(source, d.Source)
		for t, inside := range met {
			x := c.phrases[t].cell(int32(d.Year - c.From))
			x.documents++
			if inside {
				x.inside++
			}
			x.sources |= 1 << (source.Sum64() % 64)
		}
	}
	for _, s := range c.phrases {
		for i := 1; i < len(s.cells); i++ {
			s.cells[i].documents += s.cells[i-1].documents
			s.cells[i].inside += s.cells[i-1].inside
		}
	}
	return nil
}

// at returns the place of the first cell that is not before a year.
func (s *series) at(year int32) int {
	i, _ := slices.BinarySearchFunc(s.cells, year, func(x cell, y int32) int { return cmp.Compare(x.year, y) })
	return i
}

// cell returns that of a year, which is made if it is not there.
func (s *series) cell(year int32) *cell {
	i := s.at(year)
	if i == len(s.cells) || s.cells[i].year != year {
		s.cells = slices.Insert(s.cells, i, cell{year: year})
	}
	return &s.cells[i]
}

// upTo returns the last cell that is not behind a year, or an empty one.
func (s *series) upTo(year int) cell {
	if i := s.at(int32(year) + 1); i > 0 {
		return s.cells[i-1]
	}
	return cell{}
}

// sum is the documents up to a year.
func (s *series) sum(year int) int { return int(s.upTo(year).documents) }

// in is the documents of some years, and of all phrases.
func (c *Counts) in(s *series, from, to int) (documents, of int) {
	from, to = max(from, 0), min(to, len(c.Total)-1)
	for y := from; y <= to; y++ {
		of += c.Total[y]
	}
	if from > to {
		return 0, 0
	}
	return s.sum(to) - s.sum(from-1), of
}

func (c *Counts) share(s *series, from, to int) float64 {
	n, of := c.in(s, from, to)
	return float64(n) / float64(max(1, of))
}

// emerges reports whether the rule holds for a year, as the texts up to another year tell. Years are counted from the first.
func (c *Counts) emerges(s *series, y, end int) bool {
	if _, before := c.in(s, 0, y-1); before == 0 || y+c.o.Span-1 > end {
		return false
	}
	share := c.share(s, y, y+c.o.Span-1)
	if share < c.o.MinShare || share < c.o.Times*c.share(s, 0, y-1) {
		return false
	}
	if c.o.Together {
		_, later := c.in(s, y+c.o.Span, end)
		return later == 0 || c.share(s, y+c.o.Span, end) > c.o.Keep*share
	}
	for later := y + c.o.Span; later <= end; later++ {
		if c.Total[later] > 0 && c.share(s, later, later) <= c.o.Keep*share {
			return false
		}
	}
	return true
}

// Rule returns the years in which a phrase emerges, as all texts tell.
func (c *Counts) Rule(phrase string) (years []int) {
	if s := c.phrases[phrase]; s != nil {
		for y := range c.Total {
			if c.emerges(s, y, len(c.Total)-1) {
				years = append(years, c.From+y)
			}
		}
	}
	return years
}

// Phrases returns those that were counted, in order. They are not to be changed.
func (c *Counts) Phrases() []string { return c.keys }

// Documents returns those with a phrase in a year.
func (c *Counts) Documents(phrase string, year int) int {
	n, _ := c.in(c.phrases[phrase], year-c.From, year-c.From)
	return n
}

// Share returns that of a phrase in a year.
func (c *Counts) Share(phrase string, year int) float64 {
	return c.share(c.phrases[phrase], year-c.From, year-c.From)
}

// start is a phrase that looks as if it had begun.
type start struct {
	phrase string
	year   int // in which it looks so, from the first
	begun  int // y
	row    []float64
}

// features of a start, in the order of its row.
func features() []learn.Attribute {
	var out []learn.Attribute
	for _, name := range []string{"documents", "share", "times", "age", "sources", "growth", "words", "inside", "regular", "coined"} {
		out = append(out, learn.Attribute{Name: name})
	}
	return out
}

// start returns the start of a phrase in a year, or nil: of the two years in which it can have begun, the one that has more documents for what was expected.
func (c *Counts) start(phrase string, t int) *start {
	s := c.phrases[phrase]
	if t < s.since || s.sum(t) == s.sum(t-1) || s.sum(t) < c.o.MinPhrase {
		return nil
	}
	var best *start
	excess := 0.0
	for y := max(1, t-1); y <= t; y++ {
		k, of := c.in(s, y, t)
		b, before := c.in(s, 0, y-1)
		if k < 2 || before == 0 {
			continue
		}
		share, prior := float64(k)/float64(of), float64(b)/float64(before)
		if share < c.o.MinShare/2 || share < c.o.Times*prior {
			continue
		}
		// the prior is smoothed by half a document: in few texts nothing was ever met before
		times := share / (c.o.Times * (float64(b) + 0.5) / float64(before))
		if best != nil && times < excess {
			continue
		}
		excess = times
		first := int(s.cells[0].year)
		sources := 0
		for _, x := range s.cells[s.at(int32(y)):s.at(int32(t)+1)] {
			sources = max(sources, bits.OnesCount64(x.sources))
		}
		inside := s.upTo(t).inside - s.upTo(y-1).inside
		now, last := c.share(s, t, t), c.share(s, t-1, t-1)
		half := c.o.MinShare / 2
		best = &start{phrase, t, y, []float64{
			math.Log(float64(k)), math.Log(share / c.o.MinShare), math.Log(times), math.Log1p(float64(max(0, y-first))), math.Log(float64(max(1, sources))),
			math.Log((now + half) / (last + half)), float64(min(4, 1+strings.Count(phrase, " "))), float64(inside) / float64(k),
			float64(s.at(int32(t)+1) - s.at(int32(t)-4)), c.coined(phrase, t),
		}}
	}
	return best
}

// coined counts the words of a phrase that were first met in the four years before it was looked at, or in that year.
func (c *Counts) coined(phrase string, t int) (n float64) {
	for _, w := range strings.Fields(phrase) {
		if s := c.phrases[w]; s != nil && int(s.cells[0].year) > t-5 {
			n++
		}
	}
	return n
}

// Flag is a phrase that is told to emerge.
type Flag struct {
	Phrase      string  `json:"phrase"`
	Year        int     `json:"year"`  // in which it is told
	Begun       int     `json:"begun"` // first year of what is new
	Documents   int     `json:"documents"`
	Share       float64 `json:"share"`                 // of the documents from Begun to Year
	Probability float64 `json:"probability,omitempty"` // 0 if there was nothing to learn from
}

// Flags returns the phrases that are told to emerge, each once, in the order of years, in a year the likeliest first. What is told of a year comes from the texts up to it.
func (c *Counts) Flags() ([]Flag, error) {
	var starts []*start // of all years up to now
	var out []Flag
	told := map[string]bool{}
	for t := range c.Total {
		if c.Total[t] == 0 {
			continue
		}
		model, err := c.learn(starts, t)
		if err != nil {
			return nil, err
		}
		begin := len(out)
		for _, phrase := range c.keys {
			x := c.start(phrase, t)
			if x == nil {
				continue
			}
			starts = append(starts, x)
			if told[phrase] {
				continue
			}
			s := c.phrases[phrase]
			k, _ := c.in(s, x.begun, t)
			f := Flag{Phrase: phrase, Year: c.From + t, Begun: c.From + x.begun, Documents: k, Share: c.share(s, x.begun, t)}
			sure := 1 - 3/math.Sqrt(float64(k)) // of the share
			ok := sure*f.Share >= max(c.o.MinShare, c.o.Times*c.share(s, 0, x.begun-1))
			if model != nil {
				var p [2]float64
				model.Classify(x.row, p[:])
				f.Probability = p[0]
				ok = p[0] >= c.o.MinProbability
			}
			if ok {
				told[phrase] = true
				out = append(out, f)
			}
		}
		slices.SortStableFunc(out[begin:], func(a, b Flag) int {
			return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(b.Share, a.Share))
		})
	}
	return out, nil
}

// learn learns from the starts of which the texts up to a year tell what became of them; nil if too few emerged.
func (c *Counts) learn(starts []*start, t int) (learn.Classifier, error) {
	set := &learn.Set{Attributes: features(), Class: learn.Attribute{Name: "emerges", Values: []string{"yes", "no"}}}
	set.Columns = make([][]float64, len(set.Attributes))
	known := 0
	for _, x := range starts {
		if x.year > t-max(c.o.Known, c.o.Span-1) {
			break // not yet known
		}
		class := 1
		if s := c.phrases[x.phrase]; c.emerges(s, x.year, t) || c.emerges(s, x.year-1, t) {
			class = 0
			known++
		}
		for i, v := range x.row {
			set.Columns[i] = append(set.Columns[i], v)
		}
		set.Y = append(set.Y, class)
	}
	if known < c.o.MinKnown {
		return nil, nil
	}
	return learn.Logistic{Ridge: 1}.Train(set, 1)
}

// First returns the documents that have phrases first, by their ID: of each phrase so many at most, in the order of years.
func First(documents evolution.Documents, phrases []string, most int) (map[string][]string, error) {
	type document struct {
		id   string
		year int
	}
	found := map[string][]document{}
	for _, p := range phrases {
		found[p] = nil
	}
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		for _, s := range d.Sentences {
			for _, p := range s {
				spans(p.Key, func(span string) {
					list, ok := found[span]
					if !ok || slices.ContainsFunc(list, func(x document) bool { return x.id == d.ID }) || len(list) == most && list[most-1].year <= d.Year {
						return
					}
					at, _ := slices.BinarySearchFunc(list, d.Year+1, func(x document, year int) int { return cmp.Compare(x.year, year) })
					list = slices.Insert(list, at, document{d.ID, d.Year})
					found[strings.Clone(span)] = list[:min(most, len(list))]
				})
			}
		}
	}
	out := map[string][]string{}
	for p, list := range found {
		for _, x := range list {
			out[p] = append(out[p], x.id)
		}
	}
	return out, nil
}
