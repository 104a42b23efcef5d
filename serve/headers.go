package serve

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
)

// secure sets the headers of the screens' host. Scripts and styles come from files of ours only;
// frames only from the replay host; nobody may frame us.
func (p *parts) secure(next http.Handler) http.Handler {
	csp := fmt.Sprintf("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self' %s; form-action 'self'; base-uri 'none'; frame-ancestors 'none'", strings.Join(p.replay.Origins(), " "))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", csp)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
		if p.secureCookies {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// recovered turns a panic of a handler into a 500 and a line in the log; the others go on.
func (p *parts) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
				panic(v)
			}
			p.cfg.Log.Error("panic", "path", r.URL.Path, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			http.Error(w, "this failed on our side; the archive is not affected", http.StatusInternalServerError)
		}()
		next.ServeHTTP(w, r)
	})
}
