package models

import (
	"path/filepath"
	"slices"
	"strings"

	"varve/lab/eval/corpus"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
	"varve/learn/chain"
)

// Names of a treebank. People gave each word of the English Web Treebank its tag, so they said which words are names, though not of what. A model that
// learned from the sets that say it, kept to these words, tells the rest; another then learns from both. So what the web writes is learned from eight times as
// much text as has its names marked.

// properParts is in how many parts the treebank is cut to be tagged by a tagger that has not seen the part: mentions are learned from tags as they will be found, with
// their errors.
const properParts = 2

// properMore is how much more than otherwise the first model likes to call a name what people tagged as one, in natural logarithms. Titles and products that it knows to
// be none of our names stay such.
const properMore = 2

// ProperSet reads the treebank and tags it, for TrainMentions.
func ProperSet(data string, x *lexicon.Lexicon) ([][]mention.Example, error) {
	documents, err := corpus.ReadTreebank(filepath.Join(data, "pos", "ewt-train.conllu.gz"))
	if err != nil {
		return nil, err
	}
	o := tag.DefaultOptions()
	o.Penn.Passes, o.Universal.Passes = 5, 1 // universal tags are not looked at
	tagged, err := unseen(documents, x, o)
	if err != nil {
		return nil, err
	}
	return proper(documents, tagged), nil
}

// TrainMentions makes a model of documents with labels, and another of these and of the names of a treebank (ProperSet), to which the first gave their types.
func TrainMentions(labelled, treebank [][]mention.Example, x *lexicon.Lexicon, o chain.Options) (*mention.Model, error) {
	first, err := mention.Train(labelled, x, o)
	if err != nil {
		return nil, err
	}
	all := slices.Clip(labelled)
	for _, d := range treebank {
		all = append(all, first.Complete(d, properMore))
	}
	return mention.Train(all, x, o)
}

// unseen tags the documents, each by a tagger that learned from others.
func unseen(documents []corpus.Document, x *lexicon.Lexicon, o tag.Options) ([][]mention.Sentence, error) {
	out := make([][]mention.Sentence, len(documents))
	for part := range properParts {
		var others []corpus.Document
		for i, d := range documents {
			if i%properParts != part {
				others = append(others, d)
			}
		}
		m, err := tag.Train(Examples(others), x, o)
		if err != nil {
			return nil, err
		}
		t := m.NewTagger()
		for i := part; i < len(documents); i += properParts {
			for _, s := range documents[i].Sentences {
				words := make([]string, len(s.Words))
				for k, w := range s.Words {
					words[k] = w.Form
				}
				out[i] = append(out[i], mention.Tagged(t, words))
			}
		}
	}
	return out, nil
}

// proper returns the documents as examples in which only what people tagged as a name can be one, and small words between two such. tagged are their tags as they
// are found.
func proper(documents []corpus.Document, tagged [][]mention.Sentence) [][]mention.Example {
	all := uint64(1)<<(1+2*len(mention.Types)) - 1
	out := make([][]mention.Example, len(documents))
	for i, d := range documents {
		for k, s := range d.Sentences {
			e := mention.Example{Sentence: tagged[i][k], Allowed: make([]uint64, len(s.Words))}
			last := -joinedBy - 1
			for t, w := range s.Words {
				e.Allowed[t] = 1 << mention.Outside
				if !strings.HasPrefix(w.XPOS, "NNP") || calendar[strings.ToLower(w.Form)] {
					continue
				}
				for b := last + 1; b < t && t-last <= joinedBy; b++ {
					if joins[strings.ToLower(s.Words[b].Form)] {
						e.Allowed[b] = all
					}
				}
				e.Allowed[t], last = all, t
			}
			out[i] = append(out[i], e)
		}
	}
	return out
}

// joinedBy is how far from each other two words of a name may be that small words join.
const joinedBy = 3

var joins, calendar = setOf(`of the and & for de la du von van der al - ' 's , . at on in`), setOf(`monday tuesday wednesday thursday friday saturday sunday january february march april june july august
	september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec mon. tue. wed. thu. fri. sat. sun. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec.
	mondays tuesdays wednesdays thursdays fridays saturdays sundays`)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
