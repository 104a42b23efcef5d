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
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/journal"
	"varve/crawl"
	"varve/curate/curation"
	"varve/curate/notes"
	"varve/curate/selection"
	"varve/derive/job"
	"varve/index/cdx"
	"varve/index/renew"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/search"
	"varve/spam/label"
)

// Holdings tells what the archive holds; *holdings.Holdings is one.
type Holdings interface {
	Collections(ctx context.Context) ([]*holdings.Collection, error)
}

// Desk is where alerts are read and decided about. It keeps the alerts of collections of which nothing changed.
type Desk struct {
	Archive  string // the archive directory
	Holdings Holdings
	Now      func() time.Time
	Disk     func(dir string) (Disk, error) // nil: room is not looked at

	mu     sync.Mutex
	kept   map[string]*kept // by collection
	alerts int              // in kept
}

// Tray gives what is open and what was put aside. Collections are looked at one after the other, so that no more than
// the crawls of one are in memory.
func (d *Desk) Tray(ctx context.Context) (*Tray, error) {
	list, err := d.Holdings.Collections(ctx)
	if err != nil {
		return nil, err
	}
	d.forget(list)
	whole := d.whole()
	alerts := Alerts(*whole)
	decisions, unread := ReadDecisions(d.Archive)
	decided(alerts, decisions)
	for i, h := range list {
		if i == 0 {
			first := Collection{Collection: &holdings.Collection{Name: h.Name}, root: filepath.Clean(d.Archive)} // the only place where they can be shown
			first.unread("labels/tray.jsonl", "", unread)
			first.unread("access/rules.jsonl: nothing is shown until it is mended", "varve access list", access.OpenDecisions(filepath.Join(d.Archive, "access"), nil).Unread())
			if of := Alerts(State{Now: whole.Now, Collections: []Collection{first}}); len(of) > 0 {
				decisions, _ := ReadDecisions(d.dir(h.Name)) // what is unread of it is told of with the collection
				decided(of, decisions)
				alerts = append(alerts, of...)
			}
		}
		of, err := d.alertsOf(ctx, h, whole.Now)
		if err != nil {
			return nil, err
		}
		alerts = append(alerts, of...)
	}
	slices.SortFunc(alerts, worse)
	return arrange(alerts, whole.Now), nil
}

// alertsOf gives the alerts of a collection with what was decided about them. They are computed anew if its row in the
// holdings, one of its files or an instant that they depend on says so; and each time while a crawl runs, and while
// something cannot be read: the date of a file does not tell that it can be read again.
func (d *Desk) alertsOf(ctx context.Context, h *holdings.Collection, now time.Time) ([]Alert, error) {
	d.mu.Lock()
	k := d.kept[h.Name]
	d.mu.Unlock()
	if k.hold(h, now, d.dir(h.Name)) {
		return k.alerts, nil
	}
	c, err := d.gather(ctx, h)
	if err != nil {
		return nil, err
	}
	m := &moment{now: now}
	k = &kept{state: h.State, files: c.watch.files, from: now, alerts: shorten(c.alerts(m))}
	k.until = m.until
	decided(k.alerts, c.decisions)
	if h.State == 0 || c.live || len(c.Problems) > 0 || len(c.Behind) > mostBehind || len(c.Renewing) > 0 || !c.watch.settled() {
		d.keep(h.Name, nil)
	} else {
		d.keep(h.Name, k)
	}
	return k.alerts, nil
}

// mostBehind is how many files that no index has may be looked at for a collection that is kept.
const mostBehind = 100

// unread notes that something could not be read.
func (c *Collection) unread(subject, command string, err error) {
	if err != nil {
		c.Problems = append(c.Problems, Problem{subject, err.Error(), command})
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

// gathered is a collection with what its alerts depend on besides.
type gathered struct {
	Collection
	decisions map[string]Decision
	live      bool // a crawl ran when it was looked at
	watch     watch
}

// gather reads what is known of a collection, with all its crawls. What cannot be read of it is an alert itself.
func (d *Desk) gather(ctx context.Context, h *holdings.Collection) (*gathered, error) {
	with := *h
	with.Crawls = nil
	g := &gathered{Collection: Collection{Collection: &with, root: filepath.Clean(d.Archive)}}
	for k, err := range h.All(ctx) {
		if err != nil {
			return nil, err
		}
		g.live = g.live || k.State == holdings.Live
		k.Follow(ctx)
		with.Crawls = append(with.Crawls, k)
	}
	slices.Reverse(with.Crawls)
	col, err := catalog.Open(d.Archive).Collection(h.Name)
	if err != nil {
		return nil, err
	}
	g.watch.dir = col.Dir()
	g.read(col, d.Now)
	return g, nil
}

// read reads the files of a collection. Each is noted before it is read: what is kept of it holds as long as it is as it
// was.
func (c *gathered) read(col *catalog.Collection, now func() time.Time) {
	dir := col.Dir()
	labels, derived := filepath.Join(dir, "labels"), filepath.Join(dir, "derived")
	c.watch.add(col.DefinitionFile())
	if info, err := os.Stat(col.DefinitionFile()); err == nil {
		c.Planned = info.ModTime()
	}
	read := func(subject, command string, files []string, read func() error) {
		c.watch.add(files...)
		c.unread(subject, command, read())
	}
	of := " --collection " + col.Name
	read("fixity.jsonl", "varve audit"+of, []string{fixity.LedgerFile(col)}, func() (err error) {
		c.Findings, err = unsettled(fixity.LedgerFile(col))
		return err
	})
	index := col.IndexDir("cdx") // of files that are written once; each change gives it a new date
	read("index", "varve index"+of, []string{col.WarcDir(), col.CDXDir(), col.ReferencesFile(), col.ObjectsFile(), index}, func() (err error) {
		c.Behind, err = c.notIndexed(col)
		return err
	})
	for _, name := range []string{"cdx", "temporal", "fulltext"} {
		c.watch.add(renew.NoteOf(col.IndexDir(name)))
		if w, ok := renew.Read(col.IndexDir(name)); ok {
			c.Renewing = append(c.Renewing, w)
		}
	}
	read("derived/failures.jsonl", "varve derive"+of, []string{job.FailuresFile(derived)}, func() (err error) {
		c.watch.add(job.Receipts(derived)...)
		c.Failures, err = job.Standing(derived)
		return err
	})
	read("labels/notes.jsonl", "", []string{notes.File(dir)}, func() (err error) {
		c.Questions, err = questions(dir)
		return err
	})
	read("references.jsonl", "varve audit"+of, []string{col.ReferencesFile()}, col.UnreadReferences)
	read("labels/spam.jsonl", "varve spam labels"+of, []string{filepath.Join(labels, "spam.jsonl")}, label.Open(dir).Unread)
	read("events.jsonl", "", []string{col.EventsFile()}, func() error {
		if events, unread := col.Events(); unread > 0 {
			return fmt.Errorf("%d lines cannot be read; %d others are", unread, len(events))
		}
		return nil
	})
	read("labels/searches.jsonl", "", []string{search.SavedFile(dir)}, func() error {
		if _, lost, err := search.ReadSaved(dir); lost != nil || err != nil {
			return cmp.Or(err, lost.Err())
		}
		return nil
	})
	read("labels/media.jsonl and media/queue.jsonl", "", []string{filepath.Join(labels, "media.jsonl"), curation.QueuePath(dir)}, curation.Open(dir, now).Unread)
	read("labels/definitions.jsonl", "", []string{crawl.DefinitionsFile(col)}, func() error {
		_, err := crawl.ReadDefined(col)
		return err
	})
	read("labels/tray.jsonl", "", []string{DecisionsFile(dir)}, func() (err error) {
		c.decisions, err = ReadDecisions(dir)
		return err
	})
	var names []string
	read("labels", "", []string{labels}, func() (err error) {
		names, err = selection.Names(dir)
		return err
	})
	for _, name := range names {
		file := "selection-" + name + ".jsonl"
		read("labels/"+file, "varve select list "+name+of, []string{filepath.Join(labels, file)}, func() error {
			s, err := selection.Read(dir, name)
			if err == nil {
				err = s.Lost.Err()
			}
			if errors.Is(err, selection.ErrNone) {
				return nil
			}
			return err
		})
	}
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
func (c *gathered) notIndexed(col *catalog.Collection) ([]File, error) {
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
		if len(out) <= mostBehind {
			c.watch.add(f.Path) // it may lie elsewhere
		}
		if info, err := f.Stat(); err == nil { // one that is gone is found by audits
			out = append(out, File{f.Name, info.Changed})
		}
	}
	return out, nil
}
