package reranking

import (
	"math/rand/v2"

	"varve/crawl/priority"
)

// Way is one way of running a crawl.
type Way struct {
	Update  priority.Update `json:"update"`
	Balance int             `json:"balance"` // URLs taken from a host at a time
	Batch   bool            `json:"batch"`
	Bound   string          `json:"bound,omitempty"` // "breadth-first" or "oracle": no way, but a bound
}

// Outcome is what one crawl brought.
type Outcome struct {
	Harvest    float64 `json:"harvest"`    // share of pages over the limit
	Similarity float64 `json:"similarity"` // mean cosine
	Subtopics  float64 `json:"subtopics"`  // share reached
	Pages      int     `json:"pages"`
}

// task is a topic with its seeds.
type task struct {
	topic  int
	seeds  []int
	vector *priority.Topic
	cosine []float64 // of each page with the topic
}

// newTask draws the seeds of a topic and works out the relevance of every page.
func (g *graph) newTask(topic, sample int) *task {
	rng := rand.New(rand.NewPCG(g.config.Seed, uint64(topic)<<32|uint64(sample)|1<<63))
	t := &task{topic: topic, cosine: make([]float64, len(g.pages))}
	var vectors []priority.Vector
	for _, i := range rng.Perm(len(g.byTopic[topic])) {
		if len(t.seeds) == g.config.Seeds {
			break
		}
		p := g.byTopic[topic][i]
		t.seeds = append(t.seeds, p)
		vectors = append(vectors, g.pages[p].vector)
	}
	t.vector = priority.TopicOf(nil, vectors, priority.Weights{})
	for i := range g.pages {
		t.cosine[i] = t.vector.Cosine(g.pages[i].vector)
	}
	return t
}

// crawl runs one crawl.
type crawl struct {
	graph   *graph
	task    *task
	way     Way
	queue   *queue
	crawled []int
	order   []int // pages found in the batch
	batch   map[int]priority.Finding
	waiting int // pages since the last flush
}

// simulate crawls and measures.
func (g *graph) simulate(t *task, w Way) Outcome {
	c := &crawl{
		graph: g, task: t, way: w, batch: map[int]priority.Finding{},
		queue: newQueue(w.Update, len(g.pages), g.config.Hosts),
	}
	for _, s := range t.seeds {
		c.queue.found(s, g.pages[s].host, 1)
	}
	for len(c.crawled) < g.config.Crawl {
		pages := c.queue.take(min(w.Balance, g.config.Crawl-len(c.crawled)))
		if len(pages) == 0 {
			if len(c.order) == 0 {
				break
			}
			c.flush()
			continue
		}
		for _, p := range pages {
			c.fetch(p)
		}
		if w.Batch && c.waiting >= g.config.Batch {
			c.flush()
		}
	}
	return c.measure()
}

// fetch takes the outlinks of a page.
func (c *crawl) fetch(i int) {
	c.crawled = append(c.crawled, i)
	c.waiting++
	p := &c.graph.pages[i]
	for _, l := range p.links {
		switch {
		case c.queue.done[l.to]:
		case c.way.Batch:
			c.collect(l.to, priority.Finding{Page: p.vector, Anchor: l.anchor})
		default:
			c.queue.found(l.to, c.graph.pages[l.to].host, c.score(i, l))
		}
	}
}

// score rates a link at once, or plays the bound.
func (c *crawl) score(from int, l link) float64 {
	switch c.way.Bound {
	case breadthFirst:
		return 0
	case oracle:
		return c.task.cosine[l.to]
	}
	return c.task.vector.ScoreOn(c.task.cosine[from], priority.Vector{}, l.anchor)
}

// collect adds a finding to the batch.
func (c *crawl) collect(to int, f priority.Finding) {
	if old, ok := c.batch[to]; ok {
		f = old.Add(f)
	} else {
		c.order = append(c.order, to)
	}
	c.batch[to] = f
}

const (
	breadthFirst = "breadth-first"
	oracle       = "oracle"
)

// flush scores what was found in the batch.
func (c *crawl) flush() {
	for _, to := range c.order {
		c.queue.found(to, c.graph.pages[to].host, c.task.vector.Score(c.batch[to]))
	}
	clear(c.batch)
	c.order, c.waiting = c.order[:0], 0
}

// measure sums up a crawl.
func (c *crawl) measure() Outcome {
	o := Outcome{Pages: len(c.crawled)}
	reached := map[int]bool{}
	for _, i := range c.crawled {
		cos := c.task.cosine[i]
		o.Similarity += cos / float64(o.Pages)
		if cos > c.graph.config.Over {
			o.Harvest += 1 / float64(o.Pages)
		}
		if p := &c.graph.pages[i]; p.topic == c.task.topic && !p.portal && !p.service {
			reached[p.sub] = true
		}
	}
	o.Subtopics = float64(len(reached)) / float64(c.graph.config.Subtopics)
	return o
}
