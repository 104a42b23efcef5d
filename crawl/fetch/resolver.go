package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// resolver looks names up, one lookup at a time per name, and keeps answers for their time to
// live within the configured bounds.
//
// The lookup itself is that of the standard library, which knows hosts tables, several servers,
// retries and TCP. It does not give times to live, so the messages are read along on its
// connections (see dnstap.go).
type resolver struct {
	cfg     *Config
	servers []string
	base    context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	entries map[string]*dnsEntry
	closed  bool
}

// dnsEntry is a lookup, under way until ready is closed.
type dnsEntry struct {
	ready   chan struct{}
	answer  *Answer
	err     error
	expires time.Time
}

func newResolver(cfg *Config) *resolver {
	base, stop := context.WithCancel(context.Background())
	servers, _ := serverAddrs(cfg.DNS.Servers) // validated before
	return &resolver{cfg: cfg, servers: servers, base: base, stop: stop, entries: map[string]*dnsEntry{}}
}

func (r *resolver) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.running.Wait()
}

// lookup gives the addresses of a host.
func (r *resolver) lookup(ctx context.Context, host string) (*Answer, error) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	e, err := r.entry(host)
	if err != nil {
		return nil, err
	}
	select {
	case <-e.ready:
		return e.answer, e.err
	default:
	}
	select {
	case <-e.ready:
		return e.answer, e.err
	case <-ctx.Done():
		return nil, as(DNSTimeout, context.Cause(ctx))
	}
}

// known answers what needs no lookup: overrides, literal addresses, and localhost, which always
// means this machine (RFC 6761).
func (r *resolver) known(host string) (*Answer, bool) {
	var addrs []netip.Addr
	if o, ok := r.cfg.override(host, 0); ok {
		addrs = []netip.Addr{o.Addr}
	} else if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		addrs = []netip.Addr{addr}
	} else if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		addrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	} else {
		return nil, false
	}
	return &Answer{Host: host, Addrs: addrs, Time: r.cfg.Clock.Now(), Server: "hosts"}, true
}

// entry finds the lookup of a name or starts one. It runs on its own, for the one who asked first
// may give up while others wait.
func (r *resolver) entry(host string) (*dnsEntry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, as(Local, net.ErrClosed)
	}
	now := time.Now()
	if e := r.entries[host]; e != nil && (e.expires.IsZero() || now.Before(e.expires)) {
		return e, nil
	}
	r.makeRoom(now)
	e := &dnsEntry{ready: make(chan struct{})}
	r.entries[host] = e
	if a, ok := r.known(host); ok {
		e.answer, e.expires = a, now.Add(r.cfg.DNS.MaxTTL)
		close(e.ready)
		return e, nil
	}
	r.running.Add(1)
	go r.run(host, e)
	return e, nil
}

// makeRoom drops old entries, or any, when the cache is full. Entries under way stay.
func (r *resolver) makeRoom(now time.Time) {
	if len(r.entries) < r.cfg.DNS.Entries {
		return
	}
	dropped := 0
	for host, e := range r.entries {
		if !e.expires.IsZero() && now.After(e.expires) {
			delete(r.entries, host)
			dropped++
		}
	}
	for host, e := range r.entries {
		if dropped > len(r.entries)/8 {
			return
		}
		if !e.expires.IsZero() {
			delete(r.entries, host)
			dropped++
		}
	}
}

func (r *resolver) run(host string, e *dnsEntry) {
	defer r.running.Done()
	ctx, cancel := context.WithTimeout(r.base, r.cfg.Timeouts.DNS)
	defer cancel()
	answer, err := r.ask(ctx, host)
	keep := r.cfg.DNS.NegativeTTL
	if err == nil {
		keep = min(max(answer.TTL, r.cfg.DNS.MinTTL), r.cfg.DNS.MaxTTL)
	}
	r.mu.Lock()
	e.answer, e.err, e.expires = answer, err, time.Now().Add(keep)
	r.mu.Unlock()
	close(e.ready)
}

// ask makes one lookup.
func (r *resolver) ask(ctx context.Context, host string) (*Answer, error) {
	tap := &dnsTap{servers: r.servers}
	std := net.Resolver{PreferGo: true, Dial: tap.dial}
	addrs, err := std.LookupNetIP(ctx, "ip", host+".") // the dot keeps the machine's search list out
	if err != nil {
		return nil, dnsFault(ctx, host, err)
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	a := &Answer{Host: host, Addrs: addrs, Time: r.cfg.Clock.Now(), Server: "hosts"}
	tap.fill(a)
	return a, nil
}

func dnsFault(ctx context.Context, host string, err error) error {
	var d *net.DNSError
	switch {
	case errors.As(err, &d) && d.IsNotFound:
		return faultf(NoName, "%s: no such host", host)
	case errors.As(err, &d) && d.IsTimeout, ctx.Err() != nil:
		return as(DNSTimeout, err)
	}
	return as(DNSFailure, err)
}

// serverAddrs adds the port of DNS where there is none.
func serverAddrs(servers []string) ([]string, error) {
	var out []string
	for _, s := range servers {
		a, port, err := parseAddr(s)
		if err != nil {
			return nil, fmt.Errorf("DNS server: %w", err)
		}
		if port == 0 {
			port = 53
		}
		out = append(out, netip.AddrPortFrom(a, port).String())
	}
	return out, nil
}
