package wacz

// windowSize is how many records apart a request and its answer may stand.
const windowSize = 256

// window brings requests and metadata together with the captures they belong to. Records come in
// the order of the file; a capture leaves when windowSize others have come after it.
//
// A pair is found by WARC-Concurrent-To, which either may carry, or, where none of the two names
// anyone, by standing next to each other with the same address.
type window struct {
	out     func(*noted) error
	waiting []*noted
	byID    map[string]*noted
	wanted  map[string][]*noted // by the id that they name and that has not come yet
	last    *noted
}

func newWindow(out func(*noted) error) *window {
	return &window{out: out, byID: map[string]*noted{}, wanted: map[string][]*noted{}}
}

// add takes the next record of the file.
func (w *window) add(n *noted) error {
	for _, id := range n.peers {
		if other := w.byID[id]; other != nil {
			join(n, other)
		} else {
			w.wanted[id] = append(w.wanted[id], n)
		}
	}
	for _, other := range w.wanted[n.id] {
		join(n, other)
	}
	delete(w.wanted, n.id)
	if w.last != nil && adjacent(w.last, n) {
		join(w.last, n)
	}
	w.last = n
	if n.id != "" {
		w.byID[n.id] = n
	}
	w.waiting = append(w.waiting, n)
	if len(w.waiting) > windowSize {
		return w.release()
	}
	return nil
}

// adjacent tells whether two neighbours are a request and its answer though neither says so.
func adjacent(a, b *noted) bool {
	if a.request == b.request || len(a.peers)+len(b.peers) > 0 || a.uri != b.uri || a.uri == "" {
		return false
	}
	return a.capture && a.asked == nil || b.capture
}

// join tells a capture about the record that belongs to it.
func join(a, b *noted) {
	if !a.capture {
		a, b = b, a
	}
	switch {
	case !a.capture:
	case b.request && a.asked == nil:
		a.asked = b
	case b.hops != "" && a.hops == "":
		a.hops = b.hops
	}
}

// release lets the oldest record go.
func (w *window) release() error {
	n := w.waiting[0]
	w.waiting[0] = nil
	w.waiting = w.waiting[1:]
	if w.byID[n.id] == n {
		delete(w.byID, n.id)
	}
	for _, id := range n.peers {
		w.forget(id, n)
	}
	if !n.capture {
		return nil
	}
	return w.out(n)
}

// forget takes a leaving record out of the list of those that wait for an id.
func (w *window) forget(id string, n *noted) {
	list := w.wanted[id]
	for i, other := range list {
		if other == n {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(w.wanted, id)
		return
	}
	w.wanted[id] = list
}

// flush lets all go at the end of a file.
func (w *window) flush() error {
	for len(w.waiting) > 0 {
		if err := w.release(); err != nil {
			return err
		}
	}
	w.last = nil
	return nil
}
