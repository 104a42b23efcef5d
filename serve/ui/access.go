package ui

import (
	"context"
	"errors"
	"net/http"
	"net/url"
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
	Made        *access.Rule // the rule that was just made
	Undone      bool
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
	if i := slices.IndexFunc(d.Rules, func(x access.Rule) bool { return x.ID == r.URL.Query().Get("made") }); i >= 0 {
		d.Made = &d.Rules[i]
	}
	d.Undone = r.URL.Query().Has("undone")
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

// withholds reports whether access rules keep something from whoever looks.
func (u *UI) withholds(ctx context.Context) bool {
	if u.cfg.Rules == nil {
		return false
	}
	set, err := u.cfg.Rules.InForce()
	return err != nil || set.Withholds(access.From(ctx), "")
}

// ruleData is what a person sees before a rule is made.
type ruleData struct {
	Rule    access.Rule
	Effect  access.Effect
	Final   bool   // it is a takedown
	Word    string // to be typed before it is made; "" for none
	Typed   string // that was typed instead
	Embargo string
	CSRF    string
}

// word is what a person types who means a rule: what it is about.
func (d *ruleData) word() string {
	switch {
	case !d.Final && !d.Effect.Large():
		return ""
	case d.Rule.Prefix != "":
		return d.Rule.Prefix
	case d.Rule.Collection != "":
		return d.Rule.Collection
	}
	return "all collections"
}

// addRule takes the form for a new rule: first it shows what the rule would withhold, and asks for a word if that is much or final; then it makes it.
func (u *UI) addRule(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	rule := access.Rule{
		Collection: r.PostFormValue("collection"), Prefix: strings.TrimSpace(r.PostFormValue("prefix")),
		Level: access.Level(r.PostFormValue("level")), Reason: r.PostFormValue("reason"), Role: who.Role,
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
	effect, err := u.cfg.Effects.Effect(r.Context(), rule)
	if err != nil {
		return nil, err
	}
	d := ruleData{Rule: rule, Effect: effect, Final: rule.Level == access.Blocked, Embargo: r.PostFormValue("embargo"), CSRF: who.CSRF, Typed: strings.TrimSpace(r.PostFormValue("word"))}
	d.Word = d.word()
	if !r.PostForm.Has("make") || d.Typed != d.Word {
		return &view{template: "rule", title: "A new rule", section: "access", data: &d, said: true}, nil
	}
	made, err := u.cfg.Rules.Add(rule, who.Label(), who.Role, u.cfg.Now())
	if err != nil {
		return nil, err
	}
	return &view{to: "/access?" + url.Values{"made": {made.ID}}.Encode()}, nil
}

// undoRule ends a rule again, for whoever made it.
func (u *UI) undoRule(r *http.Request) (*view, error) {
	who, id := access.From(r.Context()), r.PathValue("rule")
	rules, err := u.cfg.Rules.Rules()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(rules, func(x access.Rule) bool { return x.ID == id })
	if i >= 0 && !who.Can(access.Admin) && rules[i].By != who.Label() {
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "undo access rule " + id, Msg: "it was made by somebody else", Hint: "an administrator can lift it"}
	}
	if err := u.cfg.Rules.Lift(id, who.Label(), "undone on the screen", u.cfg.Now()); err != nil {
		return nil, err
	}
	return &view{to: "/access?undone"}, nil
}

// liftRule ends a rule.
func (u *UI) liftRule(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	if err := u.cfg.Rules.Lift(r.PathValue("rule"), who.Label(), r.PostFormValue("reason"), u.cfg.Now()); err != nil {
		return nil, err
	}
	return &view{to: "/access"}, nil
}
