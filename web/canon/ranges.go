package canon

import (
	"fmt"
	"strings"
)

// Match says which keys a lookup takes.
type Match string

// The kinds of lookup.
const (
	MatchExact  Match = "exact"  // this URL
	MatchPrefix Match = "prefix" // URLs whose key starts so
	MatchHost   Match = "host"   // all URLs of this host
	MatchDomain Match = "domain" // all URLs of this host and of the hosts below it
	MatchTLD    Match = "tld"    // all hosts below the last label
)

// Shorthand reads the star notations of CDX servers: "*.example.com" is a domain lookup and
// "example.com/path*" a prefix lookup; all else is exact. It gives the URL without the star.
func Shorthand(url string) (Match, string) {
	if rest, ok := strings.CutPrefix(url, "*."); ok {
		return MatchDomain, strings.TrimSuffix(strings.TrimSuffix(rest, "*"), "/")
	}
	if rest, ok := strings.CutSuffix(url, "*"); ok {
		return MatchPrefix, rest
	}
	return MatchExact, url
}

// Range gives the index keys of a lookup: all keys k with from <= k < to in byte order. An empty
// match means that the URL may use a shorthand.
func Range(match Match, url string) (from, to string, err error) {
	if match == "" {
		match, url = Shorthand(url)
	}
	key := SURT(url)
	if key == "-" {
		return "", "", fmt.Errorf("search range: no URL")
	}
	switch match {
	case MatchExact:
		return key, key + "!", nil // "!" is the least byte that a key may go on with
	case MatchPrefix:
		key = prefixKey(url, key)
		return key, increment(key), nil
	case MatchHost, MatchDomain, MatchTLD:
	default:
		return "", "", fmt.Errorf("search range: unknown match type %q", match)
	}
	host, _, ok := strings.Cut(key, ")")
	if !ok || host == "" || strings.ContainsAny(host, "/?") {
		return "", "", fmt.Errorf("search range: %s lookup needs a host, %q has none", match, clip(url))
	}
	switch {
	case match == MatchHost:
		return host + ")/", host + "*", nil
	case match == MatchTLD:
		host, _, _ = strings.Cut(host, ",")
		fallthrough
	case !strings.Contains(host, ","):
		return host + ",", host + "-", nil
	}
	return host + ")/", host + "-", nil
}

// prefixKey gives back the slash or question mark at the end, which the key drops.
func prefixKey(url, key string) string {
	url = trimSpace(url)
	for _, end := range []string{"/", "?"} {
		if strings.HasSuffix(url, end) && !strings.HasSuffix(key, end) {
			return key + end
		}
	}
	return key
}

// increment gives the least string that is greater than all that start with s.
func increment(s string) string {
	b := []byte(s)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) > 0 {
		b[len(b)-1]++
	}
	return string(b)
}
