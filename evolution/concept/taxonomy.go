package concept

import "slices"

// Topic is a node of a taxonomy.
type Topic struct {
	Name      string
	Depth     int             // of the root: 0
	Extension map[string]bool // terms of its description and of what is filed under it
}

// Hot returns the topics that a concept says a new subtopic of: those whose extension has more than a share of its terms,
//
//	|c ∩ Ext(k)| > match * |c|
//
// in their order. A topic that is hot for one of several concepts will get a subtopic (topic-based prediction); a concept for which one is hot will be a topic itself (concept-based).
func Hot(c []string, topics []Topic, match float64) (hot []int) {
	c = unique(c)
	for i := range topics {
		n := 0
		for _, t := range c {
			if topics[i].Extension[t] {
				n++
			}
		}
		if float64(n) > match*float64(len(c)) {
			hot = append(hot, i)
		}
	}
	return slices.Clip(hot)
}
