package memento

import (
	"fmt"
	"strings"
	"time"
)

// Coverage says how much of a page a PWID means.
type Coverage string

// The coverages in use.
const (
	CoversPage Coverage = "page" // the page with all its parts
	CoversPart Coverage = "part" // this file alone
)

// PWID names a capture for citation: urn:pwid:<archive>:<time>:<coverage>:<url>.
type PWID struct {
	Archive  string // its domain name, "netarkivet.dk"
	Time     time.Time
	Coverage Coverage
	URL      string
}

// String writes the name.
func (p PWID) String() string {
	return "urn:pwid:" + p.Archive + ":" + p.Time.UTC().Format("2006-01-02T15:04:05Z") + ":" + string(p.Coverage) + ":" + p.URL
}

// ParsePWID reads a name.
func ParsePWID(s string) (PWID, error) {
	rest, ok := cutFold(s, "urn:pwid:")
	if !ok {
		return PWID{}, fmt.Errorf("%q: want urn:pwid:archive:time:coverage:url", s)
	}
	archive, rest, ok := strings.Cut(rest, ":")
	if !ok || archive == "" {
		return PWID{}, fmt.Errorf("%q: no archive", s)
	}
	const layout = "2006-01-02T15:04:05Z"
	if len(rest) < len(layout)+1 || rest[len(layout)] != ':' {
		return PWID{}, fmt.Errorf("%q: want a time like 2016-01-22T10:08:23Z", s)
	}
	t, err := time.Parse(layout, rest[:len(layout)])
	if err != nil {
		return PWID{}, fmt.Errorf("%q: %w", s, err)
	}
	coverage, url, ok := strings.Cut(rest[len(layout)+1:], ":")
	if !ok || url == "" {
		return PWID{}, fmt.Errorf("%q: no URL", s)
	}
	switch Coverage(coverage) {
	case CoversPage, CoversPart:
	case "subsite", "site", "collection", "recording", "snapshot", "other":
	default:
		return PWID{}, fmt.Errorf("%q: coverage %q is not known", s, coverage)
	}
	return PWID{Archive: archive, Time: t, Coverage: Coverage(coverage), URL: url}, nil
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
