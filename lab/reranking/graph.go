package reranking

import (
	"math"
	"math/rand/v2"

	"varve/crawl/priority"
)

// Shares of the generated web. They are assumptions: about half of all links stay on the host, links
// across hosts lead to the same topic several times more often than chance, some pages are linked from everywhere
// and are about nothing, a third of the anchors say nothing. How they were set is told in docs/algorithms/priority.md.
const (
	shareOnHost   = 0.45 // links that stay on the host
	sharePortal   = 0.08 // of the others: to a portal
	shareSubtopic = 0.30 // to the same subtopic, for a page all about its topic
	shareTopic    = 0.25 // to the same topic
	shareSilent   = 0.35 // anchors without words of the target
	sharePortals  = 0.01 // pages that are portals
	shareStray    = 0.10 // words of a page that come from another topic
	titleWords    = 8

	leastShare, mostShare = 0.05, 0.90 // of the words of a page that are about its topic

	servicePer   = 8 // of so many pages of a host one is a service page,
	servicePages = 6 // up to so many
)

// page is a page of the web.
type page struct {
	topic, sub int
	host       int
	portal     bool    // linked from everywhere, about nothing
	service    bool    // linked from everywhere on its host, about nothing
	share      float64 // of its words that are about its topic
	title      []uint64
	vector     priority.Vector
	links      []link
}

type link struct {
	to     int
	anchor priority.Vector
}

// graph is the web.
type graph struct {
	config   Config
	pages    []page
	byHost   [][]int
	bySub    [][]int // pages of a subtopic, most linked first
	byTopic  [][]int
	portals  []int
	services [][]int // by host
	idf      func(term uint64) float64
}

// newGraph makes a web.
func newGraph(c Config) *graph {
	rng := rand.New(rand.NewPCG(c.Seed, 0x746f706963))
	g := &graph{
		config: c, pages: make([]page, c.Pages), byHost: make([][]int, c.Hosts),
		services: make([][]int, c.Hosts),
		bySub:    make([][]int, c.Topics*c.Subtopics), byTopic: make([][]int, c.Topics),
	}
	lex := newLexicon(c)
	subs := newZipf(c.Subtopics)
	hosts := newHosts(rng, c, subs)
	sizes := newZipf(c.Hosts)
	words := make([]map[uint64]int, c.Pages)
	for i := range g.pages {
		h := i
		if i >= c.Hosts { // each host has a page, large ones have many
			h = sizes.draw(rng)
		}
		g.place(i, h, hosts[h], subs, rng)
		words[i] = g.write(&g.pages[i], lex, rng)
	}
	g.weigh(words)
	for i := range g.pages {
		g.link(i, lex, rng)
	}
	return g
}

// leaning is what a host is about.
type leaning struct {
	topic  int
	pure   float64 // share of its pages that are about it
	favour [3]int  // subtopics it likes
}

func newHosts(rng *rand.Rand, c Config, subs zipf) []leaning {
	hosts := make([]leaning, c.Hosts)
	for i := range hosts {
		hosts[i] = leaning{topic: rng.IntN(c.Topics), pure: 0.4 + 0.55*rng.Float64()}
		for k := range hosts[i].favour {
			hosts[i].favour[k] = subs.draw(rng)
		}
	}
	return hosts
}

// place decides on host, topic and subtopic of a page.
func (g *graph) place(i, host int, l leaning, subs zipf, rng *rand.Rand) {
	p := &g.pages[i]
	p.host, p.topic, p.sub = host, l.topic, subs.draw(rng)
	if rng.Float64() > l.pure {
		p.topic = rng.IntN(g.config.Topics)
	} else if rng.Float64() < 0.7 {
		p.sub = l.favour[rng.IntN(len(l.favour))]
	}
	p.share = leastShare + (mostShare-leastShare)*(rng.Float64()+rng.Float64())/2
	g.byHost[host] = append(g.byHost[host], i)
	switch n := len(g.byHost[host]); {
	case rng.Float64() < sharePortals:
		p.portal, p.share = true, 0.03
		g.portals = append(g.portals, i)
		return
	case g.config.Navigation > 0 && n%servicePer == 1 && n < servicePer*servicePages:
		p.service, p.share = true, 0.03
		g.services[host] = append(g.services[host], i)
		return
	}
	s := p.topic*g.config.Subtopics + p.sub
	g.bySub[s] = append(g.bySub[s], i)
	g.byTopic[p.topic] = append(g.byTopic[p.topic], i)
}

// write draws the words of a page and its title.
func (g *graph) write(p *page, lex *lexicon, rng *rand.Rand) map[uint64]int {
	words := map[uint64]int{}
	for range length(rng) {
		words[lex.word(rng, p, p.share)]++
	}
	for range titleWords {
		w := lex.word(rng, p, min(2.5*p.share, 0.9))
		p.title = append(p.title, w)
		words[w]++
	}
	return words
}

// word draws one word of a page.
func (l *lexicon) word(rng *rand.Rand, p *page, share float64) uint64 {
	switch x := rng.Float64(); {
	case x < share:
		return l.about(rng, p.topic, p.sub)
	case x < share+shareStray:
		return l.about(rng, rng.IntN(l.topics), rng.IntN(l.subtopics))
	}
	return l.plain(rng)
}

// weigh makes the vectors of all pages, with the formula of priority.Corpus.
func (g *graph) weigh(words []map[uint64]int) {
	df := map[uint64]int{}
	for _, m := range words {
		for w := range m {
			df[w]++
		}
	}
	g.idf = func(t uint64) float64 { return math.Log(1 + float64(len(words))/float64(max(df[t], 1))) }
	for i, m := range words {
		g.pages[i].vector = g.vector(m)
	}
}

func (g *graph) vector(words map[uint64]int) priority.Vector {
	weights := make(map[uint64]float64, len(words))
	for w, n := range words {
		weights[w] = (1 + math.Log(float64(n))) * g.idf(w)
	}
	return priority.VectorOf(weights)
}
