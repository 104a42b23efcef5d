package polite

import "time"

// Status is what is known of a host, for people.
type Status struct {
	Known    bool      // the host is in use, waited for, resting or failing
	Active   int       // open leases
	Next     time.Time // not before
	Failures int       // in a row
	Waiting  int       // crawls in line
}

// Status tells what is known of a host.
func (r *Registry) Status(host string) Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.hosts[host]
	if s == nil {
		return Status{}
	}
	st := Status{Known: true, Active: s.active, Next: s.next, Failures: s.failures}
	if s.line != nil {
		st.Waiting = s.line.Len()
	}
	return st
}

// Sizes counts what the registry holds.
type Sizes struct {
	Hosts, Addresses, Waiters int
}

// Sizes counts what the registry holds at the instant.
func (r *Registry) Sizes(now time.Time) Sizes {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	return Sizes{Hosts: len(r.hosts), Addresses: len(r.addrs), Waiters: len(r.places)}
}
