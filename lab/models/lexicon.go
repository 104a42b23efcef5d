package models

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"varve/lab/eval/corpus"
	"varve/language/lexicon"
	"varve/language/wordlist"
)

// Lexicon returns the entries of the lexicon: the base forms and irregular forms of WordNet, and the lemmas of annotated
// text that the rules do not find.
func Lexicon(data string, annotated []corpus.Document) (map[string]uint32, error) {
	w, err := corpus.ReadWordNet(filepath.Join(data, "kb", "wordnet-3.0.tar.gz"))
	if err != nil {
		return nil, err
	}
	entries := map[string]uint32{}
	for word, parts := range w.Parts {
		for i, letter := range "nvar" {
			if strings.ContainsRune(parts, letter) {
				entries[word] |= 1 << i
			}
		}
	}
	for key, base := range w.Irregular {
		entries[key[0]+"\x00"+key[1]+"\x00"+base] = 1
	}
	x, err := Compile(entries, nil, nil)
	if err != nil {
		return nil, err
	}
	for key, lemmas := range lemmas(annotated) {
		total, best := 0, ""
		for _, l := range slices.Sorted(maps.Keys(lemmas)) {
			total += lemmas[l]
			if best == "" || cmp.Compare(lemmas[l], lemmas[best]) > 0 {
				best = l
			}
		}
		form, tag := key[0], key[1]
		if total < 2 || tag == "GW" || tag == "NNP" || 2*lemmas[best] <= total || best == x.Lemma(form, tag) {
			continue
		}
		entries[strings.ToLower(form)+"\x00"+tag+"\x00"+best] = 1
	}
	return entries, nil
}

// Compile makes a lexicon of its entries, the classes of words and the names, by way of their files.
func Compile(lists ...map[string]uint32) (*lexicon.Lexicon, error) {
	var files [3]bytes.Buffer
	for i, l := range lists {
		if err := wordlist.Write(&files[i], l); err != nil {
			return nil, err
		}
	}
	return lexicon.Read(&files[0], &files[1], &files[2])
}

// lemmas counts the lemmas of each form in lower case and tag.
func lemmas(annotated []corpus.Document) map[[2]string]map[string]int {
	counts := map[[2]string]map[string]int{}
	for _, d := range annotated {
		for _, s := range d.Sentences {
			for _, w := range s.Words {
				key := [2]string{strings.ToLower(w.Form), w.XPOS}
				if counts[key] == nil {
					counts[key] = map[string]int{}
				}
				counts[key][w.Lemma]++
			}
		}
	}
	return counts
}
