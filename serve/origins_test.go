package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"varve/lab/servetest"
	"varve/serve"
)

// Other origins are let in only where the user allowed them, only to what analyses their own texts, and as readers.
func TestOrigins(t *testing.T) {
	dir := searchable(t)
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	const mine, evil = "chrome-extension://abcdefghijklmnop", "https://evil.example"
	s := start(t, dir, func(c *serve.Config) { c.Origins = []string{mine} })
	text := "Minister Anna Berg opened a hall with Karl Holm on Monday."
	for _, c := range []struct {
		method, path, origin string
		status               int
		let                  bool
	}{
		{"OPTIONS", "/api/text/analyse", mine, http.StatusNoContent, true},
		{"OPTIONS", "/api/text/analyse", evil, http.StatusMethodNotAllowed, false},
		{"POST", "/api/text/analyse?units=entities", mine, http.StatusOK, true},
		{"POST", "/api/text/analyse?units=entities", evil, http.StatusForbidden, false},
		{"POST", "/api/text/analyse?units=entities", "null", http.StatusForbidden, false},
		{"POST", "/api/text/analyse?units=entities", mine + "x", http.StatusForbidden, false},
		{"GET", "/api/types/figer", mine, http.StatusOK, true},
		{"GET", "/api/types/figer", evil, http.StatusOK, false},
		{"GET", "/api/collections", mine, http.StatusOK, false}, // browsers do not show it to whoever asks
		{"POST", "/api/access/rules", mine, http.StatusForbidden, false},
		{"OPTIONS", "/api/access/rules", mine, http.StatusMethodNotAllowed, false},
	} {
		resp, body := s.do(c.method, s.ui+c.path, text, "Origin", c.origin, "Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain", "Access-Control-Request-Private-Network", "true")
		got := resp.Header.Get("Access-Control-Allow-Origin")
		if resp.StatusCode != c.status || (got == c.origin) != c.let || !c.let && got != "" || resp.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s from %s: %d, allowed %q: %.200s", c.method, c.path, c.origin, resp.StatusCode, got, body)
		}
		if c.let && !strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Origin") {
			t.Errorf("%s %s: Vary is %q", c.method, c.path, resp.Header.Values("Vary"))
		}
		if c.method == "POST" && c.let && !strings.Contains(body, `"entity":"Q1"`) {
			t.Errorf("%.300s", body)
		}
	}
	for _, origin := range []string{"*", "https://*", "https://a.example/path", "a.example", ""} {
		if _, err := serve.Listen(t.Context(), serve.Config{Archive: dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Origins: []string{origin}}); err == nil {
			t.Errorf("origin %q is allowed", origin)
		}
	}
}
