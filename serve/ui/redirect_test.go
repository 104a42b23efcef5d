package ui_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/serve/access"
)

// foreign are addresses that a browser would leave the host for, though they look like paths of it.
var foreign = []string{"/\t/evil.example/", "/\n/evil.example/", "/\\evil.example/", "//evil.example/", "\\\\evil.example", "https://evil.example/", "/\t\\evil.example", "https:evil.example", " //evil.example", "/\x00/evil.example"}

// Whatever a request names as the address to go on to, it leads nowhere but to this archive.
func TestNoOpenRedirect(t *testing.T) {
	tally := attack.Count(t)
	s, _ := mediaScreens(t)
	hash, err := access.HashPassword("correct horse")
	if err == nil {
		err = s.users.Put("eva", access.Admin, hash, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	form := func(target string, fields ...string) *http.Request {
		v := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			v.Set(fields[i], fields[i+1])
		}
		r := httptest.NewRequest("POST", target, strings.NewReader(v.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	for i, to := range foreign {
		peer := "203.0.113." + string(rune('1'+i%9)) + ":1" // each of its own: attempts are counted
		for name, r := range map[string]*http.Request{
			"login":  form("/login", "name", "eva", "password", "correct horse", "to", to),
			"open":   httptest.NewRequest("GET", "/open?"+url.Values{"path": {to}}.Encode(), nil),
			"media":  form("/media/annotate", "collection", "films", "url", "http://a.example/f", "text", "x", "back", to),
			"media+": form("/media/annotate", "collection", "films", "url", "http://a.example/f", "text", "x", "back", "/media?"+to),
			"note":   form("/collections/films/notes", "kind", "note", "text", "x", "back", to),
			"note+":  form("/collections/films/notes", "kind", "note", "text", "x", "back", "/collections/films?"+to),
		} {
			tally.Try(1)
			r.RemoteAddr = peer
			r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: access.Admin}))
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			got := w.Header().Get("Location")
			if w.Code == http.StatusForbidden && name == "login" {
				continue // too many attempts
			}
			path, ok := access.LocalPath(strings.TrimPrefix(got, "http://localhost:8081"))
			u, err := url.Parse(got)
			if w.Code != http.StatusSeeOther || !ok || err != nil || u.Host != "" && u.Host != "localhost:8081" {
				t.Errorf("%s to %q: %d %q", name, to, w.Code, got)
			}
			if name != "open" {
				continue
			}
			if next, ok := access.LocalPath(u.Query().Get("to")); !ok || next != u.Query().Get("to") {
				t.Errorf("the ticket leads to %q by %s", u.Query().Get("to"), path)
			}
		}
	}
}
