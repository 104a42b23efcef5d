package api

import (
	"net/http"
	"time"

	"varve"
	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/review"
)

// NewNote is a note to be kept.
type NewNote struct {
	Kind   notes.Kind `json:"kind"`             // note, decision, question, rights
	Text   string     `json:"text"`             // at most 8,000 bytes
	Crawl  string     `json:"crawl,omitempty"`  // it is about this crawl
	URL    string     `json:"url,omitempty"`    // it is about this page
	Time   time.Time  `json:"time,omitzero"`    // it is about one capture of the page
	Link   string     `json:"link,omitempty"`   // to another: a web address, the id of a note, or crawl:ID
	Public bool       `json:"public,omitempty"` // readers may see it
}

// NoteAct is what is said or done about a note.
type NoteAct struct {
	Do   notes.Act `json:"do"` // answer, close, reopen, publish, withdraw
	Text string    `json:"text,omitempty"`
	Link string    `json:"link,omitempty"`
}

var noteParams = []param{
	{"crawl", "string", "about this crawl", false},
	{"url", "string", "about this page and its captures", false},
	{"at", "string", "about the capture of this time; with url", false},
	{"kind", "string", "note, decision, question or rights", false},
	{"state", "string", "open: questions that nobody closed; closed: what was closed", false},
}

func (a *API) book(r *http.Request) (string, *notes.Book, error) {
	c, err := a.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return "", nil, err
	}
	return c.Name, a.cfg.Notes.Of(c.Name), nil
}

// notes lists what is said about a collection and its parts; readers get what is public.
func (a *API) notes(r *http.Request) (any, error) {
	name, book, err := a.book(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	ask := notes.Query{Kind: notes.Kind(q.Get("kind")), Open: q.Get("state") == "open", Closed: q.Get("state") == "closed"}
	about := notes.Subject{Crawl: q.Get("crawl"), URL: q.Get("url")}
	if about.Time, err = timeOf(r, "at", false); err != nil {
		return nil, err
	}
	if about != (notes.Subject{}) {
		if err := about.Check(); err != nil {
			return nil, err
		}
		ask.Subject = &about
	}
	curator := access.From(r.Context()).Can(access.Curator)
	if !curator {
		ask.Public = true
		if ask.May, err = review.Readers(r.Context(), a.cfg.Rules, name, a.cfg.Now()); err != nil {
			return nil, err
		}
	}
	list, err := book.List(ask)
	if err != nil && list == nil {
		return nil, err
	}
	out := List[notes.Thread]{Items: list}
	if out.Items == nil {
		out.Items = []notes.Thread{}
	}
	return out, nil
}

// addNote keeps a note.
func (a *API) addNote(r *http.Request) (any, error) {
	_, book, err := a.book(r)
	if err != nil {
		return nil, err
	}
	var n NewNote
	if err := readBody(r, &n, `{"kind":"question","url":"https://ministry.example/law","text":"Was the annex ever online?"}`); err != nil {
		return nil, err
	}
	return book.Add(notes.Line{
		Kind: n.Kind, Text: n.Text, Link: n.Link, Public: n.Public, Subject: notes.Subject{Crawl: n.Crawl, URL: n.URL, Time: n.Time}, By: access.From(r.Context()).Label(),
	})
}

// actOnNote says or does something about a note.
func (a *API) actOnNote(r *http.Request) (any, error) {
	_, book, err := a.book(r)
	if err != nil {
		return nil, err
	}
	var n NoteAct
	if err := readBody(r, &n, `{"do":"close","text":"answered by mail, 2026-05-02"}`); err != nil {
		return nil, err
	}
	if n.Do == notes.Say {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "write a note", Msg: "a new note is about no other", Hint: "send it to the list of notes"}
	}
	return book.Act(notes.Line{Do: n.Do, Re: r.PathValue("note"), Text: n.Text, Link: n.Link, By: access.From(r.Context()).Label()})
}
