package report

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"varve/coherence"
	"varve/text/layer"
)

// Tally counts pages by state on one layer.
type Tally struct {
	Coherent  int64 `json:"coherent"`
	Witnessed int64 `json:"witnessed"` // of Coherent
	Asserted  int64 `json:"asserted"`  // of Coherent
	Changed   int64 `json:"changed"`
	Links     int64 `json:"links"`
	Missing   int64 `json:"missing"`
	Unknown   int64 `json:"unknown"`
}

// Of gives the count of a state.
func (t *Tally) Of(s State) int64 {
	switch s {
	case Coherent:
		return t.Coherent
	case Changed:
		return t.Changed
	case Relinked:
		return t.Links
	case Lost:
		return t.Missing
	}
	return t.Unknown
}

func (t *Tally) add(s State, l coherence.Level) {
	switch s {
	case Coherent:
		t.Coherent++
		if l == coherence.Witnessed {
			t.Witnessed++
		} else {
			t.Asserted++
		}
	case Changed:
		t.Changed++
	case Relinked:
		t.Links++
	case Lost:
		t.Missing++
	default:
		t.Unknown++
	}
}

// Layers has a tally for each layer.
type Layers map[layer.Name]*Tally

func newLayers() Layers {
	l := Layers{}
	for _, n := range layer.Names() {
		l[n] = &Tally{}
	}
	return l
}

// add counts a page on every layer.
func (l Layers) add(p *Judged, reference time.Time) {
	for n, t := range l {
		t.add(p.State(n, reference))
	}
}

// Part is the pages of a crawl that have something in common.
type Part struct {
	Name   string `json:"name"`
	Pages  int64  `json:"pages"`
	Layers Layers `json:"layers"`
}

func newPart(name string) *Part { return &Part{Name: name, Layers: newLayers()} }

func (p *Part) add(page *Judged, reference time.Time) {
	p.Pages++
	p.Layers.add(page, reference)
}

// maxParts bounds the parts that a breakdown keeps apart; servers can make up any number of names.
const maxParts = 1000

// parts is a breakdown.
type parts map[string]*Part

// otherParts is where the pages of further names are counted.
const otherParts = "other"

func (ps parts) add(name string, p *Judged, reference time.Time) {
	if name == "" {
		name = "unknown"
	}
	part := ps[name]
	if part == nil {
		if len(ps) >= maxParts {
			name = otherParts
		}
		if part = ps[name]; part == nil {
			part = newPart(name)
			ps[name] = part
		}
	}
	part.add(p, reference)
}

// list gives the parts, those with most pages first.
func (ps parts) list() []*Part {
	out := make([]*Part, 0, len(ps))
	for _, p := range ps {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Part) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// byDepth gives the parts in order of depth.
func (ps parts) byDepth() []*Part {
	out := ps.list()
	slices.SortStableFunc(out, func(a, b *Part) int {
		x, errA := strconv.Atoi(a.Name)
		y, errB := strconv.Atoi(b.Name)
		if (errA == nil) != (errB == nil) {
			return cmp.Compare(b2i(errA != nil), b2i(errB != nil))
		}
		return cmp.Compare(x, y)
	})
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
