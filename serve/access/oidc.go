package access

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"varve"
)

// OIDCPath is where a login by OpenID Connect begins, and OIDCCallback where the provider sends people back to.
const (
	OIDCPath     = "/login/oidc"
	OIDCCallback = "/login/oidc/callback"
)

// Limits on what a provider may do to us.
const (
	oidcTimeout  = 10 * time.Second // of one answer, with its body
	oidcMost     = 1 << 20          // bytes of an answer, unpacked
	oidcFresh    = time.Hour        // the discovery document and the keys are read anew after that; an unknown key at once
	oidcRest     = 5 * time.Second  // after a failure nobody is sent there again for so long
	oidcSkew     = time.Minute      // between the provider's clock and ours
	oidcMostHint = 4 << 10          // bytes of an ID token that is kept for logging out
)

// oidcAlgorithms are the signatures that are taken: of the provider alone. "none" and HMAC, whose key the client knows, never are.
var oidcAlgorithms = []string{oidc.RS256, oidc.ES256, oidc.EdDSA}

// OIDCConfig says who vouches for people, and what they may do.
type OIDCConfig struct {
	Issuer       string
	ClientID     string
	ClientSecret string          // empty: a public client
	Name         string          // of the provider, on the button; "your institution"
	Contact      string          // whom people ask who have no role; "an administrator of this archive"
	Redirect     string          // address of OIDCCallback as browsers see it
	Home         string          // where people come to after they logged out at the provider
	Scopes       []string        // beside openid; email and profile
	RoleClaim    string          // claim whose values give roles, as groups or realm_access.roles; empty: none does
	Roles        map[string]Role // by value of that claim
	Client       *http.Client    // nil: one with limits
	Now          func() time.Time
}

// OIDC is a provider of OpenID Connect, which is asked for its addresses and keys when it is first needed.
type OIDC struct {
	cfg    OIDCConfig
	client *http.Client

	asking chan struct{} // held by who asks the provider, so that others wait for the same answer

	mu     sync.Mutex
	known  *oidcProvider // nil: not yet
	failed error         // of the last try
	tried  time.Time
}

// oidcProvider is what the discovery document said.
type oidcProvider struct {
	oauth      oauth2.Config
	verifier   *oidc.IDTokenVerifier
	endSession string
	tellsIss   bool // answers name the issuer (RFC 9207)
}

// NewOIDC checks the settings. The provider is not asked yet: that it is down stops nobody who has a password.
func NewOIDC(cfg OIDCConfig) (*OIDC, error) {
	wrong := func(msg string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "log in by OpenID Connect", Msg: msg}
	}
	if u, err := url.Parse(cfg.Issuer); err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || !safeEndpoint(u, loopbackHost(u.Hostname())) {
		return nil, wrong(fmt.Sprintf("the issuer %q is no https:// address (http:// only on this machine)", cfg.Issuer))
	}
	if cfg.ClientID == "" {
		return nil, wrong("the client id is missing (--oidc-client-id)")
	}
	if (cfg.RoleClaim == "") != (len(cfg.Roles) == 0) {
		return nil, wrong("--oidc-role-claim and --oidc-role go together")
	}
	for value, role := range cfg.Roles {
		if !role.Known() || value == "" {
			return nil, wrong(fmt.Sprintf("--oidc-role %s=%s: want VALUE=viewer, curator or admin", value, role))
		}
	}
	if cfg.Name == "" {
		cfg.Name = "your institution"
	}
	if cfg.Contact == "" {
		cfg.Contact = "an administrator of this archive"
	}
	if len(cfg.Scopes) == 0 {
		cfg.Scopes = []string{"email", "profile"}
	}
	o := &OIDC{cfg: cfg, asking: make(chan struct{}, 1)}
	client := http.Client{Timeout: oidcTimeout}
	if cfg.Client != nil {
		client = *cfg.Client
	}
	if client.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableKeepAlives, t.MaxResponseHeaderBytes = true, 64<<10
		client.Transport = t
	}
	client.Transport = bounded{client.Transport}
	// Another host has nothing to say here, and must not get the secret.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.client = &client
	return o, nil
}

// bounded ends answers that are too long with an error.
type bounded struct{ next http.RoundTripper }

// RoundTrip makes a request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, oidcMost)
	}
	return resp, err
}

func loopbackHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}

func safeEndpoint(u *url.URL, plain bool) bool {
	return u.Host != "" && (u.Scheme == "https" || plain && u.Scheme == "http" && loopbackHost(u.Hostname()))
}

// provider returns what the provider says about itself; it is asked when nothing is known or it was long ago.
func (o *OIDC) provider(ctx context.Context) (*oidcProvider, error) {
	select {
	case o.asking <- struct{}{}:
		defer func() { <-o.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now := o.cfg.Now()
	o.mu.Lock()
	known, failed, age := o.known, o.failed, now.Sub(o.tried)
	o.mu.Unlock()
	switch {
	case failed != nil && age < oidcRest && known == nil:
		return nil, failed
	case failed != nil && age < oidcRest, failed == nil && known != nil && age < oidcFresh:
		return known, nil
	}
	fresh, err := o.discover(context.WithoutCancel(ctx)) // others wait for it too
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tried, o.failed = now, err
	if err != nil {
		if known != nil {
			return known, nil // what was true an hour ago; keys that it does not have are asked for anyway
		}
		return nil, err
	}
	o.known = fresh
	return fresh, nil
}

func (o *OIDC) discover(ctx context.Context) (*oidcProvider, error) {
	p, err := oidc.NewProvider(oidc.ClientContext(ctx, o.client), o.cfg.Issuer)
	if err != nil {
		return nil, o.down(err)
	}
	var more struct {
		Auth       string   `json:"authorization_endpoint"`
		Token      string   `json:"token_endpoint"`
		Keys       string   `json:"jwks_uri"`
		EndSession string   `json:"end_session_endpoint"`
		TellsIss   bool     `json:"authorization_response_iss_parameter_supported"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := p.Claims(&more); err != nil {
		return nil, o.down(err)
	}
	plain := strings.HasPrefix(o.cfg.Issuer, "http://")
	for name, address := range map[string]string{"authorization_endpoint": more.Auth, "token_endpoint": more.Token, "jwks_uri": more.Keys} {
		if u, err := url.Parse(address); err != nil || !safeEndpoint(u, plain) {
			return nil, o.down(fmt.Errorf("its %s %q is no https:// address", name, address))
		}
	}
	if u, err := url.Parse(more.EndSession); err != nil || !safeEndpoint(u, plain) {
		more.EndSession = ""
	}
	endpoint := p.Endpoint()
	// Said, not found out by trying: a code is sent once.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if o.cfg.ClientSecret == "" || len(more.Methods) > 0 && !slices.Contains(more.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oidcProvider{
		oauth: oauth2.Config{
			ClientID: o.cfg.ClientID, ClientSecret: o.cfg.ClientSecret, Endpoint: endpoint, RedirectURL: o.cfg.Redirect,
			Scopes: append([]string{oidc.ScopeOpenID}, o.cfg.Scopes...),
		},
		verifier: p.Verifier(&oidc.Config{
			ClientID: o.cfg.ClientID, SupportedSigningAlgs: oidcAlgorithms, Now: func() time.Time { return o.cfg.Now().Add(-oidcSkew) },
		}),
		endSession: more.EndSession, tellsIss: more.TellsIss,
	}, nil
}

func (o *OIDC) down(err error) error {
	why := "it does not answer as it should"
	var netErr net.Error
	switch {
	case errors.As(err, &netErr) && netErr.Timeout():
		why = "it does not answer in time"
	case errors.As(err, &netErr):
		why = "it cannot be reached"
	}
	return &varve.Error{
		Kind: varve.Unavailable, Op: "log in with " + o.cfg.Name, Msg: why + " just now", Err: hidden{err},
		Hint: "try again in a minute, or log in with a name and password of this archive",
	}
}

// hidden is a cause for the log, which may be long and is nothing for people.
type hidden struct{ error }

// Error is empty: the message that wraps it says enough.
func (hidden) Error() string { return "the log of the server says more" }

// Unwrap returns the cause.
func (h hidden) Unwrap() error { return h.error }

// OIDCCause returns what a provider did wrong, for the log; nil if it is nobody's fault there.
func OIDCCause(err error) error {
	var h hidden
	if errors.As(err, &h) {
		return h.error
	}
	return nil
}

// person is somebody for whom the provider vouches.
type person struct {
	subject  string
	email    string // in lower case; empty unless the provider verified it
	unproven string // an email that it did not
	role     Role   // by claim; Nobody: none
	raw      string // the ID token
}

// name is what people are called who have a role by claim only. No user of users.json can have such a name.
func (p person) name() string {
	if p.email != "" {
		return "oidc:" + p.email
	}
	return "oidc-sub:" + p.subject
}

// redeem exchanges a code for an ID token and verifies it.
func (o *OIDC) redeem(ctx context.Context, p *oidcProvider, code, verifier, nonce string) (person, error) {
	ctx = oidc.ClientContext(ctx, o.client)
	token, err := p.oauth.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		var said *oauth2.RetrieveError
		if errors.As(err, &said) && said.Response != nil && said.Response.StatusCode < 500 {
			return person{}, o.refused("it did not take the code of this login", err)
		}
		return person{}, o.down(err)
	}
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return person{}, o.refused("it sent no ID token", errors.New("no id_token in the answer"))
	}
	id, err := p.verifier.Verify(ctx, raw)
	if err != nil {
		return person{}, o.refused("its ID token is not valid", err)
	}
	var c struct {
		AZP           string `json:"azp"`
		Email         string `json:"email"`
		EmailVerified any    `json:"email_verified"`
	}
	all := map[string]any{}
	if err := errors.Join(id.Claims(&c), id.Claims(&all)); err != nil {
		return person{}, o.refused("its ID token is not valid", err)
	}
	switch {
	case !sameText(id.Nonce, nonce):
		err = errors.New("the nonce is of another login")
	case c.AZP != "" && c.AZP != o.cfg.ClientID, c.AZP == "" && len(id.Audience) > 1:
		err = fmt.Errorf("it was made for %q", c.AZP)
	case id.IssuedAt.IsZero() || id.IssuedAt.After(o.cfg.Now().Add(oidcSkew)):
		err = fmt.Errorf("it was made at %s", id.IssuedAt)
	case id.Subject == "" || len(id.Subject) > 255 || strings.ContainsFunc(id.Subject, func(r rune) bool { return r < ' ' || r > '~' }):
		err = errors.New("it has no subject of 1 to 255 ASCII characters")
	}
	if err != nil {
		return person{}, o.refused("its ID token is not valid", err)
	}
	who := person{subject: id.Subject, role: o.roleOf(all), raw: raw}
	if email, ok := oidcEmail(c.Email); ok && (c.EmailVerified == true || c.EmailVerified == "true") { // some write it as a string
		who.email = email
	} else if ok {
		who.unproven = email
	}
	return who, nil
}

func (o *OIDC) refused(msg string, err error) error {
	return &varve.Error{Kind: varve.Forbidden, Op: "log in with " + o.cfg.Name, Msg: msg, Err: hidden{err}, Hint: "begin again; if it stays so, tell " + o.cfg.Contact}
}

// roleOf returns the highest role that the claim gives.
func (o *OIDC) roleOf(claims map[string]any) Role {
	best := Nobody
	take := func(v any) {
		if s, ok := v.(string); ok && !best.Includes(o.cfg.Roles[s]) {
			best = o.cfg.Roles[s]
		}
	}
	switch v := claimAt(claims, o.cfg.RoleClaim).(type) {
	case []any:
		for _, x := range v {
			take(x)
		}
	default:
		take(v)
	}
	return best
}

// claimAt finds a claim by its name, or by the names on the way to it: realm_access.roles.
func claimAt(claims map[string]any, name string) any {
	if v, ok := claims[name]; ok {
		return v
	}
	for i := range len(name) {
		if inner, ok := claims[name[:i]].(map[string]any); ok && name[i] == '.' {
			if v := claimAt(inner, name[i+1:]); v != nil {
				return v
			}
		}
	}
	return nil
}

// oidcEmail returns an email in the spelling in which they are compared. Only ASCII letters lose their case: others
// have look-alikes that fold into them.
func oidcEmail(s string) (string, bool) {
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || host == "" || len(s) > 254 || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", false
	}
	return strings.ToLower(s), true
}

// OIDCKey returns how users.json names a person of the provider: "sub:SUBJECT" or "email:ADDRESS". What has an @ is an email,
// unless it begins with "sub:".
func OIDCKey(s string) (string, error) {
	s = strings.TrimSpace(s)
	kind, rest, _ := strings.Cut(s, ":")
	switch {
	case s == "":
		return "", nil
	case kind == "sub" && rest != "":
		return s, nil
	case kind == "email":
		s = rest
	case !strings.Contains(s, "@"):
		return "sub:" + s, nil
	}
	email, ok := oidcEmail(s)
	if !ok {
		return "", &varve.Error{Kind: varve.Invalid, Op: "name a person for OpenID Connect", Msg: fmt.Sprintf("%q is no email", s), Hint: "an email, or the subject (sub) that the provider gives the person"}
	}
	return "email:" + email, nil
}

// logoutAt returns where the provider ends its own session; "" if it has no such place.
func (o *OIDC) logoutAt(hint string) string {
	o.mu.Lock()
	p := o.known
	o.mu.Unlock()
	if p == nil || p.endSession == "" {
		return ""
	}
	u, err := url.Parse(p.endSession)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Set("client_id", o.cfg.ClientID)
	q.Set("post_logout_redirect_uri", o.cfg.Home)
	if hint != "" {
		q.Set("id_token_hint", hint)
	}
	u.RawQuery = q.Encode()
	return u.String()
}
