package ui

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/curate/curation"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/replay"
)

// mediaShown is the number of films on one page of the list.
const mediaShown = 50

// mediaData is what the list of films and sounds shows.
type mediaData struct {
	Collections []*holdings.Collection
	Name        string // of the chosen one
	Query       curation.Query
	After       string // days, as typed
	Until       string
	List        []mediumView
	States      []stateView
	Labels      []string
	Pager       pager
	Derived     bool
	Problem     string
	Here        string // the address of this view, to come back to
	CSRF        string
	Kinds       []string
}

// stateView is a state with how many are in it.
type stateView struct {
	Name  curation.State
	Count int
	On    bool
	Href  string
}

// mediumView is a film with where it can be seen.
type mediumView struct {
	curation.Entry
	Play   string // the film alone; empty: nothing to play
	Replay string // the page that shows it
	When   *time.Time
	Length string
	Others int64 // captures of pages that show it, beyond the first
}

// media lists the films and sounds of a collection.
func (u *UI) media(r *http.Request) (*view, error) {
	d := &mediaData{Kinds: []string{"file", "hls", "dash", "player"}, CSRF: access.From(r.Context()).CSRF, Here: r.URL.RequestURI()}
	var err error
	if d.Collections, err = u.cfg.Holdings.Collections(r.Context()); err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d.Name = q.Get("collection")
	if d.Name == "" && len(d.Collections) > 0 {
		d.Name = d.Collections[0].Name
	}
	if d.Name == "" {
		return &view{template: "media", title: "Media", section: "media", data: d}, nil
	}
	l, err := u.mediaList(r, d.Name)
	if err != nil {
		return nil, err
	}
	from, to, err := dates(q.Get("after"), q.Get("until"))
	if err != nil {
		return nil, err
	}
	d.After, d.Until = q.Get("after"), q.Get("until")
	d.Query = curation.Query{Domain: strings.TrimSpace(q.Get("domain")), From: from, To: to, Text: strings.TrimSpace(q.Get("q")), State: curation.State(q.Get("state")), Kind: q.Get("kind"), Label: q.Get("label"), Limit: mediaShown}
	d.Query.Offset = max(newPager(r, 1<<30, mediaShown).From, 0)
	page, err := l.Entries(r.Context(), d.Query)
	if page == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list media", Err: err, Hint: "'varve derive --check' makes damaged tables anew"}
	}
	if err != nil {
		d.Problem = err.Error()
	}
	d.Labels, d.Derived = page.Labels, page.Derived
	d.Pager = newPager(r, page.Total, mediaShown)
	for _, e := range page.Entries {
		d.List = append(d.List, u.mediumView(message.From(r.Context()), d.Name, e))
	}
	d.states(r, page)
	return &view{template: "media", title: "Media", section: "media", data: d}, nil
}

// mediaList opens the list of a collection that is there.
func (u *UI) mediaList(r *http.Request, name string) (*curation.List, error) {
	if _, err := u.cfg.Holdings.Collection(r.Context(), name); err != nil {
		return nil, err
	}
	return curation.Open(filepath.Join(u.cfg.Archive, "collections", name), u.cfg.Now), nil
}

// states are the tabs of the list.
func (d *mediaData) states(r *http.Request, page *curation.Part) {
	link := func(s curation.State) string {
		q := r.URL.Query()
		q.Del("from")
		q.Del("state")
		if s != "" {
			q.Set("state", string(s))
		}
		return "/media?" + q.Encode()
	}
	all := 0
	for _, s := range []curation.State{curation.Found, curation.Queued, curation.Failed, curation.Archived} {
		all += page.States[s]
		d.States = append(d.States, stateView{s, page.States[s], d.Query.State == s, link(s)})
	}
	d.States = append([]stateView{{"all", all, d.Query.State == "", link("")}}, d.States...)
}

// mediumView tells where a film can be seen.
func (u *UI) mediumView(l *message.Language, collection string, e curation.Entry) mediumView {
	v := mediumView{Entry: e, Others: e.Pages - 1}
	if e.Seconds > 0 {
		v.Length = l.Duration(time.Duration(e.Seconds * float64(time.Second)))
	}
	for _, t := range []*time.Time{e.Got, e.Recording, e.Captured} {
		if t != nil {
			v.When = t
			break
		}
	}
	if v.When != nil && (e.Got != nil || e.Kind != "dash" && e.Kind != "player") {
		v.Play = u.onReplay(replay.Play(collection, cdxj.Timestamp(*v.When), e.URL))
	}
	if e.Page != "" && e.PageTime != nil {
		at := *e.PageTime
		if v.When != nil && v.When.After(at) { // the page nearest to the film
			at = *v.When
		}
		c := holdings.IndexedCapture{}
		c.URL, c.Time = e.Page, at
		v.Replay = u.replayURL(collection, c)
	}
	return v
}

// onReplay is the address of a path of the replay host; "" where there is none.
func (u *UI) onReplay(path string) string {
	if u.cfg.Replay == "" {
		return ""
	}
	if u.cfg.Gate != nil && u.cfg.Gate.NeedsTickets() {
		return "/open?" + url.Values{"path": {path}}.Encode()
	}
	return u.cfg.Replay + path
}

// changeMedium asks for a film, takes that back, or notes something about it.
func (u *UI) changeMedium(r *http.Request) (*view, error) {
	l, err := u.mediaList(r, r.PostFormValue("collection"))
	if err != nil {
		return nil, err
	}
	target, by := r.PostFormValue("url"), access.From(r.Context()).Label()
	switch command := r.PathValue("command"); command {
	case "archive":
		err = l.Ask(r.PostFormValue("page"), target, by)
	case "drop":
		err = l.Drop(target, by)
	case "annotate":
		err = l.Annotate(curation.Note{URL: target, By: by, Label: r.PostFormValue("label"), Text: r.PostFormValue("text")})
	default:
		return nil, &varve.Error{Kind: varve.NotFound, Op: "change a film", Msg: command + " is not known"}
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: r.PathValue("command") + " " + target, Err: err}
	}
	return &view{to: inside(r.PostFormValue("back"), "/media", "/media")}, nil
}
