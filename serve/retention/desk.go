package retention

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varve"
	"varve/archive/bag"
	"varve/archive/catalog"
	"varve/coherence/statement"
	"varve/index/cdx"
	"varve/serve/access"
)

// Desk is what a server asks: decisions, and surveys that are made in the background, since an index of millions takes seconds to read, and kept until
// something changes. Safe for concurrent use.
type Desk struct {
	*Book
	Archive    *catalog.Archive
	Background context.Context // of surveys
	Keys       statement.Keys
	Software   string
	Audit      *access.Audit
	Forget     func(ctx context.Context, collection string) error // of the knowledge base
	Now        func() time.Time

	turn  sync.Mutex // one survey at a time
	mu    sync.Mutex
	known map[string]*surveyed
	under sync.WaitGroup
}

// NewDesk returns the desk of an archive, without a knowledge base.
func NewDesk(background context.Context, archive string, audit *access.Audit, now func() time.Time, software string) *Desk {
	return &Desk{
		Book: Open(archive, audit, rand.Reader, now), Archive: catalog.Open(archive), Background: background, Audit: audit, Now: now,
		Keys: statement.Keys{Dir: filepath.Join(archive, "keys"), Random: rand.Reader}, Software: software,
	}
}

// surveyed is a survey, or one that is being made.
type surveyed struct {
	of   string // what it was made of
	done chan struct{}
	got  *Survey
	err  error
}

// patience is how long a request waits for a survey before it says that one is being made.
const patience = 300 * time.Millisecond

// Wait waits for surveys under way. The Background must have ended.
func (d *Desk) Wait() { d.under.Wait() }

// collection returns a collection that is there.
func (d *Desk) collection(name string) (*catalog.Collection, error) {
	col, err := d.Archive.Collection(name)
	if err == nil && !col.Exists() {
		err = &varve.Error{Kind: varve.NotFound, Op: "open collection " + name, Msg: "there is no such collection"}
	}
	return col, err
}

// mark says what a survey depends on: index, files, crawls, holds.
func mark(col *catalog.Collection, s *State) (string, error) {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return "", err
	}
	stats, err := ix.Stats()
	if err = errors.Join(err, ix.Close()); err != nil {
		return "", err
	}
	out := fmt.Sprint(stats.Content)
	for _, dir := range []string{col.WarcDir(), filepath.Join(col.Dir(), "crawls"), col.ReferencesFile()} {
		if info, err := os.Stat(dir); err == nil {
			out += " " + info.ModTime().String()
		}
	}
	for _, h := range s.HoldsOn(col.Name) {
		out += " " + h.ID
	}
	return out, nil
}

// Begin finds out what a collection consists of, in the background.
func (d *Desk) Begin(ctx context.Context, name string) error {
	s, err := d.State()
	if err == nil {
		_, err = d.survey(ctx, name, s, 0)
	}
	return err
}

// Survey returns what a collection consists of; nil while that is being found out.
func (d *Desk) Survey(ctx context.Context, name string, s *State) (*Survey, error) {
	return d.survey(ctx, name, s, patience)
}

func (d *Desk) survey(ctx context.Context, name string, s *State, wait time.Duration) (*Survey, error) {
	col, err := d.collection(name)
	if err != nil {
		return nil, err
	}
	of, err := mark(col, s)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	if d.known == nil {
		d.known = map[string]*surveyed{}
	}
	k := d.known[name]
	if k == nil || k.of != of {
		k = &surveyed{of: of, done: make(chan struct{})}
		d.known[name] = k
		d.under.Go(func() {
			defer close(k.done)
			d.turn.Lock()
			defer d.turn.Unlock()
			k.got, k.err = Look(d.Background, col, s)
		})
	}
	d.mu.Unlock()
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-k.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.C:
		return nil, nil
	}
	if k.err != nil { // the next one tries again
		d.mu.Lock()
		if d.known[name] == k {
			delete(d.known, name)
		}
		d.mu.Unlock()
	}
	return k.got, k.err
}

// Verdicts says what may become of each unit of a collection; ready is false while that is being found out.
func (d *Desk) Verdicts(ctx context.Context, collection string) (list []Verdict, ready bool, err error) {
	s, err := d.State()
	if err != nil {
		return nil, false, err
	}
	seen, err := d.Survey(ctx, collection, s)
	if err != nil || seen == nil {
		return nil, false, err
	}
	return Judge(seen.Units, seen.Needs, s, d.Now()), true, nil
}

// Known says what may become of the units of a collection, if that was found out already.
func (d *Desk) Known(collection string) []Verdict {
	s, err := d.State()
	if err != nil {
		return nil
	}
	d.mu.Lock()
	k := d.known[collection]
	d.mu.Unlock()
	if k == nil {
		return nil
	}
	select {
	case <-k.done:
	default:
		return nil
	}
	if k.err != nil {
		return nil
	}
	return Judge(k.got.Units, k.got.Needs, s, d.Now())
}

// ReadyNow says which approved deletions of a collection can be carried out now.
func (d *Desk) ReadyNow(ctx context.Context, collection string) (ready []Verdict, err error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	seen, err := d.Survey(ctx, collection, s)
	if err != nil || seen == nil {
		return nil, err
	}
	ready, _ = Ready(seen.Units, seen.Needs, s, d.Now())
	return ready, nil
}

// Decide keeps units, approves their deletion, or takes that back.
func (d *Desk) Decide(ctx context.Context, do, collection string, units []string, until time.Time, by, reason string) error {
	if len(units) == 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "review " + collection, Msg: "no crawl or file is chosen", Hint: "tick at least one"}
	}
	var list []Verdict
	if do == "approve" {
		var ready bool
		var err error
		if list, ready, err = d.Verdicts(ctx, collection); err != nil {
			return err
		}
		if !ready {
			return &varve.Error{Kind: varve.Unavailable, Op: "review " + collection, Msg: "the index is still being read", Hint: "try again in a moment"}
		}
	} else if _, err := d.collection(collection); err != nil {
		return err
	}
	for _, unit := range units {
		name, err := UnitName{collection, unit}, error(nil)
		switch do {
		case "keep":
			err = d.Keep(name, until, by, reason)
		case "withdraw":
			err = d.Withdraw(name, by, reason)
		case "approve":
			err = &varve.Error{Kind: varve.NotFound, Op: "approve the deletion of " + unit, Msg: "there is no such crawl or file"}
			for _, v := range list {
				if v.UnitName == name {
					err = d.Approve(v, by, reason)
				}
			}
		default:
			err = &varve.Error{Kind: varve.Invalid, Op: "review " + collection, Msg: fmt.Sprintf("%q cannot be done: keep, approve or withdraw", do)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CarryOut deletes what was approved and whose day has come.
func (d *Desk) CarryOut(ctx context.Context, collection, by string) (*Deletion, error) {
	col, err := d.collection(collection)
	if err != nil {
		return nil, err
	}
	return d.Delete(ctx, Order{Collection: col, By: by, Forget: d.Forget})
}

// Pack writes the export of a hold as a ZIP file. may is asked for each collection that it would have something of: whole files go out, also with
// what rules withhold. begin is called with the name of the file when all that can be refused was.
func (d *Desk) Pack(ctx context.Context, id, by string, may func(collection string) error, begin func(name string) io.Writer) (err error) {
	s, err := d.State()
	if err != nil {
		return err
	}
	hold, ok := s.Hold(id)
	if !ok {
		return &varve.Error{Kind: varve.NotFound, Op: "export hold " + id, Msg: "there is no such hold"}
	}
	cols, err := d.Archive.Collections()
	if err != nil {
		return err
	}
	for _, col := range cols {
		if hold.concerns(col.Name) {
			if err := may(col.Name); err != nil {
				return err
			}
		}
	}
	temp, err := os.MkdirTemp("", "varve-hold-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	x := &Export{Archive: d.Archive, Hold: hold, By: by, Software: d.Software, Keys: d.Keys}
	items, cfg, err := d.Prepare(ctx, x, temp)
	if err != nil {
		return err
	}
	if err := d.Audit.Append(access.Entry{Time: d.Now(), By: by, Did: "hold exported", What: hold.ID, Detail: hold.ID + ": " + hold.Matter + ": downloaded"}); err != nil {
		return err
	}
	name := "hold-" + hold.ID + "-" + d.Now().UTC().Format("20060102")
	_, err = bag.Pack(ctx, begin(name+".zip"), name, items, cfg)
	return err
}
