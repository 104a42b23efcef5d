package crawl

import (
	"fmt"
	"time"

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
	Leeway       float64               `json:"leeway,omitempty" toml:"leeway"`              // of a guided crawl: among how many of the most relevant pages the plan chooses, as a share of the visits to come; 0.125, negative: one
	Revisit      coherence.RevisitKind `json:"revisit,omitempty" toml:"revisit"`            // order of revisits; none
	RevisitPages int64                 `json:"revisitPages,omitempty" toml:"revisit-pages"` // revisits of a group at most; 0: all
	RevisitTime  scope.Duration        `json:"revisitTime,omitempty" toml:"revisit-time"`   // of the revisits of a group; 0: no limit
	GroupBy      GroupBy               `json:"groupBy,omitempty" toml:"group-by"`           // host, or prefix where there are Groups
	Groups       []string              `json:"groups,omitempty" toml:"groups"`              // URL prefixes
	Twins        int                   `json:"twins,omitempty" toml:"twins"`                // pages of each template that are asked for twice at once, to know what differs at every request; 0: none
	Layers       []layer.Name          `json:"layers,omitempty" toml:"layers"`              // compared and kept in the history; all with revisits, else none
}

// NoRevisit is the word for a crawl that visits each page once.
const NoRevisit coherence.RevisitKind = "none"

// Revisits reports whether pages are visited twice.
func (c *Coherence) Revisits() bool { return c.Revisit != "" && c.Revisit != NoRevisit }

// Planned reports whether the crawl is planned for coherence at all.
func (c *Coherence) Planned() bool { return c.Strategy != "" || c.Revisits() }

// withDefaults fills what the fields that are set ask for.
func (c Coherence) withDefaults() Coherence {
	if c.Revisit == "" && c.Strategy != "" {
		c.Revisit = NoRevisit
	}
	if !c.Planned() {
		return c
	}
	if c.Strategy == "" && c.Revisit == coherence.Plan {
		c.Strategy = coherence.Varve
	}
	set(&c.Strategy, coherence.BFS)
	set(&c.Eta, coherence.DefaultEta)
	set(&c.Leeway, coherence.DefaultLeeway)
	if c.GroupBy == "" && len(c.Groups) > 0 {
		c.GroupBy = ByPrefix
	}
	set(&c.GroupBy, ByHost)
	if c.Revisits() && len(c.Layers) == 0 {
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
	if c.Twins < 0 || c.Twins > twinsPerHost {
		return invalid("--twins", fmt.Errorf("%d is not between 0 and %d", c.Twins, twinsPerHost), "2 or 3 are enough for a template")
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
	if c.Leeway > 1 {
		return invalid("--leeway", fmt.Errorf("%g is not a share", c.Leeway), "0.125 chooses among an eighth of what can still be visited, 1 among all of it")
	}
	if c.Planned() && def.Order != frontier.BreadthFirst {
		return invalid("--strategy", fmt.Errorf("a strategy orders the visits, so an order of the frontier cannot"), "leave out one of them")
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

// The phases of a group.
const (
	PhaseVisits   = "visits"
	PhaseRevisits = "revisits"
	PhaseOver     = "over"
)

// GroupReport says how one round of a group went. Counts of revisits are by pages.
type GroupReport struct {
	Group     string                `json:"group"`
	Round     int                   `json:"round"` // 1, and more where pages were found late
	Phase     string                `json:"phase"` // visits, revisits, over
	Strategy  coherence.Strategy    `json:"strategy"`
	Revisit   coherence.RevisitKind `json:"revisit"`
	Begun     time.Time             `json:"begun,omitzero"`     // first visit
	Reference time.Time             `json:"reference,omitzero"` // end of the visits
	Ended     time.Time             `json:"ended,omitzero"`     // of the last revisit
	Expected  int                   `json:"expected,omitempty"` // pages, as estimated before the visits were over
	Visited   int64                 `json:"visited"`            // pages with an answer that can be compared
	Planned   int64                 `json:"planned"`            // revisits
	Skipped   int64                 `json:"skipped,omitempty"`  // not revisited: the budget
	Revisited int64                 `json:"revisited"`
	Unchanged map[layer.Name]int64  `json:"unchanged,omitempty"` // of Revisited, per layer
	Changed   int64                 `json:"changed"`             // of Revisited: the bytes differ
	Links     int64                 `json:"links,omitempty"`     // of Changed: the set of links differs
	Vouched   int64                 `json:"vouched,omitempty"`   // of Revisited: not modified, by a weak validator or a date; the bytes are not known
	Missing   int64                 `json:"missing"`             // of Revisited: an error, or no answer
	Unknown   int64                 `json:"unknown,omitempty"`   // not revisited: robots.txt, scope
	Layer     layer.Name            `json:"layer,omitempty"`     // that forecast and actual are about
	Forecast  float64               `json:"forecast,omitempty"`  // share of planned revisits expected unchanged
	// The interval that holds that share with 95 %; both 0 where rates are given and nothing is uncertain but chance.
	ForecastLow  float64          `json:"forecastLow,omitempty"`
	ForecastHigh float64          `json:"forecastHigh,omitempty"`
	Actual       float64          `json:"actual,omitempty"`  // share of revisits that were
	Replans      int              `json:"replans,omitempty"` // of the revisits
	Rates        map[string]int64 `json:"rates,omitempty"`   // pages by where their change rate comes from
}
