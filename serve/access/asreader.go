package access

import "net/http"

// readerCookie says that somebody who may do more wants to see what readers see.
const readerCookie = "varve-as-reader"

// wantsReader reports whether a request is to be answered as if a reader had asked.
func wantsReader(r *http.Request, v Visitor) bool {
	c, err := r.Cookie(readerCookie)
	return err == nil && c.Value == "1" && !v.Token && v.Can(Curator)
}

// AsReader has what a browser asks from now on answered as if a reader had asked, or ends that. It only ever takes rights
// away, and is forgotten when the browser is closed.
func (g *Gate) AsReader(w http.ResponseWriter, on bool) {
	c := &http.Cookie{Name: readerCookie, Value: "1", Path: "/", HttpOnly: true, Secure: g.cfg.Secure, SameSite: http.SameSiteStrictMode}
	if !on {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
}
