package clock

import (
	"container/heap"
	"time"
)

// wait is one deadline: of a timer, of a sleep, or of a worker's start.
type wait struct {
	v    *Virtual
	at   time.Time
	seq  uint64 // age, to order equal deadlines
	pos  int    // place in the heap, -1 when not in it
	ch   chan time.Time
	wake func() // called under the clock's lock before the send; may be nil
}

var _ control = (*wait)(nil)

func (v *Virtual) newWait(wake func()) *wait {
	return &wait{v: v, pos: -1, ch: make(chan time.Time, 1), wake: wake}
}

// start puts w on the heap, due d from now. A wait that is due already fires at once.
func (v *Virtual) start(w *wait, d time.Duration) {
	w.at, w.seq = v.now.Add(max(d, 0)), v.seq
	v.seq++
	if d <= 0 && w.wake == nil {
		w.fire(v.now)
		return
	}
	heap.Push(&v.waits, w)
	v.notify()
}

func (w *wait) fire(now time.Time) {
	if w.wake != nil {
		w.wake()
	}
	w.ch <- now
}

// Stop takes the wait off the heap, or its unread value off the channel.
func (w *wait) Stop() bool {
	w.v.mu.Lock()
	defer w.v.mu.Unlock()
	return w.stop()
}

func (w *wait) stop() bool {
	if w.pos >= 0 {
		heap.Remove(&w.v.waits, w.pos)
		return true
	}
	select {
	case <-w.ch:
	default:
	}
	return false
}

// Reset starts the wait anew.
func (w *wait) Reset(d time.Duration) bool {
	w.v.mu.Lock()
	defer w.v.mu.Unlock()
	was := w.stop()
	w.v.start(w, d)
	return was
}

// waitHeap orders waits by deadline, then by age.
type waitHeap []*wait

func (h waitHeap) Len() int { return len(h) }

func (h waitHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}

func (h waitHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

// Push adds a wait; it is for container/heap.
func (h *waitHeap) Push(x any) {
	w := x.(*wait)
	w.pos = len(*h)
	*h = append(*h, w)
}

// Pop removes the last wait; it is for container/heap.
func (h *waitHeap) Pop() any {
	old := *h
	w := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	w.pos = -1
	return w
}
