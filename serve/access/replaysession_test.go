package access

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"varve/lab/attack"
)

// What is let in on the replay host ends with the session that it comes of: logged out, idle for long, or of a person whose
// role is the word of a provider; the cookie and the keys of content alike. Who reads is not idle; archived content that
// asks by itself keeps no session alive.
func TestReplayEndsWithTheSession(t *testing.T) {
	tally := attack.Count(t)
	for name, begun := range map[string]session{
		"by claim": {user: "oidc:kim@uni.example", oidc: &oidcSession{role: Curator}},
		"a user":   {user: "eva"},
	} {
		for end, do := range map[string]func(h *house, key string, read, content func() int){
			"logout": func(h *house, key string, _, _ func() int) { h.sessions.end(key) },
			"idle":   func(h *house, _ string, _, _ func() int) { h.now = h.now.Add(sessionIdle + time.Second) },
			"content only": func(h *house, _ string, _, content func() int) {
				for range 5 {
					h.now = h.now.Add(sessionIdle / 2)
					content()
				}
			},
			"too long": func(h *house, _ string, read, _ func() int) {
				for range 11 {
					if h.now = h.now.Add(time.Hour); read() != 200 {
						t.Errorf("%s: reading for hours ended", name)
						break
					}
				}
				h.now = h.now.Add(time.Hour + time.Second)
			},
		} {
			tally.Try(2)
			h := newHouse(t, func(c *GateConfig) { c.RequireLogin, c.Holds = true, func(string) bool { return true } })
			if u, found, err := h.users.Get(begun.user); err != nil {
				t.Fatal(err)
			} else if found {
				begun.hash = u.Hash
			}
			begin := begun
			key, _, _ := h.sessions.get(h.sessions.begin(begin, h.now), h.now)
			who := Visitor{Name: begun.user, Role: Curator, session: key, byClaim: begun.oidc != nil}
			var seen Visitor
			pass := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = From(r.Context()) })
			refuse := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
			serve := func(to http.Handler, path string, cookies ...*http.Cookie) *http.Response {
				r := request("GET", "http://replay.example"+path, far)
				for _, c := range cookies {
					r.AddCookie(c)
				}
				w := httptest.NewRecorder()
				to.ServeHTTP(w, r)
				return w.Result()
			}
			replay := h.Replay(pass, refuse)
			cookies := serve(replay, TicketPath+"?"+url.Values{"t": {h.Ticket(who, "/c/x")}, "to": {"/c/x"}}.Encode()).Cookies()
			read := func() int { return serve(replay, "/c/x", cookies...).StatusCode }
			if read() != 200 {
				t.Fatalf("%s: the cookie is not taken", name)
			}
			secret := h.ContentKey(seen, "c", h.now, true, true)
			inside := h.Content(pass, func(*http.Request) (string, string) { return "c", secret }, refuse)
			content := func() int { return serve(inside, "/c/x").StatusCode }
			if content() != 200 || seen.Role != Curator {
				t.Fatalf("%s: the key is not taken: %+v", name, seen)
			}
			do(h, key, read, content)
			if got := content(); got != http.StatusUnauthorized {
				t.Errorf("%s, %s: the key is still good: %d", name, end, got)
			}
			if got := read(); got != http.StatusUnauthorized {
				t.Errorf("%s, %s: the cookie is still good: %d", name, end, got)
			}
		}
	}
}
