package coherence

// line is a queue in order of discovery, or its reverse. Removed pages are passed over when their
// turn comes; the planner no longer knows them.
type line struct {
	ids  []uint64
	head int
	gone map[uint64]int // removals still in the line
	lifo bool
}

func (q *line) add(pg Candidate) {
	if q.head > len(q.ids)/2 && q.head > 64 { // give memory back
		q.ids = append(q.ids[:0], q.ids[q.head:]...)
		q.head = 0
	}
	q.ids = append(q.ids, pg.ID)
}

func (q *line) remove(pg Candidate) {
	if q.gone == nil {
		q.gone = map[uint64]int{}
	}
	q.gone[pg.ID]++
}

func (q *line) take(*Planner) uint64 {
	for {
		var id uint64
		if q.lifo {
			id = q.ids[len(q.ids)-1]
			q.ids = q.ids[:len(q.ids)-1]
		} else {
			id = q.ids[q.head]
			q.head++
		}
		if q.gone[id] == 0 {
			return id
		}
		if q.gone[id]--; q.gone[id] == 0 {
			delete(q.gone, id)
		}
	}
}

func (q *line) rerate(_, _ Candidate) {}

func (q *line) unsettle() {}
