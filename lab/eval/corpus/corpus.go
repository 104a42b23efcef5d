// Package corpus reads the annotated texts that the units of language/ learn from and are measured on: CoNLL-U (words,
// tags, lemmas, sentences), labels in BIO columns, entity links as JSON lines, and WordNet. Files that end in .gz are
// unpacked. README.md beside the data says what may feed a shipped model.
package corpus

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// Word is a word of a sentence.
type Word struct {
	Form, Lemma     string
	Universal, Penn string
	Space           bool // white space follows
	Start, End      int  // bytes in Document.Text
}

// Sentence is a sentence of a document.
type Sentence struct {
	ID         string
	Words      []Word
	Start, End int // bytes in Document.Text
}

// Document is a text with its sentences. Paragraphs are separated by an empty line.
type Document struct {
	ID        string
	Text      string
	Sentences []Sentence
}

// Open opens a file, unpacking it if its name says so.
func Open(file string) (io.ReadCloser, error) {
	f, err := os.Open(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// Lines calls fn for each line of a file, numbered from 1.
func Lines(file string, fn func(n int, line string) error) error {
	f, err := Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for n := 1; s.Scan(); n++ {
		if err := fn(n, strings.TrimSuffix(s.Text(), "\r")); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// ReadConllu reads a file in CoNLL-U. Words that are written as one (don't: do, n't) keep their own forms; where these do
// not add up to what is written, the words share its place in the text.
func ReadConllu(file string) ([]Document, error) {
	r := conllu{}
	if err := Lines(file, r.line); err != nil {
		return nil, err
	}
	r.endSentence()
	r.endDocument()
	return r.documents, nil
}

// conllu is the state of a reader.
type conllu struct {
	documents []Document
	document  Document
	text      strings.Builder
	sentence  Sentence
	surface   []surface // of the sentence
	paragraph bool      // the next sentence begins one
}

// surface is what is written for the words first..last.
type surface struct {
	form        string
	first, last int
	space       bool
}

func (r *conllu) line(_ int, line string) error {
	switch {
	case line == "":
		r.endSentence()
		return nil
	case strings.HasPrefix(line, "#"):
		key, value, _ := strings.Cut(strings.TrimSpace(line[1:]), "=")
		switch key = strings.TrimSpace(key); {
		case key == "newdoc id" || key == "newdoc":
			r.endDocument()
			r.document.ID = strings.TrimSpace(value)
		case strings.HasPrefix(key, "newpar"):
			r.paragraph = true
		case key == "sent_id":
			r.sentence.ID = strings.TrimSpace(value)
		}
		return nil
	}
	c := strings.Split(line, "\t")
	if len(c) != 10 {
		return fmt.Errorf("%d columns, want the 10 of CoNLL-U", len(c))
	}
	space := !strings.Contains(c[9], "SpaceAfter=No")
	if from, to, ok := strings.Cut(c[0], "-"); ok {
		var s surface
		if _, err := fmt.Sscanf(from+" "+to, "%d %d", &s.first, &s.last); err != nil || s.last < s.first {
			return fmt.Errorf("%q is no range of words", c[0])
		}
		s.form, s.space = c[1], space
		s.first, s.last = s.first-1, s.last-1
		r.surface = append(r.surface, s)
		return nil
	}
	if strings.Contains(c[0], ".") {
		return nil // an empty word
	}
	n := len(r.sentence.Words)
	r.sentence.Words = append(r.sentence.Words, Word{Form: c[1], Lemma: c[2], Universal: c[3], Penn: c[4], Space: space})
	if len(r.surface) == 0 || r.surface[len(r.surface)-1].last < n {
		r.surface = append(r.surface, surface{c[1], n, n, space})
	}
	return nil
}

func (r *conllu) endSentence() {
	if len(r.sentence.Words) == 0 {
		return
	}
	if r.paragraph && r.text.Len() > 0 {
		text := strings.TrimRight(r.text.String(), " ")
		r.text.Reset()
		r.text.WriteString(text + "\n\n")
	}
	r.paragraph = false
	words := r.sentence.Words
	r.sentence.Start = r.text.Len()
	for _, s := range r.surface {
		s.last = min(s.last, len(words)-1)
		start := r.text.Len()
		r.text.WriteString(s.form)
		r.sentence.End = r.text.Len()
		at, whole := start, ""
		for _, w := range words[s.first : s.last+1] {
			whole += w.Form
		}
		for i := s.first; i <= s.last; i++ {
			words[i].Start, words[i].End = start, r.text.Len()
			if whole == s.form {
				words[i].Start, words[i].End = at, at+len(words[i].Form)
				at = words[i].End
			}
			words[i].Space = i == s.last && s.space
		}
		if s.space {
			r.text.WriteByte(' ')
		}
	}
	r.document.Sentences = append(r.document.Sentences, r.sentence)
	r.sentence, r.surface = Sentence{}, nil
}

func (r *conllu) endDocument() {
	r.endSentence()
	if len(r.document.Sentences) > 0 {
		r.document.Text = strings.TrimRight(r.text.String(), " ")
		r.documents = append(r.documents, r.document)
	}
	r.document = Document{}
	r.text.Reset()
}
