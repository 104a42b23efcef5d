package scope

import (
	"strings"
	"sync"

	"varve/web/canon"
)

// Seeds are the addresses a crawl begins with, by page, folder, host and pay-level domain. They are
// safe for use by several goroutines. Memory grows with the number of seeds.
type Seeds struct {
	mu      sync.RWMutex
	pages   map[string]struct{} // URL without fragment
	folders map[string]struct{} // bare host + path up to the last slash
	hosts   map[string]struct{} // host and port
	domains map[string]struct{} // pay-level domains
}

// NewSeeds makes a set of seeds.
func NewSeeds(urls ...canon.URL) *Seeds {
	s := &Seeds{
		pages: map[string]struct{}{}, folders: map[string]struct{}{},
		hosts: map[string]struct{}{}, domains: map[string]struct{}{},
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
	s.pages[u.WithoutFragment().String()] = struct{}{}
	s.folders[bareHost(u.HostPort())+u.Path()[:strings.LastIndexByte(u.Path(), '/')+1]] = struct{}{}
	s.hosts[u.HostPort()] = struct{}{}
	s.domains[u.PayLevelDomain()] = struct{}{}
}

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
		if _, ok := s.domains[host]; ok {
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
			if _, ok := s.folders[string(key[:i+1])]; ok {
				return true
			}
		}
	}
	return false
}

func (s *Seeds) in(set map[string]struct{}, key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := set[key]
	return ok
}
