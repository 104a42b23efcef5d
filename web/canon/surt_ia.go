package canon

import (
	"cmp"
	"slices"
	"strings"
)

// iaStage is the second stage on its own.
func iaStage(raw string) string {
	p := parseLoose(raw)
	p.ia()
	return p.url()
}

// ia does the second stage: it drops what the Internet Archive holds to be the same.
func (p *loose) ia() {
	if p.scheme == "" {
		return
	}
	p.host = stripWWW(asciiLower(p.host))
	p.user = ""
	if p.port == "80" && p.scheme == "http" || p.port == "443" && p.scheme == "https" {
		p.port = ""
	}
	p.path = stripPathSession(asciiLower(p.path))
	if len(p.path) > 1 {
		p.path = strings.TrimSuffix(p.path, "/")
	}
	p.query = iaQuery(p.query)
	p.hasQuery = p.query != ""
}

// iaQuery drops session ids, case and order. Sorting may bring cfid and cftoken together, and what
// an id leaves behind may join into another id or escape, hence the rounds: the second usually
// changes nothing, a fourth is hostile.
func iaQuery(q string) string {
	if !mayHoldSession(q) {
		return sortQuery(asciiLower(q))
	}
	for range 8 {
		s := stripQuerySession(q)
		if len(s) != len(q) {
			s = escape(unescapeRepeatedly(s), escapeOnce)
		}
		s = sortQuery(asciiLower(s))
		if s == q {
			break
		}
		q = s
	}
	return q
}

// stripWWW drops "www.", "www2." and the like. It repeats, so that canonical hosts stay as they
// are, and reads an address that the prefix hid.
func stripWWW(host string) string {
	for {
		rest, ok := strings.CutPrefix(host, "www")
		if !ok {
			return host
		}
		rest = strings.TrimLeft(rest, "0123456789")
		if len(rest) < 2 || rest[0] != '.' {
			return host
		}
		host = rest[1:]
		if ip, ok := oddIPv4(host); ok {
			return ip
		}
	}
}

// sortQuery sorts the arguments by name and then value; "a" comes before "a=".
func sortQuery(q string) string {
	if strings.IndexByte(q, '&') < 0 {
		return q
	}
	args := strings.Split(q, "&")
	if slices.IsSortedFunc(args, compareArgs) {
		return q
	}
	slices.SortStableFunc(args, compareArgs)
	return strings.Join(args, "&")
}

func compareArgs(a, b string) int {
	aName, aValue, aHas := strings.Cut(a, "=")
	bName, bValue, bHas := strings.Cut(b, "=")
	if c := cmp.Compare(aName, bName); c != 0 {
		return c
	}
	if aHas != bHas {
		if bHas {
			return -1
		}
		return 1
	}
	return cmp.Compare(aValue, bValue)
}
