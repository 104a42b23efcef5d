package crawl

import (
	"fmt"
	"strings"

	"varve/web/canon"
)

// Priority gives the URLs below a prefix a score of their own, whatever else is known of them.
type Priority struct {
	Prefix string  `json:"prefix"` // host[:port]/path, without a scheme
	Score  float64 `json:"score"`  // 1: before all others; 0: last
}

// ParsePriority reads a prefix as people write it: an address, or a host.
func ParsePriority(p Priority) (Priority, error) {
	raw := strings.TrimSpace(p.Prefix)
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := canon.Parse(raw)
	if err != nil || !u.IsHTTP() || len(raw) > 4000 {
		return p, fmt.Errorf("%q is no host and no address", clipText(p.Prefix, 200))
	}
	if p.Score < 0 || p.Score > 1 {
		return p, fmt.Errorf("the score %g is not in [0,1]", p.Score)
	}
	p.Prefix = u.HostPort() + u.WithoutFragment().Target()
	return p, nil
}

// Covers reports whether a URL lies below the prefix.
func (p Priority) Covers(u canon.URL) bool {
	host, path, _ := strings.Cut(p.Prefix, "/")
	return u.HostPort() == host && strings.HasPrefix(u.Target(), "/"+path)
}
