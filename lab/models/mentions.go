package models

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/archive/whole"
	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/ner"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
	"varve/learn/chain"
)

// allowed returns the labels that the label of a set may mean. What a set does not mark is taken as no name: to leave it open
// (O may hide a work or a product) was tried, and the model then found works everywhere, for nothing spoke against them.
func allowed(label string) uint64 {
	var mask uint64
	if label != "O" {
		types, _ := ner.Meaning(label[2:])
		for i, t := range mention.Types {
			if slices.Contains(types, t) {
				if label[0] == 'B' {
					mask |= 1 << mention.Begin(i)
				} else {
					mask |= 1 << mention.Inside(i)
				}
			}
		}
	}
	if mask == 0 {
		mask = 1 << mention.Outside
	}
	return mask
}

// MentionExamples turns the labelled sentences of a document into examples.
func MentionExamples(sentences []corpus.Labelled, t *tag.Tagger) []mention.Example {
	out := make([]mention.Example, 0, len(sentences))
	for _, s := range sentences {
		e := mention.Example{Sentence: mention.Tagged(t, s.Words)}
		for _, l := range s.Labels {
			e.Allowed = append(e.Allowed, allowed(l))
		}
		out = append(out, e)
	}
	return out
}

// LinkExamples turns texts with mentions into examples. What counts is a name: words with capitals, and small ones between
// them; a mention is cut at its first comma and loses its article and its clitic. Of nested ones the longest is taken.
// Each text is a document.
func LinkExamples(texts []corpus.Linked, t *tag.Tagger) [][]mention.Example {
	var out [][]mention.Example
	for _, text := range texts {
		var document []mention.Example
		links := slices.Clone(text.Mentions)
		slices.SortFunc(links, func(a, b corpus.Link) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
		for s := range sentence.Split(text.Text) {
			words, labels := make([]string, len(s.Tokens)), make([]string, len(s.Tokens))
			for i, k := range s.Tokens {
				words[i], labels[i] = k.Text, "O"
			}
			end := 0
			for _, l := range links {
				kind := linkType(l.Type)
				from, to := name(s.Tokens, l.Start, l.End)
				if kind == "person" {
					from = bareName(s.Tokens, from, to)
				}
				if types, _ := ner.Meaning(kind); from >= to || from < end || len(types) == 0 {
					continue
				}
				for i := from; i < to; i++ {
					labels[i] = "I-" + kind
				}
				labels[from] = "B-" + kind
				end = to
			}
			document = append(document, MentionExamples([]corpus.Labelled{{Words: words, Labels: labels}}, t)...)
		}
		out = append(out, document)
	}
	return out
}

// linkType returns the type of a mention that may have several classes of Wikidata: a place that acts (a country) is a place.
func linkType(t string) string {
	for _, class := range []struct{ id, kind string }{{"Q27096213", "place"}, {"Q215627", "person"}, {"Q43229", "organization"}} {
		if strings.Contains(t, class.id) {
			return class.kind
		}
	}
	return t
}

// titles stand before the names of persons and are no part of them.
var titles = func() map[string]bool {
	m := map[string]bool{}
	for t := range strings.FieldsSeq(`president minister secretary general mr. mrs. ms. dr. sir king queen prince princess judge justice professor senator director chairman governor mayor
		captain officer emperor pope saint lord lady chief spokesman spokesperson leader chancellor ambassador commissioner author actor actress singer writer coach manager sultan sheikh
		bishop father sister brother uncle aunt prof. sen. gov. gen. col. lt. sgt. rep. rev. st. mr mrs ms dr congressman attorney counsel deputy vice prime first`) {
		m[t] = true
	}
	return m
}()

// bareName returns where the name of a person begins behind titles.
func bareName(tokens []sentence.Token, from, to int) int {
	for i := to - 2; i >= from; i-- {
		if titles[strings.ToLower(tokens[i].Text)] {
			return i + 1
		}
	}
	return from
}

// name returns the tokens of text[start:end] that are a name; none if they are not.
func name(tokens []sentence.Token, start, end int) (from, to int) {
	for from < len(tokens) && tokens[from].Start < start {
		from++
	}
	to = from
	for to < len(tokens) && tokens[to].End <= end && tokens[to].Text != "," && tokens[to].Text != "(" {
		to++
	}
	for from < to && !capital(tokens[from].Text) || from+1 < to && strings.EqualFold(tokens[from].Text, "the") {
		from++
	}
	for from < to && !capital(tokens[to-1].Text) && !digits(tokens[to-1].Text) {
		to--
	}
	for _, t := range tokens[from:to] {
		if !capital(t.Text) && !digits(t.Text) && !strings.Contains(" of the and de la du von van - & 's . ’s ", " "+t.Text+" ") {
			return 0, 0
		}
	}
	if to == from+1 && (pronouns[strings.ToLower(tokens[from].Text)] || digits(tokens[from].Text)) {
		return 0, 0
	}
	return from, to
}

var pronouns = map[string]bool{
	"i": true, "he": true, "she": true, "it": true, "we": true, "you": true, "they": true, "his": true, "her": true, "its": true, "our": true, "your": true, "their": true, "my": true,
	"this": true, "that": true, "these": true, "those": true, "who": true, "one": true, "some": true, "many": true, "all": true, "there": true, "people": true, "others": true, "here": true,
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func digits(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// MentionSets are the documents of the sets that a model of mentions learns from, by the names of their files.
type MentionSets map[string][][]mention.Example

// weight is how many times a set is learned from in each pass: the one that is nearest to what people archive twice.
func weight(set string) int {
	if set == uner {
		return 2
	}
	return 1
}

const uner = "uner-ewt-dev"

// All returns the documents of all sets but those named, in a fixed order.
func (m MentionSets) All(but ...string) [][]mention.Example {
	var out [][]mention.Example
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(but, name) {
			for range weight(name) {
				out = append(out, m[name]...)
			}
		}
	}
	return out
}

// ReadMentionSets reads all sets that may feed a shipped model.
func ReadMentionSets(data string, t *tag.Tagger) (MentionSets, error) {
	sets := MentionSets{}
	files := []string{uner, "wnut17-train", "wnut17-dev"}
	for _, d := range []string{"ai", "literature", "music", "politics", "science"} {
		files = append(files, "crossner/"+d+"-train", "crossner/"+d+"-dev", "crossner/"+d+"-test")
	}
	for _, f := range files {
		s, err := corpus.ReadLabels(filepath.Join(data, "ner", f+".tsv.gz"))
		if err != nil {
			return nil, err
		}
		for _, d := range ner.Documents(s) {
			sets[f] = append(sets[f], MentionExamples(d, t))
		}
	}
	for _, f := range []string{"gum-wiki-train", "gum-wiki-dev", "oke-2016-train", "oke-2016-eval"} {
		texts, err := corpus.ReadLinks(filepath.Join(data, "linking", f+".jsonl.gz"))
		if err != nil {
			return nil, err
		}
		sets[f] = LinkExamples(texts, t)
	}
	return sets, nil
}

// Round is a part of a validation: what is learned from, and the documents that are measured.
type Round struct {
	Learned  [][]mention.Example
	Measured [][]corpus.Labelled
}

// Rounds returns how a set is measured that the model has not seen: what is learned from are all other sets of the folder data and, if there are folds,
// for each fold the other folds of the set too.
func Rounds(data, file string, folds int, t *tag.Tagger) ([]Round, error) {
	sets, err := ReadMentionSets(data, t)
	if err != nil {
		return nil, err
	}
	sentences, err := corpus.ReadLabels(file)
	if err != nil {
		return nil, err
	}
	set := eval.SetName(file)
	others := sets.All(set, "crossner/"+set)
	rounds := make([]Round, max(1, folds))
	for k := range rounds {
		r := &rounds[k]
		r.Learned = slices.Clip(others)
		for i, d := range ner.Documents(sentences) {
			if folds == 0 || i%folds == k {
				r.Measured = append(r.Measured, d)
				continue
			}
			own := MentionExamples(d, t)
			for range weight(set) {
				r.Learned = append(r.Learned, own)
			}
		}
	}
	return rounds, nil
}

// Validate measures mentions by rounds (see Rounds): a model is trained anew for each.
func Validate(data, file string, folds int, x *lexicon.Lexicon, tags *tag.Model, o chain.Options) (ner.Result, error) {
	t := tags.NewTagger()
	rounds, err := Rounds(data, file, folds, t)
	if err != nil {
		return ner.Result{}, err
	}
	var sentences []corpus.Labelled
	for _, r := range rounds {
		sentences = append(sentences, slices.Concat(r.Measured...)...)
	}
	tally := ner.NewTally(sentences, x)
	for _, r := range rounds {
		m, err := mention.Train(r.Learned, x, o)
		if err != nil {
			return ner.Result{}, err
		}
		f := m.NewFinder()
		for _, d := range r.Measured {
			s := ner.Tagged(d, t)
			tally.Add(d, f.Find(s), f.Alone(s))
		}
	}
	return tally.Result(), nil
}

// ExportRounds writes what each round learns from and is measured on below a folder, for other programs: learned-0.tsv, measured-0.tsv and so on have a
// token, its Penn tag and its label in our types on each line, tabs between them, and a blank line after each sentence. Of labels that are left open the first is written.
func ExportRounds(rounds []Round, t *tag.Tagger, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for k, r := range rounds {
		var measured [][]mention.Example
		for _, d := range r.Measured {
			measured = append(measured, MentionExamples(d, t))
		}
		for name, documents := range map[string][][]mention.Example{"learned": r.Learned, "measured": measured} {
			var b bytes.Buffer
			for _, s := range slices.Concat(documents...) {
				for i, w := range s.Words {
					fmt.Fprintf(&b, "%s\t%s\t%s\n", w, s.Penn[i], mention.LabelName(bits.TrailingZeros64(s.Allowed[i])))
				}
				b.WriteByte('\n')
			}
			if err := whole.Bytes(filepath.Join(dir, fmt.Sprintf("%s-%d.tsv", name, k)), 0o644, b.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
