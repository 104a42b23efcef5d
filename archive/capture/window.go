package capture

// WindowSize is how many records apart a request and its answer may stand.
const WindowSize = 256

// Window brings requests and metadata together with the captures they belong to. Notes come in the
// order of the file; a capture leaves when WindowSize others have come after it.
//
// A pair is found by WARC-Concurrent-To, which either may carry, or, where none of the two names
// anyone, by standing next to each other with the same address.
type Window struct {
	out     func(*Note) error
	all     bool // out gets all notes, not only captures
	waiting []*Note
	byID    map[string]*Note
	wanted  map[string][]*Note // by the id that they name and that has not come yet
	last    *Note
}

// NewWindow makes a window that hands captures, in the order of the file, to out.
func NewWindow(out func(*Note) error) *Window {
	return &Window{out: out, byID: map[string]*Note{}, wanted: map[string][]*Note{}}
}

// NewWindowOfAll makes a window that hands all notes to out, in the order of the file.
func NewWindowOfAll(out func(*Note) error) *Window {
	w := NewWindow(out)
	w.all = true
	return w
}

// Add takes the note of the next record of the file.
func (w *Window) Add(n *Note) error {
	for _, id := range n.Peers {
		if other := w.byID[id]; other != nil {
			join(n, other)
		} else {
			w.wanted[id] = append(w.wanted[id], n)
		}
	}
	for _, other := range w.wanted[n.ID] {
		join(n, other)
	}
	delete(w.wanted, n.ID)
	if w.last != nil && adjacent(w.last, n) {
		join(w.last, n)
	}
	w.last = n
	if n.ID != "" {
		w.byID[n.ID] = n
	}
	w.waiting = append(w.waiting, n)
	if len(w.waiting) > WindowSize {
		return w.release()
	}
	return nil
}

// adjacent tells whether two neighbours are a request and its answer though neither says so.
func adjacent(a, b *Note) bool {
	if a.Request == b.Request || len(a.Peers)+len(b.Peers) > 0 || a.URI != b.URI || a.URI == "" {
		return false
	}
	return a.Capture && a.Asked == nil || b.Capture
}

// join tells a capture about the record that belongs to it.
func join(a, b *Note) {
	if !a.Capture {
		a, b = b, a
	}
	switch {
	case !a.Capture:
	case b.Request && a.Asked == nil:
		a.Asked = b
	case b.Hops != "" && a.Hops == "":
		a.Hops = b.Hops
	}
}

// release lets the oldest note go.
func (w *Window) release() error {
	n := w.waiting[0]
	w.waiting[0] = nil
	w.waiting = w.waiting[1:]
	if w.byID[n.ID] == n {
		delete(w.byID, n.ID)
	}
	for _, id := range n.Peers {
		w.forget(id, n)
	}
	if n.Capture {
		n.keyed()
	} else if !w.all {
		return nil
	}
	return w.out(n)
}

// keyed gives a capture the key of its request, if that was not a GET.
func (n *Note) keyed() {
	if n.Asked == nil || n.Asked.Key == "" {
		return
	}
	n.CDX.Key = n.Asked.Key
	n.CDX.Set("method", n.Asked.Method)
	if n.Asked.Body != "" {
		n.CDX.Set("requestBody", n.Asked.Body)
	}
}

// forget takes a leaving note out of the list of those that wait for an id.
func (w *Window) forget(id string, n *Note) {
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

// Flush lets all go at the end of a file.
func (w *Window) Flush() error {
	for len(w.waiting) > 0 {
		if err := w.release(); err != nil {
			return err
		}
	}
	w.last = nil
	return nil
}
