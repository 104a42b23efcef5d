// Package queue keeps which media objects are still to be got by external programs. It outlives crawls and
// kills: it is a journal (archive/journal) of what was asked for and what came of it, one line each.
//
// Terms. An *item* is the address of a media object, known by it alone. It is *pending* from when it was
// asked for until it is done, has failed as often as it may, or was taken back.
//
//	ask   -> pending, unless it is pending or done already (asking again by hand makes it pending anew)
//	done  -> with the crawl that holds it
//	fail  -> pending still, until MaxAttempts
//	drop  -> somebody changed their mind
//
// A process that is killed in the middle of an item leaves it pending, so that the next one gets it.
//
// Cost: a line is synced when a call returns; opening reads the file once, memory is one entry per item.
package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/archive/journal"
)

// MaxAttempts is how often an item is tried before it is given up.
const MaxAttempts = 3

// State is how far an item is.
type State string

// The states.
const (
	Pending State = "pending"
	Done    State = "done"
	Failed  State = "failed" // as often as it may
	Dropped State = "dropped"
)

// Item is a media object that was asked for.
type Item struct {
	URL      string    `json:"url"`
	Page     string    `json:"page,omitempty"` // where it was found
	By       string    `json:"by,omitempty"`   // who asked: a person, or "crawl"
	Asked    time.Time `json:"asked"`
	State    State     `json:"state"`
	Attempts int       `json:"attempts,omitempty"`
	Last     string    `json:"last,omitempty"`  // why the last attempt failed
	Crawl    string    `json:"crawl,omitempty"` // that got it
	Changed  time.Time `json:"changed"`
}

// line is one event of the journal.
type line struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"` // ask, done, fail, drop
	URL   string    `json:"url"`
	Page  string    `json:"page,omitempty"`
	By    string    `json:"by,omitempty"`
	Again bool      `json:"again,omitempty"` // although it is done
	Crawl string    `json:"crawl,omitempty"`
	Why   string    `json:"why,omitempty"`
}

// Queue is the queue of a collection. It is safe for concurrent use.
type Queue struct {
	path string
	now  func() time.Time

	mu    sync.Mutex
	items map[string]*Item
	order []string
}

// Open reads the queue in a file, which need not exist. Lines that cannot be read are left out and told as
// the error, *journal.BadLines; the queue is good all the same.
func Open(path string, now func() time.Time) (*Queue, error) {
	q := &Queue{path: path, now: now, items: map[string]*Item{}}
	err := journal.Each(path, func(l line) error {
		if l.URL == "" || !slices.Contains([]string{"ask", "done", "fail", "drop"}, l.Event) {
			return errors.New("it says nothing of an object")
		}
		q.apply(&l)
		return nil
	})
	return q, err
}

// apply makes an event count.
func (q *Queue) apply(l *line) {
	it := q.items[l.URL]
	if it == nil {
		if l.Event != "ask" || l.URL == "" {
			return
		}
		it = &Item{URL: l.URL, Page: l.Page, By: l.By, Asked: l.At, State: Pending}
		q.items[l.URL] = it
		q.order = append(q.order, l.URL)
	}
	it.Changed = l.At
	switch l.Event {
	case "ask":
		if it.State != Pending {
			it.State, it.Attempts, it.Asked, it.By = Pending, 0, l.At, l.By
		}
		if it.Page == "" {
			it.Page = l.Page
		}
	case "done":
		it.State, it.Crawl, it.Last = Done, l.Crawl, ""
	case "fail":
		it.Attempts++
		it.Last = l.Why
		if it.Attempts >= MaxAttempts {
			it.State = Failed
		}
	case "drop":
		it.State = Dropped
	}
}

// write makes an event durable, then makes it count. The lock is held.
func (q *Queue) write(l line) error {
	l.At = q.now().UTC().Truncate(time.Millisecond)
	if err := journal.Append(q.path, l); err != nil {
		return fmt.Errorf("queue of media objects: %w", err)
	}
	q.apply(&l)
	return nil
}

// Add asks for an object that a crawl found; one that is known already is not asked for again.
func (q *Queue) Add(page, url string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.items[url] != nil {
		return nil
	}
	return q.write(line{Event: "ask", URL: url, Page: page, By: "crawl"})
}

// Ask asks for an object by hand: one that is done, failed or was dropped is pending again.
func (q *Queue) Ask(page, url, by string) error {
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return fmt.Errorf("%q is no http address", url)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if it := q.items[url]; it != nil && it.State == Pending {
		return nil
	}
	return q.write(line{Event: "ask", URL: url, Page: page, By: by, Again: q.items[url] != nil})
}

// Done tells that a crawl holds an object.
func (q *Queue) Done(url, crawl string) error {
	return q.end(line{Event: "done", URL: url, Crawl: crawl})
}

// Fail tells that an attempt came to nothing.
func (q *Queue) Fail(url, why string) error {
	return q.end(line{Event: "fail", URL: url, Why: why[:min(len(why), 1000)]})
}

// Drop takes an item back.
func (q *Queue) Drop(url, by string) error { return q.end(line{Event: "drop", URL: url, By: by}) }

func (q *Queue) end(l line) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.items[l.URL] == nil {
		return fmt.Errorf("%s is not in the queue", l.URL)
	}
	return q.write(l)
}

// Get gives what is known of an object.
func (q *Queue) Get(url string) (Item, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.items[url]
	if it == nil {
		return Item{}, false
	}
	return *it, true
}

// Items gives all items in the order they were first asked for.
func (q *Queue) Items() []Item {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]Item, 0, len(q.order))
	for _, u := range q.order {
		out = append(out, *q.items[u])
	}
	return out
}

// Pending gives the items that are still to be got.
func (q *Queue) Pending() []Item {
	return slices.DeleteFunc(q.Items(), func(it Item) bool { return it.State != Pending })
}
