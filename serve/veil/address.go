package veil

import (
	"net/url"
	"strings"

	"varve/serve/holdings"
	"varve/web/canon"
)

// hostFields are fields in which a name of a host stands without a scheme, in small letters.
var hostFields = map[string]bool{
	"host": true, "hosts": true, "domain": true, "domains": true, "authority": true, "group": true, "subject": true, "prefix": true, "site": true, "of": true, "undo": true,
	"surts": true, "lines": true,
}

// textFields are fields with texts of a page whose address stands beside them, or of people; they are not looked into.
var textFields = map[string]bool{
	"title": true, "text": true, "snippet": true, "anchor": true, "anchors": true, "description": true, "purpose": true, "around": true, "csrf": true,
}

// ends are what an address ends before in a text.
const ends = " \t\r\n\"'<>`|\\^{}"

// hides reports whether a text has an address that is withheld.
func (w *walk) hides(s string, at place, unescaped int) bool {
	if !strings.ContainsAny(s, ".)") {
		return false
	}
	lower := strings.ToLower(s)
	for _, scheme := range []string{"http://", "https://"} {
		for i := strings.Index(lower, scheme); i >= 0; {
			if w.withheld(canon.SURT(address(s[i:])), address(s[i:]), canon.MatchExact, at) {
				return true
			}
			next := strings.Index(lower[i+len(scheme):], scheme)
			if next < 0 {
				break
			}
			i += len(scheme) + next
		}
	}
	if strings.Contains(s, ")/") && w.hidesKey(lower, at) {
		return true
	}
	if at.host && w.hidesHost(lower, at) {
		return true
	}
	if strings.Contains(lower, "%3a") && unescaped < 3 {
		if plain, err := url.QueryUnescape(s); err == nil && plain != s {
			return w.hides(plain, at, unescaped+1)
		}
	}
	return false
}

// address is what of a text that begins with one belongs to it.
func address(s string) string {
	if i := strings.IndexAny(s, ends); i >= 0 {
		s = s[:i]
	}
	return strings.TrimRight(s, ".,;:!)]")
}

// hidesKey looks for index keys: example,www)/path.
func (w *walk) hidesKey(s string, at place) bool {
	for token := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(ends, r) }) {
		host, _, ok := strings.Cut(token, ")/")
		if ok && host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-,:._") == "" && w.withheld(token, "", canon.MatchExact, at) {
			return true
		}
	}
	return false
}

// hidesHost looks for names of hosts, with or without a path, or a word that says what they are: news.example:8080/a, host:news.example.
func (w *walk) hidesHost(s string, at place) bool {
	for token := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(ends+",;()[]=", r) }) {
		token = strings.TrimPrefix(strings.TrimPrefix(token, "*."), "+")
		if kind, rest, ok := strings.Cut(token, ":"); ok && !strings.Contains(kind, ".") {
			token = rest
		}
		host, _, _ := strings.Cut(token, "/")
		host, _, _ = strings.Cut(host, ":")
		if strings.Contains(host, ".") && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._") == "" && w.withheld(canon.SURT("http://"+token), "http://"+token, canon.MatchHost, at) {
			return true
		}
	}
	return false
}

// withheld reports whether the captures that an address stands for in a place are kept from the visitor; match tells whether
// it is that of a host.
func (w *walk) withheld(key, target string, match canon.Match, at place) bool {
	switch {
	case key == "" || at.top && w.said[key]:
		return false
	case !at.from.IsZero() || !at.to.IsZero():
		return !w.set.Always(w.who, at.collection, key, at.from, at.to, w.now)
	case !w.set.Ever(w.who, at.collection, key, w.now):
		return true
	}
	return !w.set.Always(w.who, at.collection, key, at.from, w.now, w.now) && !w.seen(at.collection, target, match)
}

// seen reports whether the index has a capture that the visitor may see; where it cannot be asked, it may have one.
func (w *walk) seen(collection, target string, match canon.Match) bool {
	if w.index == nil || collection == "" || target == "" {
		return true
	}
	for _, err := range w.index.Captures(w.ctx, holdings.Query{Collection: collection, URL: target, Match: match, Limit: 1}) {
		return err == nil
	}
	return false
}
