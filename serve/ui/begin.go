package ui

import (
	"net/http"
	"strings"

	"varve"
	"varve/archive/catalog"
	"varve/serve/access"
	"varve/serve/crawls"
)

// errNoPlans says that this server only shows.
var errNoPlans = &varve.Error{Kind: varve.Unavailable, Op: "change a plan", Msg: "this server does not change plans", Hint: "write collection.toml where the archive is"}

func (u *UI) archive() *catalog.Archive { return catalog.Open(u.cfg.Archive) }

// beginData is the form of a new collection.
type beginData struct {
	crawls.NewCollection
	Faults crawls.Faults
	CSRF   string
	First  bool // there is none yet
}

// Fault gives what is wrong with a field.
func (d *beginData) Fault(field string) string { return d.Faults.Of(field) }

func (u *UI) beginning(r *http.Request) (*beginData, error) {
	if u.cfg.Plans == nil {
		return nil, errNoPlans
	}
	list, err := u.cfg.Holdings.Collections(r.Context())
	return &beginData{CSRF: access.From(r.Context()).CSRF, First: len(list) == 0}, err
}

func (d *beginData) view() *view {
	return &view{template: "begin", title: "New collection", section: "collections", data: d, said: true}
}

// newCollection is the form of a new collection.
func (u *UI) newCollection(r *http.Request) (*view, error) {
	d, err := u.beginning(r)
	if err != nil {
		return nil, err
	}
	return d.view(), nil
}

// beginCollection makes a collection and goes on with its first crawl.
func (u *UI) beginCollection(r *http.Request) (*view, error) {
	d, err := u.beginning(r)
	if err != nil {
		return nil, err
	}
	d.NewCollection = crawls.NewCollection{
		Name: strings.TrimSpace(r.PostFormValue("name")), Title: strings.TrimSpace(r.PostFormValue("title")), Purpose: strings.TrimSpace(r.PostFormValue("purpose")),
	}
	if d.Faults = d.Check(u.cfg.Plans); len(d.Faults) > 0 {
		v := d.view()
		v.status = http.StatusUnprocessableEntity
		return v, nil
	}
	if err := u.cfg.Plans.Begin(d.NewCollection, access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	return &view{to: collectionPath(d.Name) + "/plan/new"}, nil
}
