package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// A session must never reach the replay host, where archived scripts run. So whoever is logged in
// gets a *ticket* there: a signed note who it is, good for reading archived content and nothing else.
//
//	screens /open?...  -> redirect to the replay host /_ticket?t=SIGNED&to=/coll/...   (good for a minute)
//	replay  /_ticket   -> cookie varve-replay=SIGNED (good for as long as a session), redirect to /coll/...

const (
	ticketLasts  = time.Minute
	replayCookie = "varve-replay"
)

// TicketPath is where the replay host takes tickets.
const TicketPath = "/_ticket"

// note is what is signed.
type note struct {
	User string    `json:"u"`
	Use  string    `json:"k"` // "t": to be shown once at TicketPath; "c": the cookie
	Till time.Time `json:"e"`
}

// signer signs with a key that lives as long as the process.
type signer [32]byte

func newSigner() (s signer) {
	_, _ = rand.Read(s[:]) // never fails, see its comment
	return s
}

func (s signer) mac(b []byte) []byte {
	h := hmac.New(sha256.New, s[:])
	h.Write(b)
	return h.Sum(nil)
}

func (s signer) sign(n note) string {
	b, _ := json.Marshal(n) // strings and a time: cannot fail
	enc := base64.RawURLEncoding
	return enc.EncodeToString(b) + "." + enc.EncodeToString(s.mac(b))
}

// read gives what a text signs, if it is ours, for that use, and not too old.
func (s signer) read(text, use string, now time.Time) (note, bool) {
	var n note
	body, mac, ok := strings.Cut(text, ".")
	if !ok || len(text) > 1000 {
		return n, false
	}
	enc := base64.RawURLEncoding
	b, err1 := enc.DecodeString(body)
	m, err2 := enc.DecodeString(mac)
	if err1 != nil || err2 != nil || !hmac.Equal(m, s.mac(b)) || json.Unmarshal(b, &n) != nil {
		return n, false
	}
	return n, n.Use == use && now.Before(n.Till)
}

// Ticket gives the query for TicketPath that lets the visitor read on the replay host; "" if the
// visitor needs none.
func (g *Gate) Ticket(v Visitor) string {
	if v.Loopback || v.Name == "" {
		return ""
	}
	return g.signer.sign(note{v.Name, "t", g.cfg.Now().Add(ticketLasts)})
}

// NeedsTickets tells whether readers have to log in.
func (g *Gate) NeedsTickets() bool { return g.cfg.RequireLogin }

// Replay puts the visitor into the context of requests to the replay host. Nothing can be changed
// there, and archived pages post to it, so origins are not checked.
func (g *Gate) Replay(next http.Handler, login func(w http.ResponseWriter, r *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		addr := peer(r)
		if wait, ok := g.admit(addr); !ok {
			tooMany(w, r, wait)
			return
		}
		if r.URL.Path == TicketPath {
			g.takeTicket(w, r)
			return
		}
		v := g.reader(r, addr)
		if v.Role == Nobody {
			login(w, r)
			return
		}
		next.ServeHTTP(w, r.WithContext(With(r.Context(), v)))
	})
}

// reader tells who reads: by token, by the cookie of a ticket, or from loopback.
func (g *Gate) reader(r *http.Request, addr netip.Addr) Visitor {
	v := Visitor{ReadingRoom: g.inReadingRoom(addr)}
	if secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if u, found, err := g.cfg.Users.ByToken(secret, g.cfg.Now()); err == nil && found {
			v.Name, v.Role, v.Token = u.Name, u.Role, true
			return v
		}
	}
	if c, err := r.Cookie(replayCookie); err == nil {
		if n, ok := g.signer.read(c.Value, "c", g.cfg.Now()); ok {
			if u, found, err := g.cfg.Users.Get(n.User); err == nil && found {
				v.Name, v.Role = u.Name, u.Role
				return v
			}
		}
	}
	if !g.cfg.RequireLogin && fromLoopback(r, addr) {
		v.Role, v.Loopback, v.ReadingRoom = Admin, true, true
	}
	return v
}

// takeTicket turns a ticket into a cookie and leads to where the visitor wanted to go on this host.
func (g *Gate) takeTicket(w http.ResponseWriter, r *http.Request) {
	n, ok := g.signer.read(r.URL.Query().Get("t"), "t", g.cfg.Now())
	to := r.URL.Query().Get("to")
	if !ok || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, "/\\") {
		http.Error(w, "this ticket is not valid any more; open the page again from the screens", http.StatusForbidden)
		return
	}
	c := &http.Cookie{
		Name: replayCookie, Value: g.signer.sign(note{n.User, "c", g.cfg.Now().Add(sessionLasts)}), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteLaxMode, MaxAge: int(sessionLasts.Seconds()),
	}
	if host := hostName(r.Host); strings.Contains(host, ".") && !netipHost(host) {
		c.Domain = host // content is on a name below it
	}
	if g.cfg.Secure {
		// Comparisons show the replay host in frames of the screens.
		c.Secure, c.SameSite, c.Partitioned = true, http.SameSiteNoneMode, true
	}
	http.SetCookie(w, c)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", to) // http.Redirect would fold the slashes of archived addresses
	w.WriteHeader(http.StatusSeeOther)
}

// hostName is a Host header without its port.
func hostName(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return header
}

func netipHost(host string) bool {
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}
