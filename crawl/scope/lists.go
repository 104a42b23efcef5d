package scope

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"varve/web/canon"
)

// hostSet holds host names, with or without a port.
type hostSet map[string]struct{}

func newHostSet(names []string) (hostSet, error) {
	s := make(hostSet, len(names))
	for _, n := range names {
		host, err := cleanHost(n)
		if err != nil {
			return nil, err
		}
		s[host] = struct{}{}
	}
	return s, nil
}

// cleanHost brings a host name, perhaps with port, to the form that canon gives hosts.
func cleanHost(name string) (string, error) {
	u, err := canon.Parse("http://" + strings.TrimSpace(name) + "/")
	if err != nil || name == "" || strings.ContainsAny(name, "/?#@*") {
		return "", fmt.Errorf("%q is not a host name", name)
	}
	return u.HostPort(), nil
}

// has tells whether the URL is on one of the hosts; a name without port takes every port.
func (s hostSet) has(u canon.URL) bool {
	if _, ok := s[u.HostPort()]; ok {
		return true
	}
	_, ok := s[u.Host()]
	return ok
}

// domainSet holds names that stand for themselves and everything below.
type domainSet map[string]struct{}

func newDomainSet(names []string) (domainSet, error) {
	s, err := newHostSet(names)
	for name := range s {
		if strings.Contains(name, ":") && !strings.HasSuffix(name, "]") {
			return nil, fmt.Errorf("domain %q must not have a port", name)
		}
	}
	return domainSet(s), err
}

// has probes the host and each of its parents.
func (s domainSet) has(host string) bool {
	for host != "" {
		if _, ok := s[host]; ok {
			return true
		}
		_, rest, found := strings.Cut(host, ".")
		if !found {
			break
		}
		host = rest
	}
	return false
}

// prefixes holds URL prefixes by host. As in a SURT, http and https, www and the bare name, are the
// same; unlike in an index key, case and a trailing slash count.
type prefixes struct {
	host   map[string]paths // "example.org", "example.org:8080"
	domain domainSet        // SURT prefixes that end in a comma: "org,example,"
}

// paths is a sorted list of path prefixes of which none begins another.
type paths []string

// has finds the only entry that can begin the path.
func (p paths) has(path string) bool {
	i := sort.Search(len(p), func(i int) bool { return p[i] > path }) - 1
	return i >= 0 && strings.HasPrefix(path, p[i])
}

// newPaths sorts and drops what another prefix covers.
func newPaths(list []string) paths {
	slices.Sort(list)
	out := list[:0]
	for _, s := range list {
		if len(out) == 0 || !strings.HasPrefix(s, out[len(out)-1]) {
			out = append(out, s)
		}
	}
	return paths(out)
}

// newPrefixes reads "https://example.org/a/", "http://(org,example,)/a" and "org,example,".
func newPrefixes(list []string) (prefixes, error) {
	p := prefixes{host: map[string]paths{}, domain: domainSet{}}
	for _, s := range list {
		host, path, below, err := splitPrefix(strings.TrimSpace(s))
		switch {
		case err != nil:
			return p, err
		case below:
			p.domain[host] = struct{}{}
		default:
			host = bareHost(host)
			p.host[host] = append(p.host[host], path)
		}
	}
	for host, list := range p.host {
		p.host[host] = newPaths(list)
	}
	return p, nil
}

// splitPrefix gives host and path of a prefix; below means the host and everything under it.
func splitPrefix(s string) (host, path string, below bool, err error) {
	surt := strings.TrimPrefix(s, "+")
	if i := strings.Index(surt, "://("); i >= 0 {
		surt = surt[i+len("://("):]
	} else if strings.Contains(surt, "://") || !strings.Contains(surt, ",") {
		u, err := canon.Parse(s)
		if err != nil || u.Host() == "" {
			return "", "", false, fmt.Errorf("prefix %q is neither a URL nor a SURT", s)
		}
		path := u.Target()
		if path == "/" && !strings.HasSuffix(s, "/") {
			path = ""
		}
		return u.HostPort(), path, false, nil
	}
	name, path, closed := strings.Cut(surt, ")")
	if !closed && !strings.HasSuffix(name, ",") {
		return "", "", false, fmt.Errorf("SURT prefix %q: the host must end with a comma (all below) or )", s)
	}
	labels := strings.Split(strings.Trim(name, ","), ",")
	slices.Reverse(labels)
	host, err = cleanHost(strings.Join(labels, "."))
	return host, path, !closed, err
}

// has tells whether a prefix begins the URL.
func (p prefixes) has(u canon.URL) bool {
	if list, ok := p.host[bareHost(u.HostPort())]; ok && list.has(u.Target()) {
		return true
	}
	return len(p.domain) > 0 && p.domain.has(u.Host())
}

// bareHost drops "www.", "www2." and so on, as a SURT does.
func bareHost(host string) string {
	rest, ok := strings.CutPrefix(host, "www")
	if !ok {
		return host
	}
	name := strings.TrimLeft(rest, "0123456789")
	if bare, ok := strings.CutPrefix(name, "."); ok && strings.Contains(bare, ".") {
		return bare
	}
	return host
}
