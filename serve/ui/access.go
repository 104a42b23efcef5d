package ui

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"varve"
	"varve/serve/access"
)

// accessData is what the page on access shows.
type accessData struct {
	Rules       []access.Rule
	Users       []access.User
	Audit       []access.Entry // newest first
	Broken      []string       // lines of the audit log that do not fit
	Collections []string
	Unread      []string // lines of the rules that cannot be read
	Levels      []access.Level
	Admin       bool
	CSRF        string
}

// auditShown is how many entries of the log a page has; the API pages through all.
const auditShown = 60

// access shows rules, users and the audit log.
func (u *UI) access(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	d := accessData{Admin: who.Can(access.Admin), CSRF: who.CSRF, Levels: []access.Level{access.ReadingRoom, access.Curators, access.Open}}
	if d.Admin {
		d.Levels = append([]access.Level{access.Blocked}, d.Levels...)
	}
	var err error
	if d.Rules, err = u.cfg.Rules.Rules(); err != nil {
		return nil, err
	}
	slices.Reverse(d.Rules)
	if err := u.cfg.Rules.Unread(); err != nil {
		d.Unread = strings.Split(err.Error(), "\n")
	}
	list, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		d.Collections = append(d.Collections, c.Name)
	}
	if d.Admin {
		if d.Users, err = u.cfg.Users.List(); err != nil {
			return nil, err
		}
		if err := u.addAudit(&d); err != nil {
			return nil, err
		}
	}
	return &view{template: "access", title: "Access", section: "access", data: d, said: true}, nil
}

func (u *UI) addAudit(d *accessData) error {
	for e, err := range u.cfg.Audit.Entries() {
		var chain *access.ChainError
		if errors.As(err, &chain) {
			d.Broken = append(d.Broken, chain.Error())
		} else if err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "read the audit log", Err: err}
		}
		d.Audit = append(d.Audit, e)
		if len(d.Audit) > 2*auditShown {
			d.Audit = append(d.Audit[:0], d.Audit[auditShown:]...)
		}
	}
	slices.Reverse(d.Audit)
	d.Audit = d.Audit[:min(len(d.Audit), auditShown)]
	return nil
}

// addRule takes the form for a new rule.
func (u *UI) addRule(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	rule := access.Rule{
		Collection: r.PostFormValue("collection"), Prefix: strings.TrimSpace(r.PostFormValue("prefix")),
		Level: access.Level(r.PostFormValue("level")), Reason: r.PostFormValue("reason"),
	}
	if days := r.PostFormValue("embargo"); days != "" {
		n, err := strconv.Atoi(days)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "add an access rule", Msg: "the embargo is a number of days"}
		}
		rule.Embargo = n
	}
	if rule.Level == access.Blocked && !who.Can(access.Admin) {
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "block " + rule.Prefix, Msg: "a takedown needs the role admin"}
	}
	if _, err := u.cfg.Rules.Add(rule, who.Label(), who.Role, u.cfg.Now()); err != nil {
		return nil, err
	}
	return &view{to: "/access"}, nil
}

// liftRule ends a rule.
func (u *UI) liftRule(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	if err := u.cfg.Rules.Lift(r.PathValue("rule"), who.Label(), r.PostFormValue("reason"), u.cfg.Now()); err != nil {
		return nil, err
	}
	return &view{to: "/access"}, nil
}
