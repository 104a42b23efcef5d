package access

import (
	"net/http"
	"strings"
	"time"
)

// Archived scripts run on the origins of content. A request from there must carry no right of the visitor: neither
// the cookie of a ticket nor loopback counts, or a script in an open page could read what only its reader may see. The
// frame page, which is ours, writes a *key* into the addresses of the content that it shows:
//
//	"o" SIGNED   the visitor may read; of the collection that is named in it, what everybody who reads may see
//	"w" SIGNED   what the visitor may see of that collection around the time of the page, of other times what
//	             everybody may: for pages that not everybody may see
//
// So a script in a page of 2019 reads nothing that is withheld of 2021, whoever looks at it, whether its own page is open
// or withheld.
//
// On loopback without login what is open needs no key.

// Uses of the notes that are keys, before the name of the collection.
const (
	keyOpen     = "o"
	keyWithheld = "w"
)

// ContentKey returns the key that the content of a collection gets for a visitor, for a page of the instant of; withheld
// is for pages that not everybody may see. It is empty where none is needed, unless there must be one always.
func (g *Gate) ContentKey(v Visitor, collection string, of time.Time, withheld, always bool) string {
	if !withheld && !always && v.Loopback && v.Name == "" {
		return ""
	}
	use := keyOpen
	if withheld {
		use = keyWithheld
	} else {
		of = time.Time{}
	}
	return use + g.signer.sign(note{Of: of, User: v.Name, Use: use + collection, Till: g.cfg.Now().Add(sessionLasts), Role: v.claimed(), From: v.session})
}

// Content puts into the context of requests to an origin of content what the key in their address allows; of tells it
// and the collection. Where the key is missing, wrong or too old, refused answers.
func (g *Gate) Content(next http.Handler, of func(*http.Request) (collection, key string), refused http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := g.client(r)
		if wait, ok := g.admit(from); !ok {
			tooMany(w, r, wait)
			return
		}
		local := !g.cfg.RequireLogin && fromLoopback(r, from)
		v := Visitor{}
		collection, key := of(r)
		switch {
		case strings.HasPrefix(key, keyOpen) || strings.HasPrefix(key, keyWithheld):
			n, ok := g.signer.read(key[1:], key[:1]+collection, g.cfg.Now())
			if !ok {
				break
			}
			v = Visitor{Name: n.User, Role: Viewer}
			if key[:1] == keyWithheld {
				v.From, v.Till = n.Of.Add(-g.cfg.Span), n.Of.Add(g.cfg.Span)
			}
			if n.User == "" {
				if !local {
					v.Role = Nobody
				} else if key[:1] == keyWithheld {
					v.Role, v.Loopback, v.ReadingRoom = Admin, true, true
				}
				break
			}
			u, found, err := g.userOf(n)
			if err != nil || !found {
				v.Role = Nobody
			} else if key[:1] == keyWithheld {
				v.Role, v.ReadingRoom = u.Role, g.inReadingRoom(from)
			}
		case key == "" && local:
			v.Role = Viewer
		}
		if v.Role == Nobody {
			refused(w, r)
			return
		}
		v.Only = []string{collection} // whatever else the visitor may read
		next.ServeHTTP(w, r.WithContext(With(r.Context(), v)))
	})
}
