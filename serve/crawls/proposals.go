package crawls

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/curate/proposal"
	"varve/serve/holdings"
	"varve/web/canon"
)

// Proposals are what could become part of the definition of a planned crawl (curate/proposal).
type Proposals struct {
	Name     string              `json:"name"`
	Revision int                 `json:"revision"` // of the definition in force; 0: it stands in collection.toml
	From     string              `json:"from"`     // which pages were read; "" if none were
	Pages    int                 `json:"pages"`
	By       string              `json:"by"`
	At       time.Time           `json:"at,omitzero"` // zero: nothing was proposed yet
	Missing  []string            `json:"missing"`     // what could not be looked for, and in how many pages
	Open     []proposal.Proposal `json:"open"`        // undecided, by kind, the best first
	Struck   []string            `json:"struck"`      // keys
	Hidden   int                 `json:"hidden"`      // known from pages alone that whoever asks may not see
}

// May reports whether whoever asks may see a capture, by the index key of its address; nil lets all through.
type May func(key string, at time.Time) bool

func (m May) see(p proposal.Proposal) bool {
	if m == nil {
		return true
	}
	return m(canon.SURT(p.URL), p.Time)
}

// Proposals returns what is proposed for a planned crawl and not decided.
func (d *Desk) Proposals(collection, name string, may May) (Proposals, error) {
	e, err := d.Entry(collection, name)
	if err != nil {
		return Proposals{}, err
	}
	col, err := d.open(collection)
	if err != nil {
		return Proposals{}, err
	}
	s, err := proposal.Read(col, name)
	out := Proposals{Name: name, From: s.List.From, Pages: s.List.Pages, By: s.By, At: s.At, Missing: append([]string{}, s.List.Missing...), Open: []proposal.Proposal{}, Struck: []string{}}
	if err != nil {
		out.Missing = append(out.Missing, err.Error())
	}
	if e.Source == FromScreen {
		history, err := d.History(collection, name)
		if err != nil {
			return out, err
		}
		out.Revision = len(history)
	}
	for _, p := range s.List.Items {
		switch {
		case !may.see(p):
			out.Hidden++
		case slices.Contains(s.Struck, p.Key):
			out.Struck = append(out.Struck, p.Key)
		}
	}
	for _, p := range s.Open(func(p proposal.Proposal) bool { return p.In(e.Definition.About) }) {
		if may.see(p) {
			out.Open = append(out.Open, p)
		}
	}
	return out, nil
}

// Library is where pages are read: as whoever asks may see them.
type Library struct {
	Holdings interface {
		Crawl(ctx context.Context, collection, id string) (*holdings.Crawl, error)
	}
	Index    holdings.Index    // nil: there is none yet
	Contents holdings.Contents // nil likewise
}

// Which says from which pages of a collection proposals are made.
type Which struct {
	Crawl string    `json:"crawl,omitempty"` // those of this crawl; empty: all of the collection
	URLs  []string  `json:"urls,omitempty"`  // only those below one of these addresses
	Since time.Time `json:"-"`               // those of the reference crawl that began then

	Searches map[string]int `json:"-"` // what people searched for, and how often: it is proposed where pages have it
}

// Propose reads pages and keeps what they propose for a planned crawl.
func (d *Desk) Propose(ctx context.Context, from Library, collection, name string, which Which, by string, may May) (Proposals, error) {
	op := "propose for " + name
	e, err := d.Entry(collection, name)
	if err != nil {
		return Proposals{}, err
	}
	col, err := d.open(collection)
	if err != nil {
		return Proposals{}, err
	}
	const index = "varve index makes one"
	if from.Index == nil || from.Contents == nil {
		return Proposals{}, &varve.Error{Kind: varve.Unavailable, Op: op, Msg: "the archive has no index yet", Hint: index}
	}
	q, label, err := from.query(ctx, collection, name, which)
	if err != nil {
		return Proposals{}, err
	}
	g := proposal.New()
	g.Seek(e.Definition.About.Nation)
	g.Ask(which.Searches)
	for p, err := range pagesOf(ctx, from, q, e.Definition.Seeds, which.URLs) {
		if err == nil {
			err = g.Add(ctx, p)
		} else if p.URL != "" && ctx.Err() == nil {
			g.Lose()
			continue
		}
		if err != nil {
			return Proposals{}, err
		}
	}
	list := g.List(label, e.Definition.About)
	if list.Pages == 0 {
		return Proposals{}, &varve.Error{Kind: varve.NotFound, Op: op, Msg: "there are no pages with text to learn from (" + label + ")", Hint: "let a reference crawl fetch some, or see that they are indexed: varve index --collection " + collection}
	}
	if err := proposal.Keep(col, proposal.Line{Name: name, List: &list, By: by, At: d.Now()}); err != nil {
		return Proposals{}, err
	}
	return d.Proposals(collection, name, may)
}

// query asks the index for pages, and says in words which they are. Those of a crawl are those of its time, since one crawl of a collection runs at a time.
func (l Library) query(ctx context.Context, collection, name string, which Which) (q holdings.Query, label string, err error) {
	q, label = holdings.Query{Collection: collection}, "all pages of the collection"
	switch {
	case !which.Since.IsZero():
		q.From, label = which.Since, "reference crawl "+ReferenceName(name)
	case which.Crawl != "":
		k, err := l.Holdings.Crawl(ctx, collection, which.Crawl)
		if err != nil {
			return q, "", err
		}
		q.From, q.To, label = k.Started, k.Ended, "crawl "+k.ID
	}
	q.From = q.From.Truncate(time.Second) // as captures are named
	if len(which.URLs) > 0 {
		label += ", below " + strings.Join(which.URLs, ", ")
	}
	return q, label, nil
}

// Decide accepts some proposals, which makes a new version of the definition, and strikes others, which are then not proposed again. All keys are
// looked at before anything is changed.
func (d *Desk) Decide(collection, name string, accept, strike []string, by string, may May) (Proposals, error) {
	op := "decide on proposals for " + name
	e, err := d.Entry(collection, name)
	if err != nil {
		return Proposals{}, err
	}
	col, err := d.open(collection)
	if err != nil {
		return Proposals{}, err
	}
	s, unread := proposal.Read(col, name)
	about := e.Definition.About
	for _, key := range slices.Concat(accept, strike) {
		p, ok := s.Find(key)
		if !ok || !may.see(p) {
			return Proposals{}, &varve.Error{Kind: varve.NotFound, Op: op, Msg: fmt.Sprintf("%q is not proposed", key), Err: unread, Hint: "keys are such as term:harbour; the list has them"}
		}
		if slices.Contains(accept, key) {
			if err := p.Add(&about); err != nil && !errors.Is(err, proposal.ErrThere) {
				return Proposals{}, &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
			}
		} else if p.In(about) {
			return Proposals{}, &varve.Error{Kind: varve.Conflict, Op: op, Msg: key + " is part of the definition, or accepted at the same time", Hint: "take it out of the definition"}
		}
	}
	if len(accept) > 0 {
		if err := about.Check(); err != nil {
			return Proposals{}, &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
		}
		p := *e.Definition
		p.About, p.Revision = about, 0
		if err := d.Save(collection, p, e.At, by, acceptedNote(accept)); err != nil {
			return Proposals{}, err
		}
	}
	if len(strike) > 0 {
		if err := proposal.Keep(col, proposal.Line{Name: name, Struck: strike, By: by, At: d.Now()}); err != nil {
			return Proposals{}, err
		}
	}
	return d.Proposals(collection, name, may)
}

// acceptedNote is the note of a version, as long as it may be.
func acceptedNote(keys []string) string {
	note := "accepted " + strings.Join(keys, ", ")
	if r := []rune(note); len(r) > maxNote/4 {
		return string(r[:maxNote/4]) + fmt.Sprintf("... (%d)", len(keys))
	}
	return note
}

// ReferenceName is what the reference crawl of a planned crawl is called.
func ReferenceName(name string) string { return name[:min(len(name), 54)] + "-reference" }

// Reference makes a small crawl of a planned one: some pages around its seeds, fetched in full.
func Reference(p crawl.Planned, pages int64, hops int, within time.Duration) crawl.Definition {
	def := p.Definition
	def.Name = ReferenceName(p.Name)
	def.MaxPages, def.MaxURLs, def.MaxTime = pages, 0, scope.Duration(within)
	def.Scope.MaxHops = &hops
	def.Revisit, def.Strategy, def.RevisitTime = "", "", 0
	def.Revision = 0
	return def
}

// pagesOf reads the newest capture of each page that a query finds, pages of HTML that were there, below one of some addresses. Of more than
// proposal.MaxPages some are taken by their addresses, so that no part of a site is preferred. An error beside a page is of that page alone.
func pagesOf(ctx context.Context, from Library, q holdings.Query, seeds, below []string) iter.Seq2[proposal.Page, error] {
	isSeed := map[string]bool{}
	for _, s := range seeds {
		if u, err := crawl.ParseSeed(s); err == nil {
			isSeed[canon.SURT(u.String())] = true
		}
	}
	wanted := func(url string) bool {
		return len(below) == 0 || slices.ContainsFunc(below, func(prefix string) bool { return strings.HasPrefix(url, prefix) })
	}
	return func(yield func(proposal.Page, error) bool) {
		list, err := chosen(ctx, from.Index, q, isSeed, wanted)
		if err != nil {
			yield(proposal.Page{}, err)
			return
		}
		for _, c := range list {
			got, err := from.Contents.Content(ctx, q.Collection, c, proposal.MaxBody)
			p := proposal.Page{URL: c.URL, Time: c.Time, Seed: isSeed[c.Key]}
			if err == nil {
				p.MIME, p.Body = got.MIME, got.Body
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// chosen returns the captures that are read, seeds first.
func chosen(ctx context.Context, index holdings.Index, q holdings.Query, isSeed map[string]bool, wanted func(url string) bool) ([]holdings.IndexedCapture, error) {
	var list []holdings.IndexedCapture
	rank := func(c holdings.IndexedCapture) uint64 {
		if isSeed[c.Key] {
			return 0
		}
		h := fnv.New64a()
		h.Write([]byte(c.Key))
		return max(h.Sum64(), 1)
	}
	least := func() {
		slices.SortStableFunc(list, func(a, b holdings.IndexedCapture) int {
			if x, y := rank(a), rank(b); x != y {
				if x < y {
					return -1
				}
				return 1
			}
			return strings.Compare(a.Key, b.Key)
		})
		list = list[:min(len(list), proposal.MaxPages)]
	}
	for c, err := range index.Captures(ctx, q) {
		switch n := len(list); {
		case err != nil:
			return nil, err
		case c.Status != 200 || !strings.Contains(c.MIME, "html") && !c.Revisit || !wanted(c.URL):
		case n > 0 && list[n-1].Key == c.Key:
			list[n-1] = c // captures of a key come by time
		default:
			if n >= 2*proposal.MaxPages {
				least()
			}
			list = append(list, c)
		}
	}
	least()
	return list, nil
}
