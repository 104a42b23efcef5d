package canon

import (
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
