package curation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve/archive/journal"
	"varve/crawl/media/object"
	"varve/crawl/media/queue"
	"varve/derive"
)

// State is how far an object is.
type State string

// The states.
const (
	Archived State = "archived"
	Queued   State = "queued"
	Failed   State = "failed"
	Found    State = "found"
)

// Entry is one object of the list.
type Entry struct {
	URL         string     `json:"url"`
	State       State      `json:"state"`
	Kind        string     `json:"kind,omitempty"`
	Service     string     `json:"service,omitempty"`
	Sound       bool       `json:"sound,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Around      string     `json:"around,omitempty"`
	Seconds     float64    `json:"seconds,omitempty"`
	Poster      string     `json:"poster,omitempty"`
	Page        string     `json:"page,omitempty"`
	PageTime    *time.Time `json:"pageTime,omitempty"`
	Pages       int64      `json:"pages"`
	Captured    *time.Time `json:"captured,omitempty"`
	Got         *time.Time `json:"got,omitempty"`
	Recording   *time.Time `json:"recording,omitempty"`
	MIME        string     `json:"mime,omitempty"`
	Bytes       int64      `json:"bytes,omitempty"`
	Label       string     `json:"label,omitempty"`
	Notes       []Note     `json:"notes,omitempty"`
	Asked       *time.Time `json:"asked,omitempty"`
	Attempts    int        `json:"attempts,omitempty"`
	Last        string     `json:"last,omitempty"` // why the last attempt failed
}

// Query chooses entries. Empty fields choose all.
type Query struct {
	Text    string // in title, description, text around, address or page, whatever its case
	State   State
	Kind    string
	Service string
	Label   string
	URL     string    // exactly this one
	Domain  string    // of the page that shows it, or of the film itself: a host, with its subdomains
	From    time.Time // archived from this instant on, or seen on a page if it is not archived
	To      time.Time // before this instant
	Parts   bool      // also play lists that no page names: they are parts of a stream
	Offset  int
	Limit   int // 100 if 0
}

// Part is a part of the list.
type Part struct {
	Entries []Entry       `json:"entries"`
	Total   int           `json:"total"`  // that the query chooses
	States  map[State]int `json:"states"` // of all that fit but for their state
	Labels  []string      `json:"labels"` // that were ever given
	Derived bool          `json:"derived"`
}

// List is the list of a collection.
type List struct {
	dir string // of the collection
	now func() time.Time
}

// Open gives the list of the collection in a folder.
func Open(dir string, now func() time.Time) *List { return &List{dir, now} }

// QueuePath is where the queue of a collection lies.
func QueuePath(dir string) string { return filepath.Join(dir, "media", "queue.jsonl") }

func (l *List) notesPath() string { return filepath.Join(l.dir, "labels", "media.jsonl") }
func (l *List) tablePath() string { return filepath.Join(l.dir, "derived", "media.parquet") }

// Queue opens the queue of the collection. What cannot be read of it is told, and the queue is good all the
// same.
func (l *List) Queue() (*queue.Queue, error) { return queue.Open(QueuePath(l.dir), l.now) }

// Ask puts an object into the queue.
func (l *List) Ask(page, url, by string) error {
	q, err := l.Queue()
	if _, unread := journal.Lost(err); unread != nil {
		return unread
	}
	return q.Ask(page, url, by)
}

// Drop takes an object out of the queue.
func (l *List) Drop(url, by string) error {
	q, err := l.Queue()
	if _, unread := journal.Lost(err); unread != nil {
		return unread
	}
	return q.Drop(url, by)
}

// Unread names the lines of the queue and of the notes that cannot be read; nil if all can. They hide nothing else.
func (l *List) Unread() error {
	_, bad := l.Queue()
	_, err := l.notes()
	return errors.Join(bad, err)
}

// Entries gives a part of the list, in the order of addresses. Problems of single lines of the journals are
// told beside the page.
func (l *List) Entries(ctx context.Context, ask Query) (*Part, error) {
	if ask.Limit <= 0 {
		ask.Limit = 100
	}
	q, bad := l.Queue()
	notes, err := l.notes()
	bad = errors.Join(bad, err)
	g := &gathering{ask: ask, page: &Part{States: map[State]int{}}, queue: map[string]queue.Item{}, notes: notes}
	for _, it := range q.Items() {
		g.queue[it.URL] = it
	}
	err = derive.Rows(l.tablePath(), func(m *derive.Medium) (bool, error) {
		g.add(g.entry(m))
		return true, ctx.Err()
	})
	switch {
	case err == nil:
		g.page.Derived = true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read the table of media: %w", err)
	}
	g.rest()
	return g.page, bad
}

// gathering is a page in the making.
type gathering struct {
	ask   Query
	page  *Part
	queue map[string]queue.Item // that are on no page yet
	notes map[string][]Note     // likewise
	seen  []string              // labels
}

// entry makes an entry of a row; what queue and notes say of it is used up.
func (g *gathering) entry(m *derive.Medium) Entry {
	e := Entry{
		URL: strings.Clone(m.URL), Kind: m.Kind, Service: m.Service, Sound: m.Sound, Title: m.Title, Description: m.Description, Around: m.Around, Seconds: m.Seconds,
		Poster: m.Poster, Page: m.Page, PageTime: m.PageTime, Pages: m.Pages, Captured: m.Captured, Got: m.Got, Recording: m.Recording, MIME: m.MIME, Bytes: m.Bytes, State: Found,
	}
	if m.GotMIME != "" {
		e.MIME = m.GotMIME
	}
	if m.Archived() {
		e.State = Archived
	}
	g.complete(&e)
	return e
}

// complete adds what queue and notes say.
func (g *gathering) complete(e *Entry) {
	if it, ok := g.queue[e.URL]; ok {
		delete(g.queue, e.URL)
		e.Asked, e.Attempts, e.Last = &it.Asked, it.Attempts, it.Last
		if e.Page == "" {
			e.Page = it.Page
		}
		switch it.State {
		case queue.Pending:
			e.State = Queued
		case queue.Failed:
			if e.State == Found {
				e.State = Failed
			}
		case queue.Done: // recorded, though the tables do not know yet
			e.State = Archived
		}
	}
	if n := g.notes[e.URL]; n != nil {
		delete(g.notes, e.URL)
		e.Notes, e.Label = n, label(n)
		for _, x := range n {
			if x.Label != "" && !slices.Contains(g.seen, x.Label) {
				g.seen = append(g.seen, x.Label)
			}
		}
	}
}

// add puts an entry on the page if it is asked for.
func (g *gathering) add(e Entry) {
	if !g.fits(&e) {
		return
	}
	g.page.States[e.State]++
	if g.ask.State != "" && e.State != g.ask.State {
		return
	}
	if g.page.Total >= g.ask.Offset && len(g.page.Entries) < g.ask.Limit {
		g.page.Entries = append(g.page.Entries, e)
	}
	g.page.Total++
}

// fits tells whether an entry is asked for, but for its state.
func (g *gathering) fits(e *Entry) bool {
	q := &g.ask
	if e.Kind == string(object.HLS) && e.Pages == 0 && e.Asked == nil && e.Notes == nil && !q.Parts && q.URL == "" {
		return false
	}
	if q.URL != "" && e.URL != q.URL || q.Kind != "" && e.Kind != q.Kind || q.Service != "" && e.Service != q.Service || q.Label != "" && e.Label != q.Label {
		return false
	}
	if q.Domain != "" && !onDomain(e.Page, q.Domain) && !onDomain(e.URL, q.Domain) {
		return false
	}
	if at := e.When(); !q.From.IsZero() && (at == nil || at.Before(q.From)) || !q.To.IsZero() && (at == nil || !at.Before(q.To)) {
		return false
	}
	if q.Text == "" {
		return true
	}
	want := strings.ToLower(q.Text)
	for _, s := range []string{e.Title, e.Description, e.Around, e.URL, e.Page} {
		if strings.Contains(strings.ToLower(s), want) {
			return true
		}
	}
	return slices.ContainsFunc(e.Notes, func(n Note) bool { return strings.Contains(strings.ToLower(n.Text), want) })
}

// When is when it was archived; if it was not, when the page that shows it was captured; nil: neither is known.
func (e *Entry) When() *time.Time {
	for _, t := range []*time.Time{e.Got, e.Recording, e.Captured, e.PageTime} {
		if t != nil {
			return t
		}
	}
	return nil
}

// onDomain reports whether an address is on a host or one of its subdomains.
func onDomain(address, domain string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, domain := strings.ToLower(u.Hostname()), strings.Trim(strings.ToLower(domain), ".")
	return host == domain || strings.HasSuffix(host, "."+domain)
}

// rest adds what is on no page: asked for or noted only.
func (g *gathering) rest() {
	var urls []string
	for u := range g.queue {
		urls = append(urls, u)
	}
	for u := range g.notes {
		if _, queued := g.queue[u]; !queued {
			urls = append(urls, u)
		}
	}
	slices.Sort(urls)
	for _, u := range urls {
		e := Entry{URL: u, State: Found}
		g.complete(&e)
		g.add(e)
	}
	slices.Sort(g.seen)
	g.page.Labels = g.seen
}
