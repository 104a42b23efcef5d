package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"varve"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/text/layer"
)

// planOptions are the flags of crawl that ask for pages that hang together in time.
type planOptions struct {
	strategy, revisit string
	eta, leeway       float64
	budget            string
	twins             int
	groupBy           string
	groups            []string
	layers            []string
}

func (o *planOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.strategy, "strategy", "", "order of visits: "+strategyNames()+" (default varve with --revisit plan, bfs with fifo and lifo)")
	f.Float64Var(&o.eta, "eta", coherence.DefaultEta, "chance of a change from which measurable and inducible give a page up")
	f.Float64Var(&o.leeway, "leeway", coherence.DefaultLeeway, "with --topic or a definition: among how many of the most relevant pages the plan chooses, as a share of the visits to come; 1: all, 0: the most relevant one")
	f.StringVar(&o.revisit, "revisit", "none", "visit every page again when all are visited: none, fifo, lifo, plan (so that most are found unchanged)")
	f.StringVar(&o.budget, "revisit-budget", "", "revisits of a group at most, as pages (500) or as time (30m)")
	f.IntVar(&o.twins, "twins", 2, "with --revisit: pages of each template that are asked for twice at once, to tell what differs at every request from changes; 0 for none")
	f.StringVar(&o.groupBy, "group-by", "", "pages that are to hang together: host, prefix, sitemap, crawl (default host)")
	f.StringArrayVar(&o.groups, "group", nil, "URL prefix whose pages are a group; repeatable")
	f.StringSliceVar(&o.layers, "layers", nil, "layers to compare and keep: bytes,dom,text,main,near,links (default all with --revisit, else none)")
}

func strategyNames() string {
	var names []string
	for _, s := range coherence.Strategies() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// definition makes the part of a definition that is about coherence.
func (o *planOptions) definition() (crawl.Coherence, error) {
	c := crawl.Coherence{
		Strategy: coherence.Strategy(o.strategy), Eta: o.eta, Leeway: o.leeway, Revisit: coherence.RevisitKind(o.revisit),
		GroupBy: crawl.GroupBy(o.groupBy), Groups: o.groups,
	}
	if c.Strategy == "" && c.Revisit == crawl.NoRevisit {
		c.Eta, c.Leeway, c.Revisit = 0, 0, ""
	}
	if o.leeway == 0 {
		c.Leeway = -1 // 0 is the default in a file
	}
	if c.Revisits() {
		c.Twins = o.twins
	}
	for _, n := range o.layers {
		c.Layers = append(c.Layers, layer.Name(n))
	}
	if o.budget == "" {
		return c, nil
	}
	if n, err := strconv.ParseInt(o.budget, 10, 64); err == nil && n > 0 {
		c.RevisitPages = n
		return c, nil
	}
	d, err := time.ParseDuration(o.budget)
	if err != nil || d <= 0 {
		return c, &varve.Error{Kind: varve.Invalid, Op: "--revisit-budget " + o.budget, Msg: "neither a number of pages nor a time", Hint: "such as 500 or 30m"}
	}
	c.RevisitTime = scope.Duration(d)
	return c, nil
}
