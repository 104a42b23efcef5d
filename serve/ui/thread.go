package ui

import (
	"errors"
	"net/http"
	"strings"

	"varve/serve/search"
	"varve/serve/thread"
	"varve/serve/veil"
)

// threadData is what people wrote on the page of a document, as the page shows it.
type threadData struct {
	*thread.Thread
	Problem string // why nothing can be told
	JSON    string // address of it for programs
}

// threadPost is one post with where it stands.
type threadPost struct{ thread.Post }

// Shown are the posts of the capture that is shown, and Past those that are gone.
func (t *threadData) Shown() []threadPost { return shownPosts(t.Posts) }

// Past are the posts that are gone.
func (t *threadData) Past() []threadPost { return shownPosts(t.Gone) }

func shownPosts(list []thread.Post) (out []threadPost) {
	for _, p := range list {
		out = append(out, threadPost{p})
	}
	return out
}

// Arrows show how deep an answer is.
func (p threadPost) Arrows() string { return strings.Repeat("↳", p.Depth) }

// Lines are those of the text.
func (p threadPost) Lines() []string { return strings.Split(p.Text, "\n") }

// thread reads what people wrote on the page of a document; nil if it is of no application that is known.
func (u *UI) thread(r *http.Request, doc *search.Document) (*threadData, error) {
	if u.cfg.Contents == nil || u.cfg.Index == nil || !strings.Contains(doc.MIME, "html") {
		return nil, nil
	}
	over, err := u.veil(r, &view{})
	if err != nil {
		return nil, err
	}
	said := veil.Said(r)
	from := thread.Library{Index: u.cfg.Index, Contents: u.cfg.Contents, Archive: u.cfg.Archive}
	t, err := from.Read(r.Context(), doc.Collection, doc.URL, doc.Last, func(text string) string { return over.Text(text, said...) })
	if bad, ok := errors.AsType[*thread.BadKnowledge](err); ok {
		return &threadData{Problem: bad.Error()}, nil
	}
	if err != nil || t == nil {
		return nil, err
	}
	return &threadData{Thread: t, JSON: address("/api"+collectionPath(doc.Collection)+"/thread", values("url", doc.URL, "at", t.At.UTC().Format("20060102150405")))}, nil
}
