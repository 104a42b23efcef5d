package replay

import (
	"net/http"
	"strings"
	"time"

	"varve/serve/replay/address"
)

// An address with a time leads to the capture nearest to it, which has an address of its own. What was asked for would
// be forgotten on the way: asked for 2010, a page of 2023 came up without a word. So the banner is told, by a cookie that
// lives for one page, and says it where the two are more than a day apart.

// askedCookie names the time that was asked for, and the capture that it led to.
const askedCookie = "varve-asked"

// askedApart is how far from the time asked for a capture may be without a word.
const askedApart = 24 * time.Hour

// tellAsked has the banner of a capture say that another time was asked for.
func (h *Handler) tellAsked(w http.ResponseWriter, digits string, shown time.Time) {
	if !apart(digits, shown) {
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: askedCookie, Value: digits + "-" + address.Stamp(shown), Path: "/", MaxAge: 60, HttpOnly: true, Secure: h.scheme == "https", SameSite: http.SameSiteLaxMode,
	})
}

// asked returns the time that led to the capture shown, as people write it, and takes it back; empty if it was that time.
func (h *Handler) asked(w http.ResponseWriter, r *http.Request, shown time.Time) string {
	c, err := r.Cookie(askedCookie)
	if err != nil {
		return ""
	}
	http.SetCookie(w, &http.Cookie{Name: askedCookie, Path: "/", MaxAge: -1, HttpOnly: true, Secure: h.scheme == "https", SameSite: http.SameSiteLaxMode})
	digits, led, _ := strings.Cut(c.Value, "-")
	if led != address.Stamp(shown) || !apart(digits, shown) {
		return ""
	}
	return written(digits)
}

// apart reports whether a capture lies outside of the time that digits name, and more than a day from it.
func apart(digits string, shown time.Time) bool {
	latest, err := address.Latest(digits)
	if digits == "" || err != nil || strings.HasPrefix(address.Stamp(shown), digits) {
		return false
	}
	return shown.Sub(latest).Abs() > askedApart
}

// written turns up to 14 digits into a date: 2010, 2010-05, 2010-05-03, 2010-05-03 12:00.
func written(digits string) string {
	var out strings.Builder
	for i, r := range digits[:min(len(digits), 12)] {
		switch i {
		case 4, 6:
			out.WriteByte('-')
		case 8:
			out.WriteByte(' ')
		case 10:
			out.WriteByte(':')
		}
		out.WriteRune(r)
	}
	return out.String()
}
