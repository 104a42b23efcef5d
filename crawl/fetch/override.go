package fetch

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Override gives hosts an address instead of DNS. It is the operator's word, so the guard does
// not question it.
type Override struct {
	Pattern HostPattern
	Port    uint16 // only for URLs with this port; 0: any
	Addr    netip.Addr
	ToPort  uint16 // connect to this port; 0: the URL's
}

// ParseOverride reads PATTERN[:PORT]=ADDR[:PORT], for example
//
//	*.sim.test=127.0.0.1:8080
//	*.sim.test:443=127.0.0.1:8443
//	www.example.org=[2001:db8::7]
func ParseOverride(s string) (Override, error) {
	var o Override
	pattern, to, ok := strings.Cut(s, "=")
	if !ok {
		return o, fmt.Errorf("override %q: not PATTERN=ADDR", clip(s))
	}
	host, port, hasPort := strings.Cut(pattern, ":")
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return o, fmt.Errorf("override %q: port %q", clip(s), clip(port))
		}
		o.Port = uint16(n)
	}
	var err error
	if o.Pattern, err = ParseHostPattern(host); err != nil {
		return o, fmt.Errorf("override %q: %w", clip(s), err)
	}
	if o.Addr, o.ToPort, err = parseAddr(to); err != nil {
		return o, fmt.Errorf("override %q: %w", clip(s), err)
	}
	return o, nil
}

// parseAddr reads a literal address with or without a port, IPv6 in brackets or not.
func parseAddr(s string) (netip.Addr, uint16, error) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr(), ap.Port(), nil
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if err != nil {
		return a, 0, fmt.Errorf("%q is no IP address", clip(s))
	}
	return a, 0, nil
}

// HostPattern is a host name, "*.suffix" for all names below a suffix, or "*" for all.
type HostPattern string

// ParseHostPattern checks a pattern and lowers its case.
func ParseHostPattern(s string) (HostPattern, error) {
	name := strings.TrimPrefix(strings.ToLower(s), "*.")
	if name != "*" && (name == "" || strings.ContainsAny(name, "*/@ ")) {
		return "", fmt.Errorf("host pattern %q: a name, *.name or *", clip(s))
	}
	return HostPattern(strings.ToLower(s)), nil
}

// Match tells whether a host, in lower case, fits.
func (p HostPattern) Match(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if p == "*" || string(p) == host {
		return true
	}
	return strings.HasPrefix(string(p), "*.") && strings.HasSuffix(host, string(p[1:]))
}

// override finds the address that the operator gave for a host; port 0 asks for any port.
func (c *Config) override(host string, port uint16) (Override, bool) {
	for _, o := range c.Overrides {
		if o.Pattern.Match(host) && (o.Port == 0 || port == 0 || o.Port == port) {
			return o, true
		}
	}
	return Override{}, false
}
