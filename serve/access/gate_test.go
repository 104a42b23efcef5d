package access

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
)

// house is a gate with users and a handler behind it that says who is there.
type house struct {
	*Gate
	users *Users
	now   time.Time
}

func newHouse(t *testing.T, change func(*GateConfig)) *house {
	t.Helper()
	dir := t.TempDir()
	h := &house{users: OpenUsers(dir), now: now}
	cfg := GateConfig{Users: h.users, Audit: OpenAudit(dir), Now: func() time.Time { return h.now }, ReadingRoom: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}, Span: 180 * 24 * time.Hour}
	if change != nil {
		change(&cfg)
	}
	h.Gate = NewGate(cfg)
	hash, err := HashPassword("correct horse")
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]Role{"eva": Curator, "root": Admin} {
		if err := h.users.Put(name, role, hash, now); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// ask sends a request through the gate and gives the status, who was seen, and the answer.
func (h *house) ask(r *http.Request) (int, Visitor, *httptest.ResponseRecorder) {
	var who Visitor
	w := httptest.NewRecorder()
	h.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who = From(r.Context())
		if r.URL.Path == "/login" && r.Method == http.MethodPost {
			if err := h.Login(w, r, r.PostFormValue("name"), r.PostFormValue("password")); err != nil {
				http.Error(w, err.Error(), http.StatusForbidden)
			}
		}
	})).ServeHTTP(w, r)
	return w.Code, who, w
}

func request(method, target, remote string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.RemoteAddr = remote
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

const local, far = "127.0.0.1:5000", "203.0.113.9:5000"

func TestLoopbackNeedsNoLogin(t *testing.T) {
	h := newHouse(t, nil)
	for _, tt := range []struct {
		name string
		r    *http.Request
		want Role
	}{
		{"loopback", request("GET", "http://127.0.0.1:8080/", local), Admin},
		{"loopback 6", request("GET", "http://[::1]:8080/", "[::1]:5000"), Admin},
		{"content of replay", request("GET", "http://content.localhost:8081/", local), Admin},
		{"a name that only begins so", request("GET", "http://localhost.evil.example/", local), Nobody},
		{"elsewhere", request("GET", "http://127.0.0.1:8080/", far), Nobody},
		{"another name (rebinding)", request("GET", "http://evil.example/", local), Nobody},
		{"through a proxy", request("GET", "http://127.0.0.1:8080/", local, "X-Forwarded-For", "203.0.113.9"), Nobody},
		{"through another proxy", request("GET", "http://127.0.0.1:8080/", local, "Forwarded", "for=203.0.113.9"), Nobody},
	} {
		if status, who, _ := h.ask(tt.r); status != 200 || who.Role != tt.want {
			t.Errorf("%s: %d, role %q, want %q", tt.name, status, who.Role, tt.want)
		}
	}
	strict := newHouse(t, func(c *GateConfig) { c.RequireLogin = true })
	if _, who, _ := strict.ask(request("GET", "http://127.0.0.1:8080/", local)); who.Role != Nobody {
		t.Errorf("with RequireLogin loopback is %q", who.Role)
	}
	if _, who, _ := h.ask(request("GET", "http://a.example/", "10.1.2.3:5")); !who.ReadingRoom || who.Role != Nobody {
		t.Errorf("reading room: %+v", who)
	}
}

// login logs in and gives the cookie.
func (h *house) login(t *testing.T, name, password string) (*http.Cookie, int) {
	t.Helper()
	form := url.Values{"name": {name}, "password": {password}}
	r := httptest.NewRequest("POST", "http://archive.example/login", strings.NewReader(form.Encode()))
	r.RemoteAddr = far
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://archive.example")
	status, _, w := h.ask(r)
	for _, c := range w.Result().Cookies() {
		return c, status
	}
	return nil, status
}

func TestSession(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(3)
	h := newHouse(t, func(c *GateConfig) { c.Secure = true })
	if c, status := h.login(t, "eva", "wrong password"); c != nil || status != http.StatusForbidden {
		t.Fatalf("wrong password: %v, %d", c, status)
	}
	if c, _ := h.login(t, "nobody", "correct horse"); c != nil {
		t.Fatal("an unknown name logged in")
	}
	c, _ := h.login(t, "eva", "correct horse")
	if c == nil || c.Name != "__Host-varve" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
		t.Fatalf("cookie %+v", c)
	}
	get := func() Visitor {
		r := request("GET", "http://archive.example/", far)
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		_, who, _ := h.ask(r)
		return who
	}
	who := get()
	if who.Name != "eva" || who.Role != Curator || who.CSRF == "" {
		t.Errorf("visitor %+v", who)
	}
	h.now = h.now.Add(sessionIdle + time.Second)
	if who := get(); who.Role != Nobody {
		t.Errorf("an idle session is still good: %+v", who)
	}
	c, _ = h.login(t, "eva", "correct horse")
	if err := h.users.Put("eva", Curator, "another hash", now); err != nil {
		t.Fatal(err)
	}
	if who := get(); who.Role != Nobody {
		t.Errorf("a session outlived its password: %+v", who)
	}
	hash, err := HashPassword("correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.users.Put("eva", Curator, hash, now); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(time.Minute)
	c, _ = h.login(t, "eva", "correct horse")
	if err := h.users.Remove("eva"); err != nil {
		t.Fatal(err)
	}
	if who := get(); who.Role != Nobody {
		t.Errorf("the session of a removed user is still good: %+v", who)
	}
}

func TestGuessingIsSlow(t *testing.T) {
	tally := attack.Count(t)
	h := newHouse(t, nil)
	refused := 0
	for range loginBurst + 4 {
		tally.Try(1)
		if _, status := h.login(t, "eva", "wrong password"); status == http.StatusForbidden {
			refused++
		}
	}
	if c, _ := h.login(t, "eva", "correct horse"); c != nil {
		t.Error("the right password was taken after too many wrong ones")
	}
	h.now = h.now.Add(time.Minute)
	if c, _ := h.login(t, "eva", "correct horse"); c == nil {
		t.Errorf("not even a minute later (%d refused)", refused)
	}
}

func TestForeignPagesCannotAct(t *testing.T) {
	tally := attack.Count(t)
	h := newHouse(t, nil)
	_, who, _ := h.ask(request("GET", "http://127.0.0.1:8080/", local))
	post := func(header ...string) int {
		status, _, _ := h.ask(request("POST", "http://127.0.0.1:8080/x", local, header...))
		return status
	}
	for _, tt := range []struct {
		name   string
		header []string
		want   int
	}{
		{"a program on this machine", nil, 200},
		{"our own page", []string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "same-origin", "X-CSRF-Token", who.CSRF}, 200},
		{"our own page without token", []string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "same-origin"}, 403},
		{"our own page with a wrong token", []string{"Sec-Fetch-Site", "same-origin", "X-CSRF-Token", "x"}, 403},
		{"the replay host", []string{"Origin", "http://localhost:8081", "Sec-Fetch-Site", "cross-site", "X-CSRF-Token", who.CSRF}, 403},
		{"another port of this name", []string{"Origin", "http://127.0.0.1:9999", "Sec-Fetch-Site", "same-site", "X-CSRF-Token", who.CSRF}, 403},
		{"a sandboxed page", []string{"Origin", "null", "X-CSRF-Token", who.CSRF}, 403},
	} {
		if tt.want != 200 {
			tally.Try(1)
		}
		if got := post(tt.header...); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestTokens(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	h := newHouse(t, func(c *GateConfig) { c.RequireLogin = true })
	secret, _, err := h.users.NewToken("eva", "", now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	status, who, _ := h.ask(request("POST", "http://archive.example/api/x", far, "Authorization", "Bearer "+secret))
	if status != 200 || who.Name != "eva" || !who.Token {
		t.Errorf("%d %+v", status, who)
	}
	if status, _, _ := h.ask(request("GET", "http://archive.example/api/x", far, "Authorization", "Bearer varve_no_no")); status != http.StatusForbidden {
		t.Errorf("wrong token: %d", status)
	}
}

func TestTooManyRequests(t *testing.T) {
	tally := attack.Count(t)
	h := newHouse(t, nil)
	last := 0
	for range requestBurst + 5 {
		tally.Try(1)
		last, _, _ = h.ask(request("GET", "http://archive.example/", far))
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("status %d after the burst", last)
	}
	if status, _, _ := h.ask(request("GET", "http://archive.example/", "203.0.113.10:5")); status != 200 {
		t.Errorf("another address: %d", status)
	}
}

// A ticket leads a logged-in reader to the replay host, where it is good for reading and no session.
func TestTicket(t *testing.T) {
	h := newHouse(t, func(c *GateConfig) { c.RequireLogin, c.Secure = true, true })
	var seen Visitor
	replay := h.Replay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = From(r.Context())
		_, _ = io.WriteString(w, "archived")
	}), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	do := func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		replay.ServeHTTP(w, r)
		return w.Result()
	}
	if resp := do(request("GET", "http://replay.example/c/x", far)); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without ticket: %d", resp.StatusCode)
	}
	ticket := h.Ticket(Visitor{Name: "eva", Role: Curator}, "/c/2026/http://a.example/")
	resp := do(request("GET", "http://replay.example/_ticket?"+url.Values{"t": {ticket}, "to": {"/c/2026/http://a.example/"}}.Encode(), far))
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/c/2026/http://a.example/" || len(resp.Cookies()) != 1 {
		t.Fatalf("ticket: %d %v", resp.StatusCode, resp.Header)
	}
	cookie := resp.Cookies()[0]
	r := request("POST", "http://replay.example/c/x", far, "Origin", "http://replay.example")
	r.AddCookie(cookie)
	if resp := do(r); resp.StatusCode != 200 || seen.Name != "eva" {
		t.Errorf("with the cookie: %d %+v", resp.StatusCode, seen)
	}
	// The cookie of the replay host is nothing on the screens, and the other way round.
	r = request("GET", "http://archive.example/", far)
	r.AddCookie(&http.Cookie{Name: "__Host-varve", Value: cookie.Value})
	if _, who, _ := h.ask(r); who.Role != Nobody {
		t.Errorf("a replay cookie became a session: %+v", who)
	}
	for _, bad := range []string{"t=x&to=/c", "t=" + url.QueryEscape(ticket) + "&to=//evil.example/", "t=" + url.QueryEscape(ticket) + "&to=http://evil.example/", "t=" + url.QueryEscape(cookie.Value) + "&to=/c"} {
		if resp := do(request("GET", "http://replay.example/_ticket?"+bad, far)); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", bad, resp.StatusCode)
		}
	}
	h.now = h.now.Add(2 * ticketLasts)
	if resp := do(request("GET", "http://replay.example/_ticket?"+url.Values{"t": {ticket}, "to": {"/c"}}.Encode(), far)); resp.StatusCode != http.StatusForbidden {
		t.Errorf("an old ticket: %d", resp.StatusCode)
	}
}
