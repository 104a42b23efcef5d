package scope

import (
	"hash/maphash"
	"strings"
	"sync"

	"varve/web/canon"
)

// Seeds are the addresses a crawl begins with, by page, folder, host and pay-level domain. They are
// safe for use by several goroutines. Of each only a hash is kept, under a key that nobody else knows, so that a million
// seeds take at most 50 MB. Two of a million have the same hash once in ten million crawls.
type Seeds struct {
	mu      sync.RWMutex
	key     maphash.Seed
	pages   hashes // URL without fragment
	folders hashes // bare host + path up to the last slash
	hosts   hashes // host and port
	domains hashes // pay-level domains
}

// NewSeeds makes a set of seeds.
func NewSeeds(urls ...canon.URL) *Seeds {
	s := &Seeds{key: maphash.MakeSeed()}
	for _, u := range urls {
		s.Add(u)
	}
	return s
}

// Add makes a URL a seed. The crawl also calls it with the target of a redirected seed, so that
// its host, folder or domain is in scope like the one that was asked for.
func (s *Seeds) Add(u canon.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages.add(s.hash(u.WithoutFragment().String()))
	s.folders.add(s.hash(bareHost(u.HostPort()) + u.Path()[:strings.LastIndexByte(u.Path(), '/')+1]))
	s.hosts.add(s.hash(u.HostPort()))
	s.domains.add(s.hash(u.PayLevelDomain()))
}

func (s *Seeds) hash(text string) uint64 { return maphash.String(s.key, text) }

// Len counts the seeds.
func (s *Seeds) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.pages.n
}

func (s *Seeds) page(u canon.URL) bool { return s.in(&s.pages, u.WithoutFragment().String()) }

// HasHost reports whether a URL lies on the host of a seed.
func (s *Seeds) HasHost(u canon.URL) bool { return s.host(u) }

// HasDomain reports whether a URL lies on the registered domain of a seed, or below a name that is one.
func (s *Seeds) HasDomain(u canon.URL) bool { return s.domain(u) }

func (s *Seeds) host(u canon.URL) bool { return s.in(&s.hosts, u.HostPort()) }

func (s *Seeds) domain(u canon.URL) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for host := u.Host(); host != ""; {
		if s.domains.has(s.hash(host)) {
			return true
		}
		_, rest, found := strings.Cut(host, ".")
		if !found {
			return false
		}
		host = rest
	}
	return false
}

// folder probes each folder above the URL.
func (s *Seeds) folder(u canon.URL) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var room [256]byte
	key := append(append(room[:0], bareHost(u.HostPort())...), u.Path()...)
	for i := len(key) - 1; i >= 0; i-- {
		if key[i] == '/' {
			if s.folders.has(maphash.Bytes(s.key, key[:i+1])) {
				return true
			}
		}
	}
	return false
}

func (s *Seeds) in(set *hashes, key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return set.has(s.hash(key))
}
