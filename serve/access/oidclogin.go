package access

import (
	"fmt"
	"net/http"
	"regexp"
	"time"

	"golang.org/x/oauth2"

	"varve"
)

// A login by OpenID Connect: authorization code flow with PKCE.
//
//	/login/oidc            -> cookie varve-oidc=SIGNED(state, nonce, verifier, to), redirect to the provider with state, nonce, S256(verifier)
//	provider               -> redirect to /login/oidc/callback?code&state
//	/login/oidc/callback   state is that of the cookie, and was not used -> code + verifier for an ID token -> verified, nonce is that of
//	                       the cookie -> the person has a role -> session
//
// The cookie is Lax, since the way back comes from another site; it is good for ten minutes and one login, and for nothing
// else. The session's stays Strict: it can be set on the way back, but is not sent by a redirect from there, so the callback
// answers with a page of ours that leads on.

const (
	oidcLasts  = 10 * time.Minute // for a person to log in at the provider
	oidcUse    = "login by oidc"  // of the signed note; no use of another note begins so
	oidcMostTo = 1500             // bytes of the page to go to: a cookie has room for 4096
)

// oidcFlow is a login under way, in the cookie of the browser that began it.
type oidcFlow struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	To       string `json:"to"`
}

// oidcSession is how a session came by OpenID Connect.
type oidcSession struct {
	key  string // of the user in users.json; another key ends the session
	role Role   // of somebody who is not there: by claim
	hint string // the ID token, for logging out; empty if it is long
}

// OIDCName returns what the provider is called; "" if there is none.
func (g *Gate) OIDCName() string {
	if g.cfg.OIDC == nil {
		return ""
	}
	return g.cfg.OIDC.cfg.Name
}

func (g *Gate) oidcCookie(value string, lasts time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: g.cookieName() + "-oidc", Value: value, Path: "/", HttpOnly: true, Secure: g.cfg.Secure,
		SameSite: http.SameSiteLaxMode, MaxAge: int(lasts.Seconds()),
	}
}

func noOIDC() error {
	return &varve.Error{Kind: varve.NotFound, Op: "log in by OpenID Connect", Msg: "this server has no provider for it", Hint: "log in with a name and password"}
}

// BeginOIDC begins a login and returns the address of the provider to go to; to is where the person wants to be after it.
func (g *Gate) BeginOIDC(w http.ResponseWriter, r *http.Request, to string) (string, error) {
	if g.cfg.OIDC == nil || r.Method != http.MethodGet {
		return "", noOIDC()
	}
	p, err := g.cfg.OIDC.provider(r.Context())
	if err != nil {
		return "", err
	}
	to, ok := LocalPath(to)
	if !ok || len(to) > oidcMostTo {
		to = "/"
	}
	f := &oidcFlow{State: randomText(24), Nonce: randomText(24), Verifier: oauth2.GenerateVerifier(), To: to}
	http.SetCookie(w, g.oidcCookie(g.signer.sign(note{Use: oidcUse, Till: g.cfg.Now().Add(oidcLasts), ID: f.State, Flow: f}), oidcLasts))
	return p.oauth.AuthCodeURL(f.State, oauth2.S256ChallengeOption(f.Verifier), oauth2.SetAuthURLParam("nonce", f.Nonce)), nil
}

// oauthError is a code of an error as RFC 6749 has it; what else an answer holds is not shown.
var oauthError = regexp.MustCompile(`^[a-z_]{1,40}$`)

// FinishOIDC takes the answer of the provider, begins a session, and returns where to go on. The page must lead there
// itself: cookies that are Strict are not sent by a redirect on the way from another site.
func (g *Gate) FinishOIDC(w http.ResponseWriter, r *http.Request) (to string, err error) {
	o := g.cfg.OIDC
	if o == nil || r.Method != http.MethodGet {
		return "", noOIDC()
	}
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" && dest != "document" {
		// A picture of a foreign page: it must not use up the attempts of its reader.
		return "", &varve.Error{Kind: varve.Forbidden, Op: "log in with " + o.cfg.Name, Msg: "this address is opened by the provider only"}
	}
	now, from := g.cfg.Now(), g.client(r)
	if wait, ok := g.mayKnock(from, now); !ok {
		return "", tooManyLogins(wait)
	}
	http.SetCookie(w, g.oidcCookie("", -time.Second))
	who, f, err := g.answered(r, now)
	refuse := func(err error) (string, error) {
		by := "unknown"
		if who.subject != "" {
			by = who.name()
		}
		why := err.Error()
		if cause := OIDCCause(err); cause != nil {
			why += ": " + cause.Error()
		}
		g.audit(Entry{By: by, Did: "login refused", Detail: fmt.Sprintf("%s, OpenID Connect: %.300s", network(from.addr), why)})
		return "", err
	}
	if err != nil {
		return refuse(err)
	}
	user, s, err := g.known(who)
	if err != nil {
		return refuse(err)
	}
	if len(who.raw) <= oidcMostHint {
		s.hint = who.raw
	}
	g.audit(Entry{By: user.Name, Did: "login", Detail: fmt.Sprintf("%s, OpenID Connect, %s, subject %s", network(from.addr), user.Role, who.subject)})
	g.setSession(w, session{user: user.Name, oidc: s}, now)
	return f.To, nil
}

// answered checks that the answer belongs to a login that this browser began, and returns for whom the provider vouches.
func (g *Gate) answered(r *http.Request, now time.Time) (who person, f *oidcFlow, err error) {
	o, q := g.cfg.OIDC, r.URL.Query()
	other := &varve.Error{
		Kind: varve.Forbidden, Op: "log in with " + o.cfg.Name, Msg: "this answer belongs to no login that this browser began, or came too late",
		Hint: "begin again here, in one window, with cookies allowed",
	}
	c, err := r.Cookie(g.cookieName() + "-oidc")
	if err != nil {
		return who, nil, other
	}
	n, ok := g.signer.read(c.Value, oidcUse, now)
	if !ok || n.Flow == nil || !sameText(q.Get("state"), n.Flow.State) || !g.used.use("oidc "+n.ID, n.Till, now) {
		return who, nil, other
	}
	p, err := o.provider(r.Context())
	if err != nil {
		return who, nil, err
	}
	if q.Has("iss") && q.Get("iss") != o.cfg.Issuer || p.tellsIss && !q.Has("iss") {
		return who, nil, o.refused("the answer is of another provider", fmt.Errorf("iss %.100q", q.Get("iss")))
	}
	if said := q.Get("error"); said != "" || q.Get("code") == "" {
		if !oauthError.MatchString(said) {
			said = "no code"
		}
		return who, nil, o.refused("it refused the login ("+said+")", fmt.Errorf("%.200q", q.Get("error_description")))
	}
	who, err = o.redeem(r.Context(), p, q.Get("code"), n.Flow.Verifier, n.Flow.Nonce)
	return who, n.Flow, err
}

// known returns the user that a person is: one whom users.json names, by subject before email, or else one who has a role by claim.
func (g *Gate) known(who person) (User, *oidcSession, error) {
	o := g.cfg.OIDC
	list, err := g.cfg.Users.List()
	if err != nil {
		return User{}, nil, err
	}
	keys := []string{"sub:" + who.subject}
	if who.email != "" {
		keys = append(keys, "email:"+who.email)
	}
	for _, key := range keys {
		for _, u := range list {
			if u.OIDC == key {
				return u, &oidcSession{key: key}, nil
			}
		}
	}
	if who.role != Nobody {
		return User{Name: who.name(), Role: who.role}, &oidcSession{role: who.role}, nil
	}
	msg, as := "nobody gave you a role in this archive", "subject "+who.subject
	if who.email != "" {
		as = who.email
	} else if who.unproven != "" {
		msg += "; your email " + who.unproven + " does not count, since " + o.cfg.Name + " did not verify it"
	}
	return User{}, nil, &varve.Error{
		Kind: varve.Forbidden, Op: "log in with " + o.cfg.Name, Msg: "you are known there, but " + msg,
		Hint: "ask " + o.cfg.Contact + " for access, and say who you are: " + as,
	}
}

// LogoutOIDC returns where the provider ends its own session of the visitor; "" if the visitor did not come by it, or it has no
// such place. It is asked before Logout.
func (g *Gate) LogoutOIDC(r *http.Request) string {
	if c, err := r.Cookie(g.cookieName()); err == nil && g.cfg.OIDC != nil {
		if _, s, ok := g.sessions.get(c.Value, g.cfg.Now()); ok && s.oidc != nil {
			return g.cfg.OIDC.logoutAt(s.oidc.hint)
		}
	}
	return ""
}
