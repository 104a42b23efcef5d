package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"varve/clock"
	"varve/crawl/collect"
	"varve/web/links"
)

// Config says what is collected. Zero fields mean the default named at the field.
type Config struct {
	Rules  *Rules // the built-in ones
	Limits Limits
	Clock  clock.Clock // the machine's
}

// Limits bound what one interface may cost.
type Limits struct {
	Requests int           // of one base; 5,000
	Bytes    int64         // of one base; 1 GiB
	Answer   int64         // bytes of one answer that are read; 8 MiB
	Links    int           // given back; 100,000
	Wait     time.Duration // for a rate limit, at a time; 15 min
	Each     int           // items of a list for which another list is asked; 1,000
}

func (l Limits) withDefaults() Limits {
	if l.Requests <= 0 {
		l.Requests = 5000
	}
	if l.Bytes <= 0 {
		l.Bytes = 1 << 30
	}
	if l.Answer <= 0 {
		l.Answer = 8 << 20
	}
	if l.Links <= 0 {
		l.Links = 100_000
	}
	if l.Wait <= 0 {
		l.Wait = 15 * time.Minute
	}
	if l.Each <= 0 {
		l.Each = 1000
	}
	return l
}

// Collector pages through interfaces, each once. It is a collect.Collector, and tells a route which
// answers are for it.
type Collector struct {
	cfg Config

	mu   sync.Mutex
	done map[string]bool // lists that were asked for, by their first request
}

var _ collect.Collector = (*Collector)(nil)

// New makes a collector.
func New(cfg Config) *Collector {
	if cfg.Rules == nil {
		cfg.Rules = Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.Real()
	}
	cfg.Limits = cfg.Limits.withDefaults()
	return &Collector{cfg: cfg, done: map[string]bool{}}
}

// Find tells whether an answer leads to an interface that has not been paged through.
func (c *Collector) Find(e *collect.Evidence) (why string, ok bool) {
	var names []string
	for _, f := range c.cfg.Rules.find(&e.Answer) {
		if c.fresh(f, e.URL) {
			names = append(names, f.of.Name)
		}
	}
	return "it leads to an interface: " + strings.Join(names, ", "), len(names) > 0
}

// fresh tells whether a list of the interface has not been asked for.
func (c *Collector) fresh(f found, page string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range f.of.Lists {
		if v, ok := l.start(f, page); ok && l.Of == "" && !c.done[v.first] {
			return true
		}
	}
	return false
}

// maxDone bounds the lists that are remembered as asked for.
const maxDone = 100_000

// claim notes a list as asked for; mine is false when it was already, or when no more can be noted.
func (c *Collector) claim(first string) (mine, full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.done[first]:
		return false, false
	case len(c.done) >= maxDone:
		return false, true
	}
	c.done[first] = true
	return true, false
}

// Collect pages through the interfaces that an answer leads to.
func (c *Collector) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	out := new(collect.Result)
	var errs []error
	for _, f := range c.cfg.Rules.find(a) {
		w := &walk{c: c, net: net, found: f, page: a.URL, out: out, seen: map[string]bool{}}
		if err := w.all(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s at %s: %w", f.of.Name, f.base, err))
		}
		if w.requests > 0 {
			out.Fields = append(out.Fields, collect.Field{
				Name: "interface", Value: fmt.Sprintf("%s %s requests=%d items=%d links=%d", f.of.Name, f.base, w.requests, w.items, w.links),
			})
		}
	}
	return out, errors.Join(errs...)
}

// walk is the paging through one interface.
type walk struct {
	c     *Collector
	net   collect.Net
	found found
	page  string // where the interface was found
	out   *collect.Result
	seen  map[string]bool // URLs given back

	requests, items, links int
	bytes                  int64
}

// errLimit ends a walk that has had enough.
var errLimit = errors.New("limit reached")

// all asks for all lists of the interface. A list that fails does not keep the others from being asked.
func (w *walk) all(ctx context.Context) error {
	kept := map[string][]any{} // items of lists that others are of
	var errs []error
	for _, l := range w.found.of.Lists {
		for _, of := range w.parents(l, kept) {
			run, ok := l.start(w.found, w.page)
			if !ok {
				continue
			}
			run.parent, run.parentName = of, l.Of
			items, err := w.list(ctx, l, run)
			kept[l.Name] = append(kept[l.Name], items...)
			errs = append(errs, err)
			if ctx.Err() != nil || errors.Is(err, errLimit) {
				return errors.Join(errs...)
			}
		}
	}
	return errors.Join(errs...)
}

// parents gives the items of another list for each of which a list is asked: one, and that is nothing,
// where it is of none.
func (w *walk) parents(l *List, kept map[string][]any) []any {
	if l.Of == "" {
		return []any{nil}
	}
	items := kept[l.Of]
	n := min(len(items), w.c.cfg.Limits.Each)
	w.out.Cut += len(items) - n
	return items[:n]
}

// add gives a link back, once.
func (w *walk) add(url string, kind links.Kind) {
	if w.seen[url] || !strings.Contains(url, "://") {
		return
	}
	if w.links >= w.c.cfg.Limits.Links {
		w.out.Cut++
		return
	}
	w.seen[url] = true
	w.links++
	w.out.Links = append(w.out.Links, links.Link{URL: url, Kind: kind, Hop: kind.Hop()})
}
