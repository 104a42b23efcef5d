package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"varve/archive/cdxj"
	"varve/text/noise"
)

// maxHeld bounds the lines of a set whose pages are held as they were read: three times as much in memory.
const maxHeld = 16 << 20

// Set is the evidence of some files: pages in order of index key, on disk.
type Set struct {
	Sources []Source
	Crawls  []string // isPartOf of each source; empty where it does not say
	Totals  Totals

	dir      string
	memory   int
	captures *cdxj.Sorter
	held     []*History // all pages as they were read, where they are few; nil before they are asked for, and where they are many
	layers   *readers
	twins    bool                   // something was asked for twice at once
	noise    map[string]noise.Rules // by template
	maxBody  int64
}

// Totals count what was read.
type Totals struct {
	Captures int64 `json:"captures"`
	Revisits int64 `json:"revisits"` // of Captures
	Lost     int64 `json:"lost"`     // of Revisits, whose original is not in the files
	Lookups  int64 `json:"lookups"`  // of names in the DNS
	Skew     Skew  `json:"clock"`
}

// Read collects the evidence of files. Close the set when done with it.
func Read(ctx context.Context, sources []Source, o Options) (*Set, error) {
	o.complete()
	notes := cdxj.NewSorter(o.Dir, cdxj.SortOptions{Memory: o.Memory})
	s := &Set{Sources: sources, Crawls: make([]string, len(sources)), dir: o.Dir, memory: o.Memory, captures: cdxj.NewSorter(o.Dir, cdxj.SortOptions{Memory: o.Memory}), layers: new(readers), maxBody: o.MaxBody}
	err := (&scanner{opts: &o, layers: s.layers, notes: notes, crawls: s.Crawls}).scan(ctx, sources)
	if err == nil {
		err = s.settle(ctx, notes, &o)
	}
	if err == nil && s.twins {
		err = s.learnNoise()
	}
	if err = errors.Join(err, notes.Close()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close removes what the set keeps on disk.
func (s *Set) Close() error { return s.captures.Close() }

// Sorter returns a sorter whose runs lie where those of the set do; whoever asks for it closes it. Equal lines come once.
func (s *Set) Sorter() *cdxj.Sorter {
	return cdxj.NewSorter(s.dir, cdxj.SortOptions{Memory: s.memory, Unique: true})
}

// settle makes captures of the notes: first within each index key, then across keys.
func (s *Set) settle(ctx context.Context, notes *cdxj.Sorter, o *Options) (err error) {
	e := newElsewhere(o.Dir, o.Memory)
	defer func() { err = errors.Join(err, e.close()) }()
	var skew SkewTally
	for g, err := range groups(notes) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		done, lost := g.settle()
		for i := range done {
			skew.Add(&done[i].Capture)
			if err := s.add(&done[i]); err != nil {
				return err
			}
		}
		for i := range lost {
			if err := e.want(&lost[i]); err != nil {
				return err
			}
		}
	}
	s.Totals.Skew = skew.Skew()
	if e.count == 0 {
		return nil
	}
	return s.lookElsewhere(ctx, notes, e)
}

// lookElsewhere goes through the notes once more for the originals that are wanted.
func (s *Set) lookElsewhere(ctx context.Context, notes *cdxj.Sorter, e *elsewhere) error {
	for g, err := range groups(notes) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for i := range g.captures {
			if n := &g.captures[i]; n.Refers == nil {
				if err := e.offer(n); err != nil {
					return err
				}
			}
		}
	}
	if err := e.match(); err != nil {
		return err
	}
	return e.settled(s.add)
}

// add puts a capture that is settled into the order of pages.
func (s *Set) add(n *note) error {
	c := &n.Capture
	c.Crawl = s.Crawls[c.Place.File]
	s.twins = s.twins || c.IsProbe()
	switch {
	case !isWeb(c.URL):
		s.Totals.Lookups++
	default:
		s.Totals.Captures++
	}
	if c.IsRevisit() {
		s.Totals.Revisits++
		if c.Step == StepLost {
			s.Totals.Lost++
		}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.captures.Add(append([]byte(n.key()+" "), b...))
}

// Pages gives the pages in order of index key and URL. It can be called again, but not from two goroutines at once. A page belongs to the
// caller, what its captures point to does not.
func (s *Set) Pages() iter.Seq2[*History, error] { return s.pages(isWeb) }

// Lookups gives the look-ups of names that were recorded, as pages with dns: addresses.
func (s *Set) Lookups() iter.Seq2[*History, error] {
	return s.pages(func(uri string) bool { return !isWeb(uri) })
}

func (s *Set) pages(want func(uri string) bool) iter.Seq2[*History, error] {
	return func(yield func(*History, error) bool) {
		for page, err := range s.all() {
			if err != nil {
				yield(nil, err)
				return
			}
			if want(page.URL) && !yield(page, nil) {
				return
			}
		}
	}
}

// all gives pages and look-ups. A report goes over them six times, so few are read once; each time they are copied, since a page belongs
// to the caller.
func (s *Set) all() iter.Seq2[*History, error] {
	if size, whole := s.captures.InMemory(); !whole || size > maxHeld {
		return s.read()
	}
	return func(yield func(*History, error) bool) {
		if s.held == nil {
			held := []*History{}
			for page, err := range s.read() {
				if err != nil {
					yield(nil, err)
					return
				}
				held = append(held, page)
			}
			s.held = held
		}
		for _, p := range s.held {
			if !yield(&History{URL: p.URL, Key: p.Key, Captures: slices.Clone(p.Captures)}, nil) {
				return
			}
		}
	}
}

// read reads pages and look-ups from the sorted lines.
func (s *Set) read() iter.Seq2[*History, error] {
	return func(yield func(*History, error) bool) {
		var page *History
		var url string
		for line, err := range s.captures.Sorted() {
			var words []string
			var c Observation
			if err == nil {
				words, c, err = readCapture(line)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if page == nil || words[1] != url {
				if page != nil && !yield(page, nil) {
					return
				}
				page, url = &History{URL: c.URL, Key: words[0]}, words[1]
			}
			page.Captures = append(page.Captures, c)
		}
		if page != nil {
			yield(page, nil)
		}
	}
}

func readCapture(line []byte) ([]string, Observation, error) {
	var c Observation
	words, rest, err := splitLine(line, 3)
	if err == nil {
		err = json.Unmarshal(rest, &c)
	}
	if err != nil {
		err = fmt.Errorf("line of the sort: %w", err)
	}
	return words, c, err
}

// groups gives the notes by index key.
func groups(notes *cdxj.Sorter) iter.Seq2[*group, error] {
	return func(yield func(*group, error) bool) {
		g := &group{}
		for line, err := range notes.Sorted() {
			var words []string
			var rest []byte
			var n note
			if err == nil {
				words, rest, err = splitLine(line, 3)
			}
			if err == nil {
				err = json.Unmarshal(rest, &n)
			}
			if err != nil {
				yield(nil, fmt.Errorf("line of the sort: %w", err))
				return
			}
			if words[0] != g.key {
				if g.key != "" && !yield(g, nil) {
					return
				}
				g = &group{key: words[0]}
			}
			if n.Kind == kindCapture {
				g.captures = append(g.captures, n)
			} else {
				g.others = append(g.others, n)
			}
		}
		if g.key != "" {
			yield(g, nil)
		}
	}
}

// fileWord and fileNumber carry the number of a source through warc.Ref, which names files.
func fileWord(n int) string { return strconv.Itoa(n) }

func fileNumber(s string) int {
	n, _ := strconv.Atoi(s) // written by fileWord
	return n
}
