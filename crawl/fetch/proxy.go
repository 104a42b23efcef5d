package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// Proxy carries requests for us. It is the operator's word: it may stand on a private or loopback
// address. The server behind it is guarded as ever: its name is looked up here and its addresses
// checked, unless the proxy does the lookups (socks5h, or RemoteDNS); then only literal addresses
// and localhost can be judged. A SOCKS proxy is given the checked address. An HTTP proxy is given
// the name, which it looks up again: against names that change meanwhile it needs rules of its own.
type Proxy struct {
	Kind        ProxyKind
	Host        string
	Port        uint16
	Credentials *Credentials
	RemoteDNS   bool // the proxy looks names up; set by socks5h, or by "#remote-dns" on http
}

// ProxyKind is the protocol spoken with a proxy.
type ProxyKind string

// The kinds of proxies.
const (
	HTTPProxy  ProxyKind = "http"
	SOCKSProxy ProxyKind = "socks5"
)

// ProxyRule sends hosts that fit the pattern through a proxy, or directly where it is nil.
type ProxyRule struct {
	Pattern HostPattern
	Proxy   *Proxy
}

// ParseProxyRule reads PATTERN=URL, or a URL alone for all hosts; "direct" means no proxy:
//
//	http://user:pass@proxy.example.org:3128
//	*.onion=socks5h://127.0.0.1:9050
//	*.intern.example.org=direct
func ParseProxyRule(s string) (ProxyRule, error) {
	pattern, to := "*", s
	if p, u, ok := strings.Cut(s, "="); ok && !strings.Contains(p, "://") {
		pattern, to = p, u
	}
	hp, err := ParseHostPattern(pattern)
	if err != nil || to == "direct" {
		return ProxyRule{Pattern: hp}, err
	}
	p, err := parseProxy(to)
	if err != nil {
		return ProxyRule{}, fmt.Errorf("proxy %q: %w", clip(to), err)
	}
	return ProxyRule{hp, p}, nil
}

func parseProxy(s string) (*Proxy, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	p := &Proxy{Host: strings.ToLower(u.Hostname()), RemoteDNS: u.Fragment == "remote-dns"}
	switch u.Scheme {
	case "http":
		p.Kind, p.Port = HTTPProxy, 8080
	case "socks5", "socks5h":
		p.Kind, p.Port = SOCKSProxy, 1080
		p.RemoteDNS = u.Scheme == "socks5h"
	default:
		return nil, fmt.Errorf("scheme %q: http, socks5 or socks5h", u.Scheme)
	}
	if p.Host == "" {
		return nil, errors.New("no host")
	}
	if u.Port() != "" {
		n, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil {
			return nil, fmt.Errorf("port %q", u.Port())
		}
		p.Port = uint16(n)
	}
	if u.User != nil {
		pass, _ := u.User.Password()
		p.Credentials = &Credentials{u.User.Username(), pass}
	}
	return p, nil
}

// absolute tells whether plain requests go to the proxy itself, in absolute form.
func (p *Proxy) absolute() bool { return p.Kind == HTTPProxy }

// proxyFor finds the proxy of a host; nil is none.
func (c *Client) proxyFor(host string) *Proxy {
	for _, r := range c.cfg.Proxies {
		if r.Pattern.Match(host) {
			return r.Proxy
		}
	}
	return nil
}

// withCredentials puts our credentials for the proxy behind the first line of a request.
func (p *Proxy) withCredentials(request []byte) []byte {
	if p.Credentials == nil || p.Kind != HTTPProxy {
		return request
	}
	end := strings.Index(string(request), "\r\n") + 2
	out := append(make([]byte, 0, len(request)+80), request[:end]...)
	out = appendField(out, "Proxy-Authorization", p.Credentials.basic())
	return append(out, request[end:]...)
}

// openProxied dials the proxy and, where the request needs a tunnel, has one made.
func (k *call) openProxied(key connKey) (*conn, error) {
	to, err := k.behindProxy()
	if err != nil {
		return nil, err
	}
	c, err := k.dialProxy(key)
	if err != nil {
		return nil, err
	}
	c.dns, c.judged = k.x.DNS, netip.AddrPortFrom(to, key.port)
	if _, own := k.client.cfg.override(key.host, key.port); own {
		c.judged = netip.AddrPort{}
	}
	start := k.client.cfg.Clock.Now()
	if err = c.raw.SetDeadline(k.until(k.client.cfg.Timeouts.Connect)); err == nil {
		stop := c.watch(k.ctx)
		err = k.greet(c, to)
		stop()
	}
	k.x.Timings.Connect += k.client.cfg.Clock.Now().Sub(start)
	if err == nil {
		err = c.raw.SetDeadline(time.Time{})
	}
	if err != nil {
		c.close()
		return nil, proxyFault(err)
	}
	return c, nil
}

func (k *call) greet(c *conn, to netip.Addr) error {
	switch {
	case k.proxy.Kind == SOCKSProxy:
		return k.proxy.socks(c.raw, &k.target, to)
	case c.key.tls:
		return k.proxy.tunnel(c.raw, &k.target, k.limits.Head)
	}
	return nil
}

// behindProxy judges the server behind the proxy and gives its address, if we looked it up.
func (k *call) behindProxy() (netip.Addr, error) {
	t := &k.target
	answer, known := k.client.dns.known(t.Host)
	if _, own := k.client.cfg.override(t.Host, t.Port); own {
		return answer.Addrs[0], nil
	}
	if !known {
		if k.proxy.RemoteDNS {
			return netip.Addr{}, nil
		}
		var err error
		if answer, err = k.resolve(t.Host); err != nil {
			return netip.Addr{}, err
		}
	}
	var guarded error
	for i := range answer.Addrs {
		addr := answer.order(i)
		if guarded = k.client.guard.check(netip.AddrPortFrom(addr, t.Port), k.req.AllowLoopback); guarded == nil {
			k.x.DNS = answer
			return addr, nil
		}
	}
	return netip.Addr{}, guarded
}

// dialProxy connects to the proxy. Private addresses are right for a proxy, others of the guard's
// are not.
func (k *call) dialProxy(key connKey) (*conn, error) {
	answer, err := k.resolve(k.proxy.Host)
	if err != nil {
		return nil, err
	}
	check := func(a netip.AddrPort) error {
		if r := Classify(a.Addr()); r != Public && !r.private() {
			return faultf(Guarded, "proxy: %s is a %s address", a.Addr(), r)
		}
		return nil
	}
	return k.dialAny(key, answer, k.proxy.Port, check)
}

func proxyFault(err error) error {
	if isTimeout(err) {
		return as(ConnectTimeout, err)
	}
	return as(BadProxy, err)
}

// tunnel asks an HTTP proxy for a tunnel to the server.
func (p *Proxy) tunnel(c readWriter, t *Target, limit int) error {
	b := t.appendAuthority([]byte("CONNECT "), true)
	b = t.appendAuthority(append(b, " HTTP/1.1\r\nHost: "...), true)
	b = append(b, "\r\n\r\n"...)
	if _, err := c.Write(p.withCredentials(b)); err != nil {
		return err
	}
	// Read byte by byte at the end: what follows the head belongs to TLS.
	head := make([]byte, 0, 512)
	for wire.HeadEnd(head[max(len(head)-4, 0):]) < 0 {
		if len(head) >= limit {
			return fmt.Errorf("CONNECT: head over %d bytes", limit)
		}
		head = append(head, 0)
		if _, err := c.Read(head[len(head)-1:]); err != nil {
			return err
		}
	}
	h, err := wire.ParseHead(head)
	if err != nil {
		return fmt.Errorf("CONNECT: %w", err)
	}
	if h.Status < 200 || h.Status > 299 {
		return fmt.Errorf("CONNECT: %d %s", h.Status, clip(h.Reason))
	}
	return nil
}
