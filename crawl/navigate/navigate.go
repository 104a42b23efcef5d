// Package navigate is the stage of a crawl that knows web applications (crawl/webapp): once a page of a host is recognised, the addresses
// of that application that show nothing new (forms, sort orders, old versions, other ways to the same posts) are suspected as actions,
// and the scope, which rejects them unless a curator's rule says otherwise, has them counted and named.
//
//	NewReader: pages are recognised in the pass that reads them for their links; a page of no application costs a search for marks
//	Examine: the application is remembered for the host
//	Suspect: of a link, and again when its turn comes, the level by its address; one that is not visited is a suspicion
//	Report: which applications were met, and what was not visited because of them
//
// The links of the first page of a host are queued before it is recognised; they are asked about again when their turn comes, before they
// are fetched. Parts of pages and redirects are never suspected: a page needs them, whatever their addresses say.
package navigate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/webapp"
	"varve/web/markup"
)

// maxHosts bounds the hosts that are remembered. Of the others everything is visited that the scope lets in.
const maxHosts = 20_000

// Stage remembers which applications hosts have.
type Stage struct {
	k *webapp.Knowledge

	mu    sync.Mutex
	hosts map[string][]*webapp.Application
	seen  map[string]*crawl.ApplicationSeen // by name
}

var _ interface {
	crawl.Stage
	crawl.PageReader
	crawl.Suspecter
	crawl.Teller
} = (*Stage)(nil)

// New returns the stage.
func New(k *webapp.Knowledge) *Stage {
	return &Stage{k: k, hosts: map[string][]*webapp.Application{}, seen: map[string]*crawl.ApplicationSeen{}}
}

// NewReader returns what recognises the pages of one worker.
func (s *Stage) NewReader() markup.Subscriber { return s.k.NewReader() }

// Admit lets everything in: the scope decides, by what Suspect tells it.
func (s *Stage) Admit(*crawl.Admission) {}

// Examine recognises a page.
func (s *Stage) Examine(v *crawl.Visit, a *crawl.Answer) {
	r, ok := a.Read(s).(*webapp.Reader)
	if !ok {
		return
	}
	u := v.URL()
	sight := r.Sight(u, a.Header.Get)
	if sight == nil {
		return
	}
	a.Field("application", strings.TrimSpace(sight.App.Name+" "+sight.Version))
	if sight.Level != nil {
		a.Field("application-level", sight.Level.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[sight.App.Name]
	if seen == nil {
		seen = &crawl.ApplicationSeen{Name: sight.App.Name, Kind: sight.App.Kind}
		s.seen[sight.App.Name] = seen
	}
	seen.Pages++
	seen.Version = cmp.Or(sight.Version, seen.Version)
	host := u.HostPort()
	if list, known := s.hosts[host]; (known || len(s.hosts) < maxHosts) && !slices.Contains(list, sight.App) {
		seen.Hosts++
		s.hosts[host] = append(list, sight.App)
	}
}

// Settle notes nothing: after a kill, pages that are read again tell it again.
func (s *Stage) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

// Suspect adds a suspicion to a candidate that is of a level that is not visited.
func (s *Stage) Suspect(c *scope.Candidate) {
	if h := string(c.Hops); strings.HasSuffix(h, string(scope.HopEmbed)) || strings.HasSuffix(h, string(scope.HopRedirect)) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.hosts[c.URL.HostPort()] {
		if l := a.LevelOf(c.URL, nil); l != nil && !l.Follows() {
			s.seen[a.Name].NotVisited++
			c.Suspicions = append(c.Suspicions, scope.Suspicion{Kind: scope.TrapAction, Why: a.Name + ", level " + l.Name + ": " + cmp.Or(l.Why, "it is not visited")})
			return
		}
	}
}

// Progress says nothing: the report does.
func (s *Stage) Progress(*crawl.Progress) {}

// Report lists the applications that were met.
func (s *Stage) Report(rep *crawl.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep.Applications = nil
	for _, seen := range s.seen {
		rep.Applications = append(rep.Applications, *seen)
	}
	slices.SortFunc(rep.Applications, func(a, b crawl.ApplicationSeen) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
}
