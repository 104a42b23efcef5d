package ui

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/message"
)

// usersData is what the screen of users shows.
type usersData struct {
	Users  []access.User
	Roles  []access.Role
	CSRF   string
	Self   string // who looks, if by a login
	Done   string // what was just done, in a sentence
	Secret string // a token that was just made: it is told once
	Now    time.Time
}

// users shows who may log in, and the tokens of programs.
func (u *UI) users(r *http.Request) (*view, error) { return u.usersView(r, "", "") }

func (u *UI) usersView(r *http.Request, done, secret string) (*view, error) {
	who := access.From(r.Context())
	d := &usersData{CSRF: who.CSRF, Self: who.Name, Done: done, Secret: secret, Now: u.cfg.Now(), Roles: []access.Role{access.Viewer, access.Curator, access.Admin}}
	var err error
	if d.Users, err = u.cfg.Users.List(); err != nil {
		return nil, err
	}
	l := message.From(r.Context())
	if q := r.URL.Query(); done == "" {
		switch {
		case q.Has("put"):
			d.Done = l.Text("{0} can log in.", q.Get("put"))
		case q.Has("removed"):
			d.Done = l.Text("{0} is removed; sessions and tokens of that user have ended.", q.Get("removed"))
		case q.Has("ended"):
			d.Done = l.Text("The token {0} is revoked.", q.Get("ended"))
		}
	}
	return &view{template: "users", title: l.Text("Users"), section: "access", data: d, said: true, unkept: secret != ""}, nil
}

func (u *UI) noteUser(r *http.Request, did, name, detail string) error {
	return u.cfg.Audit.Append(access.Entry{Time: u.cfg.Now(), By: access.From(r.Context()).Label(), Did: did, What: name, Detail: detail})
}

// putUser adds a user, or changes role and password.
func (u *UI) putUser(r *http.Request) (*view, error) {
	name, role, password := strings.TrimSpace(r.PostFormValue("name")), access.Role(r.PostFormValue("role")), r.PostFormValue("password")
	if name == access.From(r.Context()).Name && role != access.Admin {
		return nil, ownAccount("change the role of " + name)
	}
	_, known, err := u.cfg.Users.Get(name)
	if err != nil {
		return nil, err
	}
	hash := ""
	if password != "" || !known {
		if hash, err = access.HashPassword(password); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "add user " + name, Err: err, Hint: "go back and give a longer password"}
		}
	}
	if err := u.cfg.Users.Put(name, role, hash, u.cfg.Now()); err != nil {
		return nil, err
	}
	return usersDone("put", name), u.noteUser(r, "user added or changed", name, string(role))
}

// removeUser takes a user away, with all tokens.
func (u *UI) removeUser(r *http.Request) (*view, error) {
	name := r.PathValue("name")
	if name == access.From(r.Context()).Name {
		return nil, ownAccount("remove " + name)
	}
	if err := u.cfg.Users.Remove(name); err != nil {
		return nil, err
	}
	return usersDone("removed", name), u.noteUser(r, "user removed", name, "")
}

// ownAccount refuses what would lock somebody out who does not mean it.
func ownAccount(what string) error {
	return &varve.Error{Kind: varve.Conflict, Op: what, Msg: "this is how you are logged in yourself", Hint: "another administrator can do it, or 'varve user' on the machine"}
}

// makeToken makes a token and shows it, once.
func (u *UI) makeToken(r *http.Request) (*view, error) {
	name := r.PathValue("name")
	var until time.Time
	if days := r.PostFormValue("days"); days != "" {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > 36500 {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "make a token", Msg: fmt.Sprintf("%q is no number of days", days)}
		}
		until = u.cfg.Now().AddDate(0, 0, n).UTC().Truncate(time.Second)
	}
	secret, t, err := u.cfg.Users.NewToken(name, r.PostFormValue("note"), u.cfg.Now(), until)
	if err != nil {
		return nil, err
	}
	if err := u.noteUser(r, "token made", name, t.ID); err != nil {
		return nil, err
	}
	return u.usersView(r, message.From(r.Context()).Text("A token for {0}. Copy it now: it is shown once and kept nowhere.", name), secret)
}

// endToken takes a token away.
func (u *UI) endToken(r *http.Request) (*view, error) {
	name, id := r.PathValue("name"), r.PathValue("token")
	if err := u.cfg.Users.RemoveToken(name, id); err != nil {
		return nil, err
	}
	return usersDone("ended", id), u.noteUser(r, "token revoked", name, id)
}

func usersDone(what, name string) *view {
	return &view{to: "/access/users?" + url.Values{what: {name}}.Encode()}
}
