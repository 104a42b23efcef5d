package spam

import (
	"strings"
	"time"
)

// Host is what does not change about a host.
type Host struct {
	Name  string
	Kind  string // its generator
	Spam  bool   // from Turns on
	Born  time.Time
	Turns time.Time // of spam: since when; Born but for expired domains
	Pages int
}

// Hosts lists the hosts, normal ones first.
func (w *World) Hosts() []Host {
	out := make([]Host, 0, len(w.hosts))
	for _, h := range w.hosts {
		out = append(out, Host{Name: h.name, Kind: h.kind.Name, Spam: h.kind.Spam, Born: w.epoch.Add(h.born), Turns: w.epoch.Add(max(h.born, h.turns)), Pages: h.pages})
	}
	return out
}

// Label tells whether a host is spam at an instant; known is false for hosts that are not there then.
func (w *World) Label(name string, at time.Time) (spam, known bool) {
	h := w.host(name)
	if h == nil || at.Before(w.epoch.Add(h.born)) {
		return false, false
	}
	return h.kind.Spam && !at.Before(w.epoch.Add(h.turns)), true
}

// Generator names the generator of a host, or gives "".
func (w *World) Generator(name string) string {
	if h := w.host(name); h != nil {
		return h.kind.Name
	}
	return ""
}

// Commented tells whether a page of a normal host holds spam of others among its comments.
func (w *World) Commented(name, target string, at time.Time) bool {
	h := w.host(name)
	if h == nil || h.kind.Spam {
		return false
	}
	i, ok := h.lookup(target)
	return ok && h.overrun(i, h.version(i, at.Sub(w.epoch)))
}

// host finds a host by its name, with or without a port.
func (w *World) host(name string) *host {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[:i]
	}
	return w.byName[strings.ToLower(name)]
}
