package ui

import (
	"net/http"
	"net/url"
	"strings"

	"varve"
	"varve/serve/access"
	"varve/serve/message"
)

// loginData is what the login shows.
type loginData struct {
	To, Name, Trouble string
	NoUsers           bool
	CSRF              string
	OIDC, OIDCAt      string // who else vouches for people, and where that begins
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
	d := u.loginTo(r, inside(r.URL.Query().Get("to"), "/", "/"))
	if u.cfg.Users != nil && d.OIDC == "" {
		list, err := u.cfg.Users.List()
		if err != nil {
			return nil, err
		}
		d.NoUsers = len(list) == 0
	}
	return &view{template: "login", title: "Log in", data: d}, nil
}

func (u *UI) loginTo(r *http.Request, to string) loginData {
	d := loginData{To: to, CSRF: access.From(r.Context()).CSRF}
	if u.cfg.Gate != nil && u.cfg.Gate.OIDCName() != "" {
		d.OIDC, d.OIDCAt = u.cfg.Gate.OIDCName(), access.OIDCPath+"?"+url.Values{"to": {to}}.Encode()
	}
	return d
}

// logIn checks the form and begins a session.
func (u *UI) logIn(w http.ResponseWriter, r *http.Request) {
	d := u.loginTo(r, inside(r.PostFormValue("to"), "/", "/"))
	d.Name = r.PostFormValue("name")
	if err := u.cfg.Gate.Login(w, r, d.Name, r.PostFormValue("password")); err != nil {
		u.notLoggedIn(w, r, d, err)
		return
	}
	http.Redirect(w, r, d.To, http.StatusSeeOther)
}

// notLoggedIn shows the form again, with what went wrong.
func (u *UI) notLoggedIn(w http.ResponseWriter, r *http.Request, d loginData, err error) {
	t := newTrouble(message.From(r.Context()), err)
	if d.Trouble = t.Why; t.Hint != "" {
		d.Trouble += "; " + t.Hint
	}
	u.logCause(err)
	u.render(w, r, &view{template: "login", title: "Log in", status: varve.HTTPStatus(err), data: d})
}

// beginOIDC leads to the provider of OpenID Connect.
func (u *UI) beginOIDC(w http.ResponseWriter, r *http.Request) {
	d := u.loginTo(r, inside(r.URL.Query().Get("to"), "/", "/"))
	w.Header().Set("Cache-Control", "no-store")
	at, err := u.cfg.Gate.BeginOIDC(w, r, d.To)
	if err != nil {
		u.notLoggedIn(w, r, d, err)
		return
	}
	http.Redirect(w, r, at, http.StatusSeeOther)
}

// finishOIDC takes the answer of the provider and leads on by a page of ours, see access.FinishOIDC.
func (u *UI) finishOIDC(w http.ResponseWriter, r *http.Request) {
	to, err := u.cfg.Gate.FinishOIDC(w, r)
	switch {
	case err == nil:
		u.render(w, r, &view{template: "again", title: "One moment", data: to})
	case varve.KindOf(err) == varve.Unavailable:
		u.notLoggedIn(w, r, u.loginTo(r, "/"), err)
	default:
		u.logCause(err)
		u.broken(w, r, err)
	}
}

// logCause writes down what a provider did wrong: the page does not show it.
func (u *UI) logCause(err error) {
	if cause := access.OIDCCause(err); cause != nil {
		u.cfg.Log.Warn("login by OpenID Connect", "error", err, "cause", cause)
	}
}

func (u *UI) logOut(w http.ResponseWriter, r *http.Request) {
	at := u.cfg.Gate.LogoutOIDC(r)
	u.cfg.Gate.Logout(w, r)
	if at != "" {
		// A page and no redirect: the policy of our pages lets forms lead nowhere else.
		u.render(w, r, &view{template: "again", title: "One moment", data: at})
		return
	}
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
