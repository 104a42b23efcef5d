package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A session must never reach the replay host, where archived scripts run. So whoever is logged in
// gets a *ticket* there: a signed note who it is, good for reading archived content of one collection and nothing else.
//
//	screens /open?...  -> redirect to the replay host /_ticket?t=SIGNED&to=/coll/...   (good once, for half a minute)
//	replay  /_ticket   -> cookie varve-replay=SIGNED (good for as long as the session), redirect to /coll/...
//
// The cookie knows the collections that tickets were for. Another collection needs another ticket, which the screens give at
// once, and which its cookie adds.

const (
	ticketLasts  = 30 * time.Second
	mostTickets  = 100_000 // used ones that are remembered until they would be too old
	mostOnly     = 50      // collections of a cookie; the oldest goes
	replayCookie = "varve-replay"
)

// TicketPath is where the replay host takes tickets.
const TicketPath = "/_ticket"

// note is what is signed.
type note struct {
	User string    `json:"u"`
	Use  string    `json:"k"` // "t": to be shown once at TicketPath; "c": the cookie
	Till time.Time `json:"e"`
	Only []string  `json:"o"`           // collections that may be read
	ID   string    `json:"i,omitempty"` // of a ticket: it is used once
	Role Role      `json:"r,omitempty"` // of somebody who has it by claim, and is no user
	Flow *oidcFlow `json:"f,omitempty"` // of a login under way
	Of   time.Time `json:"t,omitzero"`  // of a key: the instant of the page that it is for
	From string    `json:"s,omitempty"` // the session that it comes of, and ends with; none of who came with a token
}

// onces remembers what was used.
type onces struct {
	mu   sync.Mutex
	till map[string]time.Time
}

// use reports whether something is used for the first time. Where too much is to be remembered, nothing is.
func (o *onces) use(id string, till, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.till) >= mostTickets {
		maps.DeleteFunc(o.till, func(_ string, t time.Time) bool { return !now.Before(t) })
	}
	if _, again := o.till[id]; again || len(o.till) >= mostTickets {
		return false
	}
	if o.till == nil {
		o.till = map[string]time.Time{}
	}
	o.till[id] = till
	return true
}

// collectionIn is the collection that a path of the replay host leads to.
func collectionIn(path string) string {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/"), "?")
	name, _, _ := strings.Cut(path, "/")
	name, _, _ = strings.Cut(name, "~") // a key or view behind it
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return strings.TrimSuffix(name, "-cdx")
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
	if !ok || len(text) > 8000 {
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

// Ticket gives what TicketPath takes once to let the visitor read the collection of a path on the replay host; "" if the
// visitor needs none.
func (g *Gate) Ticket(v Visitor, path string) string {
	if v.Loopback || v.Name == "" {
		return ""
	}
	return g.signer.sign(note{User: v.Name, Use: "t", Till: g.cfg.Now().Add(ticketLasts), Only: []string{collectionIn(path)}, ID: randomText(12), Role: v.claimed(), From: v.session})
}

// userOf returns the user of a note as it is now; none if the session that the note comes of is over. A key is used by
// archived content, which must not keep a session alive.
func (g *Gate) userOf(n note) (User, bool, error) {
	if n.From != "" {
		if !g.sessions.lives(n.From, n.Use == "c", g.cfg.Now()) {
			return User{}, false, nil
		}
	}
	if n.Role != Nobody {
		return User{Name: n.User, Role: n.Role}, true, nil
	}
	return g.cfg.Users.Get(n.User)
}

// NeedsTickets tells whether readers have to log in.
func (g *Gate) NeedsTickets() bool { return g.cfg.RequireLogin }

// Replay puts the visitor into the context of requests to the replay host. Nothing can be changed
// there, and archived pages post to it, so origins are not checked.
func (g *Gate) Replay(next http.Handler, login func(w http.ResponseWriter, r *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := g.client(r)
		if wait, ok := g.admit(from); !ok {
			tooMany(w, r, wait)
			return
		}
		v := g.reader(r, from)
		if r.URL.Path == TicketPath {
			g.takeTicket(w, r, v)
			return
		}
		if c := collectionIn(r.URL.Path); v.Role == Nobody || !v.reads(c) && g.cfg.Holds != nil && g.cfg.Holds(c) {
			login(w, r)
			return
		}
		next.ServeHTTP(w, r.WithContext(With(r.Context(), v)))
	})
}

// reader tells who reads: by token, by the cookie of a ticket, or from loopback.
func (g *Gate) reader(r *http.Request, from client) Visitor {
	v := Visitor{ReadingRoom: g.inReadingRoom(from)}
	if secret, ok := bearer(r); ok {
		if u, found, err := g.cfg.Users.ByToken(secret, g.cfg.Now()); err == nil && found {
			v.Name, v.Role, v.Token = u.Name, u.Role, true
			return v
		}
	}
	if c, err := r.Cookie(replayCookie); err == nil {
		if n, ok := g.signer.read(c.Value, "c", g.cfg.Now()); ok {
			if u, found, err := g.userOf(n); err == nil && found {
				v.Name, v.Role, v.Only, v.byClaim, v.session = u.Name, u.Role, append([]string{}, n.Only...), n.Role != Nobody, n.From
				return v
			}
		}
	}
	if !g.cfg.RequireLogin && fromLoopback(r, from) {
		v.Role, v.Loopback, v.ReadingRoom = Admin, true, true
	}
	return v
}

// takeTicket turns a ticket into a cookie and leads to where the visitor wanted to go on this host: to the collection that the ticket is for.
// Whoever comes with one that was used, and may read there already, is led on without it.
func (g *Gate) takeTicket(w http.ResponseWriter, r *http.Request, v Visitor) {
	now := g.cfg.Now()
	n, ok := g.signer.read(r.URL.Query().Get("t"), "t", now)
	to, local := LocalPath(r.URL.Query().Get("to"))
	ok = ok && local && slices.Equal(n.Only, []string{collectionIn(to)})
	if ok && v.Name == n.User && v.Only != nil && v.reads(n.Only[0]) {
		leadOn(w, to)
		return
	}
	if !ok || !g.used.use(n.ID, n.Till, now) {
		http.Error(w, "this ticket is not valid any more; open the page again from the screens", http.StatusForbidden)
		return
	}
	only := n.Only
	if v.Name == n.User {
		only = append(slices.Clone(v.Only), only...)
		only = only[max(0, len(only)-mostOnly):]
	}
	c := &http.Cookie{
		Name: replayCookie, Value: g.signer.sign(note{User: n.User, Use: "c", Till: now.Add(sessionLasts), Only: only, Role: n.Role, From: n.From}), Path: "/", HttpOnly: true,
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
	leadOn(w, to)
}

// leadOn redirects to a path of this host; http.Redirect would fold the slashes of archived addresses.
func leadOn(w http.ResponseWriter, to string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", to)
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
