package serve_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/lab/attack"
	"varve/serve"
	"varve/serve/access"
)

// provider is an OpenID Connect provider on loopback at which everybody is logged in already: authorize sends people back at once.
// A test changes what it does before the requests, never during them.
type provider struct {
	t         testing.TB
	srv       *httptest.Server
	issuer    string
	keys      map[string]crypto.Signer        // by kid, as the JWKS has them
	sign      string                          // kid of the key that signs
	forge     func(claims map[string]any) any // returns another token (string) or other claims (map)
	back      func(q url.Values)              // changes what goes back to the archive
	discovery func(doc map[string]any)        // changes the document
	instead   map[string]http.HandlerFunc     // answers of a path
	codes     map[string]url.Values           // of the requests that they were given for
	asked     map[string]*atomic.Int32        // requests by path
}

var b64 = base64.RawURLEncoding

func rsaKey(t testing.TB) crypto.Signer {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func newProvider(t testing.TB) *provider {
	t.Helper()
	p := &provider{t: t, keys: map[string]crypto.Signer{"a": rsaKey(t)}, sign: "a", instead: map[string]http.HandlerFunc{}, codes: map[string]url.Values{}, asked: map[string]*atomic.Int32{}}
	routes := map[string]http.HandlerFunc{"/.well-known/openid-configuration": p.document, "/authorize": p.authorize, "/token": p.token, "/keys": p.jwks, "/logout": p.logout}
	for path := range routes {
		p.asked[path] = &atomic.Int32{}
	}
	p.srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, known := routes[r.URL.Path]
		if !known {
			http.NotFound(w, r)
			return
		}
		p.asked[r.URL.Path].Add(1)
		if other := p.instead[r.URL.Path]; other != nil {
			h = other
		}
		h(w, r)
	}))
	t.Cleanup(p.srv.Close)
	p.issuer = strings.Replace(p.srv.URL, "127.0.0.1", "localhost", 1) // another site than the screens, for browsers
	return p
}

func (p *provider) document(w http.ResponseWriter, _ *http.Request) {
	doc := map[string]any{
		"issuer": p.issuer, "authorization_endpoint": p.issuer + "/authorize", "token_endpoint": p.issuer + "/token", "jwks_uri": p.issuer + "/keys",
		"end_session_endpoint": p.issuer + "/logout", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
	}
	if p.discovery != nil {
		p.discovery(doc)
	}
	_ = json.NewEncoder(w).Encode(doc)
}

func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != "varve" || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" || !strings.Contains(q.Get("scope"), "openid") {
		http.Error(w, "bad request "+r.URL.RawQuery, http.StatusBadRequest)
		return
	}
	code := fmt.Sprintf("code-%d", p.asked["/authorize"].Load()-1)
	p.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	if p.back != nil {
		p.back(back)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	q := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if id != "varve" || secret != "the-secret" || q == nil || q.Get("redirect_uri") != r.PostFormValue("redirect_uri") || q.Get("code_challenge") != b64.EncodeToString(sum[:]) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	claims := map[string]any{
		"iss": p.issuer, "aud": "varve", "sub": "subject-1", "nonce": q.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		"email": "Eva@uni.example", "email_verified": true, "groups": []string{"all", "archivists"},
	}
	token := ""
	if p.forge != nil {
		switch x := p.forge(claims).(type) {
		case string:
			token = x
		case map[string]any:
			claims = x
		}
	}
	if token == "" {
		token = jwt(p.t, p.sign, p.keys[p.sign], claims)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "x", "token_type": "Bearer", "expires_in": 60, "id_token": token})
}

func (p *provider) jwks(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]string{}
	for kid, k := range p.keys {
		switch pub := k.Public().(type) {
		case *rsa.PublicKey:
			list = append(list, map[string]string{"kid": kid, "kty": "RSA", "use": "sig", "n": b64.EncodeToString(pub.N.Bytes()), "e": "AQAB"})
		case *ecdsa.PublicKey:
			point, err := pub.Bytes()
			if err != nil {
				p.t.Error(err)
			}
			list = append(list, map[string]string{"kid": kid, "kty": "EC", "crv": "P-256", "x": b64.EncodeToString(point[1:33]), "y": b64.EncodeToString(point[33:])})
		case ed25519.PublicKey:
			list = append(list, map[string]string{"kid": kid, "kty": "OKP", "crv": "Ed25519", "x": b64.EncodeToString(pub)})
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"keys": list})
}

func (p *provider) logout(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"), http.StatusFound)
}

// signed is what of a token is signed.
func signed(t testing.TB, alg, kid string, claims map[string]any) string {
	t.Helper()
	head, err1 := json.Marshal(map[string]string{"alg": alg, "kid": kid, "typ": "JWT"})
	body, err2 := json.Marshal(claims)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return b64.EncodeToString(head) + "." + b64.EncodeToString(body)
}

func jwt(t testing.TB, kid string, key crypto.Signer, claims map[string]any) string {
	t.Helper()
	var text string
	var sig []byte
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		text = signed(t, "RS256", kid, claims)
		sum := sha256.Sum256([]byte(text))
		sig, err = k.Sign(rand.Reader, sum[:], crypto.SHA256)
	case *ecdsa.PrivateKey:
		text = signed(t, "ES256", kid, claims)
		sum := sha256.Sum256([]byte(text))
		r, s, e := ecdsa.Sign(rand.Reader, k, sum[:])
		sig, err = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...), e
	case ed25519.PrivateKey:
		text = signed(t, "EdDSA", kid, claims)
		sig = ed25519.Sign(k, []byte(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + b64.EncodeToString(sig)
}

// visit is a server with a provider, and a browser with its cookies.
type visit struct {
	*site
	p   *provider
	jar *cookiejar.Jar
	now *atomic.Int64 // nanoseconds that the server's clock is ahead
}

func newVisit(t testing.TB, p *provider, change func(*access.OIDCConfig)) *visit {
	t.Helper()
	v := &visit{p: p, now: &atomic.Int64{}}
	dir := t.TempDir()
	users := access.OpenUsers(filepath.Join(dir, "access"))
	hash, err := access.HashPassword("correct horse")
	if err == nil {
		err = users.Put("root", access.Admin, hash, time.Now())
	}
	if err == nil {
		err = users.PutOIDC("eva", access.Curator, "email:eva@uni.example", time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	v.site = start(t, dir, func(c *serve.Config) {
		c.RequireLogin = true
		c.Now = func() time.Time { return time.Now().Add(time.Duration(v.now.Load())) }
		c.OIDC = &access.OIDCConfig{Issuer: p.issuer, ClientID: "varve", ClientSecret: "the-secret", Name: "the university", Contact: "help@uni.example"}
		if change != nil {
			change(c.OIDC)
		}
	})
	v.fresh()
	return v
}

// fresh makes the browser one that has no cookies.
func (v *visit) fresh() {
	v.jar, _ = cookiejar.New(nil) // never fails without options
	v.client.Jar = v.jar
}

// atProvider begins a login and returns the address that the provider sends the browser back to.
func (v *visit) atProvider(to string) *url.URL {
	v.t.Helper()
	resp, body := v.do("GET", v.ui+"/login/oidc?"+url.Values{"to": {to}}.Encode(), "")
	if resp.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("begin: %d %s", resp.StatusCode, plainText(body))
	}
	resp, body = v.do("GET", resp.Header.Get("Location"), "")
	back, err := url.Parse(resp.Header.Get("Location"))
	if resp.StatusCode != http.StatusFound || err != nil {
		v.t.Fatalf("provider: %d %s %v", resp.StatusCode, body, err)
	}
	return back
}

func (v *visit) login(to string) (int, string) {
	v.t.Helper()
	return v.get(v.atProvider(to).String())
}

// session returns the cookie of the session; nil if nobody is logged in.
func (v *visit) session() *http.Cookie {
	u, err := url.Parse(v.ui)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range v.jar.Cookies(u) {
		if c.Name == "varve" {
			return c
		}
	}
	return nil
}

func (v *visit) audited() (out []string) {
	for e, err := range access.OpenAudit(filepath.Join(v.dir, "access")).Entries() {
		if err != nil {
			v.t.Error(err)
		}
		out = append(out, e.By+": "+e.Did+": "+e.Detail)
	}
	return out
}

func plainText(page string) string {
	_, page, _ = strings.Cut(page, "<main")
	page, _, _ = strings.Cut(page, "</main>")
	return page
}

// The good way, with each kind of key, to the page that was wanted, and out again.
func TestOIDCLogin(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]crypto.Signer{"RS256": rsaKey(t), "ES256": ec, "EdDSA": ed} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t)
			p.keys["a"] = key
			v := newVisit(t, p, nil)
			if _, page := v.get(v.ui + "/login?to=/collections"); !strings.Contains(page, `href="/login/oidc?to=%2Fcollections">Log in with the university</a>`) {
				t.Errorf("no button: %s", plainText(page))
			}
			back := v.atProvider("/collections?x=1")
			if got := back.Scheme + "://" + back.Host + back.Path; got != v.ui+"/login/oidc/callback" {
				t.Errorf("sent back to %s", got)
			}
			resp, page := v.do("GET", back.String(), "")
			if resp.StatusCode != 200 || !strings.Contains(page, `content="0;url=/collections?x=1"`) {
				t.Fatalf("%d %s", resp.StatusCode, page)
			}
			for _, c := range resp.Cookies() {
				if want := map[string]http.SameSite{"varve": http.SameSiteStrictMode, "varve-oidc": http.SameSiteLaxMode}[c.Name]; !c.HttpOnly || c.SameSite != want {
					t.Errorf("cookie %+v", c)
				}
			}
			status, page := v.get(v.ui + "/collections")
			if status != 200 || !strings.Contains(page, "eva · curator") {
				t.Errorf("after the login: %d %.300s", status, page)
			}
			csrf := page[strings.Index(page, `name="csrf" value="`)+len(`name="csrf" value="`):]
			csrf = csrf[:strings.IndexByte(csrf, '"')]
			resp, page = v.do("POST", v.ui+"/logout", url.Values{"csrf": {csrf}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", v.ui)
			if resp.StatusCode != 200 || !strings.Contains(page, p.issuer+"/logout?client_id=varve&amp;id_token_hint=") || v.session() != nil {
				t.Errorf("logout: %d %s", resp.StatusCode, plainText(page))
			}
			if status, _ := v.get(v.ui + "/collections"); status != http.StatusSeeOther {
				t.Errorf("after the logout: %d", status)
			}
			log := v.audited()
			if len(log) != 2 || log[0] != "eva: login: 127.0.0.1, OpenID Connect, curator, subject subject-1" || log[1] != "eva: logout: " {
				t.Errorf("audit log %q", log)
			}
		})
	}
}

// What a forger, a thief, a foreign page or a broken provider can send begins no session, and is written down.
func TestOIDCAttacks(t *testing.T) {
	tally := attack.Count(t)
	claim := func(name string, value any) func(*provider) {
		return func(p *provider) {
			p.forge = func(c map[string]any) any { c[name] = value; return c }
		}
	}
	long := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 3 << 10 {
			if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<10)); err != nil {
				return
			}
		}
		_, _ = w.Write([]byte("{}"))
	}
	slow := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that the client left
		<-r.Context().Done()
	}
	broken := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	instead := func(path string, h http.HandlerFunc) func(*provider) {
		return func(p *provider) { p.instead[path] = h }
	}
	const document = "/.well-known/openid-configuration"
	const invalid, other, foreign = "its ID token is not valid", "belongs to no login that this browser began", "the answer is of another provider"
	for _, tt := range []struct {
		name   string
		do     func(p *provider)
		change func(v *visit, back *url.URL) // of the way back
		status int
		say    string
	}{
		{name: "wrong state", change: func(_ *visit, u *url.URL) { u.RawQuery = "code=code-0&state=x" }, status: 403, say: other},
		{name: "no state", change: func(_ *visit, u *url.URL) { u.RawQuery = "code=code-0" }, status: 403, say: other},
		{name: "another browser (login CSRF)", change: func(v *visit, _ *url.URL) { v.fresh() }, status: 403, say: other},
		{name: "state of another login", change: func(v *visit, _ *url.URL) { v.atProvider("/") }, status: 403, say: other},
		{name: "too late", change: func(v *visit, _ *url.URL) { v.now.Add(int64(11 * time.Minute)) }, status: 403, say: other},
		{name: "forged cookie", change: func(v *visit, u *url.URL) {
			v.jar.SetCookies(u, []*http.Cookie{{Name: "varve-oidc", Path: "/", Value: b64.EncodeToString([]byte(`{"k":"login by oidc","e":"2099-01-01T00:00:00Z","f":{"s":"x"}}`)) + ".AAAA"}})
			u.RawQuery = "code=code-0&state=x"
		}, status: 403, say: other},
		{name: "replayed state", change: func(v *visit, u *url.URL) {
			cookies := v.jar.Cookies(u)
			if status, page := v.get(u.String()); status != 200 || v.session() == nil {
				v.t.Fatalf("the first time: %d %s", status, plainText(page))
			}
			v.fresh()
			v.jar.SetCookies(u, cookies)
		}, status: 403, say: other},
		{name: "replayed code", change: func(v *visit, u *url.URL) {
			code := u.Query().Get("code")
			if status, _ := v.get(u.String()); status != 200 {
				v.t.Fatal("the first time", status)
			}
			v.fresh()
			again := v.atProvider("/")
			u.RawQuery = url.Values{"code": {code}, "state": {again.Query().Get("state")}}.Encode()
		}, status: 403, say: "it did not take the code"},
		{name: "code of another person (PKCE)", change: func(v *visit, u *url.URL) {
			v.fresh()
			mine := v.atProvider("/")
			u.RawQuery = url.Values{"code": {u.Query().Get("code")}, "state": {mine.Query().Get("state")}}.Encode()
		}, status: 403, say: "it did not take the code"},
		{name: "wrong nonce", do: claim("nonce", "x"), status: 403, say: invalid},
		{name: "no nonce", do: claim("nonce", ""), status: 403, say: invalid},
		{name: "wrong issuer", do: claim("iss", "https://evil.example"), status: 403, say: invalid},
		{name: "wrong audience", do: claim("aud", "other"), status: 403, say: invalid},
		{name: "two audiences without azp", do: claim("aud", []string{"varve", "other"}), status: 403, say: invalid},
		{name: "wrong azp", do: claim("azp", "other"), status: 403, say: invalid},
		{name: "expired", do: claim("exp", time.Now().Add(-5*time.Minute).Unix()), status: 403, say: invalid},
		{name: "no expiry", do: claim("exp", nil), status: 403, say: invalid},
		{name: "made in the future", do: claim("iat", time.Now().Add(time.Hour).Unix()), status: 403, say: invalid},
		{name: "no subject", do: claim("sub", ""), status: 403, say: invalid},
		{name: "subject with a line end", do: claim("sub", "a\nb"), status: 403, say: invalid},
		{name: "none", do: func(p *provider) {
			p.forge = func(c map[string]any) any { return signed(p.t, "none", "a", c) + "." }
		}, status: 403, say: invalid},
		{name: "HS256 with the public key", do: func(p *provider) {
			p.forge = func(c map[string]any) any {
				der, err := x509.MarshalPKIXPublicKey(p.keys["a"].Public())
				if err != nil {
					p.t.Fatal(err)
				}
				text := signed(p.t, "HS256", "a", c)
				mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
				mac.Write([]byte(text))
				return text + "." + b64.EncodeToString(mac.Sum(nil))
			}
		}, status: 403, say: invalid},
		{name: "HS256 with the secret of the client", do: func(p *provider) {
			p.forge = func(c map[string]any) any {
				text := signed(p.t, "HS256", "a", c)
				mac := hmac.New(sha256.New, []byte("the-secret"))
				mac.Write([]byte(text))
				return text + "." + b64.EncodeToString(mac.Sum(nil))
			}
		}, status: 403, say: invalid},
		{name: "a foreign key with a known kid", do: func(p *provider) {
			k := rsaKey(p.t)
			p.forge = func(c map[string]any) any { return jwt(p.t, "a", k, c) }
		}, status: 403, say: invalid},
		{name: "a foreign key with its own kid", do: func(p *provider) {
			k := rsaKey(p.t)
			p.forge = func(c map[string]any) any { return jwt(p.t, "b", k, c) }
		}, status: 403, say: invalid},
		{name: "claims changed after signing", do: func(p *provider) {
			p.forge = func(c map[string]any) any {
				good := strings.Split(jwt(p.t, "a", p.keys["a"], c), ".")
				changed := maps.Clone(c)
				changed["sub"] = "root"
				return signed(p.t, "RS256", "a", changed) + "." + good[2]
			}
		}, status: 403, say: invalid},
		{name: "unverified email", do: claim("email_verified", false), status: 403, say: "did not verify it"},
		{name: "email that says nothing of being verified", do: claim("email_verified", nil), status: 403, say: "did not verify it"},
		{name: "email of a look-alike (Kelvin sign folds into k)", do: claim("email", "eva@uni.example\u212a"), status: 403, say: "nobody gave you a role"},
		{name: "a subject that looks like the email", do: func(p *provider) {
			p.forge = func(c map[string]any) any { c["sub"] = "eva@uni.example"; delete(c, "email"); return c }
		}, status: 403, say: "nobody gave you a role"},
		{name: "unknown person", do: claim("email", "someone@uni.example"), status: 403, say: "ask help@uni.example for access, and say who you are: someone@uni.example"},
		{name: "mix-up: another issuer answers", do: func(p *provider) { p.back = func(q url.Values) { q.Set("iss", "https://evil.example") } }, status: 403, say: foreign},
		{name: "mix-up: an answer without the issuer that was promised", do: func(p *provider) {
			p.discovery = func(d map[string]any) { d["authorization_response_iss_parameter_supported"] = true }
		}, status: 403, say: foreign},
		{name: "the provider refuses", do: func(p *provider) {
			p.back = func(q url.Values) {
				q.Del("code")
				q.Set("error", "access_denied")
				q.Set("error_description", "<b>call 555-1234</b>")
			}
		}, status: 403, say: "it refused the login (access_denied)"},
		{name: "an error that is markup", do: func(p *provider) { p.back = func(q url.Values) { q.Set("error", "<script>") } }, status: 403, say: "it refused the login (no code)"},
		{name: "token: error", do: instead("/token", broken), status: 503, say: "it does not answer as it should"},
		{name: "token: endless", do: instead("/token", long), status: 503, say: "it does not answer as it should"},
		{name: "token: slow", do: instead("/token", slow), status: 503, say: "it does not answer in time"},
		{name: "token: elsewhere", do: instead("/token", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}), status: 403, say: "it did not take the code"},
		{name: "token: no ID token", do: instead("/token", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"access_token":"x"}`))
		}), status: 403, say: "it sent no ID token"},
		{name: "keys: error", do: instead("/keys", broken), status: 403, say: invalid},
		{name: "keys: endless", do: instead("/keys", long), status: 403, say: invalid},
		{name: "keys: slow", do: instead("/keys", slow), status: 403, say: invalid},
		{name: "discovery: error", do: instead(document, broken), status: 503, say: "it does not answer as it should"},
		{name: "discovery: endless", do: instead(document, long), status: 503, say: "it does not answer as it should"},
		{name: "discovery: slow", do: instead(document, slow), status: 503, say: "it does not answer in time"},
		{name: "discovery: of another issuer", do: func(p *provider) { p.discovery = func(d map[string]any) { d["issuer"] = "https://evil.example" } }, status: 503, say: "it does not answer as it should"},
		{name: "discovery: keys in the clear from elsewhere", do: func(p *provider) {
			p.discovery = func(d map[string]any) { d["jwks_uri"] = "http://evil.example/keys" }
		}, status: 503, say: "it does not answer as it should"},
	} {
		tally.Try(1)
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t)
			if tt.do != nil {
				tt.do(p)
			}
			v := newVisit(t, p, func(c *access.OIDCConfig) {
				if strings.Contains(tt.name, ": slow") {
					c.Client = &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
				}
			})
			status, page := 0, ""
			if strings.HasPrefix(tt.name, "discovery") {
				status, page = v.get(v.ui + "/login/oidc")
			} else {
				back := v.atProvider("/")
				if tt.change != nil {
					tt.change(v, back)
				}
				status, page = v.get(back.String())
				if log := v.audited(); len(log) == 0 || !strings.Contains(log[len(log)-1], ": login refused: 127.0.0.1, OpenID Connect: ") {
					t.Errorf("audit log %q", log)
				}
			}
			if page = plainText(page); status != tt.status || !strings.Contains(page, tt.say) || strings.Contains(page, "555") || strings.Contains(page, "<script>") {
				t.Errorf("%d, want %d with %q: %s", status, tt.status, tt.say, page)
			}
			if v.session() != nil {
				t.Error("a session began")
			}
		})
	}
}

// Whatever "to" says, a login leads into this archive.
func TestOIDCNoOpenRedirect(t *testing.T) {
	v := newVisit(t, newProvider(t), nil)
	for _, to := range []string{"https://evil.example/", "//evil.example/", "/\t/evil.example/", "/\\evil.example", "/" + strings.Repeat("x", 4000)} {
		v.fresh()
		v.now.Add(int64(time.Minute)) // attempts are counted
		if status, page := v.login(to); status != 200 || !strings.Contains(page, `content="0;url=/"`) {
			t.Errorf("%.40q: %d %s", to, status, plainText(page))
		}
	}
}

// Attempts are counted as those with passwords are; pictures of a foreign page do not use them up.
func TestOIDCAttemptsAreCounted(t *testing.T) {
	v := newVisit(t, newProvider(t), nil)
	for range 20 {
		if status, _ := v.get(v.ui+"/login/oidc/callback?state=x", "Sec-Fetch-Dest", "image"); status != 403 {
			t.Fatalf("a picture: %d", status)
		}
	}
	if status, page := v.login("/"); status != 200 {
		t.Fatalf("after the pictures: %d %s", status, plainText(page))
	}
	for range 10 {
		v.get(v.ui + "/login/oidc/callback?state=x")
	}
	v.fresh()
	if status, page := v.login("/"); status != 403 || !strings.Contains(page, "too many attempts") || v.session() != nil {
		t.Errorf("after the attempts: %d %s", status, plainText(page))
	}
	v.now.Add(int64(time.Minute))
	if status, page := v.login("/"); status != 200 {
		t.Errorf("a minute later: %d %s", status, plainText(page))
	}
}

// A new key of the provider is taken at once, the old one no longer; known keys are not asked for again. Clocks may differ a little.
func TestOIDCKeysRotate(t *testing.T) {
	p := newProvider(t)
	v := newVisit(t, p, nil)
	login := func(want int) {
		t.Helper()
		v.fresh()
		v.now.Add(int64(20 * time.Second))
		if status, page := v.login("/"); status != want {
			t.Errorf("%d, want %d: %s", status, want, plainText(page))
		}
	}
	login(200)
	login(200)
	if n := p.asked["/keys"].Load(); n != 1 {
		t.Errorf("keys were asked for %d times", n)
	}
	old := p.keys["a"]
	p.keys, p.sign = map[string]crypto.Signer{"b": rsaKey(t)}, "b"
	login(200)
	p.forge = func(c map[string]any) any { return jwt(t, "a", old, c) }
	login(403)
	p.forge = func(c map[string]any) any {
		c["exp"] = time.Now().Add(time.Duration(v.now.Load()) - 30*time.Second).Unix()
		return c
	}
	login(200)
	if n := p.asked["/.well-known/openid-configuration"].Load(); n != 1 {
		t.Errorf("discovery was asked for %d times", n)
	}
	p.forge = nil
	v.now.Add(int64(2 * time.Hour))
	p.discovery = func(d map[string]any) { d["issuer"] = "broken" }
	p.forge = func(c map[string]any) any {
		c["iat"], c["exp"] = time.Now().Unix(), time.Now().Add(4*time.Hour).Unix()
		return c
	}
	login(200) // what it said before is still good
}

// A provider that is down stops neither the server nor those who have a password; when it is back, it is used again.
func TestOIDCProviderDown(t *testing.T) {
	p := newProvider(t)
	var back atomic.Bool
	p.instead["/.well-known/openid-configuration"] = func(w http.ResponseWriter, r *http.Request) {
		if !back.Load() {
			panic(http.ErrAbortHandler)
		}
		p.document(w, r)
	}
	v := newVisit(t, p, nil)
	for range 5 {
		if status, page := v.get(v.ui + "/login/oidc"); status != 503 || !strings.Contains(page, "just now") || !strings.Contains(page, `name="password"`) {
			t.Fatalf("%d %s", status, plainText(page))
		}
	}
	if n := p.asked["/.well-known/openid-configuration"].Load(); n > 2 { // the transport may repeat a request
		t.Errorf("it was asked %d times at once", n)
	}
	form := url.Values{"name": {"root"}, "password": {"correct horse"}, "to": {"/collections"}}
	resp, page := v.do("POST", v.ui+"/login", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", v.ui)
	if resp.StatusCode != http.StatusSeeOther || v.session() == nil {
		t.Errorf("login with a password: %d %s", resp.StatusCode, plainText(page))
	}
	back.Store(true)
	v.fresh()
	v.now.Add(int64(10 * time.Second))
	if status, page := v.login("/"); status != 200 {
		t.Errorf("when it was back: %d %s", status, plainText(page))
	}
}

// Groups give roles to people whom no user names: the highest that applies, on the screens and at replay. A user who is named keeps the own role.
func TestOIDCRolesByClaim(t *testing.T) {
	for _, tt := range []struct {
		name, claim string
		claims      map[string]any
		want        string // in the top line; empty: refused
	}{
		{"a list", "groups", map[string]any{"groups": []string{"all", "archivists"}}, "oidc:anna@uni.example · admin"},
		{"one value", "groups", map[string]any{"groups": "all"}, "oidc:anna@uni.example · viewer"},
		{"below another claim", "realm_access.roles", map[string]any{"realm_access": map[string]any{"roles": []string{"all"}}}, "oidc:anna@uni.example · viewer"},
		{"a name with dots", "https://uni.example/groups", map[string]any{"https://uni.example/groups": []string{"all"}}, "oidc:anna@uni.example · viewer"},
		{"without a verified email", "groups", map[string]any{"groups": "all", "email_verified": false}, "oidc-sub:subject-1 · viewer"},
		{"no group that counts", "groups", map[string]any{"groups": []any{"guests", 7, nil}}, ""},
		{"no claim", "groups", map[string]any{"groups": nil}, ""},
		{"a user who is named", "groups", map[string]any{"groups": "archivists", "email": "eva@uni.example"}, "eva · curator"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.forge = func(c map[string]any) any {
				c["email"] = "anna@uni.example"
				maps.Copy(c, tt.claims)
				return c
			}
			v := newVisit(t, p, func(c *access.OIDCConfig) {
				c.RoleClaim, c.Roles = tt.claim, map[string]access.Role{"all": access.Viewer, "archivists": access.Admin}
			})
			status, page := v.login("/")
			if tt.want == "" {
				if status != 403 || v.session() != nil {
					t.Errorf("%d %s", status, plainText(page))
				}
				return
			}
			if status, page = v.get(v.ui + "/collections"); status != 200 || !strings.Contains(page, tt.want) {
				t.Fatalf("%d, no %q in %.900s", status, tt.want, page)
			}
			resp, _ := v.do("GET", v.ui+"/open?path=/none/", "")
			resp, page = v.do("GET", resp.Header.Get("Location"), "")
			if resp.StatusCode != http.StatusSeeOther || len(resp.Cookies()) != 1 {
				t.Fatalf("ticket: %d %s", resp.StatusCode, page)
			}
			if status, page := v.get(v.replay + "/none/"); status != 200 {
				t.Errorf("replay: %d %.200s", status, page)
			}
			v.fresh()
			if status, _ := v.get(v.replay + "/none/"); status == 200 {
				t.Error("replay lets everybody in")
			}
		})
	}
}

// Taking the person away from a user ends the session.
func TestOIDCSessionEndsWithTheKey(t *testing.T) {
	v := newVisit(t, newProvider(t), nil)
	if status, _ := v.login("/"); status != 200 {
		t.Fatal(status)
	}
	users := access.OpenUsers(filepath.Join(v.dir, "access"))
	if err := users.PutOIDC("root", access.Admin, "email:eva@uni.example", time.Now()); err == nil {
		t.Error("two users are one person")
	}
	if err := users.PutOIDC("eva", access.Curator, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	if status, _ := v.get(v.ui + "/collections"); status != http.StatusSeeOther {
		t.Errorf("the session goes on: %d", status)
	}
}

// In a browser the provider is another site: the session's cookie, which is Strict, must hold on the first page after the way
// back, and the policy of our pages must let people log out there.
func TestBrowserOIDC(t *testing.T) {
	b := newTab(t)
	v := newVisit(t, newProvider(t), nil)
	click := func(what string) {
		t.Helper()
		if err := chromedp.Do(b.ctx, chromedp.Click(what)); err != nil {
			t.Fatal(err)
		}
	}
	for _, width := range []int64{1280, 390} {
		if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 800)); err != nil {
			t.Fatal(err)
		}
		b.open(v.ui + "/login?to=/collections")
		b.is("document.querySelector('a[href^=\"/login/oidc\"]') && document.documentElement.scrollWidth <= innerWidth")
		if dir := os.Getenv("VARVE_SHOTS"); dir != "" {
			shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("login-%d.png", width)), shot, 0o600)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	click(`a[href^="/login/oidc"]`)
	b.is("location.pathname === '/collections' && document.querySelector('.who').textContent.includes('eva')")
	click(".who button")
	b.is("location.pathname === '/login' && document.querySelector('.who').textContent.includes('log in')")
	if n := v.p.asked["/logout"].Load(); n != 1 {
		t.Errorf("%d people logged out at the provider", n)
	}
	if said := b.console(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
