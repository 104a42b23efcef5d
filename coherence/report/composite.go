package report

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/coherence"
	"varve/coherence/evidence"
	"varve/text/layer"
	"varve/web/canon"
)

// Together says whether a page stood together with its parts, and when. Parts are the pictures, style sheets, scripts and frames that its
// captured bytes name, what these style sheets name, and where redirects of them lead; what scripts ask for is not among them.
type Together struct {
	coherence.Finding           // of the page with its parts: the worst of the findings on them
	At                time.Time `json:"at"`               // the instant at which they stood together, or came nearest to it
	Parts             int       `json:"parts"`            // that were captured, or should have been
	Amiss             int       `json:"amiss,omitempty"`  // of Parts: not coherent at that instant
	Broken            []Broken  `json:"broken,omitempty"` // of Amiss the worst, at most five
}

// Broken is a part that is not known to have stood at the instant.
type Broken struct {
	URL string `json:"url"`
	coherence.Finding
}

// Composites counts pages with their parts.
type Composites struct {
	Pages     int64 `json:"pages"`    // HTML, visited and there
	Bare      int64 `json:"bare"`     // of Pages: without parts
	Parts     int64 `json:"parts"`    // of all Pages; one that many show counts for each
	Coherent  int64 `json:"coherent"` // of Pages, as the next three are
	Possible  int64 `json:"possible"`
	Unknown   int64 `json:"unknown"`
	Violated  int64 `json:"violated"`
	Witnessed int64 `json:"witnessed"` // of Coherent
	Asserted  int64 `json:"asserted"`  // of Coherent
	Inferred  int64 `json:"inferred"`  // of Coherent: from captures of other crawls

	Worst []Incomplete `json:"worst"` // pages violated, then those of which a part was not captured; at most 1,000
}

// Incomplete is a page that a part of it breaks.
type Incomplete struct {
	URL   string    `json:"url"`
	Visit time.Time `json:"visit"`
	Together
}

const maxBroken = 5

// add counts a page.
func (k *Composites) add(p *Judged) {
	t := p.Together
	if t == nil {
		return
	}
	k.Pages++
	k.Parts += int64(t.Parts)
	if t.Parts == 0 {
		k.Bare++
	}
	switch t.Verdict {
	case coherence.Coherent:
		k.Coherent++
		switch t.Level {
		case coherence.Witnessed:
			k.Witnessed++
		case coherence.Asserted:
			k.Asserted++
		default:
			k.Inferred++
		}
		return
	case coherence.Possible:
		k.Possible++
		return
	case coherence.Unknown:
		k.Unknown++
	default:
		k.Violated++
	}
	at := len(k.Worst)
	if t.Verdict == coherence.Violated { // behind the others of its kind: pages come in order
		at, _ = slices.BinarySearchFunc(k.Worst, 0, func(w Incomplete, _ int) int {
			if w.Verdict == coherence.Violated {
				return -1
			}
			return 1
		})
	}
	if at < maxWorst {
		k.Worst = slices.Insert(k.Worst, at, Incomplete{p.URL, p.Visit.Time, *t})
		k.Worst = k.Worst[:min(len(k.Worst), maxWorst)]
	}
}

// composer finds the parts of pages by sorting, as evidence does: a part may lie anywhere in the order of pages, and belong to any number of them.
//
//	round 0   wanted:  PART PAGE   for every part that the visit of a page names
//	round n   merge wanted with the pages of the set, both by index key
//	          rows:    PAGE 1 what was seen of the part       wanted in round n+1: what a style sheet names, where a redirect leads
//	at last   sort rows; each page with its parts is judged (coherence.Together)
//
// Memory does not grow with the number of pages, but for the captures of one index key.
type composer struct {
	set  *evidence.Set
	o    *Options
	rows *cdxj.Sorter

	next func() (*row, error, bool)
	stop func()
	wait *row
}

// maxRounds is how deep parts are followed: page, style sheet, what it imports, a picture of that, a redirect.
const maxRounds = 5

// maxSeen bounds the captures of a part that are looked at where all files are one crawl.
const maxSeen = 200

// row is one line of rows, by page.
type row struct {
	order string // of the page
	page  bool
	Part  string               `json:"u,omitempty"`
	Visit time.Time            `json:"t,omitzero"`
	Cut   int                  `json:"cut,omitempty"` // parts that are not listed
	Seen  []coherence.Sighting `json:"s,omitempty"`
}

// compose finds the parts of all pages of a crawl.
func compose(ctx context.Context, set *evidence.Set, o *Options) (_ *composer, err error) {
	k := &composer{set: set, o: o, rows: set.Sorter(), stop: func() {}}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.close())
		}
	}()
	wanted := set.Sorter()
	for page, err := range set.Pages() {
		if err = errors.Join(err, ctx.Err()); err == nil {
			err = k.page(page, wanted)
		}
		if err != nil {
			return nil, errors.Join(err, wanted.Close())
		}
	}
	for n := 0; wanted != nil; n++ {
		var more *cdxj.Sorter
		if n+1 < maxRounds {
			more = set.Sorter()
		}
		err := errors.Join(k.round(ctx, wanted, more), wanted.Close())
		if wanted = more; err != nil {
			if more != nil {
				err = errors.Join(err, more.Close())
			}
			return nil, err
		}
	}
	next, stop := iter.Pull2(k.sorted())
	k.next, k.stop = next, stop
	return k, nil
}

func (k *composer) close() error {
	k.stop()
	return k.rows.Close()
}

// page asks for the parts of a page.
func (k *composer) page(page *evidence.History, wanted *cdxj.Sorter) error {
	visit, _ := choose(page, k.o.Crawl)
	if visit == nil || !visit.OK() || visit.Layers == nil || !visit.Layers.Layered || visit.IsData() || visit.IsFeed() {
		return nil
	}
	seen, err := k.seen(page)
	if err != nil {
		return err
	}
	if visit.Truncated != "" {
		seen = nil // what is there of it may be of any page
	}
	order := evidence.Order(page.URL)
	if err := k.row(order+" 0 ", row{Visit: visit.Time, Cut: visit.PartsCut, Seen: seen}); err != nil {
		return err
	}
	return want(wanted, order, visit.Parts)
}

// want asks for parts of a page.
func want(wanted *cdxj.Sorter, page string, parts []evidence.Part) error {
	for _, p := range parts {
		need := "1"
		if p.Must {
			need = "0"
		}
		if err := wanted.Add([]byte(evidence.Order(p.URL) + " " + page + " " + need)); err != nil {
			return err
		}
	}
	return nil
}

func (k *composer) row(key string, r row) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return k.rows.Add(append([]byte(key), b...))
}

// seen returns what is known of a page or part: from captures of the crawl and, unless it is to be judged alone, the nearest before and after.
func (k *composer) seen(page *evidence.History) ([]coherence.Sighting, error) {
	var all []coherence.Sighting
	var last *evidence.Observation
	from, to := len(page.Captures), 0 // in all: the captures of the crawl
	for i := range page.Captures {
		c := &page.Captures[i]
		mine := k.o.Crawl == "" || c.Crawl == k.o.Crawl
		if !mine && k.o.Alone {
			continue
		}
		s, ok, err := k.sighting(c, last)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", page.URL, err)
		}
		if isWhole(c) {
			last = c
		}
		if !ok {
			continue
		}
		if all = append(all, s); mine {
			from, to = min(from, len(all)-1), len(all)
		}
	}
	if to == 0 {
		return nil, nil
	}
	from, to = max(0, from-1), min(len(all), to+1)
	return all[from:min(to, from+maxSeen)], nil
}

// sighting returns what a capture of a page or part says. That the server has none, or has it elsewhere, is a content too: the page was then shown without it, or
// with what is there. Other errors say nothing.
func (k *composer) sighting(c, last *evidence.Observation) (coherence.Sighting, bool, error) {
	switch {
	case !c.Plain() || c.IsProbe():
		return coherence.Sighting{}, false, nil
	case c.Status == http.StatusNotFound || c.Status == http.StatusGone:
		return coherence.Sighting{Time: c.Time, Content: "none", Crawl: c.Crawl}, true, nil
	case c.Status/100 == 3 && c.Location != "":
		return coherence.Sighting{Time: c.Time, Content: "to " + c.Location, Crawl: c.Crawl}, true, nil
	case !isWhole(c):
		return coherence.Sighting{}, false, nil
	}
	return sightingOf(k.set, c, last, k.o.Dates, layer.Text, layer.Links) // other links are other parts
}

// round merges what is wanted with what there is.
func (k *composer) round(ctx context.Context, wanted, more *cdxj.Sorter) error {
	next, stop := iter.Pull2(k.set.Pages())
	defer stop()
	g := &kin{composer: k, next: next}
	before := ""
	for line, err := range wanted.Sorted() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		words := strings.Split(string(line), " ")
		if len(words) != 5 {
			return fmt.Errorf("line of the sort: %d words, want 5", len(words))
		}
		part, page := words[0]+" "+words[1], words[2]+" "+words[3]
		if part+page == before { // needed, and an alternative: it was taken as needed
			continue
		}
		before = part + page
		if err := g.advance(words[0]); err != nil {
			return err
		}
		t, err := g.find(part)
		if err != nil {
			return err
		}
		if len(t.seen) == 0 && words[4] == "1" {
			continue // an alternative that nobody asked for
		}
		if err := k.row(page+" 1 ", row{Part: words[1], Seen: t.seen}); err != nil {
			return err
		}
		if more != nil {
			if err := want(more, page, t.names); err != nil {
				return err
			}
		}
	}
	return nil
}

// kin are the pages of one index key.
type kin struct {
	*composer
	next  func() (*evidence.History, error, bool)
	ahead *evidence.History
	key   string
	pages []*evidence.History
	last  string // order of the page that was found last
	found thing
}

// thing is a part as it was captured.
type thing struct {
	seen  []coherence.Sighting
	names []evidence.Part // what it needs in turn
}

// advance goes on to an index key; keys come in order.
func (g *kin) advance(key string) error {
	if key == g.key {
		return nil
	}
	g.key, g.pages, g.last = key, g.pages[:0], ""
	for {
		if g.ahead == nil {
			page, err, ok := g.next()
			if err != nil || !ok {
				return err
			}
			g.ahead = page
		}
		switch c := cmp.Compare(g.ahead.Key, key); {
		case c > 0:
			return nil
		case c == 0:
			g.pages = append(g.pages, g.ahead)
		}
		g.ahead = nil
	}
}

// find returns the part of an address: as it is written, else any of the key, as replay does.
func (g *kin) find(order string) (thing, error) {
	if order == g.last {
		return g.found, nil
	}
	g.last, g.found = order, thing{}
	var page *evidence.History
	for _, p := range g.pages {
		if page == nil || evidence.Order(p.URL) == order {
			page = p
		}
	}
	if page == nil {
		return g.found, nil
	}
	var err error
	if g.found.seen, err = g.seen(page); err != nil || len(g.found.seen) == 0 {
		return g.found, err
	}
	for i := range page.Captures {
		c := &page.Captures[i]
		switch {
		case g.o.Crawl != "" && c.Crawl != g.o.Crawl:
		case c.IsStyle():
			g.found.names = append(g.found.names, c.Parts...)
		case c.Status/100 == 3 && c.Location != "":
			if from, err := canon.Parse(c.URL); err == nil {
				if to, err := from.Resolve(c.Location); err == nil && to.IsHTTP() {
					g.found.names = append(g.found.names, evidence.Part{URL: to.WithoutFragment().String(), Must: true})
				}
			}
		}
	}
	return g.found, nil
}

// sorted gives the rows by page, the page itself first.
func (k *composer) sorted() iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		for line, err := range k.rows.Sorted() {
			r := &row{}
			if err == nil {
				words := strings.SplitN(string(line), " ", 4)
				if len(words) < 4 {
					err = fmt.Errorf("line of the sort: %d words, want 3 and a value", len(words))
				} else {
					r.order, r.page = words[0]+" "+words[1], words[2] == "0"
					err = json.Unmarshal([]byte(words[3]), r)
				}
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// of judges a page with its parts; nil if it shows none of its own. Pages must be asked for in order.
func (k *composer) of(url string) (*Together, error) {
	order := evidence.Order(url)
	var page *row
	var names []string
	var parts []coherence.Seen
	for {
		if k.wait == nil {
			r, err, ok := k.next()
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			k.wait = r
		}
		if k.wait.order > order {
			break
		}
		r := k.wait
		switch k.wait = nil; {
		case r.order < order:
		case r.page:
			page = r
		case page != nil && r.order == page.order && !slices.Contains(names, r.Part): // also found on another way
			names, parts = append(names, r.Part), append(parts, coherence.NewSeen(r.Seen))
		}
	}
	if page == nil {
		return nil, nil
	}
	return page.together(names, parts), nil
}

func (r *row) together(names []string, parts []coherence.Seen) *Together {
	at, all, each := coherence.Together(coherence.NewSeen(r.Seen), r.Visit, parts)
	t := &Together{Finding: all, At: at, Parts: len(parts) + r.Cut}
	if r.Cut > 0 {
		t.Finding = coherence.Composite([]coherence.Finding{all, {Verdict: coherence.Possible, Reason: coherence.NotListed}})
	}
	for i, f := range each {
		if f.Verdict != coherence.Coherent {
			t.Broken = append(t.Broken, Broken{names[i], f})
		}
	}
	t.Amiss = len(t.Broken)
	slices.SortStableFunc(t.Broken, func(a, b Broken) int { return b.Verdict.Compare(a.Verdict) })
	t.Broken = t.Broken[:min(len(t.Broken), maxBroken)]
	return t
}
