package ui

import (
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/archive/journal"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/message"
	"varve/serve/search"
)

// searchesData is what the list of saved searches shows.
type searchesData struct {
	asked
	List     []savedView
	Problems []string // searches of collections that could not be read
	Saved    string   // id of one that was just saved
	CSRF     string
}

// savedView is a search that somebody keeps.
type savedView struct {
	search.Saved
	Params []condition // in short
	Run    string
	Mine   bool // the visitor may delete it
	Total  int64
	Known  bool // it could be counted
	Fresh  int64
	New    string // address of the versions first seen since; empty if the search has a time of its own
}

// savedDir is the folder of the collection that keeps a search.
func (u *UI) savedDir(name string) string {
	return filepath.Join(u.cfg.Archive, "collections", name)
}

// searches lists the saved searches of all collections, with what is new since they were saved.
func (u *UI) searches(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "searches")
	if err != nil {
		return nil, err
	}
	who := access.From(r.Context())
	d := &searchesData{asked: a, Saved: a.Q.Get("saved"), CSRF: who.CSRF}
	for _, c := range a.All {
		list, lost, err := search.ReadSaved(u.savedDir(c.Name))
		if err != nil {
			d.Problems = append(d.Problems, "those of "+c.Title+": "+err.Error())
			continue
		}
		if lost != nil {
			d.Problems = append(d.Problems, lostLines(a.say, c.Title, lost))
		}
		for _, s := range list {
			d.List = append(d.List, u.savedView(r, &a, s, who))
		}
	}
	slices.SortStableFunc(d.List, func(a, b savedView) int { return cmpText(a.Name, b.Name) })
	return &view{template: "searches", title: a.say.Text("Saved searches"), section: "search", data: d}, nil
}

// lostLines tells on a screen that lines of a journal of a collection were passed over.
func lostLines(l *message.Language, title string, lost *journal.BadLines) string {
	return l.Text("{0} of {1}, passed over: {2}", l.Count(lost.N, "line"), title, lost)
}

func (u *UI) savedView(r *http.Request, a *asked, s search.Saved, who access.Visitor) savedView {
	v := savedView{Saved: s, Mine: s.By == who.Label() || who.Can(access.Curator)}
	q, err := url.ParseQuery(s.Query)
	if err != nil {
		return v
	}
	if !q.Has("collection") {
		q.Set("collection", s.Collection)
	}
	if q.Get("collection") == "" {
		q.Del("collection") // all of them
	}
	v.Run = address("/search", q)
	as := searchData{asked: asked{Q: q, Path: "/search", Titles: a.Titles, say: a.say}}
	ask, err := search.Parse(q)
	if err != nil || u.cfg.Texts == nil {
		return v
	}
	v.Params = as.conditions(&ask)
	ask.Limit, ask.Cursor, ask.Group = -1, "", false
	found, err := search.Ask(r.Context(), u.cfg.Texts, q.Get("collection"), ask)
	if err != nil {
		return v
	}
	v.Total, v.Known = found.Total, true
	if ask.From.IsZero() && ask.To.IsZero() && ask.AsOf.IsZero() {
		// The validity lies behind the instant: first seen since.
		ask.From, ask.Relation = s.At, fulltext.Inside
		if found, err = search.Ask(r.Context(), u.cfg.Texts, q.Get("collection"), ask); err == nil {
			v.Fresh = found.Total
			q.Set("from", s.At.UTC().Format(time.RFC3339))
			q.Set("relation", string(fulltext.Inside))
			v.New = address("/search", q)
		}
	}
	return v
}

// saveSearch keeps a search. It lies with its collection; one of several or all lies with the first.
func (u *UI) saveSearch(r *http.Request) (*view, error) {
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "save a search", Err: err}
	}
	all, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || u.cfg.Archive == "" {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "save a search", Msg: "there is no collection that could keep it"}
	}
	home := all[0].Name
	if names := search.Collections(q.Get("collection")); len(names) > 0 {
		home = names[0]
	} else {
		q.Set("collection", "")
	}
	if _, err := u.cfg.Holdings.Collection(r.Context(), home); err != nil {
		return nil, err
	}
	q.Del("cursor")
	saved, err := search.Save(u.savedDir(home), search.Saved{
		Collection: home, Name: r.PostFormValue("name"), Query: q.Encode(), By: access.From(r.Context()).Label(), At: u.cfg.Now().UTC(),
	})
	if err != nil {
		return nil, err
	}
	return &view{to: address("/searches", values("saved", saved.ID))}, nil
}

// changeSearch deletes a search, or marks what it finds as seen: it is saved again, as of now.
func (u *UI) changeSearch(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PostFormValue("collection"))
	if err != nil {
		return nil, err
	}
	dir, id := u.savedDir(c.Name), r.PathValue("search")
	list, _, err := search.ReadSaved(dir)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(s search.Saved) bool { return s.ID == id })
	if i < 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "change a saved search", Msg: "there is none with the id " + id}
	}
	if list[i].By != who.Label() && !who.Can(access.Curator) {
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "change a saved search", Msg: "it is somebody else's", Hint: "its owner or a curator can do it"}
	}
	switch r.PathValue("command") {
	case "delete":
		err = search.DeleteSaved(dir, id, who.Label(), u.cfg.Now().UTC())
	case "seen":
		again := list[i]
		again.At = u.cfg.Now().UTC()
		_, err = search.Save(dir, again)
	default:
		err = &varve.Error{Kind: varve.NotFound, Op: "change a saved search", Err: errors.New("it can be deleted or marked as seen")}
	}
	if err != nil {
		return nil, err
	}
	return &view{to: "/searches"}, nil
}
