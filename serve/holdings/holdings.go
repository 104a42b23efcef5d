package holdings

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// Holdings is what an archive holds.
type Holdings struct {
	archive *catalog.Archive
	now     func() time.Time
	log     *slog.Logger
	dir     string // of the catalogue; empty: in memory

	open   sync.RWMutex // to open and close the catalogue; who reads or changes it holds it for reading
	cat    *catalogue   // nil: not opened yet
	closed bool

	look            chan struct{}       // taken by who changes the catalogue, and what follows
	next            string              // where the next look begins
	unread          map[string][]string // folders of crawls that are not listed yet, by collection
	reads, listings int                 // crawls that were read and folders that were listed, for tests

	changes atomic.Uint64 // so far, the one under way included
	slow    atomic.Uint64 // the last of them that somebody did not wait for
	large   atomic.Bool   // a look does not get around
	running atomic.Bool   // Run looks

	readCrawl func(c *catalog.Collection, id string) (*Crawl, error)

	mu    sync.Mutex
	files map[string]cached // by path
	bytes int64             // of those files
}

// New makes the holdings of an archive directory whose catalogue is kept in memory.
func New(archive *catalog.Archive, now func() time.Time) *Holdings {
	return &Holdings{
		archive: archive, now: now, log: slog.New(slog.DiscardHandler), files: map[string]cached{}, look: make(chan struct{}, 1),
		readCrawl: func(c *catalog.Collection, id string) (*Crawl, error) { return readCrawl(nil, c, id) },
	}
}

// Open makes the holdings of an archive directory whose catalogue is kept in the archive, for the next process. Close
// ends them.
func Open(archive *catalog.Archive, now func() time.Time, log *slog.Logger) *Holdings {
	h := New(archive, now)
	h.log, h.dir = log, archive.CatalogueDir()
	return h
}

// Close closes the catalogue. Nothing is listed after it.
func (h *Holdings) Close() error {
	h.open.Lock()
	defer h.open.Unlock()
	h.closed = true
	if h.cat == nil {
		return nil
	}
	c := h.cat
	h.cat = nil
	return c.db.Close()
}

// Collection is a collection and what is in it.
type Collection struct {
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	Purpose string      `json:"purpose,omitempty"`
	Crawls  []*Crawl    `json:"-"` // the newest, those that run and the last that is not complete, oldest first; in lists of collections none
	Files   int         `json:"warcFiles"`
	Bytes   int64       `json:"warcBytes"`
	Clock   crawl.Clock `json:"clock,omitempty"` // what its times are told by; empty: the clock of this machine
	Plans   []Planned   `json:"planned,omitempty"`
	Problem string      `json:"problem,omitempty"` // why collection.toml could not be read
	Trouble string      `json:"trouble,omitempty"` // which lines of labels/definitions.jsonl could not be read
	Hidden  []string    `json:"hidden,omitempty"`  // crawls planned on a screen whose name stands in collection.toml too
	Pending int         `json:"pending,omitempty"` // crawls that are not in the lists yet, which are being made
	State   uint64      `json:"-"`                 // changes when something of the collection or its crawls does; 0: not known

	sum  *Sum // of all crawls; nil: Crawls is all of them
	head *Head
	from *Holdings // where all crawls are; nil: Crawls is all of them
}

// Planned is a crawl that is due at times.
type Planned struct {
	Name  string        `json:"name"`
	Seeds []string      `json:"seeds"`
	Every time.Duration `json:"every,omitempty"`
	Last  time.Time     `json:"last,omitzero"` // start of the newest crawl of this name
	Next  time.Time     `json:"next,omitzero"`

	By      string    `json:"by,omitempty"`     // who planned it on a screen; empty: it stands in collection.toml
	Changed time.Time `json:"changed,omitzero"` // when

	Definition *crawl.Definition `json:"-"`
}

// Collections lists the collections by name, each with what its crawls come to but without the crawls, and with its
// plan but without seeds.
func (h *Holdings) Collections(ctx context.Context) ([]*Collection, error) {
	list, err := h.archive.Collections()
	if err != nil {
		return nil, listError(err)
	}
	if err := h.lookAround(ctx, list); err != nil {
		return nil, err
	}
	out := make([]*Collection, 0, len(list))
	err = h.with(func(cat *catalogue) error {
		out = out[:0]
		now := h.now()
		for _, c := range list {
			row := cat.row(c.Name)
			if row == nil {
				out = append(out, h.unlisted(c.Name))
				continue
			}
			col := h.listed(c.Name, row)
			col.due(row.Ran, now)
			out = append(out, col)
		}
		return nil
	})
	return out, err
}

// unlisted is a collection that is there and was not looked at yet.
func (h *Holdings) unlisted(name string) *Collection {
	return &Collection{Name: name, Title: name, Pending: 1, sum: &Sum{}, head: &Head{}, from: h}
}

func (h *Holdings) listed(name string, row *listed) *Collection {
	return &Collection{
		Name: name, Title: row.Title, Purpose: row.Purpose, Files: row.Files, Bytes: row.Bytes, Clock: row.Clock, Plans: slices.Clone(row.Plans), Problem: row.Problem,
		Trouble: row.Trouble, Hidden: row.Hidden, Pending: row.Pending, State: row.Changes, sum: &row.Sum, head: &row.Head, from: h,
	}
}

// Collection returns the collection of that name with its newest crawls.
func (h *Holdings) Collection(ctx context.Context, name string) (*Collection, error) {
	c, err := h.archive.Collection(name)
	if err != nil {
		return nil, err
	}
	if !c.Exists() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open collection " + name, Msg: "there is no such collection", Hint: "'varve crawl URL --collection " + name + "' begins one"}
	}
	if err := h.lookAt(ctx, c); err != nil {
		return nil, err
	}
	var out *Collection
	err = h.with(func(cat *catalogue) (err error) {
		row := cat.row(name)
		if row == nil {
			out = h.unlisted(name)
			h.readPlan(c, out)
			out.due(nil, h.now())
			return nil
		}
		out = h.listed(name, row)
		if out.Crawls, err = h.window(cat, name, newestCrawls); err != nil {
			return err
		}
		out.Plans = nil
		h.readPlan(c, out)
		out.due(row.Ran, h.now())
		return nil
	})
	return out, err
}

// readPlan adds what collection.toml says and what was planned on screens. What cannot be read is told of and
// hides nothing.
func (h *Holdings) readPlan(c *catalog.Collection, out *Collection) {
	plan, err := load(h, c.DefinitionFile(), func(string) (*crawl.Plan, error) { return crawl.ReadPlanFile(c) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out.Problem = err.Error()
		return
	}
	if plan == nil {
		plan = &crawl.Plan{}
	}
	lines, err := load(h, crawl.DefinitionsFile(c), func(string) ([]crawl.Defined, error) { return crawl.ReadDefined(c) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out.Trouble = err.Error()
	}
	plan = plan.With(lines)
	if plan.Title != "" {
		out.Title = plan.Title
	}
	out.Purpose, out.Clock = plan.Purpose, plan.Clock
	for name, p := range plan.Crawls {
		if IsMending(name) {
			continue // it mends another crawl; nobody planned it
		}
		d := plan.Defined[name]
		out.Plans = append(out.Plans, Planned{Name: name, Seeds: p.Seeds, Every: time.Duration(p.Every), By: d.By, Changed: d.At, Definition: &p.Definition})
	}
	out.Hidden = slices.Sorted(maps.Keys(plan.Hidden))
	sortPlans(out.Plans)
}

// listPlan puts the plan into the row of a collection.
func (h *Holdings) listPlan(c *catalog.Collection, row *listed) {
	out := &Collection{Name: c.Name, Title: c.Name}
	h.readPlan(c, out)
	row.Title, row.Purpose, row.Clock, row.Problem, row.Trouble, row.Hidden = out.Title, out.Purpose, out.Clock, out.Problem, out.Trouble, out.Hidden
	for i := range out.Plans {
		out.Plans[i].Seeds, out.Plans[i].Definition = nil, nil
	}
	row.Plans = out.Plans
}

// due tells when the planned crawls of a collection ran last and are to run next.
func (c *Collection) due(ran map[string]time.Time, now time.Time) {
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Last = ran[p.Name]; !p.Last.Before(now.Add(crawl.ClockSlack)) {
			p.Last = time.Time{} // by a clock that was set back since
		}
		if p.Every > 0 {
			p.Next = now
			if !p.Last.IsZero() {
				p.Next = p.Last.Add(p.Every)
			}
		}
	}
}

// Sum tells what all crawls of the collection come to.
func (c *Collection) Sum() Sum {
	if c.sum != nil {
		return *c.sum
	}
	var l listed
	for _, k := range c.Crawls {
		l.count(k, 1)
	}
	return l.Sum
}

// Head tells of the newest crawl of the collection, and of the newest that was measured.
func (c *Collection) Head() Head {
	if c.head != nil {
		return *c.head
	}
	var d Head
	for _, k := range c.Crawls {
		d.newest(k)
		if k.Coherence != nil && k.Coherence.Total() > 0 {
			d.measured(k)
		}
	}
	return d
}

// Simulated tells whether the times of the collection are those of a simulated web.
func (c *Collection) Simulated() bool { return c.Clock == crawl.SimulatedClock }

// Now is the present instant by the clock of the collection: of a simulated one, the last that its crawls have seen.
func (c *Collection) Now(now time.Time) time.Time {
	if !c.Simulated() {
		return now
	}
	return c.Sum().Last
}

// warcFiles counts the finished WARC files of a collection, also those that lie elsewhere.
func warcFiles(c *catalog.Collection) (n int, size int64) {
	files, err := c.WARCs()
	if err != nil {
		return 0, 0
	}
	for _, f := range files {
		if info, err := f.Stat(); err == nil {
			n++
			size += info.Size
		}
	}
	return n, size
}

// Now is the present instant.
func (h *Holdings) Now() time.Time { return h.now() }
