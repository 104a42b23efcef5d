package survey

import (
	"varve/spam/content"
	"varve/spam/feature"
	"varve/spam/graph"
	"varve/spam/history"
	"varve/spam/terms"
)

// linkFeatures appends the content of the best page and all link features.
func (t *tabling) linkFeatures(h *hostVisits, pages []*Visit, whole *content.Host, row *Row) error {
	id := t.ids[h.name]
	home, best := t.chosen(pages, whole.Home())
	f, err := best.features()
	if err != nil {
		return err
	}
	row.Values = append(row.Values, f[:]...)
	row.Values = t.hosts.append(row.Values, id, measures(false))
	u := feature.Unknown()
	sameAddress := u
	if row.Address != "" {
		sameAddress = float64(t.addresses[row.Address] - 1)
	}
	row.Values = append(row.Values, graph.Clustering(t.hosts.g, id, t.cfg.Seed),
		float64(t.hosts.likeOut[0][id]), float64(t.hosts.likeOut[1][id]), float64(t.hosts.likeIn[0][id]), float64(t.hosts.likeIn[1][id]),
		float64(t.hosts.companions[id]), sameAddress, float64(t.domains[row.Domain]-1), truth(home == best))
	for _, p := range []*Visit{home, best} {
		at, _ := t.page(p.Key)
		row.Values = t.pages.append(row.Values, at, measures(true))
	}
	return nil
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// chosen are the home page and the page of highest PageRank; of equals the first.
func (t *tabling) chosen(pages []*Visit, homeURL string) (home, best *Visit) {
	high := -1.0
	for _, p := range pages {
		if p.URL == homeURL {
			home = p
		}
		at, _ := t.page(p.Key)
		if r := t.pages.ranks.PageRank[at]; r > high {
			high, best = r, p
		}
	}
	return home, best
}

// past is a host in each snapshot in which it has pages.
type past struct {
	bags      []terms.Hashed
	centred   [][]float64
	languages []string
}

func (t *tabling) history(h *hostVisits) (*past, error) {
	out := &past{}
	for s, name := range t.snapshots {
		pages := h.lastOf(func(v *Visit) bool { return t.cfg.Snapshots.of(v) == name })
		if len(pages) == 0 {
			continue
		}
		bag, err := words(pages)
		if err != nil {
			return nil, err
		}
		vector, err := means(pages)
		if err != nil {
			return nil, err
		}
		out.bags = append(out.bags, bag)
		out.centred = append(out.centred, t.centre.Centred(s, vector))
		out.languages = append(out.languages, mainLanguage(pages))
	}
	return out, nil
}

// past appends the features of history.
func (t *tabling) past(values []float64, h *hostVisits, p *past) []float64 {
	values = history.Words(values, p.bags)
	values = t.links.Vector(values, t.ids[h.name])
	last := p.centred[len(p.centred)-1]
	return append(append(values, last...), history.Variance(p.centred)...)
}

// terms appends the weights of words, and how they changed if there is a past.
func (t *tabling) terms(row *Row, language string, bag terms.Hashed, p *past) {
	if t.cfg.Terms == 0 {
		return
	}
	row.Values = t.weigh(row.Values, language, bag)
	if p == nil {
		return
	}
	var series [][]float64
	for i, b := range p.bags {
		series = append(series, t.weigh(nil, p.languages[i], b))
	}
	ave, dev, decay := history.Weights(series)
	row.Values = append(append(append(row.Values, ave...), dev...), decay...)
}

// weigh appends the weights of words as the configuration wants them.
func (t *tabling) weigh(out []float64, language string, bag terms.Hashed) []float64 {
	if t.cfg.TFIDF {
		return t.weigher.TFIDF(out, language, bag)
	}
	return t.weigher.BM25(out, language, bag)
}
