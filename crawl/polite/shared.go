package polite

import (
	"net/netip"
	"time"
)

// Shared is the politeness that this process has in common with others: who is at a host or an address now, and until
// when it must be left alone. The Registry asks it last, when a host is really to be contacted, and tells it first that
// a request is over. It must not wait for others; what it cannot find out it allows.
type Shared interface {
	// Enter takes a place at every key, or at none and says which one refused.
	Enter(claims []Claim, now time.Time) (Denial, bool)
	// Leave gives places back that Enter gave.
	Leave(stays []Stay, now time.Time)
}

// Claim is what a request wants of a key.
type Claim struct {
	Key    string        // HostKey or AddrKey
	Places int           // requests at a time; 0 = no limit
	Rest   time.Duration // after the request, or after the death of who makes it
	Spaced bool          // the rest counts from the start of the request
	Ahead  bool          // as Pass: before those who wait, and before ordinary rests
}

// Stay is a request that is over.
type Stay struct {
	Key     string
	Next    time.Time // not before; zero when nothing was sent
	Trouble time.Time // as Next, for what a server in trouble brought its host
}

// Denial says which key refused, and when to ask again.
type Denial struct {
	Claim   int // index
	At      time.Time
	Why     string
	Trouble bool // the server is in trouble
}

// HostKey is the key of a host with its port.
func HostKey(host string) string { return "host " + host }

// AddrKey is the key of an address.
func AddrKey(ip netip.Addr) string { return "address " + ip.String() }

// Share makes the registry ask others. It is called once, before the first use.
func (r *Registry) Share(s Shared) { r.shared = s }

// enterShared asks for the places of a lease that are not taken yet. On refusal it returns the slot that is in the
// way, which then rests until it is worth asking again.
func (r *Registry) enterShared(l *Lease, h, a *slot, ahead bool, now time.Time) (*slot, Wait) {
	if r.shared == nil {
		return nil, Wait{}
	}
	var claims [2]Claim
	var slots [2]*slot
	n := 0
	if !l.hostIn {
		conns := r.config.conns(l.limits)
		claims[n] = Claim{Key: HostKey(h.host), Places: conns, Rest: r.config.rest(l.limits, 0), Spaced: conns > 1, Ahead: ahead}
		slots[n] = h
		n++
	}
	if a != nil && !l.addrIn {
		claims[n] = Claim{Key: AddrKey(a.addr), Places: r.config.IPConns, Rest: r.config.IPDelay, Spaced: true, Ahead: ahead}
		slots[n] = a
		n++
	}
	if n == 0 {
		return nil, Wait{}
	}
	d, ok := r.shared.Enter(claims[:n], now)
	if ok {
		h.contended = false
		l.hostIn, l.addrIn = true, l.addrIn || a != nil
		return nil, Wait{}
	}
	s := slots[d.Claim]
	s.next = later(s.next, d.At)
	if d.Trouble {
		s.trouble = later(s.trouble, d.At)
	}
	s.contended = true
	return s, Wait{At: d.At, Why: d.Why}
}

// leaveShared gives the places of a lease back. Without an instant nothing was sent.
func (r *Registry) leaveShared(l *Lease, h, a *slot, next, trouble, addrNext, now time.Time) {
	if r.shared == nil || !l.hostIn && !l.addrIn {
		return
	}
	var stays [2]Stay
	n := 0
	if l.hostIn {
		stays[n] = Stay{Key: HostKey(h.host), Next: unslewed(next, now), Trouble: trouble}
		n++
	}
	if l.addrIn && a != nil {
		stays[n] = Stay{Key: AddrKey(a.addr), Next: unslewed(addrNext, now)}
		n++
	}
	l.hostIn, l.addrIn = false, false
	r.shared.Leave(stays[:n], now)
}

// unslewed makes a rest a thousandth longer. Processes have only the wall clock in common, and a machine that corrects its clock lets
// it run up to 500 millionths too fast: a rest of 100 ms by it was seen to be 99.98 ms.
func unslewed(next, now time.Time) time.Time {
	if rest := next.Sub(now); !next.IsZero() && rest > 0 {
		return next.Add(rest / 1000)
	}
	return next
}
