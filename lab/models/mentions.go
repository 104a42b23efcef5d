package models

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/lab/eval/corpus"
	"varve/lab/eval/ner"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
)

// anything has the bits of all labels.
var anything = uint64(1)<<(1+2*len(mention.Types)) - 1

// silentOn are the labels that a set may hide under O: those of types it does not mark.
func silentOn(types ...mention.Type) uint64 {
	mask := uint64(1) << mention.Outside
	for i, t := range mention.Types {
		if slices.Contains(types, t) {
			mask |= 1<<mention.Begin(i) | 1<<mention.Inside(i)
		}
	}
	return mask
}

// allowed returns the labels that the label of a set may mean; outside is what its O may mean.
func allowed(label string, outside uint64) uint64 {
	if label == "O" {
		return outside
	}
	types, known := ner.Meaning(label[2:])
	switch {
	case !known:
		return anything
	case len(types) == 0:
		return outside
	}
	var mask uint64
	for i, t := range mention.Types {
		if slices.Contains(types, t) {
			if label[0] == 'B' {
				mask |= 1 << mention.Begin(i)
			} else {
				mask |= 1 << mention.Inside(i)
			}
		}
	}
	return mask
}

// MentionExamples turns labelled sentences into examples.
func MentionExamples(sentences []corpus.Labelled, t *tag.Tagger, outside uint64) []mention.Example {
	out := make([]mention.Example, 0, len(sentences))
	for _, s := range sentences {
		e := mention.Example{Sentence: mention.Tagged(t, s.Words)}
		for _, l := range s.Labels {
			e.Allowed = append(e.Allowed, allowed(l, outside))
		}
		out = append(out, e)
	}
	return out
}

// LinkExamples turns texts with mentions into examples. What counts is a name: words with capitals, and small ones between
// them; a mention is cut at its first comma and loses its article and its clitic. Of nested ones the longest is taken.
func LinkExamples(texts []corpus.Linked, t *tag.Tagger) []mention.Example {
	var out []mention.Example
	for _, text := range texts {
		links := slices.Clone(text.Mentions)
		slices.SortFunc(links, func(a, b corpus.Link) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
		for s := range sentence.Split(text.Text) {
			words, labels := make([]string, len(s.Tokens)), make([]string, len(s.Tokens))
			for i, k := range s.Tokens {
				words[i], labels[i] = k.Text, "O"
			}
			end := 0
			for _, l := range links {
				from, to := name(s.Tokens, l.Start, l.End)
				if types, _ := ner.Meaning(l.Type); from >= to || from < end || len(types) == 0 {
					continue
				}
				for i := from; i < to; i++ {
					labels[i] = "I-" + l.Type
				}
				labels[from] = "B-" + l.Type
				end = to
			}
			out = append(out, MentionExamples([]corpus.Labelled{{Words: words, Labels: labels}}, t, silentOn(mention.Event, mention.Work, mention.Product))...)
		}
	}
	return out
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
		if !capital(t.Text) && !digits(t.Text) && !strings.Contains(" of the and de la du von van for in - & 's . ’s ", " "+t.Text+" ") {
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

// MentionSets are the sets that a model of mentions learns from, by name.
type MentionSets map[string][]mention.Example

// ReadMentionSets reads all sets that may feed a shipped model.
func ReadMentionSets(data string, t *tag.Tagger) (MentionSets, error) {
	sets := MentionSets{}
	labels := func(name string, outside uint64, files ...string) error {
		for _, f := range files {
			s, err := corpus.ReadLabels(filepath.Join(data, "ner", f+".tsv.gz"))
			if err != nil {
				return err
			}
			sets[name] = append(sets[name], MentionExamples(s, t, outside)...)
		}
		return nil
	}
	var domains []string
	for _, d := range []string{"ai", "literature", "music", "politics", "science"} {
		domains = append(domains, "crossner/"+d+"-train", "crossner/"+d+"-dev", "crossner/"+d+"-test")
	}
	if err := labels("uner", silentOn(mention.Event, mention.Work, mention.Product), "uner-ewt-dev"); err != nil {
		return nil, err
	}
	if err := labels("wnut", silentOn(mention.Event), "wnut17-train"); err != nil {
		return nil, err
	}
	if err := labels("wnut-dev", silentOn(mention.Event), "wnut17-dev"); err != nil {
		return nil, err
	}
	if err := labels("crossner", silentOn(mention.Product), domains...); err != nil {
		return nil, err
	}
	for _, f := range []string{"gum-wiki-train", "gum-wiki-dev", "oke-2016-train", "oke-2016-eval"} {
		texts, err := corpus.ReadLinks(filepath.Join(data, "linking", f+".jsonl.gz"))
		if err != nil {
			return nil, err
		}
		set, _, _ := strings.Cut(f, "-")
		sets[set] = append(sets[set], LinkExamples(texts, t)...)
	}
	return sets, nil
}

// SilentOnUNER is scratch.
func SilentOnUNER() uint64 { return silentOn(mention.Event, mention.Work, mention.Product) }
