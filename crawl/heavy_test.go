package crawl

import (
	"testing"
	"time"

	"varve/crawl/frontier"
)

// Links that wait for their commit are bounded; one visit with more of them still gets through.
func TestLinksThatWaitAreBounded(t *testing.T) {
	h := newHeavy()
	big := func() *Visit { return &Visit{links: make([]frontier.Item, mostLinks-10)} }
	first, second := big(), big()
	h.admit(first)
	in := make(chan struct{})
	go func() { h.admit(second); close(in) }()
	h.admit(&Visit{}) // one without links never waits
	select {
	case <-in:
		t.Fatal("two sitemaps were let in at once")
	case <-time.After(20 * time.Millisecond):
	}
	h.settled([]*Visit{first})
	select {
	case <-in:
	case <-time.After(time.Minute):
		t.Fatal("the second waits for ever")
	}
	h.settled([]*Visit{second})
	h.admit(&Visit{links: make([]frontier.Item, 3*mostLinks)})
	if h.links != 3*mostLinks {
		t.Errorf("%d links are held", h.links)
	}
}
