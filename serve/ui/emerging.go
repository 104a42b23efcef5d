package ui

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"varve"
	"varve/curate/entities"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
)

// emergingData is what the screen of names shows that no base knows.
type emergingData struct {
	*holdings.Collection
	Tab     string
	CSRF    string
	All     bool // also what was decided
	Entries []emergingEntry
	Open    int
	More    int // that are not shown
	Absent  int
	Beyond  int    // names in texts that were not looked at
	Other   string // address of the other list
	Why     string // there is nothing: why, and what to do
	Hint    string
}

// emergingEntry is one of them.
type emergingEntry struct {
	entities.Entry
	Kinds  []string
	Search string // texts that name it
	Page   string // the first of them
	Base   string // its page, if it was promoted
}

// emergingShown is how many are shown.
const emergingShown = 100

func emergingPath(collection string) string { return collectionPath(collection) + "/emerging" }

// emerging shows persons, places and things that texts of a collection name and no base knows.
func (u *UI) emerging(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	d := &emergingData{Collection: c, Tab: "emerging", CSRF: access.From(r.Context()).CSRF, All: r.URL.Query().Get("show") == "all"}
	d.Other = emergingPath(c.Name) + "?show=all"
	if d.All {
		d.Other = emergingPath(c.Name)
	}
	v := &view{template: "emerging", title: message.From(r.Context()).Text("Names without an entry"), section: "collections", data: d}
	s, err := u.lookForNames(r, c.Name)
	if varve.KindOf(err) == varve.NotFound {
		_, d.Why, d.Hint = message.From(r.Context()).Error(err)
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	return v, d.fill(r.Context(), s)
}

func (u *UI) lookForNames(r *http.Request, collection string) (*entities.Survey, error) {
	col, err := u.archive().Collection(collection)
	if err != nil {
		return nil, err
	}
	may, err := u.maySee(r, collection)
	if err != nil {
		return nil, err
	}
	select { // it reads all tables of names, if they have changed: few at a time
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return u.surveys.Look(r.Context(), col, entities.May(may))
}

func (d *emergingData) fill(ctx context.Context, s *entities.Survey) error {
	d.Absent, d.Beyond = s.Absent, s.Beyond
	var list []entities.Entry
	for _, e := range s.Entries {
		if e.State == entities.Open {
			d.Open++
		}
		switch {
		case !d.All && e.State != entities.Open:
		case len(list) == emergingShown:
			d.More++
		default:
			list = append(list, e)
		}
	}
	if err := s.Type(ctx, list); err != nil {
		return err
	}
	for _, e := range list {
		x := emergingEntry{Entry: e, Page: collectionPath(d.Name) + "/page?" + url.Values{"url": {e.Occurrences[0].URL}}.Encode()}
		x.Search = "/search?" + url.Values{"collection": {d.Name}, "q": {`"` + strings.ReplaceAll(e.Name, `"`, " ") + `"`}}.Encode()
		for _, k := range e.Types[:min(3, len(e.Types))] {
			x.Kinds = append(x.Kinds, k.Text)
		}
		if e.State == entities.Promoted {
			x.Base = entityPath(e.ID)
		}
		d.Entries = append(d.Entries, x)
	}
	return nil
}

// decideEmerging keeps what a curator decides about one of them.
func (u *UI) decideEmerging(r *http.Request) (*view, error) {
	c := r.PathValue("collection")
	s, err := u.lookForNames(r, c)
	if err != nil {
		return nil, err
	}
	_, err = s.Decide(r.Context(), entities.Action(r.PostFormValue("do")), r.PostFormValue("id"), r.PostFormValue("with"), access.From(r.Context()).Label(), u.cfg.Now())
	return &view{to: emergingPath(c)}, err
}
