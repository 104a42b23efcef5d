package crawl

import (
	"net/url"
	"strings"

	"varve"
)

// Network is how a crawl reaches the web: what its command line says, kept so that a resumed crawl goes the same way.
type Network struct {
	Resolve   []string `json:"resolve,omitempty"`   // PATTERN[:PORT]=ADDR[:PORT] instead of DNS
	Proxy     []string `json:"proxy,omitempty"`     // [PATTERN=]URL, without passwords
	CA        string   `json:"ca,omitempty"`        // PEM file of further authorities
	AcceptBad bool     `json:"acceptBad,omitempty"` // fetch in spite of bad certificates
}

// notKept stands where a password of a proxy stood: the definition is shown on screens and goes along with exports.
const notKept = "PASSWORD-NOT-KEPT"

// WithoutPassword returns a rule for a proxy as it is kept.
func WithoutPassword(rule string) string {
	pattern, address := cutProxy(rule)
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return rule
	}
	if _, has := u.User.Password(); !has {
		return rule
	}
	u.User = url.UserPassword(u.User.Username(), notKept)
	return pattern + u.String()
}

// cutProxy cuts a rule into its pattern with the = and its URL.
func cutProxy(rule string) (pattern, address string) {
	if i := strings.IndexByte(rule, '='); i >= 0 && i < strings.Index(rule, "://") {
		return rule[:i+1], rule[i+1:]
	}
	return "", rule
}

// Usable reports what must be given anew because it was not kept.
func (n Network) Usable() error {
	for _, rule := range n.Proxy {
		if strings.Contains(rule, ":"+notKept+"@") {
			return &varve.Error{
				Kind: varve.Invalid, Op: "resume crawl", Msg: "its proxy needs a password, and passwords are not kept",
				Hint: "give the proxy again: --proxy " + strings.Replace(rule, notKept, "PASSWORD", 1),
			}
		}
	}
	return nil
}
