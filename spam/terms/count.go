package terms

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Counter counts the words of pages; when it holds too many it hands its sums over. It is not for concurrent use.
type Counter struct {
	Emit   func(Term) error // gets sums; a word may come several times
	Sketch *Sketch          // counts trigrams too, if there is one
	Sizes  map[string]Size  // by language
	sums   map[string]*Term // by word, blank, language
}

// held is how many words a counter holds: some 40 MB.
const held = 200_000

// Add counts a page.
func (c *Counter) Add(language, title, text string) error {
	if c.sums == nil {
		c.sums, c.Sizes = map[string]*Term{}, map[string]Size{}
	}
	bag := BagOf(text)
	for w, n := range bag.Counts {
		t := c.of(w, language)
		t.Count += int64(n)
		t.Pages++
	}
	for w := range BagOf(title).Counts {
		c.of(w, language).Titles++
	}
	if c.Sketch != nil {
		for _, h := range bag.Trigrams {
			c.Sketch.Add(h)
		}
	}
	s := c.Sizes[language]
	s.Pages++
	s.Tokens += int64(bag.Tokens)
	c.Sizes[language] = s
	if len(c.sums) > held {
		return c.Flush()
	}
	return nil
}

func (c *Counter) of(word, language string) *Term {
	key := word + " " + language
	t := c.sums[key]
	if t == nil {
		t = &Term{Language: language, Word: strings.Clone(word)}
		c.sums[key] = t
	}
	return t
}

// Flush hands over what is left.
func (c *Counter) Flush() error {
	for _, t := range c.sums {
		if err := c.Emit(*t); err != nil {
			return err
		}
	}
	clear(c.sums)
	return nil
}

// Builder makes a vocabulary of sums. The terms of a word, one for each of its languages, must come one after the other.
type Builder struct {
	heaps map[string]*least
	last  Term // the sum over languages of the last word
}

// Add takes the whole sum of a word in a language.
func (b *Builder) Add(t Term) {
	if b.heaps == nil {
		b.heaps = map[string]*least{}
	}
	if t.Language != "" { // those of pages without a known language count with all
		b.keep(t)
	}
	if t.Word != b.last.Word {
		b.end()
		b.last = Term{Word: t.Word}
	}
	b.last.Count += t.Count
	b.last.Pages += t.Pages
	b.last.Titles += t.Titles
}

func (b *Builder) end() {
	if b.last.Word != "" {
		b.keep(b.last)
	}
}

func (b *Builder) keep(t Term) {
	h := b.heaps[t.Language]
	if h == nil {
		h = &least{}
		b.heaps[t.Language] = h
	}
	heap.Push(h, t)
	if h.Len() > Most {
		heap.Pop(h)
	}
}

// Build ends the words and ranks them.
func (b *Builder) Build(sizes map[string]Size, sketch *Sketch) (*Vocabulary, error) {
	b.end()
	b.last = Term{}
	var rows []Term
	for _, h := range b.heaps {
		rows = append(rows, *h...)
	}
	var all Size
	for _, s := range sizes {
		all.Pages += s.Pages
		all.Tokens += s.Tokens
	}
	whole := map[string]Size{"": all}
	for l, s := range sizes {
		if l != "" {
			whole[l] = s
		}
	}
	return New(rows, whole, sketch)
}

// New makes a vocabulary of the terms that were kept, in any order.
func New(rows []Term, sizes map[string]Size, sketch *Sketch) (*Vocabulary, error) {
	v := &Vocabulary{Languages: map[string]*Language{}, Trigrams: sketch}
	for l, s := range sizes {
		v.Languages[l] = &Language{Size: s}
	}
	for _, t := range rows {
		l := v.Languages[t.Language]
		if l == nil {
			return nil, fmt.Errorf("word %q is of the language %q, of which there is no size", t.Word, t.Language)
		}
		l.Terms = append(l.Terms, t)
	}
	for _, l := range v.Languages {
		l.rank()
	}
	return v, nil
}

// least is a heap with the rarest word on top.
type least []Term

func (h least) Len() int { return len(h) }
func (h least) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].Count, h[j].Count), cmp.Compare(h[j].Word, h[i].Word)) < 0
}
func (h least) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push and Pop are those of container/heap.
func (h *least) Push(x any) { *h = append(*h, x.(Term)) }

// Pop takes the last away.
func (h *least) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}

// Collect makes a vocabulary of pages that fit in memory: of a sample at crawl time, or in a test. Each page is a language, a
// title and a text.
func Collect(pages [][3]string) (*Vocabulary, error) {
	sums := map[[2]string]Term{}
	c := &Counter{Sketch: NewSketch(), Emit: func(t Term) error {
		k := [2]string{t.Word, t.Language}
		s := sums[k]
		s.Language, s.Word = t.Language, t.Word
		s.Count, s.Pages, s.Titles = s.Count+t.Count, s.Pages+t.Pages, s.Titles+t.Titles
		sums[k] = s
		return nil
	}}
	for _, p := range pages {
		if err := c.Add(p[0], p[1], p[2]); err != nil {
			return nil, err
		}
	}
	if err := c.Flush(); err != nil {
		return nil, err
	}
	return build(sums, c)
}

// build hands sums over in the order of their words.
func build(sums map[[2]string]Term, c *Counter) (*Vocabulary, error) {
	var b Builder
	for _, k := range sortedKeys(sums) {
		b.Add(sums[k])
	}
	return b.Build(c.Sizes, c.Sketch)
}

func sortedKeys(m map[[2]string]Term) [][2]string {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}
