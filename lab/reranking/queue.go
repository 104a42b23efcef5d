package reranking

import (
	"container/heap"

	"varve/crawl/priority"
)

// entry is a queued URL.
type entry struct {
	page  int
	score priority.Score
	seq   int // order of finding: the older first among equals
	index int // in its host's heap
}

// lane is the queue of one host, best first.
type lane struct {
	host    int
	entries []*entry
	index   int // in the heap of lanes, -1 outside
}

func (e *entry) before(o *entry) bool {
	if e.score.Value != o.score.Value {
		return e.score.Value > o.score.Value
	}
	return e.seq < o.seq
}

func (l *lane) Len() int           { return len(l.entries) }
func (l *lane) Less(i, j int) bool { return l.entries[i].before(l.entries[j]) }
func (l *lane) Swap(i, j int) {
	l.entries[i], l.entries[j] = l.entries[j], l.entries[i]
	l.entries[i].index, l.entries[j].index = i, j
}

// Push is part of heap.Interface.
func (l *lane) Push(x any) {
	e := x.(*entry)
	e.index = len(l.entries)
	l.entries = append(l.entries, e)
}

// Pop is part of heap.Interface.
func (l *lane) Pop() any {
	e := l.entries[len(l.entries)-1]
	l.entries = l.entries[:len(l.entries)-1]
	return e
}

// lanes is a heap of hosts by their best URL.
type lanes []*lane

func (q lanes) Len() int           { return len(q) }
func (q lanes) Less(i, j int) bool { return q[i].entries[0].before(q[j].entries[0]) }
func (q lanes) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push is part of heap.Interface.
func (q *lanes) Push(x any) {
	l := x.(*lane)
	l.index = len(*q)
	*q = append(*q, l)
}

// Pop is part of heap.Interface.
func (q *lanes) Pop() any {
	l := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	l.index = -1
	return l
}

// queue is the frontier of a simulated crawl.
type queue struct {
	update priority.Update
	hosts  []*lane
	order  lanes
	queued map[int]*entry
	done   []bool // fetched or taken
	seq    int
}

func newQueue(update priority.Update, pages, hosts int) *queue {
	q := &queue{update: update, hosts: make([]*lane, hosts), queued: map[int]*entry{}, done: make([]bool, pages)}
	for i := range q.hosts {
		q.hosts[i] = &lane{host: i, index: -1}
	}
	return q
}

// found queues a page, or updates its score when it is queued; what is done stays done.
func (q *queue) found(page, host int, score float64) {
	if q.done[page] {
		return
	}
	l := q.hosts[host]
	if e := q.queued[page]; e != nil {
		e.score = q.update.Apply(e.score, score)
		heap.Fix(l, e.index)
		heap.Fix(&q.order, l.index)
		return
	}
	q.seq++
	e := &entry{page: page, score: q.update.Apply(priority.Score{}, score), seq: q.seq}
	q.queued[page] = e
	heap.Push(l, e)
	if l.index < 0 {
		heap.Push(&q.order, l)
	} else {
		heap.Fix(&q.order, l.index)
	}
}

// take gives the n best pages of the host that has the best page of all.
func (q *queue) take(n int) []int {
	if len(q.order) == 0 {
		return nil
	}
	l := q.order[0]
	var out []int
	for len(out) < n && l.Len() > 0 {
		e := heap.Pop(l).(*entry)
		delete(q.queued, e.page)
		q.done[e.page] = true
		out = append(out, e.page)
	}
	if l.Len() == 0 {
		heap.Remove(&q.order, l.index)
	} else {
		heap.Fix(&q.order, l.index)
	}
	return out
}
