package scope

import (
	"hash/maphash"
	"strings"
	"sync"

	"varve/web/canon"
)

// Seeds are the addresses a crawl begins with, by page, folder, host and pay-level domain. They are
// safe for use by several goroutines. Of each only a hash is kept, under a key that nobody else knows: about 20 bytes, so
// that a million seeds take less than 100 MB. Two of a million have the same hash once in ten million crawls.
type Seeds struct {
	mu      sync.RWMutex
	key     maphash.Seed
	pages   map[uint64]struct{} // URL without fragment
	folders map[uint64]struct{} // bare host + path up to the last slash
	hosts   map[uint64]struct{} // host and port
	domains map[uint64]struct{} // pay-level domains
}

// NewSeeds makes a set of seeds.
func NewSeeds(urls ...canon.URL) *Seeds {
	s := &Seeds{
		key: maphash.MakeSeed(), pages: map[uint64]struct{}{}, folders: map[uint64]struct{}{},
		hosts: map[uint64]struct{}{}, domains: map[uint64]struct{}{},
	}
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
	s.pages[s.hash(u.WithoutFragment().String())] = struct{}{}
	s.folders[s.hash(bareHost(u.HostPort())+u.Path()[:strings.LastIndexByte(u.Path(), '/')+1])] = struct{}{}
	s.hosts[s.hash(u.HostPort())] = struct{}{}
	s.domains[s.hash(u.PayLevelDomain())] = struct{}{}
}

func (s *Seeds) hash(text string) uint64 { return maphash.String(s.key, text) }

// Len counts the seeds.
func (s *Seeds) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.pages)
}

func (s *Seeds) page(u canon.URL) bool { return s.in(s.pages, u.WithoutFragment().String()) }

func (s *Seeds) host(u canon.URL) bool { return s.in(s.hosts, u.HostPort()) }

func (s *Seeds) domain(u canon.URL) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for host := u.Host(); host != ""; {
		if _, ok := s.domains[s.hash(host)]; ok {
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
			if _, ok := s.folders[maphash.Bytes(s.key, key[:i+1])]; ok {
				return true
			}
		}
	}
	return false
}

func (s *Seeds) in(set map[uint64]struct{}, key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := set[s.hash(key)]
	return ok
}
