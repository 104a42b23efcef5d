package prose

import (
	"fmt"

	"varve/lab/websim/dice"
)

const (
	lexiconSize = 4000
	tableBits   = 15
	topicBegin  = 200 // the first ranks are no topic's own
	topicSize   = 60
	topicShare  = 10  // of 64 words, those that belong to the text's topic
	common      = 100 // ranks that every text uses
	ownWords    = 96  // how many other words a text uses
)

// MaxTopics is how many topics a lexicon can tell apart.
const MaxTopics = (lexiconSize - topicBegin) / topicSize

// Lexicon is the vocabulary of a language, most frequent word first. It is safe for concurrent use.
type Lexicon struct {
	words    []string
	sections []string
	table    []uint16 // a word drawn evenly from the table is drawn by Zipf's law
	topic    []uint16 // the same for the words of a topic, from 0
}

// NewLexicon invents the vocabulary of a language for a seed.
func NewLexicon(seed uint64, lang string) (*Lexicon, error) {
	l, ok := languages[lang]
	if !ok {
		return nil, fmt.Errorf("no vocabulary for language %q; there are %v", lang, Languages())
	}
	lex := &Lexicon{sections: l.sections, table: zipf(lexiconSize, 1<<tableBits), topic: zipf(topicSize, 1<<10)}
	lex.words = append(make([]string, 0, lexiconSize), l.frequent...)
	known := make(map[string]bool, lexiconSize)
	for _, w := range l.frequent {
		known[w] = true
	}
	s := dice.New(seed, dice.String("lexicon"), dice.String(lang))
	for len(lex.words) < lexiconSize {
		if w := l.invent(s); !known[w] {
			known[w] = true
			lex.words = append(lex.words, w)
		}
	}
	return lex, nil
}

// invent makes a word of one or two syllables and perhaps an ending.
func (l *language) invent(s *dice.Stream) string {
	var w []byte
	pick := func(from []string) { w = append(w, from[s.IntN(len(from))]...) }
	for n := 1 + s.IntN(20)/10; n > 0; n-- {
		pick(l.onsets)
		pick(l.nuclei)
		if n == 1 || s.IntN(3) == 0 {
			pick(l.codas)
		}
	}
	if s.IntN(5) == 0 {
		pick(l.endings)
	}
	return string(w)
}

// zipf fills a table of the given size with ranks below n, rank r about 1/(r+2.7) times
// (Zipf-Mandelbrot), each at least once.
func zipf(n, size int) []uint16 {
	total := 0.0
	for r := range n {
		total += 1 / (float64(r) + 2.7)
	}
	table := make([]uint16, 0, size)
	free := float64(size - n)
	for r := range n {
		share := free / (float64(r) + 2.7)
		for k := 0; k < 1+int(share/total) && len(table) < size; k++ {
			table = append(table, uint16(r))
		}
	}
	for i := 0; len(table) < size; i++ { // what rounding left over goes to the frequent words
		table = append(table, uint16(i%n))
	}
	return table
}

// Words are the words of the vocabulary, most frequent first. They must not be changed.
func (l *Lexicon) Words() []string { return l.words }

// Section is the name of the i-th section of a site.
func (l *Lexicon) Section(i int) string {
	if i < len(l.sections) {
		return l.sections[i]
	}
	return fmt.Sprintf("%s-%d", l.sections[i%len(l.sections)], i/len(l.sections)+1)
}

// Voice is how a text is written. The zero value uses the whole vocabulary.
type Voice struct {
	Topic int    // from 1; 0 is none
	Text  uint64 // names the text, which uses few of the rarer words, but again and again, as texts do
}

// word is drawn with 32 bits: by topic for some, by rank for the others.
func (l *Lexicon) word(bits uint32, v Voice) string {
	if v.Topic > 0 && bits>>26 < topicShare {
		first := topicBegin + (v.Topic-1)%MaxTopics*topicSize
		return l.words[first+int(l.topic[bits&(1<<10-1)])]
	}
	rank := l.table[bits&(1<<tableBits-1)]
	if rank < common || v.Text == 0 {
		return l.words[rank]
	}
	own := uint64(rank-common) % ownWords
	own = own * own / ownWords // some of the own words more often than others
	h := (v.Text ^ own*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return l.words[common+int((h>>32)*(lexiconSize-common)>>32)]
}
