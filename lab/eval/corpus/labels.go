package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Labelled is a sentence with BIO labels: O, B-PER, I-PER ...
type Labelled struct {
	Document string // id, where the file has them
	Words    []string
	Labels   []string
}

// ReadLabels reads a file of tokens and BIO labels in two columns, a blank line between sentences.
func ReadLabels(file string) ([]Labelled, error) {
	var out []Labelled
	var s Labelled
	document := ""
	end := func() {
		if len(s.Words) > 0 {
			s.Document = document
			out = append(out, s)
		}
		s = Labelled{}
	}
	err := Lines(file, func(_ int, line string) error {
		switch {
		case strings.TrimSpace(line) == "":
			end()
		case strings.HasPrefix(line, "# ") && !strings.Contains(line, "\t"):
			if id, ok := strings.CutPrefix(line, "# newdoc id = "); ok {
				end()
				document = id
			}
		default:
			word, label, ok := strings.Cut(line, "\t")
			label, _, _ = strings.Cut(label, "\t")
			if !ok || label != "O" && !strings.HasPrefix(label, "B-") && !strings.HasPrefix(label, "I-") {
				return fmt.Errorf("%.40q is no token and BIO label with a tab between them", line)
			}
			s.Words, s.Labels = append(s.Words, word), append(s.Labels, label)
		}
		return nil
	})
	end()
	return out, err
}

// Chunk is a labelled run of tokens.
type Chunk struct {
	Sentence, From, To int
	Type               string
}

// Chunks returns the runs of the labels of a sentence; an I that follows nothing of its type begins one.
func Chunks(sentence int, labels []string) []Chunk {
	var out []Chunk
	for i, l := range labels {
		kind := ""
		if len(l) > 2 {
			kind = l[2:]
		}
		if n := len(out); l[0] == 'I' && n > 0 && out[n-1].To == i && out[n-1].Type == kind {
			out[n-1].To = i + 1
		} else if l != "O" {
			out = append(out, Chunk{sentence, i, i + 1, kind})
		}
	}
	return out
}

// Linked is a text with mentions of entities.
type Linked struct {
	Text     string
	Mentions []Link
}

// Link is a mention in a text.
type Link struct {
	Start, End int    // bytes
	Type       string // person, place, organization, event, object, abstract ...
	Entity     string // of Wikidata: Q42; "" if it is not said
}

// ReadLinks reads JSON lines of the folder linking, whose offsets count characters.
func ReadLinks(file string) ([]Linked, error) {
	var out []Linked
	err := Lines(file, func(_ int, line string) error {
		var v struct {
			Text     string
			Mentions []struct {
				Start, End  int
				Type, Etype string
				QID         string
			}
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return err
		}
		at := make([]int, 0, len(v.Text)+1) // bytes of each character
		for i := range v.Text {
			at = append(at, i)
		}
		at = append(at, len(v.Text))
		l := Linked{Text: v.Text}
		for _, m := range v.Mentions {
			if m.Start < 0 || m.End < m.Start || m.End >= len(at) {
				return fmt.Errorf("a mention from %d to %d is outside of the text", m.Start, m.End)
			}
			l.Mentions = append(l.Mentions, Link{at[m.Start], at[m.End], m.Etype + m.Type, m.QID})
		}
		out = append(out, l)
		return nil
	})
	return out, err
}
