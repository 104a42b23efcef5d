// Package conllu reads CoNLL-U, the format of Universal Dependencies (universaldependencies.org/format.html): one word a line in ten columns
// between tabs, a blank line after each sentence, and comments before it that name documents, paragraphs and the text as it was written.
package conllu

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Sentence is one sentence with what its comments say.
type Sentence struct {
	ID     string
	Text   string // as it was written; made of the tokens where no comment has it
	NewDoc bool   // first of a document
	NewPar bool   // first of a paragraph
	Glued  bool   // no white space before the next sentence
	Words  []Word
}

// Word is one syntactic word. Surface forms that stand for several words (1-2) and words that were not written (1.1) are left out.
type Word struct {
	Form, Lemma, UPOS, XPOS, Feats string
	Glued                          bool // SpaceAfter=No
}

// mostLine bounds a line.
const mostLine = 1 << 20

// Read calls f for each sentence. Errors have the number of the line.
func Read(r io.Reader, f func(Sentence) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, mostLine)
	var s Sentence
	var surface strings.Builder // of the tokens
	until := ""                 // last word of the surface form that we are in
	end := func() error {
		if len(s.Words) == 0 {
			return nil // comments alone
		}
		if s.Text == "" {
			s.Text = strings.TrimSpace(surface.String())
		}
		done := s
		s, until = Sentence{}, ""
		surface.Reset()
		return f(done)
	}
	write := func(form string, glued bool) {
		surface.WriteString(form)
		if s.Glued = glued; !glued {
			surface.WriteByte(' ')
		}
	}
	n := 0
	for in.Scan() {
		n++
		line := in.Text()
		if line == "" {
			if err := end(); err != nil {
				return err
			}
			continue
		}
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			s.note(strings.TrimSpace(comment))
			continue
		}
		col := strings.Split(line, "\t")
		if len(col) != 10 {
			return fmt.Errorf("line %d has %d columns, want 10", n, len(col))
		}
		w := Word{Form: col[1], Lemma: col[2], UPOS: col[3], XPOS: col[4], Feats: col[5], Glued: strings.Contains(col[9], "SpaceAfter=No")}
		if _, last, ok := strings.Cut(col[0], "-"); ok {
			until = last
			write(w.Form, w.Glued)
			continue
		}
		if strings.Contains(col[0], ".") {
			continue
		}
		if until == "" {
			write(w.Form, w.Glued)
		} else if until == col[0] {
			until = ""
		}
		s.Words = append(s.Words, w)
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return end()
}

// note takes what a comment says.
func (s *Sentence) note(comment string) {
	key, value, _ := strings.Cut(comment, "=")
	value = strings.TrimSpace(value)
	switch strings.TrimSpace(key) {
	case "newdoc", "newdoc id":
		s.NewDoc = true
	case "newpar", "newpar id":
		s.NewPar = true
	case "sent_id":
		s.ID = value
	case "text":
		s.Text = value
	}
}
