package ui

import (
	"net/http"
	"net/url"
	"strings"

	"varve"
	"varve/serve/access"
)

// loginData is what the login shows.
type loginData struct {
	To, Name, Trouble string
	NoUsers           bool
	CSRF              string
}

// inside gives an address to go to that a request named, if it is one of ours and begins so; else another one.
func inside(to, start, otherwise string) string {
	path, ok := access.LocalPath(to)
	if rest, begins := strings.CutPrefix(path, start); ok && begins && (rest == "" || strings.HasSuffix(start, "/") || strings.ContainsAny(rest[:1], "/?#")) {
		return path
	}
	return otherwise
}

// login is the form.
func (u *UI) login(r *http.Request) (*view, error) {
	d := loginData{To: inside(r.URL.Query().Get("to"), "/", "/"), CSRF: access.From(r.Context()).CSRF}
	if u.cfg.Users != nil {
		list, err := u.cfg.Users.List()
		if err != nil {
			return nil, err
		}
		d.NoUsers = len(list) == 0
	}
	return &view{template: "login", title: "Log in", data: d}, nil
}

// logIn checks the form and begins a session.
func (u *UI) logIn(w http.ResponseWriter, r *http.Request) {
	d := loginData{To: inside(r.PostFormValue("to"), "/", "/"), Name: r.PostFormValue("name")}
	if err := u.cfg.Gate.Login(w, r, d.Name, r.PostFormValue("password")); err != nil {
		d.Trouble = newTrouble(err).Why
		if hint := varve.HintOf(err); hint != "" {
			d.Trouble += "; " + hint
		}
		u.render(w, r, &view{template: "login", title: "Log in", status: varve.HTTPStatus(err), data: d})
		return
	}
	http.Redirect(w, r, d.To, http.StatusSeeOther)
}

func (u *UI) logOut(w http.ResponseWriter, r *http.Request) {
	u.cfg.Gate.Logout(w, r)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// open leads to the replay host, with a ticket for those who are logged in.
func (u *UI) open(r *http.Request) (*view, error) {
	path := inside(r.URL.Query().Get("path"), "/", "/")
	if ticket := u.cfg.Gate.Ticket(access.From(r.Context()), path); ticket != "" {
		return &view{to: u.cfg.Replay + access.TicketPath + "?" + url.Values{"t": {ticket}, "to": {path}}.Encode()}, nil
	}
	return &view{to: u.cfg.Replay + path}, nil
}

// nowhere answers for addresses that are no screen.
func (u *UI) nowhere(r *http.Request) (*view, error) {
	return nil, &varve.Error{Kind: varve.NotFound, Op: r.Method + " " + r.URL.Path, Msg: "there is no such page", Hint: "archived pages are found by their address with the box at the top"}
}
