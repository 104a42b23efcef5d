package canon

import (
	"strings"

	"github.com/weppos/publicsuffix-go/publicsuffix"
)

// suffixes says how the public suffix list is read: its private section counts, because
// alice.blogspot.com and bob.blogspot.com have different owners; and a top-level domain that the
// list does not know is a public suffix itself.
var suffixes = publicsuffix.FindOptions{IgnorePrivate: false, DefaultRule: publicsuffix.DefaultRule}

// PayLevelDomain gives the name that somebody registered: "example.co.uk" for
// "www.news.example.co.uk". An IP address, a single label, and a name that is itself a public
// suffix give themselves. The host must be as URL.Host gives it; a trailing dot is dropped.
func PayLevelDomain(host string) string {
	host = strings.TrimSuffix(host, ".")
	if strings.IndexByte(host, '.') <= 0 || host[0] == '[' || isQuad(host) {
		return host
	}
	rule := publicsuffix.DefaultList.Find(host, &suffixes)
	labels := rule.Length + 1
	switch {
	case rule == suffixes.DefaultRule:
		labels = 2
	case rule.Type == publicsuffix.ExceptionType:
		labels = rule.Length
	}
	return lastLabels(host, labels)
}

// PayLevelDomain gives the pay-level domain of the host.
func (u URL) PayLevelDomain() string { return PayLevelDomain(u.Host()) }

// lastLabels gives the last n labels of a host, or all of it when it has fewer.
func lastLabels(host string, n int) string {
	end := len(host)
	for range n {
		i := strings.LastIndexByte(host[:end], '.')
		if i < 0 {
			return host
		}
		end = i
	}
	return host[end+1:]
}
