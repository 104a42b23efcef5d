package reranking

import (
	"math/rand/v2"
	"slices"
)

// link gives a page its outlinks, each target once.
func (g *graph) link(i int, lex *lexicon, rng *rand.Rand) {
	p := &g.pages[i]
	n := 1 + rng.IntN(2*g.config.Links-1)
	for tries := 0; len(p.links) < n && tries < 3*n; tries++ {
		to := g.target(i, rng)
		if to == i || slices.ContainsFunc(p.links, func(l link) bool { return l.to == to }) {
			continue
		}
		words := map[uint64]int{}
		if rng.Float64() < shareSilent {
			words[lex.plain(rng)]++
		} else {
			for range 2 + rng.IntN(3) {
				words[g.pages[to].title[rng.IntN(titleWords)]]++
			}
		}
		p.links = append(p.links, link{to, g.vector(words)})
	}
}

// target draws where a link leads. The more a page is about its topic, the more its links are.
func (g *graph) target(i int, rng *rand.Rand) int {
	p := &g.pages[i]
	if rng.Float64() < shareOnHost {
		if s := g.services[p.host]; len(s) > 0 && rng.Float64() < g.config.Navigation {
			return s[rng.IntN(len(s))]
		}
		return popular(g.byHost[p.host], rng)
	}
	focus := p.share / mostShare // 1 for a page all about its topic
	switch x := rng.Float64(); {
	case x < sharePortal && len(g.portals) > 0:
		return popular(g.portals, rng)
	case p.portal, p.service:
	case x < sharePortal+shareSubtopic*focus:
		return popular(g.bySub[p.topic*g.config.Subtopics+p.sub], rng)
	case x < sharePortal+(shareSubtopic+shareTopic)*focus:
		return popular(g.byTopic[p.topic], rng)
	}
	return rng.IntN(len(g.pages))
}

// popular draws from a list with the earlier ones more often: the cube of a uniform number gives the first
// tenth of the list almost half of the links.
func popular(list []int, rng *rand.Rand) int {
	x := rng.Float64()
	return list[int(x*x*x*float64(len(list)))]
}
