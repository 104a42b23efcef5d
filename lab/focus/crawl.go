package focus

import (
	"container/heap"

	"varve/crawl/priority"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/curate/proposal"
)

// way is how a crawl is guided.
type way struct {
	name   string
	topic  bool    // as --topic did before modules: page and anchor alike, all words of the same weight
	judged bool    // by the modules
	weigh  weights // of modules, instead of the defaults
	terms  int     // of a reference crawl that are accepted
	update priority.Update
}

type weights map[string]float64

// task is a topic with a sample of seeds.
type task struct {
	about relevance.About
	seeds []int
	texts []string // of the seeds

	proposed []proposal.Proposal // terms, by a reference crawl
}

// entry is a page that waits.
type entry struct {
	page  int
	score priority.Score
	seq   int // in the order of discovery
	at    int // in the heap
}

// queue gives the best page, of equal ones that which was found first.
type queue []*entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].score.Value != q[j].score.Value {
		return q[i].score.Value > q[j].score.Value
	}
	return q[i].seq < q[j].seq
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

func (q *queue) Push(x any) {
	e := x.(*entry) //nolint:forcetypeassert // the heap is ours
	e.at = len(*q)
	*q = append(*q, e)
}

func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// scored gives the scores of the links of a page.
type scored func(p *page, score float64) []float64

// guide returns what scores links; nil for breadth first.
func (t *task) guide(w way) (scored, error) {
	switch {
	case w.topic:
		topic := priority.NewTopic(priority.NewCorpus(0), t.texts, priority.Weights{})
		return func(p *page, _ float64) []float64 { return topic.Rate(p.title+"\n"+p.text, p.anchors).Links }, nil
	case !w.judged:
		return nil, nil
	}
	about, err := t.accepted(w.terms)
	if err != nil {
		return nil, err
	}
	about.Weights = w.weigh
	for _, text := range t.texts {
		about.References = append(about.References, relevance.Reference{Text: text})
	}
	judge, err := relevance.New(about, nil)
	if err != nil {
		return nil, err
	}
	return func(p *page, score float64) []float64 {
		at := &relevance.Page{URL: p.url, Title: p.title, Text: p.text, Links: p.anchors, Score: scope.Is(min(score, 1))}
		r := judge.Rate(at)
		judge.Learn(at, r.Page)
		judge.Done(at)
		out := make([]float64, len(r.Links))
		for i, o := range r.Links {
			if out[i] = 0.5; o.Set {
				out[i] = relevance.Step(o.Value)
			}
		}
		return out
	}, nil
}

// crawl fetches so many pages from the seeds on and returns them in their order.
func (web *Web) crawl(t *task, w way, most int) ([]int, error) {
	score, err := t.guide(w)
	if err != nil {
		return nil, err
	}
	var q queue
	waits, done := map[int]*entry{}, map[int]bool{}
	seq := 0
	found := func(page int, s float64) {
		switch e := waits[page]; {
		case done[page]:
		case e == nil:
			seq++
			e = &entry{page: page, score: priority.Score{Value: s, N: 1}, seq: seq}
			waits[page] = e
			heap.Push(&q, e)
		default:
			e.score = w.update.Apply(e.score, s)
			heap.Fix(&q, e.at)
		}
	}
	for _, s := range t.seeds {
		found(s, 1)
	}
	var fetched []int
	for len(q) > 0 && len(fetched) < most {
		e := heap.Pop(&q).(*entry) //nolint:forcetypeassert // the heap is ours
		delete(waits, e.page)
		done[e.page] = true
		fetched = append(fetched, e.page)
		p := &web.pages[e.page]
		var scores []float64
		if score != nil {
			scores = score(p, e.score.Value)
		}
		for i, to := range p.links {
			s := 0.5
			if scores != nil {
				s = scores[i]
			}
			found(to, s)
		}
	}
	return fetched, nil
}
