package reranking

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Sizes of the vocabularies.
const (
	everyday      = 1500 // words of everyday language
	topicWords    = 60   // of one topic
	subtopicWords = 20   // of one subtopic
)

// zipf draws ranks with probability 1/(rank+1).
type zipf struct{ upto []float64 }

func newZipf(n int) zipf {
	z := zipf{make([]float64, n)}
	sum := 0.0
	for i := range z.upto {
		sum += 1 / float64(i+1)
		z.upto[i] = sum
	}
	return z
}

func (z zipf) draw(rng *rand.Rand) int {
	return sort.SearchFloat64s(z.upto, rng.Float64()*z.upto[len(z.upto)-1])
}

// lexicon gives words as numbers: everyday ones first, then those of each topic, then of each subtopic.
type lexicon struct {
	topics, subtopics       int
	common, topic, subtopic zipf
}

func newLexicon(c Config) *lexicon {
	return &lexicon{
		topics: c.Topics, subtopics: c.Subtopics,
		common: newZipf(everyday), topic: newZipf(topicWords), subtopic: newZipf(subtopicWords),
	}
}

// about draws a word of a topic or of one of its subtopics, three to one.
func (l *lexicon) about(rng *rand.Rand, topic, sub int) uint64 {
	if rng.IntN(4) > 0 {
		return uint64(everyday + topic*topicWords + l.topic.draw(rng))
	}
	return uint64(everyday + l.topics*topicWords + (topic*l.subtopics+sub)*subtopicWords + l.subtopic.draw(rng))
}

func (l *lexicon) plain(rng *rand.Rand) uint64 { return uint64(l.common.draw(rng)) }

// length draws a length of a text, log-normal around 300 words.
func length(rng *rand.Rand) int {
	return int(min(max(math.Exp(rng.NormFloat64()*0.5+math.Log(300)), 60), 1500))
}
