package crawl

import (
	"iter"
	"strings"
	"sync"

	"varve/archive/history"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
)

// A page that was deleted is linked no more, so a crawl that goes by links alone never learns that it is gone. When nothing else is left,
// a crawl therefore asks for the pages that the collection holds of its hosts, that are in scope, and that it met no link to.

// maxKnown bounds the pages that one run asks for so; the event says how many there are more.
const maxKnown = 10_000

// maxKnownHosts bounds the hosts of seeds whose known pages are looked for.
const maxKnownHosts = 1000

// lister is a history that can be gone through.
type lister interface {
	Entries(prefix string) iter.Seq2[history.Entry, error]
}

// knownPages says whether a run has looked for them.
type knownPages struct {
	mu    sync.Mutex
	asked bool
}

// askKnown queues known pages, once in a run, and reports whether there is something to do.
func (r *Run) askKnown() (bool, error) {
	memory, ok := r.history.(lister)
	if !ok {
		return false, nil
	}
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	if r.known.asked { // by another worker, maybe just now
		return !r.Spent(), nil
	}
	r.known.asked = true
	origins := map[string]bool{}
	err := r.EachSeed(func(_ string, u canon.URL) error {
		if len(origins) < maxKnownHosts {
			origins[u.Origin()+"/"] = true
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	var queued, more int64
	for origin := range origins {
		for e, err := range memory.Entries(origin) {
			if err != nil {
				return false, err
			}
			it, ok := r.knownItem(&e)
			if !ok {
				continue
			}
			if queued >= maxKnown {
				more++
				continue
			}
			rep, err := r.frontier.Add(it)
			if err != nil {
				return false, err
			}
			queued += int64(rep.New)
		}
	}
	if queued > 0 {
		r.events.add("known-pages", "queued", queued, "left", more)
	}
	return queued > 0, nil
}

// knownItem returns the place in the queue of a page that was there at its last visit, which was before this run; false if there is none
// for it.
func (r *Run) knownItem(e *history.Entry) (frontier.Item, bool) {
	if e.Status >= 400 || !strings.Contains(e.MIME, "html") || !e.Last.Before(r.started) {
		return frontier.Item{}, false
	}
	u, err := canon.Parse(e.URL)
	if err != nil || !u.IsHTTP() {
		return frontier.Item{}, false
	}
	c := scope.Candidate{URL: u, Hops: scope.Hops(scope.HopLink)}
	if action, acts := c.Acts(); acts {
		c.Suspicions = []scope.Suspicion{action}
	}
	set := r.scope.Load()
	r.inform(set, &c)
	if d := set.Decide(&c, r.seeds); !d.Accepted() {
		return frontier.Item{}, false
	}
	it := frontier.Item{
		Key: e.Key, URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
		HopPath: string(scope.HopLink), Band: BandPage, Score: PlainScore, Depth: 1,
	}
	a := Admission{URL: u, Item: &it}
	return it, r.stages.admits(&a)
}
