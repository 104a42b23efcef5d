package canon

import (
	"bytes"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// hostProfile maps host names as browsers do: lower case, compatibility forms folded, ß kept.
var hostProfile = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true),
	idna.CheckHyphens(false), idna.StrictDomainName(false), idna.Transitional(false),
)

// googleStage is the first stage on its own.
func googleStage(raw string) string {
	p := parseLoose(raw)
	p.google()
	return p.url()
}

// google does the first stage: every part is unescaped until nothing more can be, brought into
// its simplest form, and escaped once.
func (p *loose) google() {
	if p.scheme == "" {
		return
	}
	p.user = escape(unescapeRepeatedly(p.user), escapeOnce|escapeHost)
	p.host = googleHost(p.host)
	p.path = escape(normalizePath(unescapeRepeatedly(p.path)), escapeOnce)
	p.query = escape(unescapeRepeatedly(p.query), escapeOnce)
	for p.host == "" && len(p.path) > 1 && strings.HasPrefix(p.scheme, "http") {
		p.hostFromPath()
	}
}

// hostFromPath takes the first segment for the host of an http URL that has none.
func (p *loose) hostFromPath() {
	host, rest, _ := strings.Cut(p.path[1:], "/")
	p.authority(host)
	p.user = ""
	p.host, p.path = googleHost(p.host), "/"+rest
}

// unescapeRepeatedly replaces %XX by the byte until no %XX is left. Every replacement shortens the
// text and looks back at the bytes before it, so the cost is linear.
func unescapeRepeatedly(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = append(b, s[i])
		for n := len(b); n >= 3 && b[n-3] == '%' && isHex(b[n-2]) && isHex(b[n-1]); n = len(b) {
			b = append(b[:n-3], unhex(b[n-2])<<4|unhex(b[n-1]))
		}
	}
	return string(b)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// escaping says which bytes escape replaces.
type escaping uint8

const (
	escapeBlank escaping = 1 << iota // controls and space
	escapeWide                       // bytes above ASCII
	escapeMeta                       // % and #
	escapeHost                       // what would end a host

	escapeOnce = escapeBlank | escapeWide | escapeMeta
)

func (e escaping) has(c byte) bool {
	switch {
	case c <= 0x20 || c == 0x7f:
		return e&escapeBlank != 0
	case c >= 0x80:
		return e&escapeWide != 0
	case c == '%' || c == '#':
		return e&escapeMeta != 0
	case c == '/' || c == '?' || c == '@' || c == ':' || c == '[' || c == ']' || c == '\\':
		return e&escapeHost != 0
	}
	return false
}

// escape percent-encodes the bytes of the set.
func escape(s string, set escaping) string {
	n := 0
	for i := range len(s) {
		if set.has(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*n)
	for i := range len(s) {
		if c := s[i]; set.has(c) {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// normalizePath resolves "." and "..", and merges slashes; it keeps a slash at the end.
func normalizePath(path string) string {
	if path == "" {
		return "/"
	}
	if !strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		return path
	}
	b := make([]byte, 0, len(path))
	for rest, more := strings.TrimPrefix(path, "/"), true; more; {
		var s string
		s, rest, more = strings.Cut(rest, "/")
		switch {
		case s == "..":
			b = b[:max(bytes.LastIndexByte(b, '/'), 0)]
		case s != "" && s != ".":
			b = append(append(b, '/'), s...)
		}
	}
	if len(b) == 0 || strings.HasSuffix(path, "/") {
		b = append(b, '/')
	}
	return string(b)
}

// googleHost brings a host into its simplest form. Mapping may bring new escapes to light (a
// full-width percent sign), hence the rounds.
func googleHost(host string) string {
	if ip, ok := bracketed(host); ok {
		return ip
	}
	for range 4 {
		h := dropDots(asciiHost(unescapeRepeatedly(host)))
		if h == host {
			break
		}
		host = h
	}
	if ip, ok := oddIPv4(host); ok {
		return ip
	}
	return escape(host, escapeOnce|escapeHost)
}

// bracketed reads an IPv6 address in brackets.
func bracketed(host string) (string, bool) {
	if len(host) < 2 || host[0] != '[' || host[len(host)-1] != ']' {
		return "", false
	}
	ip, err := netip.ParseAddr(host[1 : len(host)-1])
	if err != nil || ip.Zone() != "" {
		return "", false
	}
	if ip.Is4In6() { // browsers write these in hexadecimal
		b := ip.As16()
		return fmt.Sprintf("[::ffff:%x:%x]", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15])), true
	}
	return "[" + ip.String() + "]", true
}

// asciiHost gives the lower-case ASCII form of a host. Bytes that are not UTF-8 are read as
// Latin-1; and a name that is no valid IDN but fits into bytes was decoded wrongly once, so its
// bytes are tried. What cannot be helped stays.
func asciiHost(host string) string {
	lower := asciiLower(host)
	if isASCII(lower) {
		return lower
	}
	text := lower
	if !utf8.ValidString(text) {
		text = fromLatin1(text)
	}
	if a, ok := toASCII(text); ok {
		return a
	}
	narrow, ok := toLatin1(text)
	if !ok {
		return lower
	}
	if utf8.ValidString(narrow) {
		if a, ok := toASCII(narrow); ok {
			return a
		}
	}
	return narrow
}

// toASCII maps an international name.
func toASCII(host string) (string, bool) {
	a, err := hostProfile.ToASCII(host)
	return asciiLower(a), err == nil && isASCII(a)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// fromLatin1 reads each byte as a character.
func fromLatin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// toLatin1 writes each character as a byte, if they all fit.
func toLatin1(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// dropDots removes dots at both ends and merges others.
func dropDots(host string) string {
	host = strings.Trim(host, ".")
	for strings.Contains(host, "..") {
		host = strings.ReplaceAll(host, "..", ".")
	}
	return host
}

// oddIPv4 reads an address of one to four decimal or octal numbers, of which the last fills the
// remaining bytes. One number alone is taken modulo 2^32, as old ARC files need.
func oddIPv4(host string) (string, bool) {
	if host == "" || host[0] < '0' || host[0] > '9' || len(host) > 64 {
		return "", false
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var addr uint64
	for i, part := range parts {
		n, ok := ipNumber(part, len(parts) == 1)
		last := i == len(parts)-1
		if !ok || !last && n > 255 || last && n >= 1<<(8*(5-len(parts))) {
			return "", false
		}
		if last {
			addr += n
		} else {
			addr += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), true
}

// ipNumber reads one number of an address; alone, it is decimal and wraps.
func ipNumber(s string, alone bool) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	if alone {
		n := uint64(0)
		for i := range len(s) {
			n = (n*10 + uint64(s[i]-'0')) & 0xffffffff
		}
		return n, true
	}
	base := 10
	if s[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}
