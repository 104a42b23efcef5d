package plan

import (
	"slices"
	"strings"
	"sync"

	"varve/clock"
	"varve/coherence/changerate"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/dating"
	"varve/text/layer"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/markup"
)

// Bands of a planned crawl: only the first is ordered by the frontier.
const (
	bandAgain   = 0 // revisits
	bandUrgent  = 1 // sitemaps, which tell what there is to plan
	bandPlanned = 2 // the planner says which comes next
)

// Stage sees to it that pages hang together: which page is visited
// next, when the visits of a group are over, and which is revisited next. The frontier has all that
// must outlive a kill; this is its index, made anew from the queue when a crawl is resumed.
//
// Memory: a page that waits for its visit takes about 300 bytes and its URL; one that was visited
// nothing, and 80 bytes for the moment in which the revisits of its group are planned.
type Stage struct {
	r      core
	def    crawl.Coherence
	delay  *scope.Duration // of the definition
	guided bool            // what is relevant comes first
	most   int64           // pages of the crawl; 0: no limit
	rates  Rates
	pool   *changerate.Pool // what the crawl learns of rates while it runs; nil: rates are given. A crawl that is resumed fills it from what its queue keeps of visited pages
	size   func(group string) int
	prefix []string // of groups, longest first

	step sync.Mutex // one at a time moves groups on

	mu      sync.Mutex
	groups  map[string]*group
	numbers []*group
	lanes   map[string][]*lane     // by host, in the order of their groups
	touched map[*group]struct{}    // to be looked at
	aside   map[*group]struct{}    // groups without seeds, until those with seeds are done
	stirred []*lane                // whose records are not stored yet
	kept    map[string]*laneRecord // of a crawl that is resumed, by note; lanes take theirs
	closed  bool                   // a limit was reached: no more visits
	open    int64                  // visits queued that may still be made
	again   int64                  // revisits queued
	seeded  int                    // groups with seeds whose visits are not over
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Order
	crawl.Idler
	crawl.Committer
	crawl.Teller
	crawl.PageReader
} = (*Stage)(nil)

// NewReader looks for what pages say of their last change.
func (c *Stage) NewReader() markup.Subscriber {
	if c.pool == nil || !c.def.Revisits() {
		return nil
	}
	return &dating.Reader{}
}

// core is what the stage needs of its run; *crawl.Run is one.
type core interface {
	Frontier() *frontier.Frontier
	History() crawl.History
	Clock() clock.Clock
	Layers() layer.Set
	Busy() int64
	EachSeed(do func(text string, u canon.URL) error) error
	Event(event string, fields ...any)
	Fail(err error)
	Wake()
}

// Options are what a stage is given beside the definition.
type Options struct {
	Rates Rates                  // of pages; nil: from the history and sitemaps
	Size  func(group string) int // pages that a group will have; nil: estimated
}

// New returns the stage of a crawl whose definition is planned.
func New(def crawl.Definition, o Options) *Stage {
	c := &Stage{
		def: def.Coherence, delay: def.Delay, guided: def.Guided(), most: def.MaxPages, rates: o.Rates, size: o.Size,
		groups: map[string]*group{}, lanes: map[string][]*lane{}, touched: map[*group]struct{}{}, aside: map[*group]struct{}{},
	}
	for _, p := range c.def.Groups {
		if u, err := canon.Parse(p); err == nil {
			c.prefix = append(c.prefix, u.String())
		}
	}
	slices.SortFunc(c.prefix, func(a, b string) int { return len(b) - len(a) })
	return c
}

// Open reads what an earlier part of the crawl left, and watches the queue from then on.
func (c *Stage) Open(r *crawl.Run) error { return c.attach(r) }

func (c *Stage) attach(r core) error {
	if c.r = r; c.rates == nil {
		c.rates = c.learnRates()
	}
	if err := c.load(); err != nil {
		return err
	}
	r.Frontier().Watch(c.watch)
	return nil
}

// nameOf names the group of a URL that no page hands its own group to.
func (c *Stage) nameOf(url, host string) string {
	switch c.def.GroupBy {
	case crawl.ByCrawl:
		return "crawl"
	case crawl.ByPrefix:
		for _, p := range c.prefix {
			if strings.HasPrefix(url, p) {
				return "prefix:" + p
			}
		}
	}
	return "host:" + host
}

// Admit gives what was found its band and its group: parts of a page, and where it redirects, belong to the group
// of the page. What a sitemap says goes with it.
func (c *Stage) Admit(a *crawl.Admission) {
	it, v, l := a.Item, a.Visit, a.Link
	switch {
	case a.Taken:
		return
	case v == nil && l == nil: // a seed
		it.Band = bandPlanned
		return
	case v == nil: // named by a robots.txt, and urgent already
		return
	}
	if it.Band != crawl.BandGuess {
		it.Band = bandPlanned
	}
	var f found
	var name string
	switch kind := l.Kind.String(); {
	case kind == "sitemap-index", kind == "link-sitemap":
		it.Band = bandUrgent
		name = c.nameOf(it.URL, it.Host)
	case l.Hop == links.HopEmbed, l.Hop == links.HopRedirect:
	case c.def.GroupBy == crawl.BySitemap && crawl.IsListing(l):
		name = "sitemap:" + v.Item().URL
	default:
		name = c.nameOf(it.URL, it.Host)
	}
	f.listed = crawl.IsListing(l)
	if l.Entry != nil {
		f.freq, f.modified = l.Entry.Changefreq, l.Entry.Lastmod
	}
	c.mu.Lock()
	var g *group
	switch {
	case name != "":
		g = c.group(name)
	default:
		if p := c.lookOf(v); p != nil {
			g = p.group
		} else {
			g = c.itemGroup(v.Item())
		}
	}
	c.mu.Unlock()
	f.group = g.number
	it.Meta = f.append(nil)
}

// Closed reports whether a limit has ended the visits.
func (c *Stage) Closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Close ends the visits because a limit was reached, and reports whether revisits are left.
func (c *Stage) Close(over string) bool {
	c.mu.Lock()
	begun := !c.closed
	if begun {
		c.closed = true
		c.touchAll()
	}
	c.mu.Unlock()
	if begun {
		c.r.Frontier().Only("", bandUrgent)
		c.r.Event("visits-over", "why", over)
	}
	if c.r.Busy() > 0 {
		return true
	}
	if _, err := c.advance(); err != nil {
		c.r.Fail(err)
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again > 0
}

// touchAll has all groups looked at again. The lock is held.
func (c *Stage) touchAll() {
	for _, g := range c.groups {
		c.touched[g] = struct{}{}
	}
}

// Idle moves groups on that nothing else would, and reports whether that gave work.
func (c *Stage) Idle(exhausted bool) bool {
	if exhausted || c.r.Busy() > 0 {
		return false
	}
	moved, err := c.advance()
	if err != nil {
		c.r.Fail(err)
	}
	return moved
}

// Exhausted reports whether no visit is left that may be made, and no revisit.
func (c *Stage) Exhausted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again <= 0 && c.open <= 0
}

// Hold takes the lanes of a host out: visits only, or all; or lets them in again.
func (c *Stage) Hold(host string, h crawl.Hold) {
	shut, parked := h == crawl.HoldVisits, h == crawl.HoldAll
	c.mu.Lock()
	for _, l := range c.lanes[host] {
		was := l.shut || l.parked
		if l.parked != parked {
			n := l.waiting + l.placed
			if parked {
				n = -n
			}
			c.again += n
		}
		l.shut, l.parked = shut, parked
		switch n := l.queued + l.guessed; {
		case was && !shut && !parked:
			c.open += n
		case !was && (shut || parked):
			c.open -= n
		}
		c.touched[l.group] = struct{}{}
	}
	c.mu.Unlock()
	band := uint8(frontier.AllBands)
	if shut {
		band = bandUrgent
	}
	c.r.Frontier().Only(host, band)
}

// Again returns how many of the URLs done at a host are revisits.
func (c *Stage) Again(host string) (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes[host] {
		n += int64(l.record.Revisited)
	}
	return n
}
