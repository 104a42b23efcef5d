package access

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
)

// Rates of requests from one address that is not loopback.
const (
	requestRate  = 50
	requestBurst = 300
	loginRate    = 0.1
	loginBurst   = 6
	many         = 20 // times as many of those who are not told apart, and of attempts with one name from everywhere
	hashers      = 2  // passwords checked at a time: each takes memory
)

// GateConfig says how visitors are told apart.
type GateConfig struct {
	Users        *Users
	Audit        *Audit // may be nil
	OIDC         *OIDC  // vouches for people too; nil: only passwords and tokens do
	RequireLogin bool   // also from loopback
	Secure       bool   // TLS: cookies have the __Host- prefix
	ReadingRoom  []netip.Prefix
	Proxies      []netip.Prefix               // whose word is taken on where a request comes from
	Holds        func(collection string) bool // tells names of collections; nil: none is known
	Span         time.Duration                // how far from its page a withheld capture may be that its key is good for: as far as replay shows parts
	Now          func() time.Time

	// Origins may ask what Shared says, from pages and extensions of theirs, as readers: browsers let them see the answers. All others are refused.
	Origins []string
	Shared  func(path string) bool
}

// Gate finds out who asks, and refuses requests that come too often or from other origins.
type Gate struct {
	cfg      GateConfig
	sessions *sessions
	requests *Limiter
	logins   *Limiter
	crowd    *Limiter // of requests of many who are not told apart
	flood    *Limiter // of their logins
	used     onces
	hashing  chan struct{}
	local    string // CSRF token of loopback visitors, who have no session
	origins  *http.CrossOriginProtection
	signer   signer
}

// NewGate makes a gate.
func NewGate(cfg GateConfig) *Gate {
	return &Gate{
		cfg: cfg, sessions: newSessions(), requests: NewLimiter(requestRate, requestBurst), logins: NewLimiter(loginRate, loginBurst), crowd: NewLimiter(many*requestRate, many*requestBurst), flood: NewLimiter(many*loginRate, many*loginBurst),
		hashing: make(chan struct{}, hashers), local: randomText(18), origins: http.NewCrossOriginProtection(), signer: newSigner(),
	}
}

// Handler puts the visitor into the context of each request.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := g.client(r)
		if wait, ok := g.admit(from); !ok {
			tooMany(w, r, wait)
			return
		}
		guest := g.allowed(r)
		if guest {
			if letIn(w, r); r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		who, err := g.visitor(r, from)
		if err != nil {
			deny(w, r, varve.HTTPStatus(err), varve.KindOf(err), err.Error())
			return
		}
		if guest {
			who = who.guest()
		} else if err := g.checkOrigin(r, who); err != nil {
			deny(w, r, http.StatusForbidden, varve.Forbidden, err.Error())
			return
		}
		if wantsReader(r, who) {
			who = who.asReader()
		}
		if !from.local() {
			who.Network = network(from.addr)
		}
		next.ServeHTTP(w, r.WithContext(With(r.Context(), who)))
	})
}

// allowed reports whether a request comes from another origin that may ask this.
func (g *Gate) allowed(r *http.Request) bool {
	return g.cfg.Shared != nil && g.cfg.Shared(r.URL.Path) && slices.Contains(g.cfg.Origins, r.Header.Get("Origin"))
}

// letIn tells the browser that the origin of a request may see the answer; cookies are not asked for.
func letIn(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	h.Add("Vary", "Origin")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method != http.MethodOptions {
		return
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type, Authorization")
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") != "" { // a page of the web asks a machine of the network
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
}

func (g *Gate) client(r *http.Request) client { return clientOf(r, g.cfg.Proxies) }

func (g *Gate) admit(from client) (time.Duration, bool) {
	switch {
	case from.local():
		return 0, true
	case from.addr.IsLoopback() || !from.addr.IsValid(): // a proxy on this machine, or somebody behind one: many
		return g.crowd.Allow(network(from.addr), g.cfg.Now())
	}
	return g.requests.Allow(network(from.addr), g.cfg.Now())
}

func tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
	deny(w, r, http.StatusTooManyRequests, varve.Unavailable, "too many requests; wait a moment")
}

// deny refuses in the language of the caller: programs get problem+json.
func deny(w http.ResponseWriter, r *http.Request, status int, kind varve.Kind, msg string) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		http.Error(w, msg, status)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	// A closed connection is the caller's business.
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "about:blank", "title": string(kind), "status": status, "detail": msg})
}

// visitor tells who asks.
func (g *Gate) visitor(r *http.Request, from client) (Visitor, error) {
	v := Visitor{ReadingRoom: g.inReadingRoom(from)}
	if secret, ok := bearer(r); ok {
		u, found, err := g.cfg.Users.ByToken(secret, g.cfg.Now())
		if err != nil {
			return v, err
		}
		if !found {
			return v, &varve.Error{Kind: varve.Forbidden, Op: "use the token", Msg: "it is not valid", Hint: "varve user token NAME makes one"}
		}
		v.Name, v.Role, v.Token = u.Name, u.Role, true
		return v, nil
	}
	if c, err := r.Cookie(g.cookieName()); err == nil {
		if key, s, ok := g.sessions.get(c.Value, g.cfg.Now()); ok {
			if s.oidc != nil && s.oidc.role != Nobody {
				v.Name, v.Role, v.CSRF, v.session, v.byClaim = s.user, s.oidc.role, s.csrf, key, true
				return v, nil
			}
			u, found, err := g.cfg.Users.Get(s.user)
			if err != nil {
				return v, err
			}
			if found && s.of(u) {
				v.Name, v.Role, v.CSRF, v.session = u.Name, u.Role, s.csrf, key
				return v, nil
			}
			g.sessions.end(key)
		}
	}
	if !g.cfg.RequireLogin && fromLoopback(r, from) {
		v.Role, v.Loopback, v.CSRF, v.ReadingRoom = Admin, true, g.local, true
	}
	return v, nil
}

// fromLoopback tells whether a request is from this machine: peer, name, and nobody passed it on.
func fromLoopback(r *http.Request, from client) bool {
	if !from.local() {
		return false
	}
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true // no name server is asked for these (RFC 6761)
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// inReadingRoom tells whether somebody asks from the reading room. A proxy that is not trusted may stand in it, and who is behind it not.
func (g *Gate) inReadingRoom(from client) bool {
	return !from.shared() && within(g.cfg.ReadingRoom, from.addr)
}

// peer is the address of the other end.
func peer(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}

// network is what is limited together: an address, or the /64 that one holder of IPv6 has.
func network(a netip.Addr) string {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// checkOrigin refuses state-changing requests that a foreign page made, and those of browsers that
// lack the token of their session.
func (g *Gate) checkOrigin(r *http.Request, who Visitor) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions || who.Token {
		return nil
	}
	if err := g.origins.Check(r); err != nil {
		return errors.New("this request comes from another site and was refused")
	}
	browser := r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if who.session == "" && !browser {
		return nil // a program on this machine, or a login without session
	}
	if who.CSRF == "" && r.URL.Path == "/login" {
		return nil // nothing to ride on yet; the origin was checked
	}
	token := r.Header.Get("X-CSRF-Token")
	if token == "" {
		token = formToken(r)
	}
	if !sameText(token, who.CSRF) {
		return errors.New("this form is too old: go back, load the page again and repeat")
	}
	return nil
}
