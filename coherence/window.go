package coherence

// window has the pages that wait in two parts: those of the most value, which the strategy orders, and the others. So a
// capture that is after something goes where it is, in the order that coherence asks for among the pages that are worth it.
//
// The window is a share of the visits that are still to come: with all of them (1) the pages that will be visited are
// the most valuable ones, whatever their order; with none of them (0) it is one page, and the order is that of value alone.
//
//	found: value over the worst inside? it goes in, the worst out      next: of those inside, by the strategy; the best outside moves up
//
// Cost: O(log n) a page.
type window struct {
	leeway  float64
	in, out *node // by value
	keys    map[uint64]nodeKey
	outside map[uint64]Candidate
}

func newWindow(leeway float64) *window {
	return &window{leeway: leeway, keys: map[uint64]nodeKey{}, outside: map[uint64]Candidate{}}
}

// size is how many pages the strategy may choose among, when so many visits are to come.
func (w *window) size(left int) int { return max(1, int(w.leeway*float64(left))) }

// worst is the page inside that goes first: of the least value, of equal ones that found last.
func (w *window) worst() *node {
	n := at0(w.in, 0)
	return at0(w.in, countTo(w.in, n.key)-1)
}

// best is the page outside that comes next: of the most value, of equal ones that found first.
func (w *window) best() *node {
	n := at0(w.out, w.out.size-1)
	return at0(w.out, below(w.out, n.key))
}

// countTo counts the nodes whose key is x or less.
func countTo(n *node, x float64) int {
	count := 0
	for n != nil {
		if n.key <= x {
			count += sizeOf(n.left) + 1
			n = n.right
		} else {
			n = n.left
		}
	}
	return count
}

// put notes a page on one of the two sides.
func (w *window) put(pg Candidate, inside bool) {
	k := nodeKey{pg.Value, pg.seq}
	w.keys[pg.ID] = k
	n := &node{nodeKey: k, id: pg.ID, size: 1, prio: scramble(pg.seq)}
	if inside {
		w.in = insert(w.in, n)
		return
	}
	w.out = insert(w.out, n)
	w.outside[pg.ID] = pg
}

// forget takes a page out of its side.
func (w *window) forget(id uint64) {
	if _, out := w.outside[id]; out {
		delete(w.outside, id)
		w.out = remove(w.out, w.keys[id])
	} else {
		w.in = remove(w.in, w.keys[id])
	}
	delete(w.keys, id)
}

// fit moves pages until the window is full and none outside is worth more than one inside.
func (p *Planner) fit() {
	w := p.window
	for size := w.size(p.opt.Expected - p.visited); ; {
		in, out := sizeOf(w.in), sizeOf(w.out)
		switch {
		case in > size:
			p.moveOut(w.worst().id)
		case out > 0 && in < size:
			p.moveIn(w.best().id)
		case out > 0 && w.best().key > w.worst().key:
			p.moveOut(w.worst().id)
		default:
			return
		}
	}
}

func (p *Planner) moveOut(id uint64) {
	pg := p.waiting[id]
	p.queue.remove(pg)
	p.drop(pg)
	p.window.put(pg, false)
}

func (p *Planner) moveIn(id uint64) {
	pg := p.window.outside[id]
	p.window.forget(id)
	p.insert(pg)
}

// SetValue says that a page that waits is worth more, or less, than was thought.
func (p *Planner) SetValue(id uint64, value float64) {
	if p.window == nil || !finite(value) {
		return
	}
	pg, out := p.window.outside[id]
	if !out {
		var in bool
		if pg, in = p.waiting[id]; !in {
			return
		}
	}
	p.window.forget(id)
	pg.Value = value
	if p.window.put(pg, !out); !out {
		p.waiting[id] = pg
	}
	p.fit()
}
