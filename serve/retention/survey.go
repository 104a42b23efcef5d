package retention

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/index/cdx"
)

// Survey is what a collection consists of, as far as deleting it goes.
type Survey struct {
	Units []Unit
	Needs []Need
}

// Look surveys a collection: its files, and what its index says is in them. Captures are counted whoever may see them: rules of
// access decide what is shown, not what is kept.
func Look(ctx context.Context, col *catalog.Collection, s *State) (*Survey, error) {
	l, err := newLook(col, s)
	if err != nil || len(l.units) == 0 {
		return &Survey{}, err
	}
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the index of " + col.Name, Err: err, Hint: "varve index --collection " + col.Name + " builds it anew"}
	}
	defer ix.Close()
	if err := l.records(ctx, ix, l.count); err != nil {
		return nil, err
	}
	if l.revisits { // else nothing stands on the content of something else
		if err := l.records(ctx, ix, l.need); err != nil {
			return nil, err
		}
	}
	return l.survey(), nil
}

// look is a survey under way.
type look struct {
	col      *catalog.Collection
	holds    []Hold // that are about a part of the collection
	units    []Unit
	at       map[string]int // unit of a file
	seed     maphash.Seed
	revisits bool
	standing map[uint64][]int32 // units with revisits, by the content they stand for
	needs    map[[2]int32]bool
}

func newLook(col *catalog.Collection, s *State) (*look, error) {
	l := &look{col: col, at: map[string]int{}, seed: maphash.MakeSeed(), standing: map[uint64][]int32{}, needs: map[[2]int32]bool{}}
	if err := l.files(); err != nil {
		return nil, err
	}
	for _, h := range s.HoldsOn(col.Name) {
		if !h.whole() {
			l.holds = append(l.holds, h)
			continue
		}
		for i := range l.units {
			l.units[i].Held = append(l.units[i].Held, h.ID)
		}
	}
	return l, nil
}

// files groups the WARC files of the collection into units.
func (l *look) files() error {
	files, err := l.col.Files()
	if err != nil {
		return err
	}
	if err := errors.Join(l.col.UnreadReferences(), l.col.UnreadObjects()); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "list the files of " + l.col.Name, Err: err}
	}
	crawls, err := l.col.Crawls()
	if err != nil {
		return err
	}
	known := map[string]cdx.Source{}
	sources, err := cdx.Sources(l.col.IndexDir("cdx"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, s := range sources {
		known[s.Name] = s
	}
	listed := func(name string) bool { // lines of an imported index would still tell of it
		return slices.ContainsFunc(sources, func(s cdx.Source) bool { return s.Kind == cdx.KindCDX && (s.Many || slices.Contains(s.Files, name)) })
	}
	named := map[string]int{}
	for _, f := range files {
		if f.Kind != catalog.KindWARC {
			continue
		}
		crawl := crawlOf(f.Name, crawls)
		i, ok := named[cmp.Or(crawl, f.Name)]
		if !ok {
			i = len(l.units)
			named[cmp.Or(crawl, f.Name)] = i
			l.units = append(l.units, Unit{UnitName: UnitName{l.col.Name, cmp.Or(crawl, f.Name)}, Crawl: crawl != ""})
		}
		l.at[f.Name] = i
		u := &l.units[i]
		info, err := f.Stat()
		switch s, ok := known[f.Name]; {
		case err != nil:
			u.unknown(f.Name + " is not there")
			continue
		case f.InPlace:
			u.unknown(f.Name + " lies outside of the archive: it is deleted where it lies")
		case !ok || s.Size != info.Size:
			u.unknown(f.Name + " is not in the index yet")
		case s.Damaged > 0 || s.Skipped > 0:
			u.unknown(f.Name + " is damaged")
		case listed(f.Name):
			u.unknown("an imported index names " + f.Name)
		}
		u.Files = append(u.Files, File{Name: f.Name, Size: info.Size})
		u.Bytes += info.Size
	}
	return l.unfinished()
}

// unfinished marks crawls that may still be going on: they have no report.
func (l *look) unfinished() error {
	for i := range l.units {
		u := &l.units[i]
		if !u.Crawl {
			continue
		}
		dir, err := l.col.CrawlDir(u.Unit)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, "report.json")); err != nil {
			u.unknown("the crawl has not ended")
		}
		open, err := filepath.Glob(filepath.Join(l.col.WarcDir(), u.Unit+"-*.open"))
		if err != nil {
			return err
		}
		if len(open) > 0 {
			u.unknown("a file of it is still being written")
		}
	}
	return nil
}

func (u *Unit) unknown(why string) {
	if u.Unknown == "" {
		u.Unknown = why
	}
}

// crawlOf returns the crawl whose name a file begins with, the longest of several.
func crawlOf(file string, crawls []string) string {
	best := ""
	for _, id := range crawls {
		if len(id) > len(best) && strings.HasPrefix(file, id+"-") {
			best = id
		}
	}
	return best
}

// records reads the index. A line that cannot be read may be one under a hold, so it is an error.
func (l *look) records(ctx context.Context, ix *cdx.Index, take func(unit int, r *cdxj.Record)) error {
	for r, err := range ix.Query(ctx, cdx.Query{}) {
		if err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "read the index of " + l.col.Name, Err: err, Hint: "varve index --rebuild --collection " + l.col.Name + " builds it anew"}
		}
		if unit, ok := l.at[filepath.Base(r.Filename)]; ok {
			take(unit, &r)
		}
	}
	return ctx.Err()
}

// count is the first reading: how many captures there are, from when to when, which holds are about them, and what revisits stand for.
func (l *look) count(unit int, r *cdxj.Record) {
	u := &l.units[unit]
	at, err := r.Time()
	if err != nil {
		u.unknown(fmt.Sprintf("a capture of %s has no time", r.Filename))
		return
	}
	u.Captures++
	if u.First.IsZero() || at.Before(u.First) {
		u.First = at
	}
	if at.After(u.Last) {
		u.Last = at
	}
	for i := range l.holds {
		if h := &l.holds[i]; h.Covers(l.col.Name, r.Key, at) && !slices.Contains(u.Held, h.ID) {
			u.Held = append(u.Held, h.ID)
		}
	}
	if r.IsRevisit() && !(cdxj.EmptyPayload(r.Digest) && r.Status >= 300 && r.Status < 400 && r.Status != 304) { // a redirect without a body needs no content
		l.revisits = true
		for _, key := range l.contents(r) {
			if have := l.standing[key]; !slices.Contains(have, int32(unit)) {
				l.standing[key] = append(have, int32(unit))
			}
		}
	}
}

// contents are the numbers of what a capture has, or stands for: its payload; where a revisit does not tell that, or has the digest of
// the empty body of a 304, as other crawlers write it, all captures of its address.
func (l *look) contents(r *cdxj.Record) []uint64 {
	if d := cdxj.NormalDigest(r.Digest); d != "" && d != "-" && !cdxj.EmptyPayload(d) {
		return []uint64{maphash.String(l.seed, d)}
	}
	return []uint64{maphash.String(l.seed, "address "+r.Key)}
}

// need is the second reading: whose content revisits of others stand for. Every capture with the payload counts, not only the one that
// the revisit names: which one is read again is not decided here.
func (l *look) need(unit int, r *cdxj.Record) {
	if r.IsRevisit() {
		return
	}
	for _, key := range append(l.contents(r), maphash.String(l.seed, "address "+r.Key)) {
		for _, by := range l.standing[key] {
			if by != int32(unit) {
				l.needs[[2]int32{by, int32(unit)}] = true
			}
		}
	}
}

func (l *look) survey() *Survey {
	s := &Survey{Units: l.units}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Captures == 0 { // its age is that of its newest file
			u.unknown("no capture is in it, so its age is not known")
		}
		slices.SortFunc(u.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	}
	for n := range l.needs {
		if s.Units[n[1]].First.After(s.Units[n[0]].Last) {
			continue // a revisit stands for what was there before it
		}
		s.Needs = append(s.Needs, Need{By: s.Units[n[0]].UnitName.Unit, Of: s.Units[n[1]].UnitName.Unit})
	}
	slices.SortFunc(s.Needs, func(a, b Need) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.By, b.By)) })
	slices.SortFunc(s.Units, func(a, b Unit) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.UnitName.Unit, b.UnitName.Unit))
	})
	return s
}

// HeldBy returns a function that reports which hold is about a capture of a collection, or "". It is what a purge asks. Where
// decisions cannot be read, everything is under a hold.
func (b *Book) HeldBy(collection string) (func(key string, at time.Time) string, error) {
	s, err := b.State()
	if err != nil {
		return nil, err
	}
	if s.Unread != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the decisions on retention", Err: s.Unread, Hint: "they may be holds: nothing is deleted until they are mended"}
	}
	holds := s.HoldsOn(collection)
	return func(key string, at time.Time) string {
		for i := range holds {
			if holds[i].Covers(collection, key, at) {
				return holds[i].ID
			}
		}
		return ""
	}, nil
}
