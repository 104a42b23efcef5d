package emerging

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"varve/evolution/concept"
	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/language/term"
)

// Depth is how well taxonomy prediction does for the topics of a depth.
type Depth struct {
	Depth     int     `json:"depth"`
	Grown     int     `json:"grown"` // topics that a subtopic was taken from
	Hot       int     `json:"hot"`   // topics that were told to get one
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	right     int
}

// Taxonomy is the demonstration on a tree of WordNet: a quarter of its leaves is taken away, and comes back as concepts, the words of their descriptions, among as many concepts from elsewhere in the tree of all nouns.
type Taxonomy struct {
	Topics    int     `json:"topics"`
	Taken     int     `json:"taken"`
	Foreign   int     `json:"foreign"`
	Precision float64 `json:"concept_precision"` // of the concepts that are told to be topics here, those that were taken from here
	Recall    float64 `json:"concept_recall"`
	Depths    []Depth `json:"depths"` // topics that are told to get a subtopic
}

// match is tau_match: more than this share of a concept's terms must be of a topic.
const match = 0.5

// words are those of a description that say something.
func words(text string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 2 && !term.Function("en", w) {
			out = append(out, w)
		}
	}
	return out
}

// predict takes leaves from a tree and asks where they belong. foreign is a tree without them.
func predict(tree, foreign []corpus.Node, random *rand.Rand) (t Taxonomy) {
	taken := map[int]bool{}
	for i := range tree {
		if len(tree[i].Below) == 0 && tree[i].Depth > 0 && random.IntN(4) == 0 {
			taken[i] = true
		}
	}
	// what is left: a topic's extension is its own description and those of the topics below it, which are filed under it
	var topics []concept.Topic
	grown := map[int]bool{} // by number of topic
	for i, n := range tree {
		if taken[i] {
			continue
		}
		x := concept.Topic{Name: n.Words[0], Depth: n.Depth, Extension: map[string]bool{}}
		add := func(n corpus.Node) {
			for _, w := range words(strings.Join(n.Words, " ") + " " + n.Gloss) {
				x.Extension[w] = true
			}
		}
		add(n)
		for _, b := range n.Below {
			if taken[b] {
				grown[len(topics)] = true
			} else {
				add(tree[b])
			}
		}
		topics = append(topics, x)
	}
	hot := map[int]bool{}
	right, found := 0, 0
	ask := func(n corpus.Node, ours bool) {
		list := concept.Hot(words(n.Gloss), topics, match)
		for _, k := range list {
			hot[k] = true
		}
		if len(list) > 0 {
			found++
			if ours {
				right++
			}
		}
	}
	for i := range tree {
		if taken[i] {
			ask(tree[i], true)
		}
	}
	for t.Foreign < len(taken) && len(foreign) > 0 {
		ask(foreign[random.IntN(len(foreign))], false)
		t.Foreign++
	}
	t.Topics, t.Taken = len(topics), len(taken)
	t.Precision, t.Recall, _ = eval.F1(right, found, len(taken))
	for i, x := range topics {
		for len(t.Depths) <= x.Depth {
			t.Depths = append(t.Depths, Depth{Depth: len(t.Depths)})
		}
		d := &t.Depths[x.Depth]
		if grown[i] {
			d.Grown++
		}
		if hot[i] {
			d.Hot++
			if grown[i] {
				d.right++
			}
		}
	}
	for i := range t.Depths {
		d := &t.Depths[i]
		d.Precision, d.Recall, _ = eval.F1(d.right, d.Hot, d.Grown)
	}
	return t
}
