package crawl

import "sync"

// Pages may have 100,000 links. Links in memory are bounded in three places: those of sitemaps are queued piece by piece
// (queueAhead), one worker at a time reads a large answer, until the committer has it, and the committer takes no more
// than mostLinks links, or one visit.
const (
	heavyBody = 1 << 20 // bytes from which on an answer may have very many links; few pages are so large
	packed    = 8       // times that a sitemap, at least, is smaller when it is packed
	mostLinks = 60_000  // links of visits that wait for their commit
)

// heavy counts the links of visits that wait for their commit.
type heavy struct {
	reading sync.Mutex // held by the worker that reads a large answer

	mu    sync.Mutex
	freed *sync.Cond
	links int
	most  int // at a time, for tests
}

func newHeavy() *heavy {
	h := &heavy{}
	h.freed = sync.NewCond(&h.mu)
	return h
}

// admit waits until the links of a visit fit in.
func (h *heavy) admit(v *Visit) {
	v.weight = len(v.links)
	if v.weight == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.links > 0 && h.links+v.weight > mostLinks {
		h.freed.Wait()
	}
	h.links += v.weight
	h.most = max(h.most, h.links)
}

// settled gives back the room of a group of visits.
func (h *heavy) settled(group []*Visit) {
	n := 0
	for _, v := range group {
		n += v.weight
		v.weight = 0
	}
	if n == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.links -= n
	h.freed.Broadcast()
}
