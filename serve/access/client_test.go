package access

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/web/canon"
)

func prefixes(list ...string) (out []netip.Prefix) {
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// Where a request comes from is the word of a trusted proxy, of nobody else.
func TestClientBehindProxies(t *testing.T) {
	tally := attack.Count(t)
	for _, tt := range []struct {
		name    string
		peer    string
		trusted []netip.Prefix
		header  []string
		want    string
		local   bool
	}{
		{"nobody between", local, nil, nil, "127.0.0.1", true},
		{"a proxy here that nobody trusts", local, nil, []string{"X-Forwarded-For", "10.1.2.3"}, "127.0.0.1", false},
		{"a header from far away", far, nil, []string{"X-Forwarded-For", "127.0.0.1"}, "203.0.113.9", false},
		{"a trusted proxy here", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "198.51.100.7"}, "198.51.100.7", false},
		{"what the client wrote before it", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "127.0.0.1, 10.1.2.3, 198.51.100.7"}, "198.51.100.7", false},
		{"two trusted proxies", local, prefixes("127.0.0.0/8", "10.0.0.0/8"), []string{"X-Forwarded-For", "8.8.8.8, 198.51.100.7, 10.0.0.4"}, "198.51.100.7", false},
		{"only trusted ones", local, prefixes("127.0.0.0/8", "10.0.0.0/8"), []string{"X-Forwarded-For", "10.0.0.9, 10.0.0.4"}, "10.0.0.9", false},
		{"the client says it is this machine", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "127.0.0.1"}, "127.0.0.1", false},
		{"a trusted proxy that says nothing", local, prefixes("127.0.0.0/8"), nil, "invalid IP", false},
		{"nonsense", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "198.51.100.7, unknown"}, "invalid IP", false},
		{"the standard header", local, prefixes("127.0.0.0/8"), []string{"Forwarded", `for=192.0.2.43, for="[2001:db8:cafe::17]:4711";proto=https`}, "2001:db8:cafe::17", false},
		{"a hidden client", local, prefixes("127.0.0.0/8"), []string{"Forwarded", "for=_hidden"}, "invalid IP", false},
		{"two headers that differ", local, prefixes("127.0.0.0/8"), []string{"Forwarded", "for=10.1.0.1", "X-Forwarded-For", "198.51.100.7"}, "invalid IP", false},
		{"with a port", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "198.51.100.7:5555"}, "198.51.100.7", false},
		{"IPv4 in IPv6", local, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "::ffff:198.51.100.7"}, "198.51.100.7", false},
		{"a trusted network, from elsewhere", far, prefixes("127.0.0.0/8"), []string{"X-Forwarded-For", "10.1.2.3"}, "203.0.113.9", false},
	} {
		tally.Try(1)
		got := clientOf(request("GET", "http://127.0.0.1:8080/", tt.peer, tt.header...), tt.trusted)
		if got.addr.String() != tt.want || got.local() != tt.local {
			t.Errorf("%s: %v, of this machine %v; want %s, %v", tt.name, got.addr, got.local(), tt.want, tt.local)
		}
	}
}

// A proxy on the same machine makes nobody an administrator, with trust or without; the reading room is known by its own addresses.
func TestRightsBehindProxies(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	for _, trusted := range [][]netip.Prefix{nil, prefixes("127.0.0.1/32")} {
		h := newHouse(t, func(c *GateConfig) { c.Proxies = trusted })
		for from, room := range map[string]bool{"198.51.100.7": false, "10.1.2.3": trusted != nil, "127.0.0.1": false} {
			tally.Try(1)
			status, who, _ := h.ask(request("GET", "http://127.0.0.1:8080/", local, "X-Forwarded-For", from))
			if status != 200 || who.Role != Nobody || who.Loopback || who.ReadingRoom != room {
				t.Errorf("trusted %v, for %s: %d %+v", trusted, from, status, who)
			}
		}
	}
	h := newHouse(t, func(c *GateConfig) { c.ReadingRoom = prefixes("127.0.0.0/8") })
	if _, who, _ := h.ask(request("GET", "http://127.0.0.1:8080/", local, "X-Forwarded-For", "198.51.100.7")); who.ReadingRoom {
		t.Error("a proxy in the reading room let everybody in")
	}
}

func (h *house) logIn(peer, name, password string, header ...string) int {
	r := httptest.NewRequest("POST", "http://archive.example/login", strings.NewReader(url.Values{"name": {name}, "password": {password}}.Encode()))
	r.RemoteAddr = peer
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	status, _, _ := h.ask(r)
	return status
}

// Wrong passwords of one visitor behind a proxy lock nobody else out, whether the proxy is trusted or not; and who asks is still limited.
func TestLoginsBehindProxies(t *testing.T) {
	for _, trusted := range [][]netip.Prefix{nil, prefixes("127.0.0.1/32")} {
		h := newHouse(t, func(c *GateConfig) { c.RequireLogin, c.Proxies = true, trusted })
		for i := range loginBurst + 2 {
			h.logIn(local, fmt.Sprintf("nobody%d", i), "wrong", "X-Forwarded-For", "198.51.100.7")
		}
		if status := h.logIn(local, "eva", "correct horse", "X-Forwarded-For", "198.51.100.8"); status != 200 {
			t.Errorf("trusted %v: another visitor was locked out: %d", trusted, status)
		}
		for range loginBurst + 1 {
			h.logIn(local, "root", "wrong", "X-Forwarded-For", "198.51.100.9")
		}
		status := h.logIn(local, "root", "correct horse", "X-Forwarded-For", "198.51.100.10")
		if trusted != nil && status != 200 {
			t.Errorf("wrong passwords from elsewhere locked a name out: %d", status)
		}
	}
	// One visitor is limited, and so is the whole proxy.
	h := newHouse(t, func(c *GateConfig) { c.RequireLogin, c.Proxies = true, prefixes("127.0.0.1/32") })
	for i := range loginBurst {
		h.logIn(local, fmt.Sprint(i), "wrong", "X-Forwarded-For", "198.51.100.7")
	}
	if status := h.logIn(local, "eva", "correct horse", "X-Forwarded-For", "198.51.100.7"); status != http.StatusForbidden {
		t.Errorf("after the burst: %d", status)
	}
}

// Requests that a proxy on this machine passes on are limited, by visitor where it is trusted.
func TestRequestsBehindProxies(t *testing.T) {
	h := newHouse(t, func(c *GateConfig) { c.Proxies = prefixes("127.0.0.1/32") })
	last := 0
	for range requestBurst + 5 {
		last, _, _ = h.ask(request("GET", "http://archive.example/", local, "X-Forwarded-For", "198.51.100.7"))
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("one visitor: %d after the burst", last)
	}
	if status, _, _ := h.ask(request("GET", "http://archive.example/", local, "X-Forwarded-For", "198.51.100.8")); status != 200 {
		t.Errorf("another visitor: %d", status)
	}
	h = newHouse(t, nil)
	for range many*requestBurst + 5 {
		last, _, _ = h.ask(request("GET", "http://archive.example/", local, "X-Forwarded-For", "198.51.100.7"))
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("a proxy that nobody trusts: %d", last)
	}
}

func TestBearerInAnyCase(t *testing.T) {
	h := newHouse(t, func(c *GateConfig) { c.RequireLogin = true })
	secret, _, err := h.users.NewToken("eva", "", now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"Bearer", "bearer", "BEARER"} {
		if _, who, _ := h.ask(request("GET", "http://archive.example/api/x", far, "Authorization", scheme+" "+secret)); who.Name != "eva" {
			t.Errorf("%s: %+v", scheme, who)
		}
	}
	if _, who, _ := h.ask(request("GET", "http://archive.example/api/x", far, "Authorization", "Basic "+secret)); who.Name != "" {
		t.Errorf("another scheme: %+v", who)
	}
}

// A ticket is good once, for its collection, for half a minute; its cookie reads the collections that tickets were for.
func TestTicketOnce(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(5)
	h := newHouse(t, func(c *GateConfig) {
		c.RequireLogin, c.Holds = true, func(name string) bool { return name == "c" || name == "d" }
	})
	var seen Visitor
	replay := h.Replay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = From(r.Context())
		_, _ = io.WriteString(w, "archived")
	}), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	do := func(target string, cookies ...*http.Cookie) *http.Response {
		r := request("GET", "http://replay.example"+target, far)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		replay.ServeHTTP(w, r)
		return w.Result()
	}
	take := func(ticket, to string, cookies ...*http.Cookie) *http.Response {
		return do(TicketPath+"?"+url.Values{"t": {ticket}, "to": {to}}.Encode(), cookies...)
	}
	eva := Visitor{Name: "eva", Role: Curator}
	ticket := h.Ticket(eva, "/c/2026/http://a.example/")
	if resp := take(ticket, "/d/2026/http://a.example/"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("for another collection: %d", resp.StatusCode)
	}
	first := take(ticket, "/c/2026/http://a.example/")
	if first.StatusCode != http.StatusSeeOther || len(first.Cookies()) != 1 {
		t.Fatalf("the first time: %d", first.StatusCode)
	}
	if resp := take(ticket, "/c/2026/http://a.example/"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("the second time: %d", resp.StatusCode)
	}
	cookie := first.Cookies()[0]
	if resp := take(ticket, "/c/x", cookie); resp.StatusCode != http.StatusSeeOther || len(resp.Cookies()) != 0 {
		t.Errorf("again, by whoever used it: %d", resp.StatusCode)
	}
	if resp := do("/c/2026/http://a.example/", cookie); resp.StatusCode != 200 || seen.Name != "eva" {
		t.Errorf("its collection: %d", resp.StatusCode)
	}
	if resp := do("/d/2026/http://a.example/", cookie); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("another collection: %d", resp.StatusCode)
	}
	if do("/style.css", cookie); (&RuleSet{}).Check(seen, "d", "example,a)/", now, now).Allowed || !(&RuleSet{}).Check(seen, "c", "example,a)/", now, now).Allowed {
		t.Error("by another way the cookie reads another collection, or not its own")
	}
	second := take(h.Ticket(eva, "/d/x"), "/d/x", cookie)
	if len(second.Cookies()) != 1 {
		t.Fatal(second.StatusCode)
	}
	for _, path := range []string{"/c/x", "/d/x", "/d-cdx"} {
		if resp := do(path, second.Cookies()[0]); resp.StatusCode != 200 {
			t.Errorf("%s with both: %d", path, resp.StatusCode)
		}
	}
	old := h.Ticket(eva, "/c/x")
	h.now = h.now.Add(ticketLasts)
	if resp := take(old, "/c/x"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("an old one: %d", resp.StatusCode)
	}
	for _, to := range []string{"/c/\t/x", "//c/x", "/\\c/x", "http://c/x"} {
		tally.Try(1)
		if resp := take(h.Ticket(eva, to), to); resp.StatusCode != http.StatusForbidden {
			t.Errorf("to %q: %d %s", to, resp.StatusCode, resp.Header.Get("Location"))
		}
	}
}

// What an administrator decided is not loosened by a curator's rule, however narrow; curators may tighten it, and
// administrators may loosen what curators decided. Rules of files without roles are administrators'.
func TestCuratorsCannotLoosen(t *testing.T) {
	tally := attack.Count(t)
	const page = "http://a.example/folder/page"
	at := now.AddDate(0, 0, -5)
	for _, tt := range []struct {
		name    string
		rules   []Rule
		allowed bool
	}{
		{"a longer prefix", []Rule{{Prefix: "a.example", Level: Curators, Role: Admin}, {Prefix: page, Level: Open, Role: Curator}}, false},
		{"of a collection", []Rule{{Prefix: "a.example", Level: ReadingRoom, Role: Admin}, {Collection: "c", Prefix: "a.example", Level: Open, Role: Curator}}, false},
		{"for a time", []Rule{{Level: Curators, Role: Admin}, {From: at.AddDate(0, 0, -1), Level: Open, Role: Curator}}, false},
		{"a milder level", []Rule{{Prefix: "a.example", Level: Curators, Role: Admin}, {Prefix: page, Level: ReadingRoom, Role: Curator}}, false},
		{"a shorter embargo", []Rule{{Prefix: "a.example", Embargo: 30, Role: Admin}, {Prefix: page, Embargo: 1, Role: Curator}}, false},
		{"of an older file", []Rule{{Prefix: "a.example", Level: Curators}, {Prefix: page, Level: Open, Role: Curator}}, false},
		{"all of an older file", []Rule{{Prefix: "a.example", Level: Curators}, {Prefix: page, Level: Open}}, true},
		{"an administrator opens", []Rule{{Prefix: "a.example", Level: Curators, Role: Admin}, {Prefix: page, Level: Open, Role: Admin}}, true},
		{"an administrator opens a curator's", []Rule{{Prefix: "a.example", Level: Curators, Role: Curator}, {Prefix: page, Level: Open, Role: Admin}}, true},
		{"a curator opens a curator's", []Rule{{Prefix: "a.example", Level: Curators, Role: Curator}, {Prefix: page, Level: Open, Role: Curator}}, true},
		{"a curator tightens", []Rule{{Prefix: "a.example", Level: Open, Role: Admin}, {Prefix: page, Level: Curators, Role: Curator}}, false},
		{"narrower than both", []Rule{{Prefix: "a.example", Level: Curators, Role: Admin}, {Prefix: "http://a.example/folder/", Level: Open, Role: Admin}, {Prefix: page, Level: Open, Role: Curator}}, true},
	} {
		if !tt.allowed {
			tally.Try(1)
		}
		var list []Rule
		for _, r := range tt.rules {
			list = append(list, rule(t, r))
		}
		if got := NewRuleSet(list).Check(Visitor{Role: Viewer}, "c", canon.SURT(page), at, now).Allowed; got != tt.allowed {
			t.Errorf("%s: allowed %v", tt.name, got)
		}
	}
}

// A rule for a host holds for all its ports.
func TestHostRulesHoldForPorts(t *testing.T) {
	set := NewRuleSet([]Rule{rule(t, Rule{Prefix: "a.example", Level: Blocked}), rule(t, Rule{Prefix: "http://b.example:8080/", Level: Blocked})})
	for u, allowed := range map[string]bool{
		"http://a.example:8080/x": false, "https://www.a.example:8443/": false, "http://sub.a.example:81/": false, "http://aa.example:8080/": true, "http://b.example/": true, "http://b.example:8080/": false,
	} {
		if got := set.Check(Visitor{Role: Admin}, "c", canon.SURT(u), now, now).Allowed; got != allowed {
			t.Errorf("%s: allowed %v", u, got)
		}
	}
}
