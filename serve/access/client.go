package access

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// client is who sent a request, as far as that is known.
type client struct {
	addr    netip.Addr // the zero address is of somebody behind a proxy who is not known
	passed  bool       // a proxy passed it on
	trusted bool       // and the address is the word of one that is trusted
}

// shared tells whether the address may be that of many: of all who are behind a proxy that is not trusted.
func (c client) shared() bool { return c.passed && !c.trusted }

// local tells whether the request was made on this machine, and nobody passed it on.
func (c client) local() bool { return !c.passed && c.addr.IsLoopback() }

// forwardings are headers by which a proxy says that it passed something on.
var forwardings = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// clientOf tells who sent a request. What proxies say is believed of those that are trusted: of the addresses that a request passed,
// the last one that is no trusted proxy is the client. Whatever stands before it anybody may have written.
//
// Without trust in the peer, a forwarded request is the peer's own, and not one of this machine, wherever the peer is: a proxy here must not
// make everybody an administrator. A trusted proxy never is a visitor itself.
func clientOf(r *http.Request, trusted []netip.Prefix) client {
	addr := peer(r)
	if !within(trusted, addr) {
		return client{addr: addr, passed: slices.ContainsFunc(forwardings, func(h string) bool { return r.Header.Get(h) != "" })}
	}
	xff, hasXFF := lastHop(forwardedFor(r.Header.Values("X-Forwarded-For")), trusted)
	std, hasStd := lastHop(forwardedStandard(r.Header.Values("Forwarded")), trusted)
	switch {
	case hasXFF && hasStd && xff != std:
		// The proxy writes one of them and lets the other pass as the client wrote it; which one is not known.
		return client{passed: true}
	case hasXFF:
		return client{xff, true, true}
	case hasStd:
		return client{std, true, true}
	}
	return client{passed: true}
}

func within(list []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// lastHop gives the last address that is no trusted proxy, or the first one if all are; an address that cannot be read is nobody's.
func lastHop(hops []string, trusted []netip.Prefix) (addr netip.Addr, some bool) {
	for _, hop := range slices.Backward(hops) {
		addr = hopAddr(hop)
		if !within(trusted, addr) {
			return addr, true
		}
	}
	return addr, len(hops) > 0
}

// hopAddr reads an address with or without a port, IPv6 in brackets or not.
func hopAddr(s string) netip.Addr {
	s = strings.Trim(strings.TrimSpace(s), `"`)
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

// forwardedFor lists the hops of X-Forwarded-For.
func forwardedFor(values []string) (out []string) {
	for _, v := range values {
		for hop := range strings.SplitSeq(v, ",") {
			out = append(out, hop)
		}
	}
	return out
}

// forwardedStandard lists the hops of Forwarded (RFC 7239): for=192.0.2.60;proto=http, for="[2001:db8::1]:47011".
func forwardedStandard(values []string) (out []string) {
	for _, v := range values {
		for hop := range strings.SplitSeq(v, ",") {
			from := ""
			for pair := range strings.SplitSeq(hop, ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && strings.EqualFold(strings.TrimSpace(name), "for") {
					from = value
				}
			}
			out = append(out, from)
		}
	}
	return out
}

// bearer gives the token of a request; the name of the scheme is written in any case (RFC 9110, 11.1).
func bearer(r *http.Request) (secret string, ok bool) {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(secret), true
}
