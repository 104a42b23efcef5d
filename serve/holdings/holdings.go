package holdings

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// Holdings is what an archive holds.
type Holdings struct {
	archive *catalog.Archive
	now     func() time.Time

	mu    sync.Mutex
	files map[string]cached // by path
}

// New makes the holdings of an archive directory.
func New(archive *catalog.Archive, now func() time.Time) *Holdings {
	return &Holdings{archive: archive, now: now, files: map[string]cached{}}
}

// Collection is a collection and what is in it.
type Collection struct {
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	Purpose string      `json:"purpose,omitempty"`
	Crawls  []*Crawl    `json:"-"` // oldest first
	Files   int         `json:"warcFiles"`
	Bytes   int64       `json:"warcBytes"`
	Clock   crawl.Clock `json:"clock,omitempty"` // what its times are told by; empty: the clock of this machine
	Plans   []Planned   `json:"planned,omitempty"`
	Problem string      `json:"problem,omitempty"` // why collection.toml could not be read
	Trouble string      `json:"trouble,omitempty"` // which lines of labels/definitions.jsonl could not be read
	Hidden  []string    `json:"hidden,omitempty"`  // crawls planned on a screen whose name stands in collection.toml too
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

// Collections lists the collections by name.
func (h *Holdings) Collections(ctx context.Context) ([]*Collection, error) {
	list, err := h.archive.Collections()
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list collections", Err: err, Hint: "check that the archive directory can be read"}
	}
	out := make([]*Collection, 0, len(list))
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := h.read(c)
		if err != nil {
			return nil, err
		}
		out = append(out, got)
	}
	return out, nil
}

// Collection gives the collection of that name.
func (h *Holdings) Collection(_ context.Context, name string) (*Collection, error) {
	c, err := h.archive.Collection(name)
	if err != nil {
		return nil, err
	}
	if !c.Exists() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open collection " + name, Msg: "there is no such collection", Hint: "'varve crawl URL --collection " + name + "' begins one"}
	}
	return h.read(c)
}

func (h *Holdings) read(c *catalog.Collection) (*Collection, error) {
	out := &Collection{Name: c.Name, Title: c.Name}
	ids, err := c.Crawls()
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list crawls of " + c.Name, Err: err}
	}
	for _, id := range ids {
		k, err := h.crawl(c, id)
		if err != nil {
			return nil, err
		}
		out.Crawls = append(out.Crawls, k)
	}
	out.Files, out.Bytes = warcFiles(c)
	h.readPlan(c, out)
	return out, nil
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
		d := plan.Defined[name]
		next := Planned{Name: name, Seeds: p.Seeds, Every: time.Duration(p.Every), Last: lastStart(out.Crawls, name, h.now()), By: d.By, Changed: d.At, Definition: &p.Definition}
		if next.Every > 0 {
			next.Next = h.now()
			if !next.Last.IsZero() {
				next.Next = next.Last.Add(next.Every)
			}
		}
		out.Plans = append(out.Plans, next)
	}
	out.Hidden = slices.Sorted(maps.Keys(plan.Hidden))
	sortPlans(out.Plans)
}

// Simulated tells whether the times of the collection are those of a simulated web.
func (c *Collection) Simulated() bool { return c.Clock == crawl.SimulatedClock }

// Now is the present instant by the clock of the collection: of a simulated one, the last that its crawls have seen.
func (c *Collection) Now(now time.Time) time.Time {
	if !c.Simulated() {
		return now
	}
	var last time.Time
	for _, k := range c.Crawls {
		for _, t := range []time.Time{k.Started, k.Ended} {
			if t.After(last) {
				last = t
			}
		}
	}
	return last
}

func lastStart(crawls []*Crawl, name string, now time.Time) time.Time {
	for i := len(crawls) - 1; i >= 0; i-- {
		if crawls[i].Name == name && crawls[i].Started.Before(now.Add(crawl.ClockSlack)) { // else a clock was set back
			return crawls[i].Started
		}
	}
	return time.Time{}
}

// warcFiles counts the finished WARC files of a collection, also those that lie elsewhere.
func warcFiles(c *catalog.Collection) (n int, size int64) {
	files, err := c.WARCs()
	if err != nil {
		return 0, 0
	}
	for _, f := range files {
		if info, err := os.Stat(f.Path); err == nil {
			n++
			size += info.Size()
		}
	}
	return n, size
}

// Now is the present instant.
func (h *Holdings) Now() time.Time { return h.now() }
