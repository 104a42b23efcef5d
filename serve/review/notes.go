package review

import (
	"context"
	"strings"
	"time"

	"varve/curate/notes"
	"varve/serve/access"
	"varve/web/canon"
)

// Question is a question that somebody asked and nobody has closed.
type Question struct {
	ID    string
	Text  string
	About notes.Subject
	By    string
	At    time.Time
}

// questions reads what is asked of a collection and still open.
func questions(dir string) ([]Question, error) {
	list, err := notes.Open(dir, nil).List(notes.Query{Open: true})
	var out []Question
	for _, t := range list {
		out = append(out, Question{t.ID, t.Text, t.Subject, t.By, t.At})
	}
	return out, err
}

// asked tells of open questions.
func (c *Collection) asked() []Alert {
	var out []Alert
	for _, q := range c.Questions {
		what, about := q.By+" asks: "+firstLine(q.Text), "the collection"
		switch {
		case q.About.Crawl != "":
			about = q.About.Crawl
		case q.About.URL != "":
			about = q.About.URL
		}
		out = append(out, Alert{
			Kind: OpenQuestion, Subject: about, What: what, Since: q.At, Weight: 35, occasion: q.ID, Crawl: q.About.Crawl, Note: q.ID,
			Act: "answer it, and close it", Command: "varve note close " + q.ID + " --collection " + c.Name,
		})
	}
	return out
}

func firstLine(s string) string {
	line, rest, more := strings.Cut(s, "\n")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

// Readers tells which public notes the visitor of a context may read: none about pages that rules withhold from them.
func Readers(ctx context.Context, rules *access.Decisions, collection string, now time.Time) (func(*notes.Thread) bool, error) {
	if rules == nil {
		return nil, nil
	}
	set, err := rules.InForce()
	if err != nil {
		return nil, err
	}
	who := access.From(ctx)
	return func(t *notes.Thread) bool {
		if t.URL == "" {
			return true
		}
		at := t.Time
		if at.IsZero() {
			at = t.At // of all captures, the newest that the note can be about
		}
		return set.Check(who, collection, canon.SURT(t.URL), at, now).Allowed
	}, nil
}
