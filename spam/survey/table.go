package survey

import (
	"context"
	"fmt"
	"strings"

	"varve/crawl/spamfilter"
	"varve/spam/compression"
	"varve/spam/content"
	"varve/spam/feature"
	"varve/spam/history"
	"varve/spam/terms"
	"varve/web/canon"
)

// Row is one host of the table.
type Row struct {
	Host    string
	Domain  string
	Address string // "" if not known
	Links   string // hosts of other domains that it links, with blanks between them
	Class   string // Spam, Normal, or "" if nobody judged
	Values  []float64
}

// Writer takes the table of features.
type Writer interface {
	// Begin gets the features, in the order of the values of each row.
	Begin(features []feature.Definition) error
	Write(r *Row) error
}

// Summary is what was computed.
type Summary struct {
	Hosts     int      `json:"hosts"` // rows
	Linked    int      `json:"hosts_linked"`
	Pages     int      `json:"pages"`
	Features  int      `json:"features"`
	Spam      int      `json:"spam"` // labels
	Normal    int      `json:"normal"`
	Snapshots []string `json:"snapshots,omitempty"`
	HostEdges int      `json:"host_edges"`
	PageEdges int      `json:"page_edges"`
}

// tabling is pass 3.
type tabling struct {
	*atlas
	out      Writer
	weigher  *terms.Weigher
	features int
}

// more says whether history is told.
func (a *atlas) more() bool { return a.cfg.Snapshots != ByNothing && !a.cfg.Crawl }

// Definitions tell the features of the table, but those of terms, which the collection chooses.
func Definitions(by By, crawl bool) []feature.Definition {
	page := content.Definitions()
	var out []feature.Definition
	aggregate := func(prefix, told string) {
		for _, d := range page {
			out = append(out, feature.Define(prefix+d.Name, d.Group, d.Cost, told+d.Formula))
		}
	}
	aggregate("home.", "home page: ")
	aggregate("mean.", "mean over pages: ")
	aggregate("std.", "standard deviation over pages: ")
	for _, d := range content.HostDefinitions() {
		out = append(out, feature.Define("host."+d.Name, d.Group, d.Cost, d.Formula))
	}
	if crawl {
		return out
	}
	aggregate("best.", "page of highest PageRank: ")
	out = append(out, define("link.", " (host graph)", measures(false))...)
	out = append(out, surroundings()...)
	out = append(out, define("link.home.", " (page graph, home page)", measures(true))...)
	out = append(out, define("link.best.", " (page graph, page of highest PageRank)", measures(true))...)
	for _, d := range compression.Definitions() {
		out = append(out, feature.Define("compression."+d.Name, d.Group, d.Cost, d.Formula))
	}
	if by == ByNothing {
		return out
	}
	for _, d := range append(append(history.WordDefinitions(), history.LinkDefinitions()...), history.CentredDefinitions(page)...) {
		out = append(out, feature.Define("history."+d.Name, d.Group, d.Cost, d.Formula))
	}
	return out
}

// surroundings are features of the host graph that are no measures of a node alone.
func surroundings() []feature.Definition {
	def := func(name, formula string) feature.Definition {
		return feature.Define("link."+name, feature.Links, feature.Graph, formula)
	}
	return []feature.Definition{
		def("clustering", "share of pairs of out-neighbours that are linked"),
		def("like_out.1", "mean XJaccard with out-neighbours: what both link to"),
		def("like_out.2", "the same for walks of 2 steps"),
		def("like_in.1", "mean XJaccard with out-neighbours: what links to both"),
		def("like_in.2", "the same for walks of 2 steps"),
		def("simrank", "mean SimRank with out-neighbours"),
		def("same_address", "other hosts on the same IP address"),
		def("same_domain", "other hosts of the same pay-level domain"),
		def("home_is_best", "1 if the home page has the highest PageRank"),
	}
}

// definitions are those of this table.
func (t *tabling) definitions() []feature.Definition {
	out := Definitions(t.cfg.Snapshots, t.cfg.Crawl)
	if t.cfg.Crawl || t.cfg.Terms == 0 {
		return out
	}
	prefixes := []string{"term."}
	if t.more() {
		prefixes = append(prefixes, "term.ave.", "term.dev.", "term.decay.")
	}
	for _, p := range prefixes {
		for _, d := range t.weigher.Definitions() {
			out = append(out, feature.Define(p+d.Name, d.Group, d.Cost, d.Formula))
		}
	}
	return out
}

func (t *tabling) write(ctx context.Context) (Summary, error) {
	defs := t.definitions()
	t.features = len(defs)
	sum := Summary{Linked: len(t.all), Pages: len(t.keys), Features: len(defs), Snapshots: t.snapshots}
	if t.cfg.Snapshots == ByNothing {
		sum.Snapshots = nil
	}
	if t.hosts != nil {
		sum.HostEdges, sum.PageEdges = t.hosts.g.Edges(), t.pages.g.Edges()
	}
	if err := t.out.Begin(defs); err != nil {
		return sum, err
	}
	err := eachHost(t.cfg.Dir, func(h *hostVisits) error {
		row, err := t.row(h)
		if err != nil || row == nil {
			return err
		}
		sum.Hosts++
		switch row.Class {
		case Spam:
			sum.Spam++
		case Normal:
			sum.Normal++
		}
		if err := t.out.Write(row); err != nil {
			return err
		}
		return ctx.Err()
	})
	return sum, err
}

// row computes the features of a host; nil if it has no page with text.
func (t *tabling) row(h *hostVisits) (*Row, error) {
	pages := h.current()
	if len(pages) == 0 {
		return nil, nil
	}
	whole, err := h.summed(pages)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	row := &Row{Host: h.name, Domain: canon.PayLevelDomain(h.name), Address: h.address(), Class: t.cfg.Labels[h.name], Values: whole.Vector()}
	row.Links = linksOf(row.Domain, pages)
	if !t.cfg.Crawl {
		if err := t.rest(h, pages, whole, row); err != nil {
			return nil, fmt.Errorf("%s: %w", h.name, err)
		}
	}
	if len(row.Values) != t.features {
		return nil, fmt.Errorf("%s: %d values for %d features", h.name, len(row.Values), t.features)
	}
	return row, nil
}

// rest appends what needs the collection.
func (t *tabling) rest(h *hostVisits, pages []*Visit, whole *content.Host, row *Row) error {
	if err := t.linkFeatures(h, pages, whole, row); err != nil {
		return err
	}
	row.Values = t.folds.For(row.Domain).Measure(row.Values, sample(pages))
	bag, err := words(pages)
	if err != nil {
		return err
	}
	var past *past
	if t.more() {
		if past, err = t.history(h); err != nil {
			return err
		}
		row.Values = t.past(row.Values, h, past)
	}
	t.terms(row, mainLanguage(pages), bag, past)
	return nil
}

// maxLinks bounds the hosts that a row names: as many as a crawl keeps.
const maxLinks = spamfilter.MaxTargets

// linksOf names the hosts of other domains that pages link, the first ones.
func linksOf(domain string, pages []*Visit) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, p := range pages {
		for _, to := range p.Hosts {
			if len(seen) == maxLinks {
				return b.String()
			}
			if seen[to] || canon.PayLevelDomain(to) == domain {
				continue
			}
			if seen[to] = true; b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(to)
		}
	}
	return b.String()
}
