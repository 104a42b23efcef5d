package priority

import "slices"

// Batch collects the findings of a number of pages and scores each URL once: by the cosine of the sum of the
// vectors of the pages it was found on, and that of the sum of its anchors (seed paper 002, section 5.1).
// Memory grows with the pages and links of the batch, so it should be flushed every hundred pages or so. A
// Batch is not safe for concurrent use.
type Batch struct {
	topic *Topic
	pages int
	order []string
	found map[string]*finding
}

// finding is what a batch knows of a URL.
type finding struct {
	sum Finding
	n   int
}

// Scored is a URL with its score.
type Scored struct {
	URL   string
	Score float64
	Found int // on so many pages of the batch
}

// NewBatch makes an empty batch.
func (t *Topic) NewBatch() *Batch { return &Batch{topic: t, found: map[string]*finding{}} }

// Pages counts the pages added since the last Flush.
func (b *Batch) Pages() int { return b.pages }

// Add puts a page and its outlinks into the batch and gives the relevance of the page.
func (b *Batch) Add(page string, links []Link) float64 {
	b.pages++
	var room tally
	vector := func(text string) Vector { return b.topic.corpus.vector(text, &room) }
	p := vector(page)
	for _, l := range links {
		f := b.found[l.URL]
		if f == nil {
			f = new(finding)
			b.found[l.URL] = f
			b.order = append(b.order, l.URL)
		}
		f.n++
		f.sum = f.sum.Add(Finding{p, vector(l.Around), vector(l.Anchor)})
	}
	return b.topic.Cosine(p)
}

// Flush scores all URLs of the batch, in the order they were found, and empties it.
func (b *Batch) Flush() []Scored {
	out := make([]Scored, 0, len(b.order))
	for _, url := range b.order {
		f := b.found[url]
		out = append(out, Scored{url, b.topic.Score(f.sum), f.n})
	}
	clear(b.found)
	b.order, b.pages = slices.Delete(b.order, 0, len(b.order)), 0
	return out
}
