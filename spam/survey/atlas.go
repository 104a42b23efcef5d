package survey

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve/archive/whole"
	"varve/spam/compression"
	"varve/spam/content"
	"varve/spam/graph"
	"varve/spam/history"
	"varve/web/canon"
)

// atlas is what the passes before the last one find out.
type atlas struct {
	cfg  Config
	ids  map[string]uint32 // of all hosts, captured or only linked to
	all  []string          // names by id
	own  []bool            // captured, with text
	keys []uint64          // of all pages with text, in order

	snapshots []string // in order of time
	index     map[string]int
	addresses map[string]int // hosts by address
	domains   map[string]int // hosts by pay-level domain
	languages map[string]int // hosts by language

	hosts, pages *ranked
	links        *history.Links
	centre       *history.Centre
	folds        *compression.Folds
	examples     []compression.Example
}

// id numbers a host.
func (a *atlas) id(host string) uint32 {
	id, known := a.ids[host]
	if !known {
		id = uint32(len(a.all))
		a.ids[host] = id
		a.all = append(a.all, host)
		a.own = append(a.own, false)
	}
	return id
}

// page numbers a page, by its place in the order of keys.
func (a *atlas) page(key uint64) (uint32, bool) {
	i, found := slices.BinarySearch(a.keys, key)
	return uint32(i), found
}

// list is pass 1: hosts, pages, snapshots.
func (a *atlas) list(ctx context.Context) error {
	first := map[string]time.Time{}
	err := eachHost(a.cfg.Dir, func(h *hostVisits) error {
		current := h.current()
		if len(current) > 0 {
			a.own[a.id(h.name)] = true
			a.addresses[h.address()]++
			a.domains[canon.PayLevelDomain(h.name)]++
			a.languages[mainLanguage(current)]++
		}
		for i := range h.visits {
			v := &h.visits[i]
			s := a.cfg.Snapshots.of(v)
			if t, known := first[s]; !known || v.Time.Before(t) {
				first[s] = v.Time
			}
			if v.Kind != kindPage {
				continue
			}
			a.keys = append(a.keys, v.Key)
			for _, to := range v.Hosts {
				a.id(to)
			}
		}
		return ctx.Err()
	})
	slices.Sort(a.keys)
	a.keys = slices.Compact(a.keys)
	a.snapshots = sortedKeys(first)
	slices.SortStableFunc(a.snapshots, func(x, y string) int { return cmp.Or(first[x].Compare(first[y]), cmp.Compare(x, y)) })
	for i, s := range a.snapshots {
		a.index[s] = i
	}
	return err
}

// edges are the builders of pass 2.
type edges struct {
	hosts, pages *graph.Builder
	snapshots    []*graph.Builder
}

// held is how many edges are in memory while graphs are built.
const held = 8 << 20

func (a *atlas) newEdges() (*edges, func() error, error) {
	tmp, err := whole.NewFolder(a.cfg.Temp, "spam") // what a killed survey left goes with it
	if err != nil {
		return nil, nil, err
	}
	e := &edges{}
	folder := func(name string) string {
		sub := filepath.Join(tmp.Path, name)
		err = cmp.Or(err, os.Mkdir(sub, 0o700))
		return sub
	}
	e.hosts, e.pages = graph.NewBuilder(folder("hosts"), held/2), graph.NewBuilder(folder("pages"), held)
	for _, s := range a.history() {
		e.snapshots = append(e.snapshots, graph.NewBuilder(folder(s), max(1<<16, held/len(a.snapshots))))
	}
	return e, tmp.Close, err
}

// history are the folders of snapshots, if there is more than one.
func (a *atlas) history() (out []string) {
	if len(a.snapshots) < 2 {
		return nil
	}
	for i := range a.snapshots {
		out = append(out, fmt.Sprintf("snapshot-%d", i))
	}
	return out
}

// connect is pass 2: edges, means of snapshots, texts of judged hosts.
func (a *atlas) connect(ctx context.Context, e *edges) error {
	return eachHost(a.cfg.Dir, func(h *hostVisits) error {
		id := a.ids[h.name]
		current := h.current()
		for _, p := range current {
			from, _ := a.page(p.Key)
			for _, to := range p.Hosts {
				e.hosts.Add(id, a.ids[to])
			}
			for _, key := range p.Targets {
				if to, known := a.page(key); known {
					e.pages.Add(from, to)
				}
			}
		}
		if class := a.cfg.Labels[h.name]; class != "" && len(current) > 0 && len(a.examples) < maxExamples {
			a.examples = append(a.examples, compression.Example{Group: canon.PayLevelDomain(h.name), Spam: class == Spam, Text: sample(current)})
		}
		if err := a.past(h, id, e); err != nil {
			return err
		}
		return ctx.Err()
	})
}

// maxExamples bounds the texts of judged hosts that are held: 16 KB each.
const maxExamples = 10_000

// past adds the edges and the means of each snapshot.
func (a *atlas) past(h *hostVisits, id uint32, e *edges) error {
	if len(e.snapshots) == 0 {
		return nil
	}
	for s, name := range a.snapshots {
		pages := h.lastOf(func(v *Visit) bool { return a.cfg.Snapshots.of(v) == name })
		if len(pages) == 0 {
			continue
		}
		for _, p := range pages {
			for _, to := range p.Hosts {
				e.snapshots[s].Add(id, a.ids[to])
			}
		}
		means, err := means(pages)
		if err != nil {
			return err
		}
		a.centre.Add(s, means)
	}
	return nil
}

// means of the page features over pages.
func means(pages []*Visit) ([]float64, error) {
	var h content.Host
	for _, p := range pages {
		f, err := p.features()
		if err != nil {
			return nil, err
		}
		h.Take(content.Trace{URL: p.URL}, f)
	}
	return h.Means(), nil
}
