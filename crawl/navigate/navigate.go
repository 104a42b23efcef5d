// Package navigate is the stage of a crawl that knows web applications (crawl/webapp): once a page of a host is recognised, the addresses
// of that application that show nothing new (forms, sort orders, old versions, other ways to the same posts) are suspected as actions,
// and the scope, which rejects them unless a curator's rule says otherwise, has them counted and named.
//
//	NewReader: pages are recognised in the pass that reads them for their links; a page of no application costs a search for marks
//	Examine: the application is remembered for the host
//	         a page by which it says with status 200 that it has none is noted as soft 404
//	         cookies by which it writes a reader's way into its pages are no longer sent to the host
//	Suspect: of a link, and again when its turn comes, the level by its address; one that is not visited is a suspicion
//	Report: which applications were met, what was not visited because of them, and which cookies were not sent
//
// The links of the first page of a host are queued before it is recognised; they are asked about again when their turn comes, before they
// are fetched. Redirects are never suspected, nor are parts of pages where their level does not say so: a page needs them, whatever their
// addresses say.
package navigate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/scope"
	"varve/crawl/webapp"
	"varve/web/markup"
)

// maxHosts bounds the hosts that are remembered. Of the others everything is visited that the scope lets in.
const maxHosts = 20_000

// Stage remembers which applications hosts have.
type Stage struct {
	k   *webapp.Knowledge
	jar *fetch.Jar // of the run; nil: it keeps no cookies

	mu    sync.Mutex // taken after the lock of the jar, never before
	hosts map[string][]*webapp.Application
	seen  map[string]*crawl.ApplicationSeen // by name
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.PageReader
	crawl.Suspecter
	crawl.Teller
} = (*Stage)(nil)

// New returns the stage.
func New(k *webapp.Knowledge) *Stage {
	return &Stage{k: k, hosts: map[string][]*webapp.Application{}, seen: map[string]*crawl.ApplicationSeen{}}
}

// Open takes the cookies of the run.
func (s *Stage) Open(r *crawl.Run) error {
	s.jar = r.Jar()
	return nil
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
		if sight.Level.Gone {
			a.SoftNotFound(cmp.Or(sight.Level.Why, sight.App.Name+" has no such page"))
		}
	}
	host := u.HostPort()
	if s.note(host, sight) && s.jar != nil {
		s.jar.Withhold(host, func(name string) bool { return s.withholds(host, name) })
	}
}

// note counts a page, and reports whether it is the first of its application on a host.
func (s *Stage) note(host string, sight *webapp.Sight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[sight.App.Name]
	if seen == nil {
		seen = &crawl.ApplicationSeen{Name: sight.App.Name, Kind: sight.App.Kind}
		s.seen[sight.App.Name] = seen
	}
	seen.Pages++
	seen.Version = cmp.Or(sight.Version, seen.Version)
	list, known := s.hosts[host]
	if !known && len(s.hosts) >= maxHosts {
		return false
	}
	if i := slices.IndexFunc(list, func(a *webapp.Application) bool { return a.Name == sight.App.Name }); i >= 0 {
		if sight.Here != sight.App { // words of the site; a page without them says nothing of others
			list[i] = sight.Here
		}
		return false
	}
	seen.Hosts++
	s.hosts[host] = append(list, sight.Here)
	return true
}

// maxNotSent bounds the names of cookies that the report tells of one application.
const maxNotSent = 20

// withholds reports whether a cookie is not sent to a host because of one of its applications, and counts it.
func (s *Stage) withholds(host, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.hosts[host]
	i := slices.IndexFunc(list, func(a *webapp.Application) bool {
		return a.Cookies.Withhold != nil && a.Cookies.Withhold.MatchString(name)
	})
	if i < 0 {
		return false
	}
	seen := s.seen[list[i].Name]
	if seen.NotSent == nil {
		seen.NotSent = map[string]int64{}
	}
	if _, known := seen.NotSent[name]; known || len(seen.NotSent) < maxNotSent {
		seen.NotSent[name]++
	}
	return true
}

// Settle notes nothing: after a kill, pages that are read again tell it again.
func (s *Stage) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

// Suspect adds a suspicion to a candidate that is of a level that is not visited.
func (s *Stage) Suspect(c *scope.Candidate) {
	h := string(c.Hops)
	if strings.HasSuffix(h, string(scope.HopRedirect)) {
		return
	}
	part := strings.HasSuffix(h, string(scope.HopEmbed))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.hosts[c.URL.HostPort()] {
		if l := a.LevelOf(c.URL, nil); l != nil && !l.Follows() && (l.Parts || !part) {
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
		told := *seen
		told.NotSent = maps.Clone(seen.NotSent)
		rep.Applications = append(rep.Applications, told)
	}
	slices.SortFunc(rep.Applications, func(a, b crawl.ApplicationSeen) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
}
