package access

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"varve"
)

// maxForm bounds the body of a form.
const maxForm = 1 << 20

// formToken reads the token of a form. Uploads (multipart) carry it in the header instead, so that
// their body is not read here.
func formToken(r *http.Request) string {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return ""
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxForm)
	return r.PostFormValue("csrf")
}

func sameText(a, b string) bool {
	return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// cookieName has the prefix that browsers hold to one host, path and TLS, where there is TLS.
func (g *Gate) cookieName() string {
	if g.cfg.Secure {
		return "__Host-varve"
	}
	return "varve"
}

// wrongLogin is the same for an unknown name and a wrong password.
func wrongLogin() error {
	return &varve.Error{Kind: varve.Forbidden, Op: "log in", Msg: "name or password are wrong"}
}

// unknownHash is checked when the name is unknown, so that the time tells nothing.
var unknownHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// mayTry counts an attempt to log in: of an address, of a name from there, and of that name from everywhere, so that nobody is locked out
// by wrong passwords that others send. Those behind a proxy that is not trusted share an address, and get more.
func (g *Gate) mayTry(from client, name string, now time.Time) (wait time.Duration, ok bool) {
	if wait, ok = g.mayKnock(from, now); ok {
		if wait, ok = g.logins.Allow("name "+name+" from "+network(from.addr), now); ok {
			wait, ok = g.flood.Allow("name "+name, now)
		}
	}
	return wait, ok
}

// mayKnock counts an attempt of an address.
func (g *Gate) mayKnock(from client, now time.Time) (wait time.Duration, ok bool) {
	of := g.logins
	if from.shared() || !from.addr.IsValid() {
		of = g.flood
	}
	return of.Allow("addr "+network(from.addr), now)
}

func tooManyLogins(wait time.Duration) error {
	return &varve.Error{Kind: varve.Forbidden, Op: "log in", Msg: "too many attempts", Hint: "try again in " + wait.Round(1e9).String()}
}

// Login checks name and password and begins a session.
func (g *Gate) Login(w http.ResponseWriter, r *http.Request, name, password string) error {
	now, from := g.cfg.Now(), g.client(r)
	if wait, ok := g.mayTry(from, name, now); !ok {
		return tooManyLogins(wait)
	}
	user, found, err := g.cfg.Users.Get(name)
	if err != nil {
		return err
	}
	hash := user.Hash
	if !found || hash == "" {
		hash = unknownHash
	}
	g.hashing <- struct{}{}
	ok, err := CheckPassword(hash, password)
	<-g.hashing
	if err != nil {
		return &varve.Error{Kind: varve.Internal, Op: "log in", Err: err, Hint: "an administrator sets the password anew: varve user add " + name}
	}
	if !found || !ok || user.Hash == "" {
		g.audit(Entry{By: name, Did: "login refused", Detail: network(from.addr)})
		return wrongLogin()
	}
	g.audit(Entry{By: name, Did: "login", Detail: network(from.addr)})
	g.setSession(w, session{user: name, hash: user.Hash}, now)
	return nil
}

// setSession begins a session and sets its cookie.
func (g *Gate) setSession(w http.ResponseWriter, s session, now time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(), Value: g.sessions.begin(s, now), Path: "/", HttpOnly: true, Secure: g.cfg.Secure,
		SameSite: http.SameSiteStrictMode, MaxAge: int(sessionLasts.Seconds()),
	})
}

// Logout ends the session of a request.
func (g *Gate) Logout(w http.ResponseWriter, r *http.Request) {
	if v := From(r.Context()); v.session != "" {
		g.sessions.end(v.session)
		g.audit(Entry{By: v.Name, Did: "logout"})
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookieName(), Path: "/", MaxAge: -1, HttpOnly: true, Secure: g.cfg.Secure, SameSite: http.SameSiteStrictMode})
}

func (g *Gate) audit(e Entry) {
	if g.cfg.Audit != nil {
		e.Time = g.cfg.Now()
		_ = g.cfg.Audit.Append(e) // a full disk must not keep an administrator out
	}
}
