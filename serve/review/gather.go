package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/journal"
	"varve/crawl"
	"varve/curate/curation"
	"varve/curate/selection"
	"varve/derive/job"
	"varve/index/cdx"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/search"
	"varve/spam/label"
)

// Holdings tells what the archive holds; *holdings.Holdings is one.
type Holdings interface {
	Collections(ctx context.Context) ([]*holdings.Collection, error)
}

// Desk is where alerts are read and decided about.
type Desk struct {
	Archive  string // the archive directory
	Holdings Holdings
	Now      func() time.Time
	Disk     func(dir string) (Disk, error) // nil: room is not looked at
}

// Tray gives what is open and what was put aside. Collections are looked at one after the other, so that no more than
// the crawls of one are in memory.
func (d *Desk) Tray(ctx context.Context) (*Tray, error) {
	list, err := d.Holdings.Collections(ctx)
	if err != nil {
		return nil, err
	}
	whole := d.whole()
	decisions, unread := ReadDecisions(d.Archive)
	alerts := Alerts(*whole)
	for i, h := range list {
		c, err := d.gather(ctx, h)
		if err != nil {
			return nil, err
		}
		one := State{Now: whole.Now, Collections: []Collection{c}}
		if i == 0 {
			one.unread("", "labels/tray.jsonl", "", unread)
			one.unread("", "access/rules.jsonl: nothing is shown until it is mended", "varve access list", access.OpenDecisions(filepath.Join(d.Archive, "access"), nil).Unread())
		}
		of, err := ReadDecisions(d.dir(h.Name))
		maps.Copy(decisions, of)
		one.unread(h.Name, "labels/tray.jsonl", "", err)
		alerts = append(alerts, Alerts(one)...)
	}
	slices.SortFunc(alerts, worse)
	return Arrange(alerts, decisions, whole.Now), nil
}

// unread notes that decisions could not be read. Those about the whole archive are noted at the first
// collection, which is the only place where they can be shown.
func (s *State) unread(collection, subject, command string, err error) {
	for i := range s.Collections {
		if c := &s.Collections[i]; err != nil && (collection == "" || c.Name == collection) {
			c.Problems = append(c.Problems, Problem{subject, err.Error(), command})
			return
		}
	}
}

// Decide keeps what somebody said about an alert that is in the tray.
func (d *Desk) Decide(ctx context.Context, dec Decision) (Alert, error) {
	t, err := d.Tray(ctx)
	if err != nil {
		return Alert{}, err
	}
	a, ok := t.Find(dec.ID)
	if !ok && alertID.MatchString(dec.ID) {
		return a, &varve.Error{Kind: varve.NotFound, Op: "decide about an alert", Msg: "there is no alert " + dec.ID + ", or it is over", Hint: "'varve tray --all' lists them"}
	}
	dec.Kind, dec.Subject, dec.At = a.Kind, a.Subject, d.Now().UTC()
	dir := d.Archive
	if a.Collection != "" {
		dir = d.dir(a.Collection)
	}
	a.Decision = &dec
	return a, Decide(dir, dec)
}

func (d *Desk) dir(collection string) string {
	return filepath.Join(d.Archive, "collections", collection)
}

// Gather reads what alerts are computed from. What cannot be read of one collection is an alert itself.
func (d *Desk) Gather(ctx context.Context) (*State, error) {
	list, err := d.Holdings.Collections(ctx)
	if err != nil {
		return nil, err
	}
	s := d.whole()
	for _, h := range list {
		c, err := d.gather(ctx, h)
		if err != nil {
			return nil, err
		}
		s.Collections = append(s.Collections, c)
	}
	return s, nil
}

// whole is what is known of the archive besides its collections.
func (d *Desk) whole() *State {
	s := &State{Now: d.Now()}
	if d.Disk != nil {
		if room, err := d.Disk(d.Archive); err == nil {
			s.Disk = room
		}
	}
	return s
}

// gather reads what is known of a collection, with all its crawls.
func (d *Desk) gather(ctx context.Context, h *holdings.Collection) (Collection, error) {
	with := *h
	with.Crawls = nil
	for k, err := range h.All(ctx) {
		if err != nil {
			return Collection{}, err
		}
		k.Follow(ctx)
		with.Crawls = append(with.Crawls, k)
	}
	slices.Reverse(with.Crawls)
	col, err := catalog.Open(d.Archive).Collection(h.Name)
	if err != nil {
		return Collection{}, err
	}
	return gather(col, &with, d.Now), nil
}

func gather(col *catalog.Collection, h *holdings.Collection, now func() time.Time) Collection {
	c := Collection{Collection: h}
	if info, err := os.Stat(col.DefinitionFile()); err == nil {
		c.Planned = info.ModTime()
	}
	problem := func(subject, command string, err error) {
		if err != nil {
			c.Problems = append(c.Problems, Problem{subject, err.Error(), command})
		}
	}
	var err error
	c.Findings, err = unsettled(fixity.LedgerFile(col))
	problem("fixity.jsonl", "varve audit --collection "+col.Name, err)
	c.Behind, err = notIndexed(col)
	problem("index", "varve index --collection "+col.Name, err)
	c.Failures, err = job.Standing(filepath.Join(col.Dir(), "derived"))
	problem("derived/failures.jsonl", "varve derive --collection "+col.Name, err)
	c.Questions, err = questions(col.Dir())
	problem("labels/notes.jsonl", "", err)
	problem("references.jsonl", "varve audit --collection "+col.Name, col.UnreadReferences())
	problem("labels/spam.jsonl", "varve spam labels --collection "+col.Name, label.Open(col.Dir()).Unread())
	if events, unread := col.Events(); unread > 0 {
		problem("events.jsonl", "", fmt.Errorf("%d lines cannot be read; %d others are", unread, len(events)))
	}
	if _, lost, err := search.ReadSaved(col.Dir()); lost != nil || err != nil {
		problem("labels/searches.jsonl", "", cmp.Or(err, lost.Err()))
	}
	problem("labels/media.jsonl and media/queue.jsonl", "", curation.Open(col.Dir(), now).Unread())
	_, err = crawl.ReadDefined(col)
	problem("labels/definitions.jsonl", "", err)
	names, err := selection.Names(col.Dir())
	problem("labels", "", err)
	for _, name := range names {
		s, err := selection.Read(col.Dir(), name)
		if err == nil {
			err = s.Lost.Err()
		}
		if !errors.Is(err, selection.ErrNone) {
			problem("labels/selection-"+name+".jsonl", "varve select list "+name+" --collection "+col.Name, err)
		}
	}
	return c
}

// unsettled gives the files whose last look was bad, by name.
func unsettled(ledger string) ([]Finding, error) {
	bad := map[string]Finding{}
	unread := journal.Each(ledger, func(look fixity.Look) error {
		if !look.Outcome.Bad() {
			delete(bad, look.File)
			return nil
		}
		f, ok := bad[look.File]
		if !ok {
			f.Since = look.Time
		}
		f.File, f.Outcome, f.Why = look.File, string(look.Outcome), look.Why
		bad[look.File] = f
		return nil
	})
	return slices.SortedFunc(maps.Values(bad), func(a, b Finding) int { return cmp.Compare(a.File, b.File) }), unread
}

// notIndexed gives the finished WARC files that the index of captures does not have.
func notIndexed(col *catalog.Collection) ([]File, error) {
	files, err := col.WARCs()
	if err != nil {
		return nil, err
	}
	sources, err := cdx.Sources(col.IndexDir("cdx"))
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, s := range sources {
		have[s.Name] = true
	}
	var out []File
	for _, f := range files {
		if have[f.Name] {
			continue
		}
		if info, err := os.Stat(f.Path); err == nil { // one that is gone is found by audits
			out = append(out, File{f.Name, info.ModTime()})
		}
	}
	return out, nil
}
