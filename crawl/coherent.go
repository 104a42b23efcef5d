package crawl

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"varve"
	"varve/coherence"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/layer"
	"varve/web/canon"
)

// GroupBy says which pages are planned together and have one reference point.
type GroupBy string

// The groupings. Parts of a page (pictures, style sheets) and where it redirects belong to its group.
const (
	ByHost    GroupBy = "host"    // the pages of a host; the default: hosts are visited beside each other, each at its own pace
	ByCrawl   GroupBy = "crawl"   // all pages; the slowest host decides when the revisits begin
	ByPrefix  GroupBy = "prefix"  // the pages under each of Groups; others by host
	BySitemap GroupBy = "sitemap" // the pages that a sitemap lists; others by host
)

// Coherence is the part of a Definition that asks for pages that hang together in time.
type Coherence struct {
	Strategy     coherence.Strategy    `json:"strategy,omitempty" toml:"strategy"`          // order of visits; varve with plan, bfs with fifo and lifo
	Eta          float64               `json:"eta,omitempty" toml:"eta"`                    // threshold of measurable and inducible; 0.6
	Revisit      coherence.RevisitKind `json:"revisit,omitempty" toml:"revisit"`            // order of revisits; none
	RevisitPages int64                 `json:"revisitPages,omitempty" toml:"revisit-pages"` // revisits of a group at most; 0: all
	RevisitTime  scope.Duration        `json:"revisitTime,omitempty" toml:"revisit-time"`   // of the revisits of a group; 0: no limit
	GroupBy      GroupBy               `json:"groupBy,omitempty" toml:"group-by"`           // host, or prefix where there are Groups
	Groups       []string              `json:"groups,omitempty" toml:"groups"`              // URL prefixes
	Layers       []layer.Name          `json:"layers,omitempty" toml:"layers"`              // compared and kept in the history; all with revisits, else none
}

// NoRevisit is the word for a crawl that visits each page once.
const NoRevisit coherence.RevisitKind = "none"

// revisits tells whether pages are visited twice.
func (c *Coherence) revisits() bool { return c.Revisit != "" && c.Revisit != NoRevisit }

// asked tells whether the crawl is planned for coherence at all.
func (c *Coherence) asked() bool { return c.Strategy != "" || c.revisits() }

// withDefaults fills what the fields that are set ask for.
func (c Coherence) withDefaults() Coherence {
	if c.Revisit == "" && c.Strategy != "" {
		c.Revisit = NoRevisit
	}
	if !c.asked() {
		return c
	}
	if c.Strategy == "" && c.Revisit == coherence.Plan {
		c.Strategy = coherence.Varve
	}
	set(&c.Strategy, coherence.BFS)
	set(&c.Eta, coherence.DefaultEta)
	if c.GroupBy == "" && len(c.Groups) > 0 {
		c.GroupBy = ByPrefix
	}
	set(&c.GroupBy, ByHost)
	if c.revisits() && len(c.Layers) == 0 {
		c.Layers = layer.Names()
	}
	return c
}

// check tells what cannot be planned.
func (c *Coherence) check(def *Definition) error {
	if c.Revisit != "" && c.Revisit != NoRevisit {
		if _, err := coherence.ParseRevisit(string(c.Revisit)); err != nil {
			return invalid("--revisit", err, "none, fifo, lifo or plan")
		}
	}
	if _, err := coherence.ParseStrategy(string(c.Strategy)); err != nil {
		return invalid("--strategy", err, "")
	}
	if c.Eta < 0 || c.Eta >= 1 {
		return invalid("--eta", fmt.Errorf("%g is not between 0 and 1", c.Eta), "it is the chance of a change from which a page is given up")
	}
	for _, n := range c.Layers {
		if !n.Valid() {
			return invalid("--layers", fmt.Errorf("%q is no layer", n), "there are bytes, dom, text, main, near and links")
		}
	}
	if err := c.checkGroups(); err != nil {
		return err
	}
	if c.asked() && (len(def.Topic) > 0 || def.Order != frontier.BreadthFirst) {
		return invalid("--strategy", fmt.Errorf("a strategy orders the visits, so a topic or an order of the frontier cannot"), "leave out one of them")
	}
	return nil
}

func (c *Coherence) checkGroups() error {
	switch c.GroupBy {
	case "", ByHost, ByCrawl, BySitemap:
		if len(c.Groups) > 0 {
			return invalid("--group", fmt.Errorf("URL prefixes are for groups by prefix, not by %s", c.GroupBy), "")
		}
	case ByPrefix:
		if len(c.Groups) == 0 {
			return invalid("--group-by prefix", fmt.Errorf("no prefix"), "give --group URL")
		}
	default:
		return invalid("--group-by", fmt.Errorf("%q is not known", c.GroupBy), "host, prefix, sitemap or crawl")
	}
	for _, p := range c.Groups {
		if u, err := canon.Parse(p); err != nil || !u.IsHTTP() {
			return invalid("--group "+p, fmt.Errorf("no http URL"), "such as https://example.org/news/")
		}
	}
	return nil
}

func invalid(op string, err error, hint string) error {
	return &varve.Error{Kind: varve.Invalid, Op: op, Err: err, Hint: hint}
}

// Bands of a crawl that is planned: only the first is ordered by the frontier.
const (
	bandAgain   = 0 // revisits
	bandUrgent  = 1 // sitemaps, which tell what there is to plan
	bandPlanned = 2 // the planner says which comes next
)

// coherent is the part of a run that sees to it that pages hang together: which page is visited
// next, when the visits of a group are over, and which is revisited next. The frontier has all that
// must outlive a kill; this is its index, made anew from the queue when a crawl is resumed.
//
// Memory: a page that waits for its visit takes about 300 bytes and its URL; one that was visited
// nothing, and 80 bytes for the moment in which the revisits of its group are planned.
type coherent struct {
	r      *Run
	def    Coherence
	rates  Rates
	prefix []string // of groups, longest first

	step sync.Mutex // one at a time moves groups on

	mu      sync.Mutex
	groups  map[string]*group
	numbers []*group
	lanes   map[string][]*lane // by host, in the order of their groups
	touched map[*group]struct{}
	stirred []*lane                // whose records are not stored yet
	kept    map[string]*laneRecord // of a crawl that is resumed, by note; lanes take theirs
	closed  bool                   // a limit was reached: no more visits
	open    int64                  // visits queued that may still be made
	again   int64                  // revisits queued
	seeded  int                    // groups with seeds whose visits are not over
}

// newCoherent gives nil for a crawl that is not planned.
func newCoherent(r *Run, rates Rates) *coherent {
	def := r.Def.Coherence
	if !def.asked() {
		return nil
	}
	c := &coherent{
		r: r, def: def, rates: rates,
		groups: map[string]*group{}, lanes: map[string][]*lane{}, touched: map[*group]struct{}{},
	}
	for _, p := range def.Groups {
		if u, err := canon.Parse(p); err == nil {
			c.prefix = append(c.prefix, u.String())
		}
	}
	if rates == nil {
		c.rates = r.learnRates()
	}
	slices.SortFunc(c.prefix, func(a, b string) int { return len(b) - len(a) })
	return c
}

// nameOf names the group of a URL that no page hands its own group to.
func (c *coherent) nameOf(url, host string) string {
	switch c.def.GroupBy {
	case ByCrawl:
		return "crawl"
	case ByPrefix:
		for _, p := range c.prefix {
			if strings.HasPrefix(url, p) {
				return "prefix:" + p
			}
		}
	}
	return "host:" + host
}
