package relevance

import (
	"math"
	"slices"
	"sort"

	"varve/crawl/priority"
	"varve/crawl/scope"
	"varve/text/near"
)

// A page is read once, and all modules go by what that found:
//
//	title and text -> words, each with its place          one pass over the bytes
//	words -> the distinct ones, with idf and weight       a look-up for each distinct word
//	phrases that begin with a word -> hits                a bit is asked for each word, and it is seldom set
//
// Anchors and the text around them are pieces of the page's text, so a link is a stretch of words that are read already: its
// cosine is a sum over the stretch, its hits are those that lie in it. Only the words of addresses, and anchors that stand
// elsewhere (alt), are read for themselves.

// posting is the weight of a word in the vector of a reference page.
type posting struct {
	ref    int32
	weight float32
}

// lexicon is what is known of words at one moment of the crawl: how rare each is, and its weight in the vectors. It never changes.
type lexicon struct {
	mask    uint64
	keys    []uint64 // open addressing: the slot is hash & mask, or one behind; 0 is empty
	idf     []float32
	term    []int32 // number of the word in the vectors, from 1; 0: none has it
	unknown float32 // idf of a word that was never met

	weight []float32 // by number: in the topic
	norm   float64   // of the topic

	refs     [][]posting // by number
	refNorms []float64
	unwanted []bool // reference page
}

// newLexicon freezes a corpus together with the vectors.
func newLexicon(corpus *priority.Corpus, topic priority.Vector, refs []priority.Vector, unwanted []bool) *lexicon {
	most := corpus.Terms() + topic.Len()
	for _, r := range refs {
		most += r.Len()
	}
	slots := 64
	for slots < 2*most {
		slots *= 2
	}
	x := &lexicon{
		mask: uint64(slots - 1), keys: make([]uint64, slots), idf: make([]float32, slots), term: make([]int32, slots),
		weight: make([]float32, 1), refs: make([][]posting, 1), norm: topic.Norm(), unwanted: unwanted,
	}
	x.unknown = float32(corpus.Each(func(h uint64, idf float64) {
		at := x.slot(h)
		x.keys[at], x.idf[at] = key(h), float32(idf)
	}))
	number := func(h uint64) int32 {
		at := x.slot(h)
		if x.keys[at] == 0 {
			x.keys[at], x.idf[at] = key(h), x.unknown
		}
		if x.term[at] == 0 {
			x.term[at] = int32(len(x.weight))
			x.weight, x.refs = append(x.weight, 0), append(x.refs, nil)
		}
		return x.term[at]
	}
	topic.Each(func(h uint64, w float64) { x.weight[number(h)] = float32(w) })
	for i, r := range refs {
		x.refNorms = append(x.refNorms, r.Norm())
		r.Each(func(h uint64, w float64) {
			n := number(h)
			x.refs[n] = append(x.refs[n], posting{int32(i), float32(w)})
		})
	}
	return x
}

// key is never 0.
func key(h uint64) uint64 { return max(h, 1) }

// slot returns where a word is, or would be.
func (x *lexicon) slot(h uint64) uint64 {
	h = key(h)
	at := h & x.mask
	for x.keys[at] != 0 && x.keys[at] != h {
		at = (at + 1) & x.mask
	}
	return at
}

// word is a distinct word of a page.
type word struct {
	hash   uint64
	idf    float32
	weight float32 // in the topic
	term   int32   // in the vectors; 0: in none
	count  int32   // in title and text
}

// hit is a phrase that was found: which thing, and the words it takes.
type hit struct{ thing, from, to int32 }

// span is a stretch of words.
type span struct{ from, to int }

// scan is a page that was read. It belongs to one rating at a time.
type scan struct {
	lex   *lexicon // nil: only phrases are looked for
	terms *terms

	words    words
	id       []int32          // of each word: which of the distinct ones
	places   []priority.Place // of the words of the text
	title    int              // words of the title; those of the text follow
	page     int              // words of both; anchors that stand elsewhere follow
	bytes    int              // of the text that were read
	distinct []word
	slots    []int32  // hash -> distinct word, from 1
	topical  []uint32 // of the words before each, how many are in the topic
	hits     []hit    // in the order of their places
	inPaths  []hit    // of the addresses of links
	room     words    // of an address

	near  float64 // cosine of the page with the topic
	norm  float64 // of the page
	seen  []int32 // by distinct word: in the stretch that is compared; all 0 between
	found []int32 // by thing: in the text that is looked at; all 0 between
	which []int32 // things with a count there

	inherit [2]float64 // of hits: what links have from the page
}

// maxPooled bounds the words of a scan whose room is used again.
const maxPooled = 64 << 10

// read reads a page.
func (s *scan) read(title, text string) {
	s.words, s.id, s.places, s.distinct, s.topical = s.words[:0], s.id[:0], s.places[:0], s.distinct[:0], append(s.topical[:0], 0)
	s.hits, s.inPaths = s.hits[:0], s.inPaths[:0]
	clear(s.slots)
	text = text[:min(len(text), maxText)]
	s.bytes = len(text)
	s.words = s.words.read(title)
	s.title = len(s.words)
	words, places := s.words, s.places
	near.Places(text, func(h uint64, from, to int) {
		words, places = append(words, h), append(places, priority.Place{From: int32(from), To: int32(to)})
	})
	s.words, s.places = words, places
	s.page = len(s.words)
	s.look(0)
	s.near, s.norm = 0, 0
	if s.lex == nil {
		return
	}
	dot, norm := 0.0, 0.0
	for i := range s.distinct {
		w := &s.distinct[i]
		v := tf(int(w.count)) * float64(w.idf)
		norm += v * v
		dot += v * float64(w.weight)
	}
	s.norm = math.Sqrt(norm)
	if norm > 0 && s.lex.norm > 0 {
		s.near = min(dot/(s.norm*s.lex.norm), 1)
	}
}

// look looks up the words from one on: which are distinct, and what begins with them.
func (s *scan) look(from int) {
	if s.lex != nil {
		ids, topical := s.id, s.topical
		n := topical[len(topical)-1]
		for _, h := range s.words[from:] {
			id := s.identify(h)
			w := &s.distinct[id]
			if from == 0 {
				w.count++
			}
			if w.weight != 0 {
				n++
			}
			ids, topical = append(ids, id), append(topical, n)
		}
		s.id, s.topical = ids, topical
	}
	s.terms.find(s.words[from:], func(n, at int) {
		s.hits = append(s.hits, hit{s.terms.of[n], int32(from + at), int32(from + at + len(s.terms.all[n]))})
	})
}

// identify returns which of the distinct words one is.
func (s *scan) identify(h uint64) int32 {
	if 2*len(s.distinct) >= len(s.slots) {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	at := h & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if id := s.slots[at] - 1; s.distinct[id].hash == h {
			return id
		}
	}
	w := word{hash: h, idf: s.lex.unknown}
	if k := s.lex.slot(h); s.lex.keys[k] != 0 {
		w.idf, w.term = s.lex.idf[k], s.lex.term[k]
		w.weight = s.lex.weight[w.term]
	}
	s.distinct = append(s.distinct, w)
	s.slots[at] = int32(len(s.distinct))
	return int32(len(s.distinct) - 1)
}

func (s *scan) grow() {
	s.slots = make([]int32, max(1024, 2*len(s.slots)))
	mask := uint64(len(s.slots) - 1)
	for i := range s.distinct {
		at := s.distinct[i].hash & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = int32(i + 1)
	}
}

// stretch returns the words that lie whole in a piece of the text, or, if it lies elsewhere, those of the piece itself.
func (s *scan) stretch(at priority.Place, text string) span {
	if text == "" {
		return span{}
	}
	if at.To <= at.From || int(at.To) > s.bytes {
		from := len(s.words)
		s.words = s.words.read(text)
		s.look(from)
		return span{from, len(s.words)}
	}
	a := sort.Search(len(s.places), func(i int) bool { return s.places[i].From >= at.From })
	b := a + sort.Search(len(s.places)-a, func(i int) bool { return s.places[a+i].To > at.To })
	return span{s.title + a, s.title + b}
}

// cosine compares a stretch with the topic; none without words. With n counts and w weights in the topic,
//
//	cos = sum (1 + ln n) idf w / (|stretch| |topic|),   |stretch|² = sum ((1 + ln n) idf)²
//
// where both sums grow by a difference each time a word comes again.
func (s *scan) cosine(at span) (o Opinion) {
	if at.from == at.to || s.lex == nil {
		return o
	}
	if s.topical[at.to] == s.topical[at.from] || s.lex.norm == 0 {
		return scope.Is(0.0)
	}
	if len(s.seen) < len(s.distinct) {
		s.seen = make([]int32, 2*len(s.distinct))
	}
	dot, norm := 0.0, 0.0
	ids := s.id[at.from:at.to]
	for _, id := range ids {
		w := &s.distinct[id]
		n := s.seen[id]
		s.seen[id] = n + 1
		idf := float64(w.idf)
		if n == 0 {
			norm += idf * idf
			dot += idf * float64(w.weight)
			continue
		}
		was, is := tf(int(n)), tf(int(n)+1)
		norm += (is*is - was*was) * idf * idf
		dot += (is - was) * idf * float64(w.weight)
	}
	for _, id := range ids {
		s.seen[id] = 0
	}
	if norm <= 0 {
		return scope.Is(0.0)
	}
	return scope.Is(min(dot/(math.Sqrt(norm)*s.lex.norm), 1))
}

// tf is what a word counts that occurs n times: 1 + ln n.
func tf(n int) float64 {
	if n < len(tfs) {
		return tfs[n]
	}
	return 1 + math.Log(float64(n))
}

// tfs are those of the counts that most words have.
var tfs = func() (t [64]float64) {
	for n := range t {
		t[n] = 1 + math.Log(float64(n))
	}
	return t
}()

// references returns how near the page is to the nearest wanted and the nearest unwanted reference page.
func (s *scan) references() (wanted, unwanted float64) {
	dots := make([]float64, len(s.lex.refNorms))
	for i := range s.distinct {
		w := &s.distinct[i]
		if w.term == 0 || w.count == 0 {
			continue
		}
		v := tf(int(w.count)) * float64(w.idf)
		for _, p := range s.lex.refs[w.term] {
			dots[p.ref] += v * float64(p.weight)
		}
	}
	for i, d := range dots {
		cos := 0.0
		if n := s.norm * s.lex.refNorms[i]; n > 0 {
			cos = min(d/n, 1)
		}
		if s.lex.unwanted[i] {
			unwanted = max(unwanted, cos)
		} else {
			wanted = max(wanted, cos)
		}
	}
	return wanted, unwanted
}

// within returns the hits that begin in a stretch; some may end behind it.
func (s *scan) within(at span) []hit {
	a := sort.Search(len(s.hits), func(i int) bool { return int(s.hits[i].from) >= at.from })
	b := a
	for b < len(s.hits) && int(s.hits[b].from) < at.to {
		b++
	}
	return s.hits[a:b]
}

// path finds what is in an address and returns it as a stretch of inPaths.
func (s *scan) path(url string) span {
	from := len(s.inPaths)
	s.room = s.room[:0].read(path(url))
	s.terms.find(s.room, func(n, at int) { s.inPaths = append(s.inPaths, hit{s.terms.of[n], int32(at), int32(at)}) })
	return span{from, len(s.inPaths)}
}

// count counts a thing that was found.
func (s *scan) count(thing int32) {
	if s.found[thing]++; s.found[thing] == 1 {
		s.which = append(s.which, thing)
	}
}

// counted calls yield with the things that were counted, in their order, and forgets them.
func (s *scan) counted(yield func(thing, n int)) {
	slices.Sort(s.which) // in one order, so that sums are the same each time
	for _, t := range s.which {
		yield(int(t), int(s.found[t]))
		s.found[t] = 0
	}
	s.which = s.which[:0]
}
