package canon

import (
	"bytes"
	"strings"
)

// The session ids of the index key are fixed by the Internet Archive's convention. They are code,
// not rules: a key that depended on a local file could not be looked up elsewhere.

// stripPathSession drops ASP.NET session segments, "/(S(24 characters))/" and "/(24 characters)/",
// before a name with ".aspx".
func stripPathSession(path string) string {
	if strings.IndexByte(path, '(') < 0 {
		return path
	}
	last := lastASPX(path)
	b := make([]byte, 0, len(path))
	for i := 0; i < len(path); {
		n := sessionSegment(path[i:])
		if n > 0 && i > 0 && path[i-1] == '/' && i+n < last {
			i += n
			continue
		}
		b = append(b, path[i])
		i++
	}
	return string(b)
}

// lastASPX gives the offset of the last ".aspx" before any question mark, or -1.
func lastASPX(path string) int {
	name, _, _ := strings.Cut(path, "?")
	for i := len(name) - len(".aspx"); i >= 0; i-- {
		if foldPrefix(name[i:], ".aspx") {
			return i
		}
	}
	return -1
}

// sessionSegment gives the length of a session segment with its slash at the start of s, or 0.
func sessionSegment(s string) int {
	if s[0] != '(' {
		return 0
	}
	i := 1
	if n := alnumRun(s[i:]); n == 24 {
		i += n
	} else {
		for i+27 <= len(s) && isLetter(s[i]) && s[i+1] == '(' && alnumRun(s[i+2:]) == 24 && s[i+26] == ')' {
			i += 27
		}
		if i == 1 {
			return 0
		}
	}
	if !strings.HasPrefix(s[i:], ")/") {
		return 0
	}
	return i + 2
}

// alnumRun gives the number of letters and digits at the start of s, at most 33.
func alnumRun(s string) int {
	n := 0
	for n < len(s) && n < 33 && (isLetter(s[n]) || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// stripQuerySession drops jsessionid, phpsessid and sid with 32 letters and digits, ASPSESSIONID
// with eight and 24 letters, and cfid with cftoken. As in the convention, the name need only end
// so ("osCsid=..." leaves "osC"), and the ampersand after the id goes with it.
func stripQuerySession(q string) string {
	if !mayHoldSession(q) {
		return q
	}
	b := make([]byte, 0, len(q))
	for rest, more := q, true; more; {
		var arg string
		arg, rest, more = strings.Cut(rest, "&")
		b = append(b, arg...)
		if n := sessionSuffix(b); n > 0 {
			b = b[:len(b)-n]
		} else if more {
			b = append(b, '&')
		}
	}
	return string(b)
}

// mayHoldSession looks for the texts of which every session id holds one.
func mayHoldSession(q string) bool {
	for i := range len(q) {
		switch q[i] {
		case 's', 'S':
			if foldPrefix(q[i:], "sid=") || foldPrefix(q[i:], "sess") {
				return true
			}
		case 'c', 'C':
			if foldPrefix(q[i:], "cftoken=") {
				return true
			}
		}
	}
	return false
}

// sessionSuffix gives the length of the session id at the end of b, or 0.
func sessionSuffix(b []byte) int {
	amp := bytes.LastIndexByte(b, '&')
	arg := b[amp+1:]
	for _, id := range sessionIDs {
		if n := id.suffix(arg); n > 0 {
			return n
		}
	}
	if amp < 0 || len(arg) <= len("cftoken=") || !foldPrefix(arg, "cftoken=") {
		return 0
	}
	prev := b[bytes.LastIndexByte(b[:amp], '&')+1 : amp]
	for i := len(prev) - len("cfid=") - 1; i >= 0; i-- {
		if foldPrefix(prev[i:], "cfid=") {
			return len(prev) - i + 1 + len(arg)
		}
	}
	return 0
}

// sessionID describes "name=value" by the end of the name, free letters after it, and the value.
type sessionID struct {
	name    string
	letters int // that follow the name
	value   int // length of the value
	digits  bool
}

var sessionIDs = []sessionID{
	{"jsessionid", 0, 32, true},
	{"phpsessid", 0, 32, true},
	{"sid", 0, 32, true},
	{"aspsessionid", 8, 24, false},
}

// suffix gives the length of the id at the end of an argument, or 0.
func (id *sessionID) suffix(arg []byte) int {
	n := len(id.name) + id.letters + 1 + id.value
	if len(arg) < n || arg[len(arg)-id.value-1] != '=' {
		return 0
	}
	tail := arg[len(arg)-n:]
	if !foldPrefix(tail, id.name) {
		return 0
	}
	for i, c := range tail[len(id.name):] {
		if i != id.letters && !isLetter(c) && !(id.digits && '0' <= c && c <= '9') {
			return 0
		}
	}
	return n
}
