package crawls

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/holdings"
)

// Desk keeps the crawls that are planned on screens, and begins collections.
type Desk struct {
	Archive *catalog.Archive
	Audit   Audit
	Now     func() time.Time

	mu sync.Mutex // one at a time changes a plan, so that nobody's change is lost unseen
}

// Source says where a crawl of a plan is defined.
type Source string

// The sources. A name of the file goes before the same name of a screen.
const (
	FromFile   Source = "collection.toml"
	FromScreen Source = "screen"
)

// Entry is a crawl of a plan, with where it comes from.
type Entry struct {
	Name       string         `json:"name"`
	Source     Source         `json:"source"`
	Hidden     bool           `json:"hidden,omitempty"` // behind the same name of collection.toml
	By         string         `json:"by,omitempty"`
	At         time.Time      `json:"at,omitzero"`
	Note       string         `json:"note,omitempty"`
	Definition *crawl.Planned `json:"definition"`
}

func entryOf(d crawl.Defined, hidden bool) Entry {
	return Entry{Name: d.Name, Source: FromScreen, Hidden: hidden, By: d.By, At: d.At, Note: d.Note, Definition: d.Crawl}
}

func (d *Desk) open(collection string) (*catalog.Collection, error) {
	col, err := d.Archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if !col.Exists() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open collection " + collection, Msg: "there is no such collection"}
	}
	return col, nil
}

// plan reads the plan of a collection; one without a plan has an empty one.
func (d *Desk) plan(collection string) (*catalog.Collection, *crawl.Plan, error) {
	col, err := d.open(collection)
	if err != nil {
		return nil, nil, err
	}
	plan, err := crawl.ReadPlan(col)
	if varve.KindOf(err) == varve.NotFound {
		plan, err = (&crawl.Plan{}).With(nil), nil
	}
	return col, plan, err
}

// List returns all crawls of a plan by name, hidden ones behind those that hide them. Those that mend others are left
// out: nobody planned them.
func (d *Desk) List(collection string) ([]Entry, error) {
	list, err := d.entries(collection)
	return slices.DeleteFunc(list, func(e Entry) bool { return holdings.IsMending(e.Name) }), err
}

func (d *Desk) entries(collection string) ([]Entry, error) {
	_, plan, err := d.plan(collection)
	if err != nil {
		return nil, err
	}
	out := []Entry{}
	for name, c := range plan.Crawls {
		if by, ok := plan.Defined[name]; ok {
			out = append(out, entryOf(by, false))
		} else {
			out = append(out, Entry{Name: name, Source: FromFile, Definition: &c})
		}
		if by, ok := plan.Hidden[name]; ok {
			out = append(out, entryOf(by, true))
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(string(a.Source), string(b.Source)) // the file before the screen
	})
	return out, nil
}

// Entry gives the crawl of a plan that is in force under a name.
func (d *Desk) Entry(collection, name string) (Entry, error) {
	list, err := d.entries(collection)
	if err != nil {
		return Entry{}, err
	}
	for _, e := range list {
		if e.Name == name {
			return e, nil
		}
	}
	return Entry{}, &varve.Error{Kind: varve.NotFound, Op: fmt.Sprintf("find crawl %q of %s", name, collection), Msg: "the plan of the collection has no such crawl"}
}

// History gives the lines of a name, newest first.
func (d *Desk) History(collection, name string) ([]crawl.Defined, error) {
	col, err := d.open(collection)
	if err != nil {
		return nil, err
	}
	lines, trouble := crawl.ReadDefined(col)
	var out []crawl.Defined
	for _, l := range slices.Backward(lines) {
		if l.Name == name {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return nil, errors.Join(&varve.Error{Kind: varve.NotFound, Op: fmt.Sprintf("history of crawl %q of %s", name, collection), Msg: "nobody defined it on a screen"}, trouble)
	}
	return out, nil
}

// Save plans a crawl, or changes it. was is when the crawl was changed that is replaced, zero for a new one: if
// somebody was faster nothing is saved.
func (d *Desk) Save(collection string, p crawl.Planned, was time.Time, by, note string) error {
	p.OnlyPublic = !onMachine(p.Seeds)
	line := crawl.Defined{Name: p.Name, Crawl: &p, By: by, At: d.Now(), Note: note}
	return d.change(collection, "define crawl", line, was)
}

// Retire takes a crawl out of the plan; its history stays.
func (d *Desk) Retire(collection, name string, was time.Time, by, note string) error {
	return d.change(collection, "retire crawl", crawl.Defined{Name: name, Retired: true, By: by, At: d.Now(), Note: note}, was)
}

func (d *Desk) change(collection, did string, line crawl.Defined, was time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	col, plan, err := d.plan(collection)
	if err != nil {
		return err
	}
	if len(line.Note) > maxNote {
		return &varve.Error{Kind: varve.Invalid, Op: did + " " + line.Name, Msg: fmt.Sprintf("the note has more than %d characters", maxNote)}
	}
	if err := collides(plan, line, was, did); err != nil {
		return err
	}
	entry := access.Entry{Time: line.At, By: line.By, Did: did, Collection: collection, What: line.Name, Detail: line.Note}
	if err := d.Audit.Append(entry); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "tell the audit log", Err: err, Hint: "nothing was changed; see that the archive can be written to"}
	}
	if err := crawl.Define(col, line); err != nil {
		entry.Did, entry.Detail = did+" failed", err.Error()
		return errors.Join(err, d.Audit.Append(entry))
	}
	return nil
}

// collides tells what stands in the way of a change.
func collides(plan *crawl.Plan, line crawl.Defined, was time.Time, did string) error {
	op := did + " " + line.Name
	now, there := plan.Defined[line.Name]
	if h, ok := plan.Hidden[line.Name]; ok {
		now, there = h, true
	}
	_, any := plan.Crawls[line.Name]
	switch {
	case any && !there:
		return &varve.Error{Kind: varve.Conflict, Op: op, Msg: "it stands in collection.toml, which is people's", Hint: "change it there, or copy it under another name"}
	case line.Retired && !there:
		return &varve.Error{Kind: varve.NotFound, Op: op, Msg: "the plan of the collection has no such crawl"}
	case there && was.IsZero() && !line.Retired:
		return &varve.Error{Kind: varve.Conflict, Op: op, Msg: fmt.Sprintf("there is one already, of %s", now.By), Hint: "change that one, or choose another name"}
	case there && !was.IsZero() && !now.At.Equal(was):
		return &varve.Error{Kind: varve.Conflict, Op: op, Msg: fmt.Sprintf("%s changed it at %s, while you had it open", now.By, now.At.Format(time.RFC3339)), Hint: "look at its history; saved once more, yours is the one in force"}
	}
	return nil
}
