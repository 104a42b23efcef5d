package curation

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"varve/archive/journal"
)

// Note is what somebody decided about an object; one line of labels/media.jsonl. Later ones stand beside
// earlier ones, except that a label replaces the label before it.
type Note struct {
	At    time.Time `json:"at"`
	By    string    `json:"by"`
	URL   string    `json:"url"`
	Label string    `json:"label,omitempty"` // one word: keep, ignore, rights, ...
	Text  string    `json:"text,omitempty"`
}

// Limits of a note.
const (
	maxLabel = 40
	maxNote  = 4000
)

// Annotate adds a note. It is durable when there is no error.
func (l *List) Annotate(n Note) error {
	n.Label, n.Text, n.By = strings.TrimSpace(n.Label), strings.TrimSpace(n.Text), strings.TrimSpace(n.By)
	switch {
	case !strings.HasPrefix(n.URL, "http://") && !strings.HasPrefix(n.URL, "https://"):
		return fmt.Errorf("%q is no http address", n.URL)
	case n.Label == "" && n.Text == "":
		return errors.New("a note has a label or a text")
	case len(n.Label) > maxLabel || strings.ContainsAny(n.Label, " \t\r\n"):
		return fmt.Errorf("a label is one word of at most %d letters", maxLabel)
	case len(n.Text) > maxNote:
		return fmt.Errorf("a note has at most %d bytes", maxNote)
	}
	n.At = l.now().UTC().Truncate(time.Millisecond)
	if err := journal.Append(l.notesPath(), n); err != nil {
		return fmt.Errorf("notes on media: %w", err)
	}
	return nil
}

// notes reads all notes by address. Lines that cannot be read are told and left out.
func (l *List) notes() (map[string][]Note, error) {
	out := map[string][]Note{}
	err := journal.Each(l.notesPath(), func(n Note) error {
		if n.URL == "" {
			return errors.New("a note on no address")
		}
		out[n.URL] = append(out[n.URL], n)
		return nil
	})
	return out, err
}

// label is the last label of some notes.
func label(notes []Note) string {
	for i := len(notes) - 1; i >= 0; i-- {
		if notes[i].Label != "" {
			return notes[i].Label
		}
	}
	return ""
}
