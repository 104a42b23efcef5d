// Package typing measures how well the kinds of names are found (varve/entity/kind) against sets in which people marked them.
//
//	read.go    the formats of sets, and maps of their labels to types
//	typing.go  the measures
//	prune.go   how many candidates of names can be left out by their types
package typing

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/language/sentence"
)

// Meaning is what a label of a set means.
type Meaning struct {
	Types   []string
	Not     []string // types that it is not
	Unknown bool     // it says nothing
}

// Map is what the labels of a set mean.
type Map map[string]Meaning

// ParseMap reads lines of a label, its types and types that it is not, with tabs between them, and blanks or commas between types. The types "-" are none of the taxonomy, "?" are not known.
func ParseMap(r io.Reader) (Map, error) {
	m := Map{}
	s := bufio.NewScanner(r)
	list := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	}
	for n := 1; s.Scan(); n++ {
		line := strings.TrimRight(s.Text(), "\r\n \t")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) < 2 || len(c) > 3 || c[0] == "" || c[1] == "" {
			return nil, fmt.Errorf("map of types: line %d: want a label, its types and perhaps types that it is not, with tabs between them", n)
		}
		one := Meaning{}
		switch c[1] {
		case "-":
		case "?":
			one.Unknown = true
		default:
			one.Types = list(c[1])
		}
		if len(c) == 3 {
			one.Not = list(c[2])
		}
		m[c[0]] = one
	}
	return m, s.Err()
}

// ReadMap reads a map from a file.
func ReadMap(file string) (Map, error) {
	f, err := eval.Open(file, "")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ParseMap(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// Mark is a name that people marked.
type Mark struct {
	Sentence, From, To int
	Labels             []string
}

// Document is a text with marks.
type Document struct {
	Sentences [][]string
	Marks     []Mark
}

// Read reads a set: tokens with BIO labels (several labels have commas between them, as FIGER's gold has), JSON lines of tokens with mentions (start, end, labels), or JSON lines of text with mentions
// in characters (start, end, type, etype or labels).
func Read(file string) ([]Document, error) {
	if strings.Contains(file, ".json") {
		return readJSON(file)
	}
	sentences, err := corpus.ReadLabels(file)
	if err != nil {
		return nil, err
	}
	var out []Document
	for _, s := range sentences {
		d := Document{Sentences: [][]string{s.Words}}
		for _, c := range corpus.Chunks(0, s.Labels) {
			d.Marks = append(d.Marks, Mark{0, c.From, c.To, strings.Split(c.Type, ",")})
		}
		if len(d.Marks) > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

func readJSON(file string) ([]Document, error) {
	var out []Document
	err := corpus.Lines(file, func(_ int, line string) error {
		var v struct {
			Text     string
			Tokens   []string
			Mentions []struct {
				Start, End  int
				Type, Etype string
				Labels      []string
			}
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return err
		}
		d := Document{}
		if len(v.Tokens) > 0 {
			d.Sentences = [][]string{v.Tokens}
			for _, m := range v.Mentions {
				if m.Start < 0 || m.Start >= m.End || m.End > len(v.Tokens) {
					return fmt.Errorf("a mention from %d to %d is outside of the tokens", m.Start, m.End)
				}
				d.Marks = append(d.Marks, Mark{0, m.Start, m.End, m.Labels})
			}
			out = append(out, d)
			return nil
		}
		at := make([]int, 0, len(v.Text)+1) // bytes of each character
		for i := range v.Text {
			at = append(at, i)
		}
		at = append(at, len(v.Text))
		var tokens [][]sentence.Token
		for s := range sentence.Split(v.Text) {
			var words []string
			for _, k := range s.Tokens {
				words = append(words, k.Text)
			}
			d.Sentences, tokens = append(d.Sentences, words), append(tokens, slices.Clone(s.Tokens))
		}
		for _, m := range v.Mentions {
			if m.Start < 0 || m.End < m.Start || m.End >= len(at) {
				return fmt.Errorf("a mention from %d to %d is outside of the text", m.Start, m.End)
			}
			labels := m.Labels
			if one := m.Etype + m.Type; one != "" {
				labels = append(labels, strings.Split(one, "|")...)
			}
			if mark, ok := place(tokens, at[m.Start], at[m.End]); ok {
				mark.Labels = labels
				d.Marks = append(d.Marks, mark)
			}
		}
		out = append(out, d)
		return nil
	})
	return out, err
}

// place returns the tokens of a part of the text that is a name: one whose last word has a capital and does not begin the sentence, where all words have one.
func place(tokens [][]sentence.Token, start, end int) (Mark, bool) {
	for i, list := range tokens {
		from, to := -1, -1
		named := false
		for k, t := range list {
			if t.Start >= start && t.End <= end {
				if from < 0 {
					from = k
				}
				to = k + 1
				named = t.Text[0] >= 'A' && t.Text[0] <= 'Z' && k > 0 && to-from < 8
			}
		}
		if from >= 0 {
			return Mark{Sentence: i, From: from, To: to}, named
		}
	}
	return Mark{}, false
}
