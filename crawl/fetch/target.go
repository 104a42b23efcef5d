package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Target is a URL taken apart for sending. Nothing in it is re-encoded.
type Target struct {
	TLS      bool
	UserInfo string     // "user:password" as written, percent-encoded
	Host     string     // name in lower case, or literal address without brackets
	Addr     netip.Addr // the literal address, if Host is one
	Port     uint16
	Path     string // path and query: what stands in the request line
}

// ParseTarget takes a URL as the WHATWG serialiser writes it: http or https, ASCII, spaces and
// controls encoded. The fragment is dropped.
func ParseTarget(url string) (Target, error) {
	var t Target
	rest, ok := strings.CutPrefix(url, "http://")
	if t.Port = 80; !ok {
		if rest, ok = strings.CutPrefix(url, "https://"); !ok {
			return t, fmt.Errorf("%q: neither http:// nor https://", clip(url))
		}
		t.TLS, t.Port = true, 443
	}
	end := strings.IndexAny(rest, "/?#")
	authority := rest
	if end >= 0 {
		authority, t.Path = rest[:end], rest[end:]
	}
	t.Path, _, _ = strings.Cut(t.Path, "#")
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		t.UserInfo, authority = authority[:at], authority[at+1:]
	}
	if err := t.parseHost(authority); err != nil {
		return t, fmt.Errorf("%q: %w", clip(url), err)
	}
	return t, t.checkPath(url)
}

func (t *Target) checkPath(url string) error {
	if t.Path == "" || t.Path[0] != '/' {
		t.Path = "/" + t.Path
	}
	for i := 0; i < len(t.Path); i++ {
		if c := t.Path[i]; c <= ' ' || c >= 0x7f {
			return fmt.Errorf("%q: byte %#02x in the path is not encoded", clip(url), c)
		}
	}
	return nil
}

// parseHost reads name[:port] or [v6][:port].
func (t *Target) parseHost(s string) error {
	host, port := s, ""
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return errors.New("no ] after an IPv6 address")
		}
		host, port = s[1:end], s[end+1:]
		if a, err := netip.ParseAddr(host); err != nil || !a.Is6() || a.Zone() != "" {
			return errors.New("no IPv6 address between the brackets")
		}
	} else if i := strings.IndexByte(s, ':'); i >= 0 {
		host, port = s[:i], s[i:]
	}
	if port = strings.TrimPrefix(port, ":"); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return fmt.Errorf("port %q", clip(port))
		}
		t.Port = uint16(n)
	}
	return t.setHost(host)
}

func (t *Target) setHost(host string) error {
	if host == "" || len(host) > 254 {
		return fmt.Errorf("host of %d bytes", len(host))
	}
	t.Host = strings.ToLower(host)
	if a, err := netip.ParseAddr(host); err == nil {
		t.Addr = a.WithZone("")
		return nil
	}
	for i := 0; i < len(host); i++ {
		if c := host[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"%/:<>?@[\]^|#`, c) >= 0 {
			return fmt.Errorf("byte %#02x in the host", c)
		}
	}
	return nil
}

// scheme names the URL scheme.
func (t *Target) scheme() string {
	if t.TLS {
		return "https"
	}
	return "http"
}

// appendAuthority appends host[:port] as it stands in Host, the port only where it is not the
// scheme's own unless asked for.
func (t *Target) appendAuthority(b []byte, withPort bool) []byte {
	if t.Addr.Is6() {
		b = append(append(append(b, '['), t.Host...), ']')
	} else {
		b = append(b, t.Host...)
	}
	if withPort || (t.TLS && t.Port != 443) || (!t.TLS && t.Port != 80) {
		b = strconv.AppendUint(append(b, ':'), uint64(t.Port), 10)
	}
	return b
}

// redact takes a password out of a URL that goes into messages.
func (t *Target) redact(url string) string {
	if t.UserInfo == "" {
		return url
	}
	return strings.Replace(url, t.UserInfo+"@", "", 1)
}

// clip shortens hostile text for messages.
func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
