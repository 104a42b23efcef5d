package spamfilter

import (
	"slices"
	"strings"

	"varve/web/canon"
	"varve/web/links"
)

// Targets gives the hosts that the links of a page support, by their hashes: each other host once, in the order of the page. A
// link is support if readers can follow it, the page vouches for it (no nofollow, ugc or sponsored), and it leads to another
// pay-level domain: nobody supports himself.
func Targets(host string, found []links.Link) []uint64 {
	name, _, _ := strings.Cut(host, ":")
	own := canon.PayLevelDomain(name)
	var out []uint64
	last := ""
	for i := range found {
		l := &found[i]
		if l.Hop != links.HopLink || len(out) >= MaxTargets || withheld(l.Rel) {
			continue
		}
		to := hostIn(l.URL)
		if to == "" || to == last || to == name {
			continue
		}
		last = to
		if h := HashOf(to); !slices.Contains(out, h) && canon.PayLevelDomain(to) != own {
			out = append(out, h)
		}
	}
	return out
}

// hostIn is the host of an absolute address as extraction writes it, without user and port.
func hostIn(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	return rest
}

// withheld tells whether a rel says that the page does not vouch for the link.
func withheld(rel string) bool {
	if rel == "" {
		return false
	}
	for word := range strings.FieldsSeq(rel) {
		if word == "nofollow" || word == "ugc" || word == "sponsored" {
			return true
		}
	}
	return false
}
