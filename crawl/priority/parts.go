package priority

// part is the relevance of one part of a finding, if it has words.
type part struct {
	cos   float64
	words bool
}

// parts are the three that make the score of an outlink.
type parts struct {
	page, around, anchor part
	room                 tally
}

// Finding is one finding of a link, or the sum of several: the vectors of page, surroundings and anchor.
type Finding struct {
	Page, Around, Anchor Vector
}

// Add joins two findings of one URL, as in a batch.
func (f Finding) Add(o Finding) Finding {
	return Finding{f.Page.Add(o.Page), f.Around.Add(o.Around), f.Anchor.Add(o.Anchor)}
}

// Score is the score of an outlink: the weighted mean of the relevance of the parts that have words.
func (t *Topic) Score(f Finding) float64 {
	p := parts{page: t.part(f.Page), around: t.part(f.Around), anchor: t.part(f.Anchor)}
	return p.mean(t.weights)
}

// ScoreOn is Score for a link on a page whose relevance is known, as all links of a page share it.
func (t *Topic) ScoreOn(page float64, around, anchor Vector) float64 {
	p := parts{page: part{page, true}, around: t.part(around), anchor: t.part(anchor)}
	return p.mean(t.weights)
}

func (t *Topic) part(v Vector) part { return part{t.Cosine(v), v.Len() > 0} }

// parts begins with a page.
func (t *Topic) parts(page string) *parts {
	p := new(parts)
	p.page = t.part(t.corpus.vector(page, &p.room))
	return p
}

// link takes the parts of one link, those that count.
func (p *parts) link(t *Topic, l Link) {
	p.around, p.anchor = part{}, part{}
	if t.weights.Around > 0 {
		p.around = t.part(t.corpus.vector(l.Around, &p.room))
	}
	if t.weights.Anchor > 0 {
		p.anchor = t.part(t.corpus.vector(l.Anchor, &p.room))
	}
}

// mean averages the relevance of the parts that have words.
func (p *parts) mean(w Weights) float64 {
	sum, weight := 0.0, 0.0
	add := func(x part, w float64) {
		if x.words && w > 0 {
			sum += w * x.cos
			weight += w
		}
	}
	add(p.page, w.Page)
	add(p.around, w.Around)
	add(p.anchor, w.Anchor)
	if weight == 0 {
		return 0
	}
	return sum / weight
}
