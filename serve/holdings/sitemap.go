package holdings

import (
	"iter"
	"slices"
	"strings"
	"time"

	"varve/version"
)

// Kind is what a capture tells about its page, compared with the capture before it.
type Kind int

// The kinds, in the order in which cells stack them.
const (
	KindSame    Kind = iota // as it was
	KindNew                 // first seen
	KindChanged             // other content
	KindGone                // there is no page (404, 410)
	KindFailed              // the server failed: nothing is known
	numKinds
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"same", "new", "changed", "gone", "failed"}[k]
}

// Cell is one depth of a site in one stretch of time: captures by kind.
type Cell [numKinds]int

// Total is the number of captures of a cell.
func (c Cell) Total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// Row is one stretch of time of a site map.
type Row struct {
	From  time.Time `json:"from"`
	To    time.Time `json:"to"` // exclusive
	Cells []Cell    `json:"cells"`
}

// Section is a part of a site: a first path segment below the prefix.
type Section struct {
	Prefix string `json:"prefix"`
	Pages  int    `json:"pages"`
	Cell   Cell   `json:"counts"`
}

// SiteMap is a site over time: depth across, time down.
type SiteMap struct {
	Unit     Unit      `json:"unit"`
	Rows     []Row     `json:"rows"`
	Depths   int       `json:"depths"`
	Sections []Section `json:"sections"` // most pages first
	Captures int       `json:"captures"`
	Pages    int       `json:"pages"`
	Partial  bool      `json:"partial"` // there are more captures than were looked at
}

// maxDepth is the depth that all deeper pages are counted with.
const maxDepth = 8

// seen is one capture as the map needs it.
type seen struct {
	at    time.Time
	depth int
	kind  Kind
}

// Map draws a site map from captures, sorted by key and time. It looks at no more than limit of
// them. base is the path that sections are looked for below: "http://host/news/".
func Map(captures iter.Seq2[IndexedCapture, error], from, to time.Time, base string, limit int) (*SiteMap, error) {
	m := &SiteMap{}
	var all []seen
	var last IndexedCapture
	var fold version.Fold
	sections := map[string]*Section{}
	for c, err := range captures {
		if err != nil {
			return nil, err
		}
		if m.Captures >= limit {
			m.Partial = true
			break
		}
		fresh := c.Key != last.Key
		if fresh {
			fold = version.Fold{}
		}
		kind := kindOf(fold.Next(c.Sight()), c.Status, fresh)
		last = c
		if !from.IsZero() && c.Time.Before(from) || !to.IsZero() && !c.Time.Before(to) {
			continue // it was needed to know what came before
		}
		m.Captures++
		depth := min(Depth(c.URL), maxDepth)
		m.Depths = max(m.Depths, depth+1)
		all = append(all, seen{c.Time, depth, kind})
		m.count(sections, c, kind, fresh, base)
	}
	m.arrange(all, from, to)
	for _, s := range sections {
		m.Sections = append(m.Sections, *s)
	}
	slices.SortFunc(m.Sections, func(a, b Section) int {
		if a.Pages != b.Pages {
			return b.Pages - a.Pages
		}
		return strings.Compare(a.Prefix, b.Prefix)
	})
	return m, nil
}

// count adds a capture to the section it is in.
func (m *SiteMap) count(sections map[string]*Section, c IndexedCapture, kind Kind, fresh bool, base string) {
	if fresh {
		m.Pages++
	}
	name := sectionOf(c.URL, base)
	s := sections[name]
	if s == nil {
		if len(sections) >= 500 {
			return
		}
		s = &Section{Prefix: name}
		sections[name] = s
	}
	if fresh || s.Pages == 0 {
		s.Pages++
	}
	s.Cell[kind]++
}

func kindOf(step version.Step, status int, fresh bool) Kind {
	switch {
	case step == version.End:
		return KindGone
	case status >= 400:
		return KindFailed
	case fresh:
		return KindNew
	case step == version.Begin:
		return KindChanged
	}
	return KindSame
}

// arrange sorts what was seen into rows of equal stretches of the calendar.
func (m *SiteMap) arrange(all []seen, from, to time.Time) {
	if len(all) == 0 {
		return
	}
	first, last := all[0].at, all[0].at
	for _, s := range all {
		if s.at.Before(first) {
			first = s.at
		}
		if s.at.After(last) {
			last = s.at
		}
	}
	m.Unit = UnitFor(first, last)
	for at := m.Unit.Floor(first); !at.After(last); at = m.Unit.Next(at) {
		m.Rows = append(m.Rows, Row{From: at, To: m.Unit.Next(at), Cells: make([]Cell, m.Depths)})
	}
	for _, s := range all {
		i, found := slices.BinarySearchFunc(m.Rows, s.at, func(r Row, t time.Time) int { return r.From.Compare(t) })
		if !found {
			i--
		}
		m.Rows[i].Cells[s.depth][s.kind]++
	}
}

// Depth is the number of path segments of a URL: 0 for the home page.
func Depth(url string) int {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	rest, _, _ = strings.Cut(rest, "?")
	_, path, _ := strings.Cut(rest, "/")
	n := 0
	for part := range strings.SplitSeq(path, "/") {
		if part != "" {
			n++
		}
	}
	return n
}

// sectionOf gives the URL up to the end of the first path segment below base.
func sectionOf(url, base string) string {
	rest, ok := strings.CutPrefix(url, base)
	if !ok || base == "" {
		_, after, ok := strings.Cut(url, "://")
		if !ok {
			return url
		}
		host, _, _ := strings.Cut(after, "/")
		base = url[:len(url)-len(after)+len(host)]
		rest, _ = strings.CutPrefix(url, base+"/")
		base += "/"
	}
	segment, _, deeper := strings.Cut(rest, "/")
	segment, _, _ = strings.Cut(segment, "?")
	if !deeper {
		return base
	}
	return base + segment + "/"
}
