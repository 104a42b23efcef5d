package ui

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/review"
)

// notesData is what is said about something, and the form to say more.
type notesData struct {
	Collection string
	Subject    notes.Subject
	List       []noteView
	Open       int    // questions among them
	All        string // address of all notes of the collection
	Can        bool   // the visitor may write
	CSRF       string
	Back       string // the address of this view, to come back to
	Kinds      []notes.Kind
	Most       int
	Trouble    string // lines that could not be read
	Named      bool   // subjects are named: these are notes about several
}

// noteView is a note with where its subject and its link are seen.
type noteView struct {
	notes.Thread
	About     string // the subject in words; empty: the collection
	AboutHref string
	LinkHref  string
	Outside   bool // the link is a web address, which is looked for in the archive
}

// notesAbout gives the notes about a subject that the visitor may see.
func (u *UI) notesAbout(r *http.Request, collection string, about notes.Subject) *notesData {
	d := u.notesData(r, collection)
	d.Subject = about
	u.fillNotes(r, d, notes.Query{Subject: &about})
	return d
}

func (u *UI) notesData(r *http.Request, collection string) *notesData {
	who := access.From(r.Context())
	return &notesData{
		Collection: collection, All: collectionPath(collection) + "/notes", Can: who.Can(access.Curator), CSRF: who.CSRF, Back: r.URL.RequestURI(),
		Kinds: notes.Kinds(), Most: notes.MaxText,
	}
}

// fillNotes lists notes: all to curators, to others those that are public and about nothing that is withheld from them.
func (u *UI) fillNotes(r *http.Request, d *notesData, q notes.Query) {
	if !d.Can {
		may, err := review.Readers(r.Context(), u.cfg.Rules, d.Collection, u.cfg.Now())
		if err != nil {
			d.Trouble = "notes are not shown while it is not known what may be shown"
			return
		}
		q.Public, q.May = true, may
	}
	list, err := u.cfg.Notes.Of(d.Collection).List(q)
	if err != nil && d.Can {
		d.Trouble = err.Error()
	}
	for _, t := range list {
		if t.Open() {
			d.Open++
		}
		d.List = append(d.List, u.noteView(message.From(r.Context()), d.Collection, t))
	}
}

func (u *UI) noteView(l *message.Language, collection string, t notes.Thread) noteView {
	v := noteView{Thread: t}
	switch {
	case t.Crawl != "":
		v.About, v.AboutHref = l.Text("crawl {0}", t.Crawl), collectionPath(collection)+"/crawls/"+url.PathEscape(t.Crawl)
	case t.URL != "" && !t.Time.IsZero():
		v.About, v.AboutHref = l.Text("{0} at {1}", t.URL, l.Stamp(t.Time)), u.replayURL(collection, captureAt(t.URL, t.Time))
	case t.URL != "":
		v.About, v.AboutHref = t.URL, collectionPath(collection)+"/page?"+url.Values{"url": {t.URL}}.Encode()
	}
	crawl, isCrawl := strings.CutPrefix(t.Link, "crawl:")
	switch {
	case isCrawl:
		v.LinkHref = collectionPath(collection) + "/crawls/" + url.PathEscape(crawl)
	case strings.HasPrefix(t.Link, "http://") || strings.HasPrefix(t.Link, "https://"):
		v.LinkHref, v.Outside = "/find?"+url.Values{"q": {t.Link}}.Encode(), true // screens lead nowhere else
	case t.Link != "":
		v.LinkHref = collectionPath(collection) + "/notes#note-" + t.Link
	}
	return v
}

func captureAt(target string, at time.Time) (c holdings.IndexedCapture) {
	c.URL, c.Time = target, at
	return c
}

// notesPage is what the list of all notes shows.
type notesPage struct {
	*holdings.Collection
	Tab   string
	Notes *notesData
	Kind  notes.Kind
	State string // open, closed, or all
	Shown string // the subject, if the list is about one
	Pager pager
}

// notesShown is the number of notes on one page of a list.
const notesShown = 50

// notes lists what is said about a collection and all of its parts, or about one.
func (u *UI) notes(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := &notesPage{Collection: c, Tab: "notes", Notes: u.notesData(r, c.Name), Kind: notes.Kind(q.Get("kind")), State: q.Get("state")}
	d.Notes.Named = true
	ask := notes.Query{Kind: d.Kind, Open: d.State == "open", Closed: d.State == "closed"}
	about, err := subjectOf(q)
	if err != nil {
		return nil, err
	}
	if about != (notes.Subject{}) {
		ask.Subject, d.Notes.Subject, d.Shown = &about, about, u.noteView(message.From(r.Context()), c.Name, notes.Thread{Line: notes.Line{Subject: about}}).About
	}
	u.fillNotes(r, d.Notes, ask)
	d.Pager = newPager(r, len(d.Notes.List), notesShown)
	d.Notes.List = d.Notes.List[d.Pager.From:d.Pager.To]
	return &view{template: "notes", title: "Notes on " + c.Title, section: "collections", data: d, said: true}, nil
}

// subjectOf reads what a note is about: crawl, or url and at.
func subjectOf(q url.Values) (notes.Subject, error) {
	s := notes.Subject{Crawl: strings.TrimSpace(q.Get("crawl")), URL: strings.TrimSpace(q.Get("url"))}
	if at := q.Get("at"); at != "" {
		t, err := cdxj.ParseTimestamp(at)
		if err != nil {
			return s, &varve.Error{Kind: varve.Invalid, Op: "name a capture", Err: err, Hint: "at has 14 digits: at=20260301030000"}
		}
		s.Time = t
	}
	return s, s.Check()
}

// addNote keeps a new note.
func (u *UI) addNote(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	if err := r.ParseForm(); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "write a note", Err: err}
	}
	about, err := subjectOf(r.PostForm)
	if err != nil {
		return nil, err
	}
	t, err := u.cfg.Notes.Of(c.Name).Add(notes.Line{
		Kind: notes.Kind(r.PostFormValue("kind")), Subject: about, Text: r.PostFormValue("text"), Link: r.PostFormValue("link"),
		Public: r.PostFormValue("public") == "yes", By: access.From(r.Context()).Label(),
	})
	if err != nil {
		return nil, err
	}
	return &view{to: backTo(r, c.Name) + "#note-" + t.ID}, nil
}

// actOnNote answers, closes, opens again, publishes or withdraws a note.
func (u *UI) actOnNote(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	t, err := u.cfg.Notes.Of(c.Name).Act(notes.Line{
		Do: notes.Act(r.PathValue("command")), Re: r.PathValue("note"), Text: r.PostFormValue("text"), By: access.From(r.Context()).Label(),
	})
	if err != nil {
		return nil, err
	}
	return &view{to: backTo(r, c.Name) + "#note-" + t.ID}, nil
}

// backTo is the address that a form came from, if it is one of the collection.
func backTo(r *http.Request, collection string) string {
	base := collectionPath(collection)
	return inside(r.PostFormValue("back"), base, base+"/notes")
}
