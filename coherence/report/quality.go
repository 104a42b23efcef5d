package report

import (
	"time"

	"varve/coherence"
	"varve/text/layer"
)

// Share is a quality of the papers with its denominators: 0 is perfect, nil is not known.
type Share struct {
	coherence.Quality
	Q *float64 `json:"q"`
}

func shareOf(q coherence.Quality) Share {
	s := Share{Quality: q}
	if v, ok := q.Q(); ok {
		s.Q = &v
	}
	return s
}

// Observed tells whether all contents are known to have stood at one instant.
type Observed struct {
	Verdict coherence.Verdict `json:"verdict"`
	From    time.Time         `json:"from,omitzero"`
	To      time.Time         `json:"to,omitzero"`
}

// quality adds up the qualities of a crawl, page by page and group by group. Both are sums over
// pages; of observable coherence the outermost pages decide, so nothing else is kept.
type quality struct {
	measurable coherence.Quality
	inducible  map[layer.Name]coherence.Quality

	latest, earliest, undated *coherence.Captured // latest [mu, t] start, earliest t, one without a date
}

func newQuality() *quality { return &quality{inducible: map[layer.Name]coherence.Quality{}} }

func (q *quality) add(p *Judged, f *Frame) {
	for _, n := range layer.Names() {
		c := p.Captured(n)
		q.inducible[n] = sum(q.inducible[n], coherence.Inducible([]coherence.Captured{c}, f.Visited))
	}
	c := p.Captured(layer.Main) // where all dates count
	if c.Visit.IsZero() {
		return // nothing was captured that could have a date
	}
	q.measurable = sum(q.measurable, coherence.Measurable([]coherence.Captured{c}, f.Start))
	if q.latest == nil || since(c).After(since(*q.latest)) {
		q.latest = &c
	}
	if q.earliest == nil || c.Visit.Before(q.earliest.Visit) {
		q.earliest = &c
	}
	if c.Modified.IsZero() {
		q.undated = &c
	}
}

// since is the start of [mu, t], or t.
func since(c coherence.Captured) time.Time {
	if c.Modified.IsZero() {
		return c.Visit
	}
	return c.Modified
}

func sum(a, b coherence.Quality) coherence.Quality {
	return coherence.Quality{Pages: a.Pages + b.Pages, Known: a.Known + b.Known, Conflicts: a.Conflicts + b.Conflicts}
}

func (q *quality) observed() Observed {
	var outer []coherence.Captured
	for _, c := range []*coherence.Captured{q.latest, q.earliest, q.undated} {
		if c != nil {
			outer = append(outer, *c)
		}
	}
	all, verdict := coherence.Observable(outer)
	return Observed{Verdict: verdict, From: all.From, To: all.To}
}
