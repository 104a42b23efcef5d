package canon

// maxAuthority is the longest userinfo, host and port that is looked at; names have at most 253.
const maxAuthority = 1 << 10

// authority appends "host[:port]", notes where the host lies, and gives how many bytes of s it read.
func (u *URL) authority(b []byte, s string) ([]byte, int, bool) {
	start, i := len(b), 0
	for ; i < len(s); i++ {
		k := classes[s[i]]
		if k&(hostByte|hostUpper) == 0 {
			break
		}
		if k&hostUpper != 0 {
			b = append(b, s[i]|0x20)
		} else {
			b = append(b, s[i])
		}
	}
	u.hostEnd = uint32(len(b))
	if !plainHost(b[start:]) {
		return u.oddAuthority(b[:start], s)
	}
	if i == len(s) || classes[s[i]]&(slash|question|hash) != 0 {
		return b, i, true
	}
	if s[i] == ':' {
		if b, n, ok := appendPort(b, s[i+1:], defaultPort(string(b[:u.schemeEnd]))); ok {
			return b, i + 1 + n, true
		}
	}
	return u.oddAuthority(b[:start], s)
}

// oddAuthority leaves userinfo, international names, odd addresses and odd ports to the library.
func (u *URL) oddAuthority(b []byte, s string) ([]byte, int, bool) {
	n := 0
	for n < len(s) && classes[s[n]]&(slash|question|hash) == 0 {
		n++
	}
	if n == 0 || n > maxAuthority {
		return b, 0, false
	}
	v, err := parseFull(string(b)+s[:n]+"/", nil)
	if err != nil || v.Target() != "/" || v.HasFragment() || v.pathStart-v.schemeEnd > maxAuthority {
		return b, 0, false
	}
	u.hostStart, u.hostEnd = v.hostStart, v.hostEnd
	return append(b[:0], v.href[:v.pathStart]...), n, true
}

// appendPort appends ":port" unless it is the default; it gives the number of digits read.
func appendPort(b []byte, s string, implied int) ([]byte, int, bool) {
	n := 0
	for n < len(s) && classes[s[n]]&(slash|question|hash) == 0 {
		n++
	}
	number, ok := parsePort(s[:n])
	if ok && number != implied {
		b = append(append(b, ':'), s[:n]...)
	}
	return b, n, ok
}

// plainHost tells whether a lower-case host needs no work: no empty label, no punycode to check,
// and either a last label that starts with a letter or a dotted quad in its shortest form.
func plainHost(h []byte) bool {
	label, empty := 0, true
	for i, c := range h {
		switch {
		case c != '.':
			empty = false
		case empty || isACE(h[label:i]):
			return false
		default:
			label, empty = i+1, true
		}
	}
	if empty || isACE(h[label:]) {
		return false
	}
	if c := h[label]; c >= 'a' && c <= 'z' {
		return true
	}
	return isQuad(h)
}

// isACE tells whether a label claims to be punycode.
func isACE(l []byte) bool {
	return len(l) >= 4 && l[0] == 'x' && l[1] == 'n' && l[2] == '-' && l[3] == '-'
}

// isQuad tells whether h is four decimal numbers of at most 255 without leading zeros.
func isQuad[T ~[]byte | ~string](h T) bool {
	parts, n, digits := 0, 0, 0
	for i := 0; i <= len(h); i++ {
		if i == len(h) || h[i] == '.' {
			if digits == 0 || n > 255 {
				return false
			}
			parts, n, digits = parts+1, 0, 0
			continue
		}
		c := h[i]
		if c < '0' || c > '9' || digits > 0 && n == 0 || digits == 3 {
			return false
		}
		n, digits = n*10+int(c-'0'), digits+1
	}
	return parts == 4
}
